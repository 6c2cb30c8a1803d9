#!/usr/bin/env python3
"""Models and tables of two runs: the same bits, except for times and the command line.

Usage: path_checkpoints.py same FILE FILE"""
import csv
import sys

import h5py
import numpy as np
import oracle

TIMES = {"seconds", "options"}


def entries(path):
    """All attributes and arrays of a model by name."""
    found = {}

    def visit(name, item):
        found.update({f"{name}@{key}": value for key, value in item.attrs.items() if key not in TIMES})
        if isinstance(item, h5py.Dataset) and name.split("/")[-1] not in TIMES:
            found[name] = item[()]
    with h5py.File(path, "r") as file:
        visit("", file)
        file.visititems(visit)
    return {name: value for name, value in found.items() if not name.startswith("seconds")}


def rows(path):
    """The numbers of a table by name."""
    with open(path, encoding="ascii") as file:
        lines = list(csv.DictReader(file))
    return {f"{name} of row {k}": value for k, line in enumerate(lines) for name, value in line.items()
            if name not in TIMES}


def same(one, other):
    """The same bits."""
    read = rows if one.endswith(".csv") else entries
    first, second = read(one), read(other)
    oracle.check(first.keys() == second.keys(), f"{one} and {other}: {first.keys() ^ second.keys()}")
    for name, value in first.items():
        number = np.asarray(value).dtype.kind == "f"
        oracle.check(np.array_equal(value, second[name], equal_nan=number), f"{one} and {other} differ in {name}")


if __name__ == "__main__":
    {"same": same}[sys.argv[1]](*sys.argv[2:])
