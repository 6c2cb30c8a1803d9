#!/usr/bin/env bash
# The page of sdca report in a real browser: curves, and values by pointer, touch and
# keyboard; switches; light, dark and telephone layouts; without scripts.
set -euo pipefail
. "$(dirname "$0")/common.sh"
if ! command -v chromium >/dev/null; then
    skip "chromium is not installed"
fi

"$sdca" generate cov1 train.h5 --scale 0.001 --test test.h5 --quiet
names=('first run with a rather long name, as names of runs tend to be.csv' 'se<co>nd "&'\''.csv' third.csv)
losses=(hinge smooth-hinge logistic)
for k in 0 1 2; do
    "$sdca" train train.h5 -o model$k.h5 --loss "${losses[k]}" --solver sdca --lambda 1e-3 --evaluate 0.5 --epochs 4 \
        --rel-gap 1e-9 --test test.h5 --history "${names[k]}" --quiet || [ $? -eq 3 ]
done
expect_exit 0 "$sdca" report "${names[@]}" -o page.html
"$python" "$here/report_in_browser.py" histories page.html "${names[@]}"

# Models show more, which must fit the width as well.
expect_exit 0 "$sdca" report model0.h5 model1.h5 model2.h5 -o models.html
"$python" - <<'END'
from chromium import Browser
from report_in_browser import Page, check, check_width
with Browser() as browser:
    page = Page(browser, "models.html")
    for width in (320, 1200):
        page.open(width, 800, touch=width == 320)
        check_width(page, f"models at {width}")
    bars = page.ask("""
        [...document.querySelectorAll('.bar')].map(bar => [bar.parentNode, bar, ...bar.children]
          .map(e => e.getBoundingClientRect().width))""")
    check(len(bars) == 3 and abs(max(bar[1] - bar[0] for bar in bars)) < 1, f"no bar has the full width: {bars}")
    check(all(abs(sum(bar[2:]) - bar[1]) < 1 for bar in bars), f"parts do not fill their bars: {bars}")
    check(not browser.complaints, f"the browser complains: {browser.complaints}")
END

# Column names of any length do not overlap the numbers and bars beside them.
"$python" - <<'END'
import random
random.seed(3)
names = ["gene1", "cell_diameter_2", "expression_of_gene_3_in_the_left_cortex_", "x" * 120, "words and blanks, " * 7]
with open("named.csv", "w") as table:
    print("label", *(f'"{name.strip()}"' for name in names), sep=",", file=table)
    for row in range(200):
        x = [random.gauss(0, 1) for _ in names]
        print(1 if sum(x) > 0 else -1, *x, sep=",", file=table)
END
expect_exit 0 "$sdca" convert named.csv named.h5 --quiet
expect_exit 0 "$sdca" train named.h5 -o named.model.h5 --lambda 1e-3 --quiet
expect_exit 0 "$sdca" report named.model.h5 -o named.html
"$python" - <<'END'
from chromium import Browser
from report_in_browser import Page, check, check_width
with Browser() as browser:
    page = Page(browser, "named.html")
    for width in (320, 700, 1200):
        page.open(width, 800, touch=width == 320)
        check_width(page, f"names at {width}")
        rows = page.ask("""
            [...document.querySelectorAll('.weights tbody tr')].map(row => [...row.cells].map(cell => {
              const text = document.createRange();
              text.selectNodeContents(cell);
              return [cell, text].map(e => e.getBoundingClientRect()).map(at => [at.left, at.right]);
            }))""")
        check(len(rows) == 5, f"{len(rows)} weights, not 5")
        for cells in rows:
            for cell, text in cells:
                check(cell[0] - 1 <= text[0] and text[1] <= cell[1] + 1, f"at {width}, {text} prints beyond {cell}")
            check(cells[2][0][1] - cells[2][0][0] >= 60, f"at {width}, no room for bars: {cells[2]}")
END

# Weights with many characters fit beside each other.
"$python" - <<'END'
import h5py
import numpy
draw = numpy.random.default_rng(1)
scale = numpy.array([1e-4, 1e-3, 1.0, 1e2, 1e5, 3e9])
x = draw.normal(size=(400, 6))
with h5py.File("scales.h5", "w") as file:
    file["X"], file["y"] = numpy.float32(x * scale), 1e5 * (x @ [1, -0.9, 0.8, -0.7, 0.6, -1.5] + 0.3 * draw.normal(size=400))
END
expect_exit 0 "$sdca" train scales.h5 -o scales.model.h5 --loss squared --lambda 1e-4 --standardize scale --quiet
expect_exit 0 "$sdca" report scales.model.h5 --test scales.h5 -o scales.html

# No texts overlap, whatever the task and the runs, with test data and without.
"$sdca" generate regression plane.h5 --scale 0.01 --test plane-test.h5 --quiet
"$sdca" generate digits digits.h5 --scale 0.02 --test digits-test.h5 --quiet
expect_exit 0 "$sdca" train plane.h5 -o plane.model.h5 --loss squared --lambda 1e-4 --intercept --quiet
expect_exit 0 "$sdca" train digits.h5 -o digits.model.h5 --loss logistic --lambda 1e-2 --test digits-test.h5 --quiet
expect_exit 0 "$sdca" train train.h5 -o newton.h5 --loss logistic --lambda 1e-4 --solver newton --rel-gap 1e-9 --quiet
expect_exit 0 "$sdca" report newton.h5 --test test.h5 -o logistic.html
expect_exit 0 "$sdca" report model0.h5 --test test.h5 -o hinge.html
expect_exit 0 "$sdca" report plane.model.h5 --test plane-test.h5 -o plane.html
expect_exit 0 "$sdca" report digits.model.h5 --test digits-test.h5 -o digits.html
expect_exit 0 "$sdca" report model0.h5 model1.h5 newton.h5 --test test.h5 -o several.html
for page in logistic hinge plane digits several models named scales; do
    "$python" "$here/report_in_browser.py" texts $page.html
done

# Runs on several ranks have curves per round: all rounds, or some if there are many.
for ranks in 2 4; do
    expect_exit 3 on $ranks "$sdca" train train.h5 -o ranks$ranks.h5 --loss hinge --solver sdca --lambda 1e-3 \
        --rounds $((ranks * ranks * 20)) --rel-gap 1e-15 --quiet
done
expect_exit 0 "$sdca" report ranks2.h5 ranks4.h5 -o rounds.html
"$python" "$here/report_in_browser.py" rounds rounds.html ranks2.h5 ranks4.h5
