#!/usr/bin/env python3
"""Cells of several types, and the judgement of models that were trained on them.

Usage: class_checkpoints.py make FILE ROWS CLASSES   - AnnData with a categorical cell_type
       class_checkpoints.py same WHOLE RESUMED       - equal weights and history, bit for bit
       class_checkpoints.py optimum WHOLE RESUMED WHOLE_PREDICTED RESUMED_PREDICTED
                                                     - certified, the same optimum and predictions
"""
import csv
import sys

import h5py
import numpy as np
import oracle
import scipy.sparse


def make(path, rows, classes):
    """Noise, and marker genes of a type that it shares with the next one."""
    rows, classes, columns = int(rows), int(classes), 200
    random = np.random.default_rng(classes)
    kind = random.integers(0, classes, rows)
    noise = scipy.sparse.random(rows, columns, 0.06, "csr", random_state=1, data_rvs=random.random)
    marker = scipy.sparse.csr_matrix((random.random(rows), (np.arange(rows), 3 * kind + random.integers(0, 5, rows))),
                                     (rows, columns))
    x = (noise + marker).tocsr()
    x.sort_indices()
    with h5py.File(path, "w") as file:
        group = file.create_group("X")
        group.attrs.update({"encoding-type": "csr_matrix", "encoding-version": "0.1.0", "shape": x.shape})
        for name in "data", "indices", "indptr":
            group[name] = getattr(x, name)
        cell_type = file.create_group("obs").create_group("cell_type")
        cell_type["codes"] = kind.astype("i1")
        cell_type["categories"] = [f"type {k}" for k in range(classes)]
        cell_type.attrs["encoding-type"] = "categorical"
        file["var/_index"] = [f"gene{j}" for j in range(columns)]
        file["var"].attrs["_index"] = "_index"


def read(path):
    """w, the certificates by class, and the history."""
    with h5py.File(path, "r") as file:
        certificate = {name: array[:] for name, array in file["certificate"].items()}
        return file["w"][:], certificate, {name: array[:] for name, array in file["history"].items()}


def same(whole, resumed):
    """The same bits, except for times."""
    (w, certificate, history), (other_w, other, other_history) = read(whole), read(resumed)
    oracle.check(np.array_equal(w, other_w), f"w differs by {np.abs(w - other_w).max()}")
    for name in certificate:
        oracle.check(np.array_equal(certificate[name], other[name]), f"certificates differ in {name}")
    for name in history:
        oracle.check(name == "seconds" or np.array_equal(history[name], other_history[name], equal_nan=True),
                     f"histories differ in {name}")


def labels(path):
    """The predicted labels of a CSV file."""
    with open(path, encoding="utf-8") as file:
        return [row["prediction"] for row in csv.DictReader(file)]


def optimum(whole, resumed, predicted, resumed_predicted):
    """P of each class is the same within its gaps, w within its certified distances."""
    (w, one, _), (other_w, other, _) = read(whole), read(resumed)
    for k, apart in enumerate(np.abs(one["primal"] - other["primal"])):
        oracle.check(apart <= max(one["gap"][k], other["gap"][k]), f"P of class {k} is {apart} apart")
        away = np.linalg.norm(w[k] - other_w[k])
        oracle.check(away <= one["distance"][k] + other["distance"][k], f"w of class {k} is {away} apart")
        oracle.check(other["gap"][k] <= 1e-6 * other["primal"][k], f"class {k} is not certified: {other}")
    oracle.check(labels(predicted) == labels(resumed_predicted), "predictions differ")


if __name__ == "__main__":
    {"make": make, "same": same, "optimum": optimum}[sys.argv[1]](*sys.argv[2:])
