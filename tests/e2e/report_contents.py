"""Parse a report and compare it with its runs.

report_contents.py check PAGE RUN...    PAGE shows these runs, histories in CSV or models, as they are
report_contents.py model PAGE MODEL     PAGE has the seconds and the largest weights of MODEL
report_contents.py plot PICTURE RUN...  PICTURE, in SVG, shows these runs as they are
report_contents.py words PICTURE NAME   no labels of PICTURE overlap, and the end of NAME is shown
report_contents.py names PAGE NAME...   PAGE names these runs, and has no active or external content
"""
import base64
import csv
import functools
import hashlib
import itertools
import math
import re
import sys
import xml.etree.ElementTree as tree
from html.parser import HTMLParser

SVG = "{http://www.w3.org/2000/svg}"
HTML = "{http://www.w3.org/1999/xhtml}"
CHARTS = {
    "Duality gap": ["gap"],
    "Primal and dual objective": ["primal", "best_dual"],
    "Test error": ["test_error"],
    "Step length eta": ["eta"],
    "Safety factor sigma": ["sigma", "sigma_along"],
    "Local steps per round, as a share of a rank's rows": ["local_steps"],
}
SETTINGS = ["eta", "sigma", "sigma_along", "local_steps"]  # shown if they change; per round if rounds are recorded
MOST = 200  # maximum number of points of a curve
ACROSS = {"epochs": "epoch", "seconds": "seconds"}
PANELS = [  # of a picture
    ("Primal and dual objective", ["primal", "best_dual"], "epoch"),
    ("Duality gap", ["gap"], "epoch"),
    ("Test error", ["test_error"], "epoch"),
    ("Duality gap", ["gap"], "seconds"),  # where an odd number of panels would leave a blank
]


def check(condition, words):
    if not condition:
        sys.exit("FAILED: " + words)


def number(text):
    return float(text) if text else math.nan


def read_model(path, setting):
    import h5py
    with h5py.File(path) as model:
        group = model["rounds" if setting and "rounds" in model else "history"]
        columns = {name: array[:].tolist() for name, array in group.items()}
    return [dict(zip(columns, row)) for row in zip(*columns.values())]


def read_csv(path):
    with open(path, newline="") as file:
        return [{k: number(v) for k, v in row.items()} for row in csv.DictReader(file)]


@functools.cache
def read_records(path, setting):
    """The recorded values of a run: settings per round if recorded, else per evaluation."""
    records = read_model(path, setting) if path.endswith(".h5") else read_csv(path)
    best = 0  # the dual value of alpha = 0
    for row in records:
        dual = row.get("dual", math.nan)
        best = max(best, dual) if math.isfinite(dual) else best
        row["best_dual"] = best if math.isfinite(dual) else math.nan
        if dual < best and 0 < row["primal"] - best < row["gap"]:
            row["gap"] = row["primal"] - best  # the best dual bounds P as well
    return records


def drawable(row, x, y):
    return abs(row[x]) < 1e100 and abs(row.get(y, math.nan)) < 1e100


def expected_points(path, x, y):
    return [(row[x], row[y]) for row in read_records(path, y in SETTINGS) if drawable(row, x, y)]


def thinned(points):
    """The subset of many points that is shown. (Runs with many points have no missing values.)"""
    stride = math.ceil(len(points) / MOST)
    return [p for k, p in enumerate(points) if k % stride == 0 or k == len(points) - 1]


def is_worth_a_chart(runs, x, fields):
    values = {y for run in runs for field in fields for _, y in expected_points(run, x, field)}
    return len(values) > (fields[0] in SETTINGS)


def expected_pieces(path, x, y):
    """The number of line segments that missing values cause."""
    here = [drawable(row, x, y) for row in read_records(path, y in SETTINGS)]
    return sum(now and not before for before, now in zip([False] + here, here))


def shown_points(curve):
    """(run, x, y, cx, cy) of every point, as text and as position."""
    points = []
    for circle in curve.findall(HTML + "circle"):
        words = circle.find(HTML + "title").text
        run, x, y = re.fullmatch(r"(.*): \S+ (\S+), [a-z ]+ (\S+)", words, re.S).groups()
        points.append((run, float(x), float(y), float(circle.get("cx")), float(circle.get("cy"))))
    return points


def read_line(curve):
    """The number of line segments, and the positions on the line."""
    steps = re.findall(r"([ML])([-\d.]+) ([-\d.]+)", curve.find(HTML + "path").get("d"))
    return [s[0] for s in steps].count("M"), [(float(s[1]), float(s[2])) for s in steps]


def check_curve(name, path, curve, x, y, logarithmic):
    everything = expected_points(path, x, y)
    expected = thinned(everything)
    shown = shown_points(curve)
    check(len(shown) == len(expected), f"{name}: {len(shown)} points, not {len(expected)}")
    check(all(p[0] == path for p in shown), f"{name}: points of another run")
    for (want_x, want_y), (_, got_x, got_y, _, _) in zip(expected, shown):
        check(math.isclose(want_x, got_x, rel_tol=1e-5), f"{name}: x {got_x}, not {want_x}")
        check(math.isclose(want_y, got_y, rel_tol=1e-5), f"{name}: y {got_y}, not {want_y}")
    pieces, places = read_line(curve)
    way = iter(places)
    check(all(p[3:] in way for p in shown), f"{name}: the line misses points")
    check(len(places) <= len(shown) + 2 * MOST and (len(places) == len(shown) or len(everything) > MOST),
          f"{name}: the line has {len(places)} places for {len(shown)} points")
    check_reach(name, everything, shown, places, logarithmic)
    check(pieces == expected_pieces(path, x, y), f"{name}: the line has {pieces} pieces")
    check_places(name, shown, logarithmic)


def check_reach(name, everything, shown, places, logarithmic):
    """The line covers the range of the values without a point."""
    if logarithmic or len({p[2] for p in shown}) < 2:
        return
    (low, at_low), (high, at_high) = (pick((p[2], p[4]) for p in shown) for pick in (min, max))
    for pick, reached in ((min, max(y for _, y in places)), (max, min(y for _, y in places))):
        want = at_low + (at_high - at_low) * (pick(y for _, y in everything) - low) / (high - low)
        check(abs(reached - want) < 0.5, f"{name}: the line reaches {reached}, not {want}")


def check_places(name, shown, logarithmic):
    """Positions are an affine function of the values, or of their logarithms."""
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


def is_logarithmic(runs, x, fields):
    values = [y for run in runs for field in fields for _, y in expected_points(run, x, field)]
    return fields == ["gap"] or (fields[0] in SETTINGS and 0 < 50 * min(values) < max(values))


def check_page(page, runs):
    root = tree.parse(page).getroot()
    figures = {figure.find(HTML + "h2").text: figure for figure in root.iter(HTML + "figure")}
    for (title, fields), (across, x) in itertools.product(CHARTS.items(), ACROSS.items()):
        name = f"{title} against {across}"
        if not is_worth_a_chart(runs, x, fields):
            check(title not in figures, f"{title}: unexpected chart")
            continue
        last = max(k for k, y in enumerate(fields) if any(expected_points(run, x, y) for run in runs))
        wanted = [(run, y) for run in runs for y in fields[:last + 1]]
        hollow = fields == ["gap"] and any(y <= 0 for run in runs for _, y in expected_points(run, x, "gap"))
        check(("Hollow" in "".join(figures[title].itertext())) == hollow, f"{name}: wrong note on hollow points")
        [drawing] = [svg for svg in figures[title].findall(HTML + "svg") if svg.get("aria-label") == name]
        width, height = map(float, drawing.get("viewBox").split()[2:])
        curves = drawing.findall(HTML + "g")
        check(len(curves) == len(wanted), f"{name}: {len(curves)} curves, not {len(wanted)}")
        for (run, y), curve in zip(wanted, curves):
            check_curve(f"{name}, {run}", run, curve, x, y, is_logarithmic(runs, x, fields))
            for _, _, _, cx, cy in shown_points(curve):
                check(0 <= cx <= width and 0 <= cy <= height, f"{name}: a point is outside")
        check(not re.search(r"\b(nan|inf)", tree.tostring(drawing, "unicode"), re.I),
              f"{name}: has an invalid number")


def section(root, title):
    """The card with this title, and its table: a list of cells per line."""
    [card] = [s for s in root.iter(HTML + "section") if "".join(s.find(HTML + "h2").itertext()) == title]
    lines = [["".join(cell.itertext()) for cell in row] for row in next(card.iter(HTML + "tbody"))]
    return card, lines


def check_model(page, paths):
    import h5py
    root = tree.parse(page).getroot()
    with h5py.File(paths[0]) as model:
        seconds, w = dict(model["seconds"].attrs), model["w"][:]
        bias = model.attrs.get("bias", 0.0) / model.attrs.get("bias-value", 1.0)  # a part of what is proven to be near
    check(set(seconds) == {"total", "read", "local", "communicate", "gap", "checkpoint"}, f"seconds: {seconds}")
    parts = [seconds[name] for name in ("read", "local", "communicate", "gap", "checkpoint")]
    parts.append(max(0, seconds["total"] - sum(parts[1:])))
    check(0 < seconds["local"] <= seconds["total"], f"seconds: {seconds}")

    card, lines = section(root, "Time by activity")
    told = [f"{part:.3f} s" for part in parts if part >= 0.0005] + [f"{seconds['total']:.3f} s"]
    check([line[1] for line in lines] == told, f"seconds: the page says {lines}, the model {seconds}")
    [bar] = [d for d in card.iter(HTML + "div") if d.get("class") == "bar"]
    widths = [float(re.fullmatch(r"width:(.*)%", i.get("style"))[1]) for i in bar]
    check(all(abs(width - 100 * part / sum(parts)) < 0.01 for width, part in zip(widths, parts)),
          f"seconds: widths {widths} for {parts}")

    norm = f", where |w| is {math.hypot(bias, *w):.4g}."
    check(norm in "".join(root.itertext()), f"the page does not say that {norm}")
    _, lines = section(root, "Largest weights of " + paths[0])
    largest = sorted(range(len(w)), key=lambda j: -abs(w[j]))[:15]
    check([int(line[0]) for line in lines] == [j for j in largest if w[j] != 0], "other weights are larger")
    check(all(math.isclose(float(line[1]), w[int(line[0])], rel_tol=1e-3) for line in lines), "weights are wrong")


def check_plot(picture, runs):
    """gnuplot calls curve K of the panels plot_Ka, plot_Kb, ...; the last is the legend."""
    curves = {}
    for group in tree.parse(picture).iter(SVG + "g"):
        match = re.fullmatch(r"gnuplot_plot_(\d+)([a-z]?)", group.get("id", ""))
        if match:
            curves[match[2], int(match[1])] = group
    panels = sorted({panel for panel, _ in curves})
    worth = [panel for panel in PANELS if is_worth_a_chart(runs, panel[2], panel[1])]
    others = [panel for panel in worth if panel is not PANELS[-1]]
    for title, fields, x in worth if len(others) % 2 else others:
        panel = panels.pop(0)
        for k, (run, y) in enumerate(itertools.product(runs, fields)):
            expected = expected_points(run, x, y)
            logarithmic = y == "gap" and any(p[1] > 0 for p in expected)
            expected = [p for p in expected if not logarithmic or p[1] > 0]
            span = max((p[0] for p in expected), default=0)
            expected = [p for k, p in enumerate(expected)  # gnuplot draws points at one place once
                        if k == 0 or p[1] != expected[k - 1][1] or p[0] - expected[k - 1][0] > 1e-5 * span]
            paths = curves[panel, k + 1].iter(SVG + "path") if expected else []
            places = [tuple(map(float, place)) for path in paths
                      for place in re.findall(r"([-\d.]+),([-\d.]+)", path.get("d"))]
            check(len(places) == len(expected) or len(expected) == 1,
                  f"{title}, {run}: {len(places)} points, not {len(expected)}")
            check_places(f"{title}, {run}", [(run, *value, *at) for value, at in zip(expected, places)], logarithmic)
    check(len(panels) == 1, f"too many panels: {panels}")


def check_words(picture, names):
    """Positions of labels, by gnuplot's groups; a letter is about 7 wide, less in numbers."""
    places = []
    for group in tree.parse(picture).iter(SVG + "g"):
        moved = re.fullmatch(r"translate\(([-\d.]+),([-\d.]+)\)", group.get("transform", ""))
        words = "".join("".join(text.itertext()) for text in group.findall(SVG + "text")).strip()
        if moved and words:
            width = len(words) * (6 if re.fullmatch(r"[-\d.]+", words) else 7)
            left = float(moved[1]) - {"middle": width / 2, "end": width}.get(group.get("text-anchor"), 0)
            places.append((words, left, left + width, float(moved[2])))
    width = float(tree.parse(picture).getroot().get("width"))
    for words, left, right, _ in places:
        check(left >= 0 and right <= width, f"'{words}' goes from {left} to {right}")
    for (one, l1, r1, y1), (two, l2, r2, y2) in itertools.combinations(places, 2):
        check(r1 <= l2 or r2 <= l1 or abs(y1 - y2) >= 11, f"'{one}' and '{two}' overlap")
    check(not names or any(w.startswith("...") and names[0].endswith(w[3:]) for w, *_ in places),
          f"no end of {names}: {places}")


class Reader(HTMLParser):
    """Parse the page like a browser: text, scripts, policy, and all other active
    or external content."""

    def __init__(self):
        super().__init__()
        self.words = []
        self.active = []
        self.scripts = []
        self.policy = ""
        self.tag = None

    def handle_starttag(self, tag, attrs):
        self.tag = tag
        loads = [name for name, _ in attrs if name in ("src", "href") or name.startswith("on")]
        if tag in ("link", "img", "iframe", "object", "embed") or loads:
            self.active.append((tag, attrs))
        if dict(attrs).get("http-equiv") == "Content-Security-Policy":
            self.policy = dict(attrs)["content"]

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)

    def handle_data(self, data):
        (self.scripts if self.tag == "script" else self.words).append(data)

    def handle_endtag(self, tag):
        self.tag = None


def check_names(page, names):
    tree.parse(page)
    reader = Reader()
    with open(page, encoding="utf-8") as file:
        reader.feed(file.read())
    check(not reader.active, f"active or external content: {reader.active}")
    check(len(reader.scripts) == 1, f"the page has {len(reader.scripts)} scripts")
    digest = base64.b64encode(hashlib.sha256(reader.scripts[0].encode()).digest()).decode()
    check(reader.policy == f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'",
          f"the page's policy is not for its script, which is sha256-{digest}, see src/cli/report/page.c: {reader.policy}")
    check("url(" not in "".join(reader.words), "the page's style loads something")
    for name in names:
        check(any(name == words.strip() for words in reader.words), f"'{name}' is not shown")


if __name__ == "__main__":
    commands = {"check": check_page, "model": check_model, "names": check_names, "plot": check_plot, "words": check_words}
    commands[sys.argv[1]](sys.argv[2], sys.argv[3:])
