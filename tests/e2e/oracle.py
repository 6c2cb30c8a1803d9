"""The problem as stated in the paper, in numpy; shared by the tests' oracles.

    P(w) = (1/n) sum phi_i(w.x_i) + (lambda/2) |w|^2

Independent of sdca's code; files are read with h5py and SciPy."""
import csv
import json
import sys

import h5py
import numpy as np
import scipy.sparse as sp

CLASSIFICATION = ("hinge", "smooth-hinge", "squared-hinge", "logistic")
REGRESSION = ("squared", "absolute", "epsilon-insensitive", "huber")


def fail(what):
    """End the test with a message."""
    sys.exit("FAILED: " + what)


def check(holds, what):
    """Fail with a message unless the condition holds."""
    if not holds:
        fail(what)


def near(found, expected, relative, what):
    """Two numbers or arrays agree to a relative tolerance."""
    scale = np.maximum(np.max(np.abs(expected)), 1e-300)
    off = np.max(np.abs(np.asarray(found) - np.asarray(expected))) / scale
    check(off <= relative, f"{what}: expected {expected!r}, got {found!r}, {off:.3g} apart")


def losses(name, z, y, parameter=None):
    """phi_i(z_i) of every row."""
    margin = 1.0 - y * z
    if name == "hinge":
        return np.maximum(0.0, margin)
    if name == "smooth-hinge":
        return np.where(margin <= 0.0, 0.0,
                        np.where(margin >= parameter, margin - parameter / 2.0,
                                 margin ** 2 / (2.0 * parameter)))
    if name == "squared-hinge":
        return np.maximum(0.0, margin) ** 2
    if name == "logistic":
        return np.logaddexp(0.0, -y * z)
    if name == "squared":
        return (z - y) ** 2
    if name == "absolute":
        return np.abs(z - y)
    if name == "epsilon-insensitive":
        return np.maximum(0.0, np.abs(z - y) - parameter)
    if name == "huber":
        far = np.maximum(0.0, np.abs(z - y) - parameter)
        return ((z - y) ** 2 - far ** 2) / 2.0
    raise ValueError(name)


def primal(name, x, y, lam, w, parameter=None):
    """P(w)."""
    return np.mean(losses(name, x @ w, y, parameter)) + lam / 2.0 * np.dot(w, w)


def read_data(path):
    """X as a CSR matrix of doubles, and y with the original labels."""
    with h5py.File(path, "r") as file:
        x = file["X"]
        if isinstance(x, h5py.Group):
            x = sp.csr_matrix((x["data"][:].astype(np.float64), x["indices"][:], x["indptr"][:]),
                              shape=tuple(x.attrs["shape"]))
        else:
            x = sp.csr_matrix(x[:].astype(np.float64))
        y = None
        if "y" in file:
            y = file["y"][:].astype(np.float64)
            if "labels" in file["y"].attrs:
                label = np.atleast_1d(file["y"].attrs["labels"])
                y = label[0] if len(label) == 1 else np.where(y > 0.0, label[1], label[0])
                y = np.broadcast_to(y, file["y"].shape)
    return x, y


def signs(y):
    """-1 for the smaller of two labels, +1 for the larger."""
    return np.where(y == np.max(y), 1.0, -1.0)


def read_w(path):
    """The weights of a model."""
    with h5py.File(path, "r") as file:
        return file["w"][:]


def read_summary(path):
    """The file written by --summary."""
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def read_history(path):
    """The file written by --history: a dictionary of columns, NaN for empty fields."""
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    columns = np.array([[float(field) if field else np.nan for field in row] for row in rows[1:]])
    return {name: columns[:, k] for k, name in enumerate(rows[0])}
