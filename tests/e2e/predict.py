"""Compare all predictions in this directory with numpy's."""
import re

import h5py
import numpy as np
import scipy.sparse as sp

import oracle
from oracle import check, near


def scores(model, x):
    """X w; columns that only one of them has are ignored."""
    w = oracle.read_w(model)
    both = min(len(w), x.shape[1])
    with h5py.File(model, "r") as file:
        text = file.attrs["normalize"]
    if (text.decode() if isinstance(text, bytes) else text) == "rows":
        length = np.sqrt(x.multiply(x).sum(axis=1)).A1
        x = sp.diags(1.0 / np.where(length > 0.0, length, 1.0)) @ x
    return x.tocsc()[:, :both] @ w[:both]


def judge(name, model, data, labels):
    """One model on one data set."""
    x, y = oracle.read_data(data)
    expected = scores(model, x)
    predicted = expected if labels is None else np.where(expected > 0.0, labels[1], labels[0])
    with open(name + "-1.csv", encoding="utf-8") as file:
        certain = ",certain" if labels else ""
        check(file.readline() == f"prediction,score{certain}\n", f"{name}: header of the CSV file")
    table = np.loadtxt(name + "-1.csv", delimiter=",", skiprows=1)
    near(table[:, 1], expected, 1e-6 if name == "normal" else 1e-12, f"{name}: scores")
    near(table[:, 0], predicted, 0.0 if labels else 1e-12, f"{name}: predictions")
    for ranks in (1, 3):
        with h5py.File(f"{name}-{ranks}.h5", "r") as file:
            check(np.array_equal(file["score"][:], table[:, 1]) and
                  np.array_equal(file["prediction"][:], table[:, 0]), f"{name}: HDF5 and CSV differ")
    with open(name + "-1.out", encoding="utf-8") as file:
        said = dict(re.findall(r"^(\w+): ([\d.e+-]+)", file.read(), re.MULTILINE))
    if y is None:
        check(list(said) == ["Certain"], f"{name}: output without labels: {said}")
    elif labels is not None:
        near(float(said["Error"]), np.mean(predicted != y), 1e-5, f"{name}: error")
    else:
        near(float(said["RMSE"]), np.sqrt(np.mean((expected - y) ** 2)), 1e-5, f"{name}: RMSE")
        near(float(said["MAE"]), np.mean(np.abs(expected - y)), 1e-5, f"{name}: MAE")


judge("two", "two-model.h5", "two-test.h5", (-1.0, 1.0))
judge("normal", "normal-model.h5", "two-test.h5", (-1.0, 1.0))
judge("real", "real-model.h5", "real-test.h5", None)
judge("unlabelled", "two-model.h5", "unlabelled.h5", (-1.0, 1.0))
judge("wider", "narrow-model.h5", "wider.h5", (1.0, 2.0))
judge("narrower", "narrow-model.h5", "narrower.h5", (1.0, 2.0))
judge("nothing", "nothing-model.h5", "wider.h5", (1.0, 2.0))
