"""labels.py - data of four classes in every form (write), and what came of them (check)."""

import csv
import sys

import h5py
import numpy as np
import scipy.sparse as sp

import oracle
from oracle import check, near

KINDS = ["ape", "bee", "cat", "dog, a big one"]
NUMBERS = [0, -1, 2.5, 7]


def rows():
    """160 rows and the class of each."""
    rng = np.random.default_rng(5)
    kind = np.concatenate([np.repeat([0, 1, 2, 3], 39), [0, 1, 2, 0]])
    centre = rng.normal(0.0, 1.0, (4, 6))
    return np.round(centre[kind] + rng.normal(0.0, 0.7, (160, 6)), 3).astype(np.float32), kind


def save(path, x, y, names=None):
    """A file in sdca's layout by h5py."""
    x = sp.csr_matrix(x)
    with h5py.File(path, "w") as file:
        group = file.create_group("X")
        group.attrs["encoding-type"], group.attrs["shape"] = "csr_matrix", x.shape
        group["data"], group["indices"], group["indptr"] = x.data, x.indices, x.indptr
        file["y"] = y
        if names is not None:
            file["label_names"] = names


def write_table(path, x, words):
    """CSV with the label in the column kind."""
    with open(path, "w", newline="", encoding="utf-8") as file:
        out = csv.writer(file)
        out.writerow([f"x{j}" for j in range(x.shape[1])] + ["kind"])
        out.writerows([repr(float(v)) for v in row] + [word] for row, word in zip(x, words))


def write_text(path, x, y):
    """LIBSVM text."""
    with open(path, "w", encoding="utf-8") as file:
        for label, row in zip(y, x):
            file.write(f"{label:g} " + " ".join(f"{j + 1}:{float(v)!r}" for j, v in enumerate(row)) + "\n")


def write():
    """Write all forms."""
    x, kind = rows()
    words = np.array(KINDS)[kind]
    write_table("words.csv", x, words)
    write_table("part.csv", x[kind > 1], words[kind > 1])
    write_text("numbers.txt", x, np.array(NUMBERS)[kind])
    write_text("many.txt", x, np.arange(160) % 50)
    # The names in another order than the alphabet's, and one without rows.
    turned = [KINDS[0], "eel"] + KINDS[1:]
    save("names.h5", x, np.where(kind > 0, kind + 1, 0), turned)
    with h5py.File("cells.h5ad", "w") as file:
        file["X"] = x
        column = file.create_group("obs/kind")
        column.attrs["encoding-type"], column.attrs["encoding-version"] = "categorical", "0.2.0"
        column["categories"], column["codes"] = turned, np.where(kind > 0, kind + 1, 0).astype(np.int8)
    save("signs.h5", x, np.where(kind == 2, 1, -1))
    save("others.h5", x, np.where(kind == 2, 1, 0), ["cow", "cat"])
    count = np.arange(10001)
    thin = np.ones((10001, 1))
    save("real.h5", thin, count / 7.0)
    save("large.h5", thin, count)
    save("large-names.h5", thin, count, [f"n{k}" for k in count])


def judge():
    """One label against all others has the w of -1 and +1, from every file."""
    x, kind = rows()
    w = oracle.read_w("model-signs.h5")
    for name in ("words", "names", "cells", "numbers"):
        near(oracle.read_w(f"model-{name}.h5"), w, 0.0, name)
        with h5py.File(f"model-{name}.h5", "r") as model:
            one = "2.5" if name == "numbers" else "cat"
            check(list(model["label_names"].asstr()[:]) == ["not " + one, one], f"{name}: names of the classes")
            check(list(model.attrs["labels"]) == [0.0, 1.0], f"{name}: values of the classes")
    near(oracle.read_w("model-ranks.h5"), w, 1e-3, "on 3 ranks")
    positive = x.astype(float) @ w > 0.0
    wrong = int(np.sum(positive != (kind == 2)))
    check(0 < wrong < 40, f"{wrong} rows are wrong")
    for name, one in (("words", "cat"), ("numbers", "2.5")):
        with open(name + ".csv", newline="", encoding="utf-8") as file:
            found = [row["prediction"] for row in csv.DictReader(file)]
        check(found == list(np.where(positive, one, "not " + one)), f"{name}: predictions")
        with open(name + ".out", encoding="utf-8") as file:
            check(f"({wrong} of 160 rows)" in file.read(), f"{name}: the error")
    near(oracle.read_summary("summary.json")["test_error"], np.mean((positive != (kind == 2))[kind > 1]), 1e-12,
         "the error on two of the labels")
    near(oracle.read_w("model-turned.h5"), -w, 1e-3, "the other order of two labels")
    with h5py.File("model-turned.h5", "r") as model:
        check(list(model.attrs["labels"]) == [1.0, -1.0], "labels in the chosen order")
    turned = np.loadtxt("turned.csv", delimiter=",", skiprows=1)
    check(np.array_equal(turned[:, 0], np.where(turned[:, 1] > 0.0, -1.0, 1.0)), "predictions in the chosen order")


if __name__ == "__main__":
    {"write": write, "check": judge}[sys.argv[1]]()
