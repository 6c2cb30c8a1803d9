"""What a report says, read back by parsers that others wrote.

report.py check PAGE RUN...    PAGE shows these runs, histories in CSV, as they are
report.py names PAGE NAME...   PAGE names these runs, and has nothing that acts or loads
"""
import csv
import math
import re
import sys
import xml.etree.ElementTree as tree
from html.parser import HTMLParser

HTML = "{http://www.w3.org/1999/xhtml}"
CHARTS = {
    "Gap against epochs": ("epoch", ["gap"]),
    "Gap against seconds": ("seconds", ["gap"]),
    "Primal and dual against epochs": ("epoch", ["primal", "dual"]),
    "Test error against epochs": ("epoch", ["test_error"]),
}


def check(condition, words):
    if not condition:
        sys.exit("FAILED: " + words)


def number(text):
    return float(text) if text else math.nan


def read_history(path):
    with open(path, newline="") as file:
        return [{k: number(v) for k, v in row.items()} for row in csv.DictReader(file)]


def drawable(row, x, y):
    return abs(row[x]) < 1e100 and abs(row[y]) < 1e100


def expected_points(path, x, y):
    return [(row[x], row[y]) for row in read_history(path) if drawable(row, x, y)]


def expected_pieces(path, x, y):
    """Into how many pieces missing values break the line."""
    here = [drawable(row, x, y) for row in read_history(path)]
    return sum(now and not before for before, now in zip([False] + here, here))


def shown_points(curve):
    """(run, x, y, cx, cy) of every point, as its words and as its place."""
    points = []
    for circle in curve.findall(HTML + "circle"):
        words = circle.find(HTML + "title").text
        run, x, y = re.fullmatch(r"(.*): \S+ (\S+), [a-z ]+ (\S+)", words, re.S).groups()
        points.append((run, float(x), float(y), float(circle.get("cx")), float(circle.get("cy"))))
    return points


def read_line(curve):
    """How many pieces the line has, and where it goes."""
    steps = re.findall(r"([ML])([-\d.]+) ([-\d.]+)", curve.find(HTML + "path").get("d"))
    return [s[0] for s in steps].count("M"), [(float(s[1]), float(s[2])) for s in steps]


def check_curve(name, path, curve, x, y, logarithmic):
    expected = expected_points(path, x, y)
    shown = shown_points(curve)
    check(len(shown) == len(expected), f"{name}: {len(shown)} points, not {len(expected)}")
    check(all(p[0] == path for p in shown), f"{name}: points of another run")
    for (want_x, want_y), (_, got_x, got_y, _, _) in zip(expected, shown):
        check(math.isclose(want_x, got_x, rel_tol=1e-5), f"{name}: x {got_x}, not {want_x}")
        check(math.isclose(want_y, got_y, rel_tol=1e-5), f"{name}: y {got_y}, not {want_y}")
    pieces, places = read_line(curve)
    check(places == [p[3:] for p in shown], f"{name}: the line misses points")
    check(pieces == expected_pieces(path, x, y), f"{name}: the line has {pieces} pieces")
    check_places(name, shown, logarithmic)


def check_places(name, shown, logarithmic):
    """Places are an affine image of the values, or of their logarithms."""
    across = [(p[1], p[3]) for p in shown]
    if logarithmic:
        up = [(math.log10(p[2]), p[4]) for p in shown if p[2] > 0]
    else:
        up = [(p[2], p[4]) for p in shown]
    for axis in (across, up):
        if len({value for value, _ in axis}) < 3:
            continue
        (low, at_low), (high, at_high) = min(axis), max(axis)
        for value, at in axis:
            want = at_low + (at_high - at_low) * (value - low) / (high - low)
            check(abs(at - want) < 0.2, f"{name}: {value} is at {at}, not at {want}")


def check_page(page, runs):
    root = tree.parse(page).getroot()
    figures = {figure.find(HTML + "h2").text: figure for figure in root.iter(HTML + "figure")}
    for name, (x, fields) in CHARTS.items():
        wanted = [(run, y) for run in runs for y in fields]
        if not any(expected_points(run, x, y) for run, y in wanted):
            check(name not in figures, f"{name}: there is nothing to show")
            continue
        drawing = figures[name].find(HTML + "svg")
        width, height = map(float, drawing.get("viewBox").split()[2:])
        curves = drawing.findall(HTML + "g")
        check(len(curves) == len(wanted), f"{name}: {len(curves)} curves, not {len(wanted)}")
        for (run, y), curve in zip(wanted, curves):
            check_curve(f"{name}, {run}", run, curve, x, y, y == "gap")
            for _, _, _, cx, cy in shown_points(curve):
                check(0 <= cx <= width and 0 <= cy <= height, f"{name}: a point is outside")
        check(not re.search(r"\b(nan|inf)", tree.tostring(drawing, "unicode"), re.I),
              f"{name}: has a number that is none")


class Reader(HTMLParser):
    """As a browser reads it: the words, and whatever would act or load."""

    def __init__(self):
        super().__init__()
        self.words = []
        self.active = []

    def handle_starttag(self, tag, attrs):
        loads = [name for name, _ in attrs if name in ("src", "href") or name.startswith("on")]
        if tag in ("script", "link", "img", "iframe", "object", "embed") or loads:
            self.active.append((tag, attrs))

    def handle_data(self, data):
        self.words.append(data)


def check_names(page, names):
    tree.parse(page)
    reader = Reader()
    with open(page, encoding="utf-8") as file:
        reader.feed(file.read())
    check(not reader.active, f"the page acts or loads: {reader.active}")
    check("url(" not in "".join(reader.words), "the page's style loads something")
    for name in names:
        check(any(name == words.strip() for words in reader.words), f"'{name}' is not shown")


if __name__ == "__main__":
    {"check": check_page, "names": check_names}[sys.argv[1]](sys.argv[2], sys.argv[3:])
