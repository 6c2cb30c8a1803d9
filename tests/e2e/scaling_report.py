"""Check the format of a scaling report. usage: scaling_report.py REPORT.md NAME RANKS..."""
import re
import sys

import markdown_tables


def positive(row, column):
    assert float(row[column].split()[0]) > 0, f"{column} in {row}"


def judge_counts(tables, ranks):
    """One rank has one method, more ranks have all; the automatic one converges; the summary agrees."""
    names, summary, rows = tables
    every = [row["name"] for row in names if row["name"] != "Newton"]
    for loss in ("hinge", "logistic"):
        seen = [(row["method"], int(row["ranks"])) for row in rows if row["loss"] == loss]
        wanted = [(name, k) for name in every for k in ranks if k > 1 or name == "automatic"]
        assert sorted(seen) == sorted(wanted), seen
    for row in rows:
        columns = ["passes 1e-3", "1e-4", "relative 1e-3", "relative 1e-4"]
        for column in columns:
            assert re.fullmatch(r"(> )?\d+(\.\d+)?", row[column]), f"{column} in {row}"
            if row["method"] in ("automatic", "0.03 of the rows"):
                positive(row, column)
        if row["ranks"] == "1":
            assert row["relative 1e-3"] == "1.00" and row["MB 1e-3"] == "0.0", row
    for row in summary:
        two, = [r for r in rows if (r["loss"], r["method"], r["ranks"]) == (row["loss"], "automatic", "2")]
        assert row["automatic, K = 2"] == two["relative 1e-3"] and row["automatic, K = 64"] == "not run", row
    assert [row["loss"] for row in summary] == ["hinge", "logistic"], summary


def judge_cores(tables, name):
    rows, = tables
    assert name in [row["data"] for row in rows] and "ctr-0.005" in [row["data"] for row in rows] and len(rows) == 3, rows
    for row in rows:
        peer = () if row["data"].startswith("ctr") else ("LIBLINEAR s", "its P")  # which a short run leaves out
        for column in ("one rank s", "two ranks s", "speed-up", "passes, one", "passes, two", "P, two") + peer:
            positive(row, column)


def judge_network(tables, skipped):
    rows, = tables
    assert skipped or [(row["method"], row["ranks"]) for row in rows] == \
        [("automatic", "4"), ("add (CoCoA+)", "4"), ("automatic", "8")], rows
    for row in rows:
        for column in ("passes", "rounds", "MB"):
            assert row["method"] != "automatic" or float(row[column]) > 0, row


path, name = sys.argv[1:3]
text = open(path).read()
sections = markdown_tables.read(path)
judge_counts(sections.pop("Passes, rounds and bytes"), [int(k) for k in sys.argv[3:]])
judge_cores(sections.pop("Two ranks on two cores"), name)
judge_network(sections.pop("Four hosts on an emulated network"), "SKIPPED" in text)
assert len(sections.pop("Model")) >= 2
assert not sections, f"more sections than expected: {list(sections)}"
assert "A typical error is a factor of" in text
