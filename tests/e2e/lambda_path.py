"""Data and oracle of lambda_path.sh.

usage: lambda_path.py make | judge | same DIRECTORY DIRECTORY"""
import glob
import json
import os
import sys

import h5py
import numpy as np
from oracle import check, losses, near
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.svm import LinearSVC

LAMBDAS = [1e-1, 1e-2, 1e-3, 1e-4]
ROWS, COLUMNS = 300, 12


def write(path, x, y):
    with h5py.File(path, "w") as file:
        file["X"] = x
        file["y"] = y


def make():
    random = np.random.default_rng(3)
    x = random.normal(size=(ROWS, COLUMNS)) / np.sqrt(COLUMNS)
    score = x @ random.normal(size=COLUMNS) * 3 + 0.5 * random.normal(size=ROWS)
    write("two.h5", x, np.where(score > 0, 1.0, -1.0))
    write("real.h5", x, score)
    write("four.h5", x, np.digitize(score, [-1.0, 0.0, 1.0]).astype(float))
    x[7] = 1e130
    write("large.h5", x, np.where(score > 0, 1.0, -1.0))


def rows_of(path, bias):
    with h5py.File(path) as file:
        x, y = file["X"][...], file["y"][...]
    return (np.hstack([x, np.full((ROWS, 1), bias)]) if bias else x), y


def weights(path):
    """Rows of w with the weight of a bias column of value 1, certificates and lambda."""
    with h5py.File(path) as file:
        w = np.atleast_2d(file["w"][...])
        bias = file.attrs.get("bias-value", 0.0)
        several = len(w) > 1
        values = file["certificate"] if several else file["certificate"].attrs
        certificate = {key: np.atleast_1d(values[key][()] if several else values[key])
                       for key in ("primal", "dual", "gap")}
        if bias:
            w = np.hstack([w, np.atleast_1d(file.attrs["bias"])[:, None] / bias])
        return w, certificate, file.attrs["lambda"], file["certificate"].attrs["status"]


def reference(loss, x, y, lam):
    """The minimiser by another program, to its best accuracy."""
    C = 1.0 / (lam * ROWS)
    if loss == "squared":  # (z - y)^2 without the half
        return Ridge(alpha=lam * ROWS / 2, fit_intercept=False, solver="cholesky").fit(x, y).coef_
    if loss == "hinge":
        model = LinearSVC(C=C, loss="hinge", fit_intercept=False, tol=1e-10, max_iter=2000000)
    else:
        model = LogisticRegression(C=C, fit_intercept=False, tol=1e-12, max_iter=100000)
    return model.fit(x, y).coef_[0]


def primal(loss, x, y, w, lam):
    return losses(loss, x @ w, y).mean() + lam / 2 * w @ w


def judge_model(name, path, loss, x, y, lam):
    """Each row of w is certified, and the minimum lies in the certified interval."""
    w, certificate, lambda_of_file, status = weights(path)
    near(lambda_of_file, lam, 1e-12, f"lambda of {path}")
    check(status in (b"converged", "converged"), f"status of {path}: {status}")
    for k, row in enumerate(w):
        labels = y if len(w) == 1 else np.where(y == k, 1.0, -1.0)
        near(certificate["primal"][k], primal(loss, x, labels, row, lam), 1e-10, f"P of {path}, class {k}")
        least = primal(loss, x, labels, reference(loss, x, labels, lam), lam)
        check(certificate["dual"][k] <= least * (1 + 1e-9), f"D of {path}: {certificate['dual'][k]} above {least}")
        check(certificate["primal"][k] - certificate["gap"][k] <= least * (1 + 1e-9),
              f"{path}: P - gap is above the minimum {least}")


def judge_starts(run, loss, x, y):
    """A fit of SDCA starts from the w before it, times a power of the ratio of the two lambda.

    With the hinge loss D(t alpha) follows from D(alpha)."""
    files = sorted(glob.glob(run + "/*"))
    for before, after in zip(files, files[1:]):
        w, certificate, lambda_before, _ = weights(before)
        with h5py.File(after) as file:
            start = [file["history/primal"][0], file["history/dual"][0]]
            lam = file.attrs["lambda"]
        rho, norm2 = lambda_before / lam, w[0] @ w[0]
        mean_alpha = certificate["dual"][0] + lambda_before / 2 * norm2
        possible = []
        for k in range(5):
            scale = rho ** (k / 4)
            dual = scale / rho * mean_alpha - lam / 2 * scale ** 2 * norm2 if loss == "hinge" else start[1]
            possible.append([primal(loss, x, y, scale * w[0], lam), dual])
        off = np.abs(np.array(possible) - start).max(axis=1)
        check(off.min() < 1e-9 * start[0], f"start of {after}: {start}, not one of {possible}")


def judge():
    for name, data, loss, bias in (("hinge", "two", "hinge", 0), ("logistic", "two", "logistic", 1),
                                   ("newton", "two", "logistic", 0), ("squared", "real", "squared", 0),
                                   ("classes", "four", "logistic", 0), ("words", "four", "logistic", 0)):
        x, y = rows_of(data + ".h5", bias)
        for ranks in (1, 3):
            run = f"{name}-{ranks}"
            files = sorted(glob.glob(run + "/*"))
            check([os.path.basename(file) for file in files] ==
                  [f"{k + 1}-lambda-{lam:g}.h5" for k, lam in enumerate(LAMBDAS)], f"files of {run}: {files}")
            for file, lam in zip(files, LAMBDAS):
                judge_model(run, file, loss, x, y, lam)
            judge_summary(run, LAMBDAS)
            if name in ("hinge", "logistic", "squared"):
                judge_starts(run, loss, x, y)


def judge_summary(run, lambdas):
    with open(run + ".json", encoding="utf-8") as file:
        summary = json.load(file)
    near([fit["lambda"] for fit in summary["path"]], lambdas, 1e-12, f"lambda in {run}.json")
    check(summary["status"] == "converged" and summary["planned_fits"] == len(lambdas), f"{run}.json")
    near(summary["lambda"], lambdas[-1], 1e-12, f"lambda of the last fit in {run}.json")
    for fit, path in zip(summary["path"], sorted(glob.glob(run + "/*"))):
        _, certificate, _, _ = weights(path)
        near(fit["primal"], certificate["primal"].sum(), 1e-14, f"primal in {run}.json")
        with h5py.File(path) as file:
            near(fit["test_error"], file["certificate"].attrs["test_error"], 1e-14, f"test error in {run}.json")
            records = file["history/round"].shape[0]
        table = np.genfromtxt(run + ".csv", delimiter=",", names=True)
        check((np.abs(table["lambda"] / fit["lambda"] - 1) < 1e-12).sum() == records,
              f"{run}.csv: rows of lambda {fit['lambda']}")


def same(one, other):
    """The weights have the same bits."""
    for path in sorted(glob.glob(one + "/*")):
        with h5py.File(path) as a, h5py.File(os.path.join(other, os.path.basename(path))) as b:
            check(a["w"][...].tobytes() == b["w"][...].tobytes(), f"{path}: other bits")


if __name__ == "__main__":
    {"make": make, "judge": judge, "same": same}[sys.argv[1]](*sys.argv[2:])
