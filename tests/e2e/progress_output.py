"""Check the progress output of runs. Usage: progress_output.py COMMAND FILE..., see COMMANDS."""
import datetime
import json
import re
import sys

import numpy as np

from oracle import check, near, read_history

FIELDS = {"time", "event", "status", "round", "epoch", "seconds", "primal", "dual", "gap", "rel_gap",
          "estimated_gap", "target", "test_error", "seconds_left"}
MOMENT = re.compile(r"^  \d{4}-\d\d-\d\d \d\d:\d\d:\d\d  epoch [\d.]+, (estimated gap \(sampled\)|gap as last "
                    r"evaluated) \d\.\d+e[-+]\d+, target \d\.\d+e[-+]\d+, (about )?[\d:?]+( s)? left$", re.MULTILINE)
EVALUATION = re.compile(r"^ +\d+ +[\d.]+ ", re.MULTILINE)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def check_lines(path):
    text = read(path)
    moments = MOMENT.findall(text)
    check(len(moments) >= 5, f"expected lines between evaluations, got {text}")
    check(any(kind.startswith("estimated") for kind, _, _ in moments), f"expected estimates, got {text}")
    check(any(about for _, about, _ in moments), f"expected the remaining time, got {text}")
    others = [line for line in text.split("\n\n")[1].splitlines()[1:] if not EVALUATION.match(line)]
    check(all(MOMENT.match(line) for line in others), f"unexpected lines in {others}")


def objects(path):
    found = [json.loads(line) for line in read(path).splitlines()]
    for one in found:
        check(one.keys() == FIELDS, f"expected {FIELDS}, got {one}")
        datetime.datetime.strptime(one["time"], "%Y-%m-%dT%H:%M:%SZ")
        certified = one["event"] != "round"
        check((one["gap"] is not None) == certified, f"a gap only where it is certified: {one}")
        check(not certified or one["estimated_gap"] is None, f"a gap or an estimate: {one}")
        if certified:
            near(one["primal"] - one["dual"], one["gap"], 1e-9, "P - D")
            near(one["gap"] / one["primal"], one["rel_gap"], 1e-12, "the relative gap")
    for name in ("time", "round"):
        values = [one[name] for one in found]
        check(values == sorted(values), f"{name} decreases: {values}")
    return found


def evaluations(found):
    return [one for one in found if one["event"] == "evaluation"]


def compare(found, history):
    past = read_history(history)
    told = evaluations(found)
    for name in ("round", "epoch", "seconds", "primal", "test_error"):
        values = [np.nan if one[name] is None else one[name] for one in told[:len(past["round"])]]
        expected = past.get(name, [np.nan] * len(values))
        check(np.array_equal(values, expected, equal_nan=True), f"{name}: {values} are not {expected}")
    return len(told), len(past["round"])


def check_objects(path, history, status):
    found = objects(path)
    told, rows = compare(found, history)
    seconds = [one["seconds"] for one in found]
    check(told == rows, f"{told} evaluations, but {rows} rows")
    check(seconds == sorted(seconds), f"time decreases: {seconds}")
    check([one["status"] for one in found] == ["running"] * (len(found) - 1) + [status], f"statuses of {found}")
    check([one["event"] for one in found].index("end") == len(found) - 1, f"not exactly one end: {found}")


def check_parts(path, *statuses):
    ends = [one["status"] for one in objects(path) if one["event"] == "end"]
    check(ends == list(statuses), f"expected ends {statuses}, got {ends}")


def check_killed(path, history):
    found = objects(path)
    told, rows = compare(found, history)
    check(told >= rows >= 2, f"{rows} rows of {told} evaluations")
    check(all(one["status"] == "running" for one in found), "it has not ended")


def check_within(path):
    text = read(path)
    check(len(MOMENT.findall(text)) >= 2, f"expected lines within a round, got {text}")


def check_best(path, history):
    past = read_history(history)
    rows = np.array([line.split() for line in read(path).splitlines() if EVALUATION.match(line)], dtype=float)
    check(len(rows) > 2 and np.all(np.diff(past["dual"]) >= 0), f"the history has the best duals: {past['dual']}")
    near(rows[:, 4], past["dual"], 1e-8, "the best duals")
    near(rows[:, 3] - rows[:, 4], rows[:, 5], 1e-3, "P - D")


COMMANDS = {"lines": check_lines, "objects": check_objects, "parts": check_parts, "killed": check_killed,
            "within": check_within, "best": check_best}

if __name__ == "__main__":
    COMMANDS[sys.argv[1]](*sys.argv[2:])
