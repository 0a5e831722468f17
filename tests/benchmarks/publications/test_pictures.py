"""Every figure becomes a small SVG that names its axes; equal figures become equal files."""

from xml.etree import ElementTree

from benchmarks.publications.figure import Plane
from benchmarks.publications.pictures import can_draw, draw

LARGEST = 200_000


def test_each_figure_is_drawn_small_with_its_axes_named(small_figures, tmp_path):
    for figure in small_figures:
        path = tmp_path / f"{figure.file_stem}.svg"
        draw(figure, path)
        assert path.stat().st_size < LARGEST
        words = "".join(ElementTree.parse(path).getroot().itertext())  # noqa: S314  # our own file
        for panel in figure.panels:
            assert panel.title in words or len(figure.panels) == 1
            assert panel.x_label in words
            assert panel.unit in words


def test_series_are_named_where_there_are_several(small_figures, tmp_path):
    path = tmp_path / "figure.svg"
    draw(small_figures[0], path)
    text = path.read_text()
    assert "linear program" in text
    assert "MET" in text


def test_equal_figures_are_equal_files(small_figures, tmp_path):
    one, other = tmp_path / "one.svg", tmp_path / "other.svg"
    draw(small_figures[3], one)
    draw(small_figures[3], other)
    assert one.read_bytes() == other.read_bytes()


def test_whether_one_can_draw_is_known_without_drawing():
    assert can_draw()


def planes(figures):
    return [figure for figure in figures if isinstance(next(iter(figure.panels), None), Plane)]


def test_each_plane_is_drawn_with_all_that_it_holds_named(small_front_figures, tmp_path):
    figures = planes(small_front_figures)
    assert len(figures) == 6
    for figure in figures:
        path = tmp_path / f"{figure.file_stem}.svg"
        draw(figure, path)
        words = "".join(ElementTree.parse(path).getroot().itertext())  # noqa: S314  # our own file
        assert words.count("energy (MJ)") == words.count("makespan (s)") == len(figure.panels)
        for panel in figure.panels:
            assert panel.title in words or len(figure.panels) == 1
            for curve in panel.curves:
                assert curve.name in words
            for arrows in panel.arrows:
                assert arrows.step in words
        assert ("proven impossible" in words) is (figure.number in ("3.5", "3.8"))
        assert ("dominated by known schedules" in words) is (figure.number == "3.10")


def test_a_picture_can_be_a_png(small_front_figures, tmp_path):
    path = tmp_path / "plane.png"
    draw(planes(small_front_figures)[0], path)
    assert path.read_bytes().startswith(b"\x89PNG")


def test_dots_that_are_not_joined_have_no_line(small_front_figures, tmp_path):
    from matplotlib.figure import Figure

    from benchmarks.publications.pictures import draw_plane

    polygons = next(figure for figure in small_front_figures if figure.number == "3.10")
    axes = Figure().subplots()
    draw_plane(axes, polygons.panels[0])
    assert [line.get_linestyle() for line in axes.get_lines()] == ["None"]
