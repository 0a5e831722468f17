"""Every figure becomes a small SVG that names its axes; equal figures become equal files."""

from xml.etree import ElementTree

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
