"""Check the format of a benchmark report. usage: bench_report.py REPORT.md NAME"""
import math
import re
import sys

import markdown_tables


def number(row, column):
    value = float(row[column])
    assert math.isfinite(value) and value >= 0, f"{column} in {row}"
    return value


def judge_race(rows, peer):
    """Our P is no greater, and the ratio is consistent."""
    for row in rows:
        assert number(row, "our P") <= number(row, "its P"), f"our P is greater: {row}"
        ratio = number(row, peer) / number(row, "sdca s")
        assert abs(number(row, "ratio") - ratio) <= 0.01 + 0.01 * ratio, f"not {ratio}: {row}"


def judge_liblinear(tables):
    rows, summary = tables
    grid = [(row["loss"], float(row["lambda"]), float(row["eps"].split()[0])) for row in rows]
    assert sorted(grid) == sorted((loss, l, e) for loss in ("hinge", "squared-hinge", "logistic")
                                  for l in (1e-4, 1e-5, 1e-6) for e in (0.1, 0.01, 0.001)), grid
    judge_race(rows, "LIBLINEAR s")
    for row in rows:
        low, high = map(float, row["of single turns"].split(" to "))
        assert 0 <= low <= high and number(row, "of least times") > 0, row
    everything = [number(row, "ratio") for row in rows]
    heads = [number(row, "ratio") for row in rows
             if row["loss"] != "squared-hinge" and row["eps"].split()[0] == "0.01"]
    for row, ratios in zip(summary, (heads, everything)):
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        assert number(row, "ratios") == len(ratios) and row["not reached"] == "0", row
        assert abs(number(row, "geometric mean") - mean) <= 0.02, (row, mean)
        assert abs(number(row, "least") - min(ratios)) <= 0.01, row
        assert number(row, "of least times: geometric mean") > 0, row


def judge_sklearn(tables):
    rows, = tables
    assert [row["loss"] for row in rows] == ["hinge", "squared-hinge", "logistic", "logistic"], rows
    judge_race(rows, "its s")


GRID = [(loss, l) for loss in ("hinge", "logistic") for l in (1e-4, 1e-5)]


def judge_classes(tables):
    rows, = tables
    assert [(row["loss"], float(row["lambda"])) for row in rows] == GRID, rows
    judge_race(rows, "its s")
    for row in rows:
        low, high = map(float, row["of single turns"].split(" to "))
        assert 0 <= low <= high and number(row, "of least times") > 0, row
        assert row["classes"] == "3" and 0 < number(row, "rel gap") <= 0.1, row


def judge_together(tables):
    """Both objectives are within the gap of the optimum, so within twice of each other."""
    rows, = tables
    assert [(row["loss"], float(row["lambda"])) for row in rows] == GRID, rows
    for row in rows:
        one, single = number(row, "its P"), number(row, "their P")
        assert row["classes"] == "3" and abs(one - single) <= 1e-3 * max(one, single), row
        ratio = number(row, "single runs s") / number(row, "one run s")
        assert abs(number(row, "ratio") - ratio) <= 0.01 + 0.01 * ratio, f"not {ratio}: {row}"
        assert number(row, "one run MB") > 0 and number(row, "single run MB") > 0, row
        assert math.isfinite(float(row["bytes per row and further model"])), row


def judge_choice(tables):
    rows, = tables
    assert [row["peer"] for row in rows] == ["LIBLINEAR -s 7", "LIBLINEAR -s 0"], rows
    for row in rows:
        for seconds, ratio in (("sdca s", "ratio"), ("two ranks s", "ratio of two ranks")):
            expected = number(row, "its s") / number(row, seconds)
            assert abs(number(row, ratio) - expected) <= 0.06 + 0.01 * expected, f"not {expected}: {row}"
        assert number(row, "its tolerance") > 0, row
        assert number(row, "ratio by default") > 0 and math.isfinite(float(row["P too large by"])), row


def judge_passes(tables):
    rows, = tables
    assert [row["loss"] for row in rows] == ["hinge", "smooth-hinge", "squared-hinge", "logistic"], rows
    for row in rows:
        for column in ("ns per non-zero and pass", "times the streaming limit", "pass relative to hinge"):
            assert number(row, column) > 0, row


def judge_numbers(tables, columns):
    assert len(tables) == len(columns), tables
    for (row,), names in zip(tables, columns):
        for name in names:
            number(row, name)


def judge_memory(tables):
    rows, = tables
    assert [row["peak after"] for row in rows] == ["loading", "training"], rows
    for row in rows:
        assert number(row, "promise MB") > 0 and number(row, "measured MB") > 0, row


path, name = sys.argv[1:]
sections = markdown_tables.read(path)
judge_liblinear(sections.pop("Training, against LIBLINEAR"))
judge_sklearn(sections.pop("Training, against scikit-learn"))
judge_classes(sections.pop("Several classes, against LIBLINEAR"))
judge_together(sections.pop("Several classes in one run"))
judge_choice(sections.pop("Choosing lambda, against others"))
judge_passes(sections.pop("A pass, against memory"))
judge_numbers(sections.pop("Reading text"), [["sdca MB/s", "strtod MB/s", "ratio"],
                                             ["sdca convert s", "liblinear-train s", "ratio"]])
judge_numbers(sections.pop("Loading HDF5"), [["load s", "read() s", "load / read()"]])
judge_memory(sections.pop("Memory"))
assert not sections, f"more sections than expected: {list(sections)}"
text = open(path).read()
assert len(re.findall(r"^`[^`]+` on .+", text, re.M)) == 10, "each table says how it was made"
assert f"{name}.h5" in text
