"""Every plane becomes a picture that names its axes, curves, regions and arrows."""

from xml.etree import ElementTree

from benchmarks.publications.pictures import draw
from benchmarks.publications.plane import Plane


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

    from benchmarks.publications.plane_pictures import draw_plane

    polygons = next(figure for figure in small_front_figures if figure.number == "3.10")
    axes = Figure().subplots()
    draw_plane(axes, polygons.panels[0])
    assert [line.get_linestyle() for line in axes.get_lines()] == ["None"]
