"""Test the page of sdca report in a real browser.

report_in_browser.py histories PAGE RUN...   PAGE shows these runs, at least two histories in CSV
report_in_browser.py rounds PAGE RUN...      PAGE shows these runs, models, and how their rounds went
report_in_browser.py texts PAGE              no texts of PAGE overlap or leave their cards
"""
import base64
import csv
import itertools
import math
import re
import sys

from chromium import Browser

FIGURES = ["Primal and dual objective", "Duality gap", "Test error"]
FIELDS = [["primal", "best dual"], ["gap"], ["test error"]]
ROUNDS = {  # fields of a chart, by name in models
    "Step length eta": {"eta": "eta"},
    "Safety factor sigma": {"sigma": "sigma", "sigma_along": "sigma along the mean row"},
}


def check(condition, words):
    if not condition:
        sys.exit("FAILED: " + words)


def read_history(path):
    with open(path, newline="") as file:
        rows = [{k.replace("_", " "): v for k, v in row.items()} for row in csv.DictReader(file)]
    for k, row in enumerate(rows):
        best = max(0.0, *(float(earlier["dual"]) for earlier in rows[:k + 1]))
        row["best dual"] = str(best)
        row["gap"] = min(row["gap"], str(float(row["primal"]) - best), key=float)
    return rows


class Page:
    """The page in the browser; charts are numbered in the order of FIGURES."""

    def __init__(self, browser, path):
        self.browser = browser
        self.path = path

    def ask(self, expression):
        return self.browser.evaluate(expression)

    def open(self, width=1200, height=900, scheme="light", touch=False):
        self.browser.resize(width, height, touch)
        self.browser.prefer(scheme)
        self.browser.open(self.path)

    def unfold(self):
        self.ask("document.querySelectorAll('details').forEach(part => { part.open = true; })")

    def show(self, figure):
        self.ask(f"document.querySelectorAll('figure')[{figure}].scrollIntoView({{block: 'center'}})")
        self.ask("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))")

    def points(self, figure, across):
        """[run, positions] of every visible curve."""
        return self.ask(f"""
            [...document.querySelectorAll('figure')[{figure}].querySelectorAll('.by-{across} .curve')]
              .filter(curve => curve.getClientRects().length > 0)
              .map(curve => [curve.dataset.run, [...curve.querySelectorAll('circle')].map(dot => {{
                const at = dot.getBoundingClientRect();
                return [at.x + at.width / 2, at.y + at.height / 2];
              }})])""")

    def tip(self):
        """The contents of the tooltip: the run and its values, or None."""
        return self.ask("""
            (() => {
              const tip = document.getElementById('tip');
              return tip.getClientRects().length === 0 ? null : [tip.querySelector('b').textContent,
                Object.fromEntries([...tip.querySelectorAll('dt')].map(
                  name => [name.textContent, name.nextElementSibling.textContent]))];
            })()""")

    def place(self, selector):
        """The centre of an element."""
        return self.ask(f"""
            (() => {{
              const at = document.querySelector({selector!r}).getBoundingClientRect();
              return [at.x + at.width / 2, at.y + at.height / 2];
            }})()""")

    def click(self, selector):
        self.ask(f"document.querySelector({selector!r}).scrollIntoView({{block: 'center'}})")
        self.browser.click(*self.place(selector))


def check_tip(page, run, row, figure):
    tip = page.tip()
    check(tip is not None, f"{FIGURES[figure]}: no tooltip for {run}, {row}")
    name, values = tip
    check(name == run, f"{FIGURES[figure]}: the tooltip shows {name}, not of {run}")
    wanted = ["round", "epoch", "seconds", *FIELDS[figure]]
    check(list(values) == wanted, f"{FIGURES[figure]}: the tooltip shows {list(values)}, not {wanted}")
    for field in wanted:
        check(math.isclose(float(values[field]), float(row[field]), rel_tol=1e-3),
              f"{FIGURES[figure]}: {field} is {values[field]}, not {row[field]}")


def check_tip_is_in_view(page):
    inside = page.ask("""
        (() => {
          const tip = document.getElementById('tip').getBoundingClientRect();
          return tip.left >= 0 && tip.top >= 0 && tip.right <= innerWidth && tip.bottom <= innerHeight;
        })()""")
    check(inside, "the tip is not in view")


def rows_of(run, field):
    return [row for row in read_history(run) if row[field] not in ("", "nan")]


def show_only(page, run, runs):
    for k, other in enumerate(runs):
        page.ask(f"document.getElementById('show{k}').checked = {'true' if run in (None, other) else 'false'}")


def check_hover(page, runs, across):
    """Every point shows its own values. One run at a time, since points of several runs may
    coincide."""
    for run, (figure, fields) in itertools.product(runs, enumerate(FIELDS)):
        show_only(page, run, runs)
        page.show(figure)
        for curve, (_, places) in enumerate(page.points(figure, across)):
            rows = rows_of(run, fields[curve])
            check(len(places) == len(rows), f"{FIGURES[figure]}: {len(places)} points of {run}, not {len(rows)}")
            for (x, y), row in zip(places, rows):
                page.browser.move(x, y)
                check_tip(page, run, row, figure)
                check_tip_is_in_view(page)
        check(page.ask("document.querySelectorAll('.marked').length") == 1, "not one point is marked")
        page.browser.move(2, 2)
        check(page.tip() is None, "the tip stays when the pointer leaves")
    show_only(page, None, runs)


def check_nearest(page):
    """Far from all points, the tooltip shows the nearest visible one."""
    page.show(1)
    curves = page.points(1, "epochs")
    left, top, right, bottom = page.ask("""
        (() => {
          const at = document.querySelectorAll('figure')[1].querySelector('.by-epochs').getBoundingClientRect();
          return [at.left, at.top, at.right, at.bottom];
        })()""")
    asked = 0
    for across, up in itertools.product((0.15, 0.4, 0.6, 0.9), repeat=2):
        x, y = left + across * (right - left), bottom - up * (bottom - top)
        (near, run, k), (far, _, _), *_ = sorted(
            (math.dist(place, (x, y)), run, k) for run, places in curves for k, place in enumerate(places))
        if far - near > 2:  # otherwise ambiguous
            page.browser.move(x, y)
            check_tip(page, run, rows_of(run, "gap")[k], 1)
            asked += 1
    check(asked >= 4, f"only {asked} places have one nearest point")


def read_rounds(run):
    import h5py
    with h5py.File(run) as model:
        return {name: array[:].tolist() for name, array in model["rounds"].items()}


def check_points_of_rounds(page, run, title, figure, across):
    """A point shows the model's values of its round."""
    log, words = read_rounds(run), ROUNDS[title]
    count = len(log["round"])
    stride = math.ceil(count / 200)
    shown = [k for k in range(count) if k % stride == 0 or k == count - 1]
    fields = [field for field in words if field in log]
    curves = [places for _, places in page.points(figure, across) if places]
    check(len(curves) == len(fields), f"{title}: {len(curves)} curves of {run}, not {len(fields)}")
    for field, places in zip(fields, curves):
        check(len(places) == len(shown), f"{title}: {len(places)} points of {run}, not {len(shown)}")
        for k, (x, y) in list(zip(shown, places))[::17]:
            page.browser.move(x, y)
            name, tip = page.tip()
            wanted = ["round", "epoch", "seconds", *(words[f] for f in fields)]
            check(name == run and list(tip) == wanted, f"{title}: the tooltip of {name} shows {tip}, not {wanted}")
            at = int(tip["round"]) - 1  # of coinciding points any may be shown, also one of the other curve
            there = [curve[shown.index(at)] for curve in curves]
            check(at == k or min(math.dist(place, (x, y)) for place in there) < 2,
                  f"{title}: round {at + 1} is shown at that of {k + 1}")
            for told in ("epoch", "seconds", *fields):
                check(math.isclose(float(tip[words.get(told, told)]), log[told][at], rel_tol=1e-4),
                      f"{title}: {told} of round {at + 1} is {tip}, not {log[told][at]}")


def check_rounds(page, runs):
    check(page.ask("document.querySelector('details figure').checkVisibility()") is False, "rounds are not folded away")
    page.unfold()
    titles = page.ask("[...document.querySelectorAll('figure h2')].map(title => title.textContent)")
    for run, title, across in itertools.product(runs, ROUNDS, ("epochs", "seconds")):
        page.click("#" + across)
        show_only(page, run, runs)
        page.show(titles.index(title))
        check_points_of_rounds(page, run, title, titles.index(title), across)
    show_only(page, None, runs)


def check_switches(page, runs):
    check(page.points(0, "epochs") and not page.points(0, "seconds"), "epochs are not what is shown first")
    page.click("#seconds")
    check(page.points(0, "seconds") and not page.points(0, "epochs"), "seconds cannot be chosen")
    check_hover(page, runs, "seconds")
    page.click("#epochs")
    check(page.points(0, "epochs") and not page.points(0, "seconds"), "epochs cannot be chosen again")

    page.click("#show0")
    check([run for run, _ in page.points(1, "epochs")] == runs[1:], "a run cannot be hidden")
    check(page.ask("document.querySelectorAll('.outcome.r0, td.r0')[0].getClientRects().length") == 0,
          "a hidden run is still in the tables")
    check_nearest(page)
    page.click("#show0")
    check([run for run, _ in page.points(1, "epochs")] == runs, "a run cannot be shown again")
    check_nearest(page)


def check_keys(page, runs):
    rows = rows_of(runs[0], "gap")
    page.browser.move(2, 2)
    page.ask("document.querySelectorAll('.by-epochs')[1].focus()")
    for wanted in [0, *range(1, len(rows)), len(rows) - 1]:
        page.browser.press("ArrowRight")
        check_tip(page, runs[0], rows[wanted], 1)
    page.browser.press("ArrowLeft")
    check_tip(page, runs[0], rows[-2], 1)
    page.browser.press("ArrowDown")
    check(page.tip()[0] == runs[1], "the arrows do not lead to the next curve")
    page.browser.press("Escape")
    check(page.tip() is None, "Escape does not hide the tip")


def check_width(page, what):
    width = page.ask("[document.documentElement.scrollWidth, innerWidth]")
    check(width[0] <= width[1], f"{what}: the page is {width[0]} wide, the window {width[1]}")
    beyond = page.ask("""
        [...document.querySelectorAll('body *')].filter(e => !e.closest('.scroll') && !e.closest('svg'))
          .filter(e => e.getBoundingClientRect().right > innerWidth + 1).map(e => e.outerHTML.slice(0, 80))""")
    check(not beyond, f"{what}: beyond the window: {beyond}")


def check_phone(page, runs):
    for width in (320, 360, 414):
        page.open(width, 740, touch=True)
        check_width(page, f"telephone {width}")
    letters = page.ask("Math.min(...[...document.querySelectorAll('.by-epochs > text')]"
                       ".map(text => text.getBoundingClientRect().height))")
    check(letters >= 11, f"letters of the charts are only {letters} high")
    show_only(page, runs[0], runs)
    for figure, fields in enumerate(FIELDS):
        page.show(figure)
        run, places = page.points(figure, "epochs")[0]
        row = rows_of(run, fields[0])[-1]
        page.browser.tap(places[-1][0] - 4, places[-1][1] + 3)
        check_tip(page, run, row, figure)
        check_tip_is_in_view(page)
        page.browser.tap(*page.place(f"figure:nth-of-type({figure + 1}) h2"))
        check(page.tip() is None, "a tap elsewhere does not hide the tip")
        (left, _), (right, level) = places[0], places[-1]  # a vertical swipe would scroll
        page.browser.drag((left, level), ((left + right) / 2, level), (right, level))
        check_tip(page, run, row, figure)
        page.browser.tap(*page.place(f"figure:nth-of-type({figure + 1}) h2"))
        check(page.tip() is None, "a tap elsewhere does not hide the tip of a drag")
        page.browser.tap(*places[-1])
    page.show(0)
    check(page.tip() is None, "the tip stays where nothing is any more")


def luminance(colour):
    """Relative luminance of a CSS colour, by WCAG 2."""
    channels = [int(c) / 255 for c in re.findall(r"\d+", colour)[:3]]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def check_colours(page, scheme):
    page.open(scheme=scheme)
    style = "getComputedStyle(document.querySelector({!r})).{}"
    back = page.ask(style.format("figure", "backgroundColor"))
    check((luminance(back) > 0.5) == (scheme == "light"), f"{scheme}: the background is {back}")
    for words in ("h1", "h2", "dt", "figcaption", "td", "th"):
        colour = page.ask(style.format(words, "color"))
        check(contrast(colour, back) >= 4.5, f"{scheme}: {words} is {colour} on {back}")
    for number in range(8):
        colour = page.ask(f"""
            (() => {{
              const curve = document.querySelector('.curve');
              curve.setAttribute('class', 'curve c{number}');
              return getComputedStyle(curve.querySelector('.line')).stroke;
            }})()""")
        check(contrast(colour, back) >= 3, f"{scheme}: run {number} is {colour} on {back}, {contrast(colour, back):.2f}")
    check_width(page, scheme)


def check_without_script(page, runs):
    page.browser.call("Emulation.setScriptExecutionDisabled", value=True)
    page.open()
    for figure, fields in enumerate(FIELDS):
        for run, places in page.points(figure, "epochs"):
            check(len(places) > 0, f"without a script: no points of {run}")
    titles = page.ask("[...document.querySelectorAll('.by-epochs .curve')[0].querySelectorAll('title')].length")
    check(titles == len(rows_of(runs[0], "gap")), "without a script: the points have no titles")
    page.click("#seconds")
    check(page.points(0, "seconds") and not page.points(0, "epochs"), "without a script: seconds cannot be chosen")
    page.click("#show0")
    check([run for run, _ in page.points(1, "seconds")] == runs[1:], "without a script: a run cannot be hidden")
    page.browser.call("Emulation.setScriptExecutionDisabled", value=False)


def use_histories(page, runs):
    page.open()
    check_hover(page, runs, "epochs")
    check_nearest(page)
    check_switches(page, runs)
    check_keys(page, runs)
    check_phone(page, runs)
    for scheme in ("light", "dark"):
        check_colours(page, scheme)
    check_without_script(page, runs)


def use_rounds(page, runs):
    for width, scheme in ((1200, "light"), (414, "dark")):
        page.open(width, 900, scheme)
        check_width(page, f"rounds at {width}")
        check_rounds(page, runs)


def check_texts(page, what):
    """No two texts overlap, and none leaves its card: boxes of all pieces of text."""
    wrong = page.ask("""
        (() => {
          const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), boxes = [], wrong = [];
          while (walker.nextNode()) {
            const node = walker.currentNode, range = document.createRange();
            if (!node.textContent.trim() || node.parentElement.closest('script, style, title, #tip') ||
                !node.parentElement.checkVisibility()) {
              continue;
            }
            range.selectNodeContents(node);
            for (const at of range.getClientRects()) {
              if (at.width > 0 && getComputedStyle(node.parentElement).visibility === 'visible') {
                boxes.push({ node, at, words: node.textContent.trim().slice(0, 40) });
              }
            }
          }
          for (const { node, at, words } of boxes) {
            const card = node.parentElement.closest('.card, figure');
            const edge = card && !node.parentElement.closest('.scroll') && card.getBoundingClientRect();
            if (edge && (at.left < edge.left - 1 || at.right > edge.right + 1)) {
              wrong.push(words + ' leaves its card');
            }
          }
          boxes.sort((a, b) => a.at.top - b.at.top);
          boxes.forEach((a, k) => {
            for (let j = k + 1; j < boxes.length && boxes[j].at.top < a.at.bottom - 2; j++) {
              const b = boxes[j];
              const across = Math.min(a.at.right, b.at.right) - Math.max(a.at.left, b.at.left);
              const up = Math.min(a.at.bottom, b.at.bottom) - b.at.top;
              const inPower = [a, b].some(box => box.node.parentElement.closest('.power'));
              if (a.node !== b.node && !inPower && across > 1 && up > 0.35 * Math.min(a.at.height, b.at.height) &&
                  !a.node.parentElement.closest('.scroll') === !b.node.parentElement.closest('.scroll')) {
                wrong.push(a.words + ' | ' + b.words);
              }
            }
          });
          return [boxes.length, wrong.slice(0, 5)];
        })()""")
    check(wrong[0] > 40, f"{what}: only {wrong[0]} texts")
    check(not wrong[1], f"{what}: texts overlap: {wrong[1]}")


def check_cards(page, what, columns):
    """Cards of a row have one height and fill the width; one run's settings need no scrolling; weights have bars."""
    wrong = page.ask("""
        [...document.querySelectorAll('.cards')].filter(e => e.checkVisibility() && !e.closest('details')).flatMap(grid => {
          const edge = grid.getBoundingClientRect(), rows = {}, wrong = [];
          for (const card of grid.children) {
            const at = card.getBoundingClientRect();
            (rows[Math.round(at.top)] ??= []).push(at);
          }
          for (const [top, row] of Object.entries(rows)) {
            const taller = Object.values(rows).flat().some(at => at.top < top - 1 && at.bottom > Number(top) + 1);
            const bottoms = row.map(at => at.bottom), right = Math.max(...row.map(at => at.right));
            if (right < edge.right - 1 && !taller) { wrong.push('a blank beside ' + grid.innerText.slice(0, 60)); }
            if (row.length > 1 && Math.max(...bottoms) - Math.min(...bottoms) > 1 && !taller &&
                !grid.matches('.facts, .around')) {
              wrong.push('heights differ in ' + grid.innerText.slice(0, 60));
            }
          }
          return wrong;
        })""")
    check(not wrong, f"{what}: {wrong}")
    if columns == 1:
        wide = page.ask("""
            [...document.querySelectorAll('.facts .scroll')].map(e => e.scrollWidth - e.clientWidth)""")
        check(max(wide) <= 0, f"{what}: settings or results have to be scrolled by {wide}")
    bars = page.ask("""
        [...document.querySelectorAll('.weights tbody td:last-child')].filter(e => e.checkVisibility())
          .map(cell => cell.getBoundingClientRect().width)""")
    check(min(bars, default=99) >= 40, f"{what}: no room for the bars of weights: {min(bars, default=99)}")


def check_paper(page, what, most):
    """The number of pages of A4."""
    sheets = page.browser.call("Page.printToPDF", paperWidth=8.27, paperHeight=11.69)["data"]
    count = len(re.findall(rb"/Type\s*/Page\b(?!s)", base64.b64decode(sheets)))
    check(1 <= count <= most, f"{what}: {count} sheets of paper, not at most {most}")


def use_texts(page, _):
    """At four widths, folded and unfolded, light and dark; and on paper."""
    runs = 1
    for width, scheme in ((400, "dark"), (768, "dark"), (900, "light"), (1400, "light")):
        page.open(width, 900, scheme, touch=width == 400)
        runs = page.ask("document.querySelectorAll('.outcome').length")
        check_cards(page, f"{page.path} at {width}", runs)
        for how in "folded", "unfolded":
            check_width(page, f"{page.path}, {how} at {width}")
            check_texts(page, f"{page.path}, {how} at {width}")
            page.unfold()
    page.open()
    check_paper(page, page.path, 4 if runs == 1 else 3 + runs)


def main(use, path, runs):
    with Browser() as browser:
        page = Page(browser, path)
        browser.call("Network.enable")
        use(page, runs)
        check(not browser.complaints, f"the browser complains: {browser.complaints}")
        check(all(url.startswith("file://") and url.endswith(path) for url in browser.requests),
              f"the page loads {browser.requests}")


if __name__ == "__main__":
    main({"histories": use_histories, "rounds": use_rounds, "texts": use_texts}[sys.argv[1]], sys.argv[2], sys.argv[3:])
