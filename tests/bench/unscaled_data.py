#!/usr/bin/env python3
"""Where programs stop on data whose columns are not scaled, beside a certified optimum.

Usage: unscaled_data.py SDCA - prints a Markdown table.

The data are scikit-learn's load_breast_cancer: 569 rows, 30 columns between 0.001 and 4254. All programs solve the same
problem, without an intercept, with their default tolerances and iterations. P is computed here, in double precision, from
the weights of each program; D is sdca's proven lower bound on the minimum, with a relative gap of 1e-9."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import warnings

import h5py
import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC

LOSSES = {
    "logistic": lambda z, y: np.logaddexp(0.0, -y * z),
    "hinge": lambda z, y: np.maximum(0.0, 1.0 - y * z),
    "squared-hinge": lambda z, y: np.maximum(0.0, 1.0 - y * z) ** 2,
}


def sklearn_programs(C):
    """(loss, name, estimator)."""
    logistic = {"C": C, "fit_intercept": False, "random_state": 0}
    return [("logistic", f"LogisticRegression, {solver}", LogisticRegression(solver=solver, **logistic))
            for solver in ("lbfgs", "liblinear", "newton-cg", "newton-cholesky", "sag", "saga")] + [
        ("hinge", "LinearSVC, hinge", LinearSVC(loss="hinge", **logistic)),
        ("squared-hinge", "LinearSVC", LinearSVC(**logistic)),
        ("squared-hinge", "LinearSVC, dual=False", LinearSVC(dual=False, **logistic))]


def fit(estimator, x, y):
    """Weights and warnings."""
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        w = estimator.fit(x, y).coef_[0]
    return w, any("onverge" in str(warning.message) or "max_iter" in str(warning.message) for warning in heard)


def liblinear(solver, C, x, y):
    """The weights of liblinear-train, and whether it warned."""
    with open("rows.txt", "w", encoding="utf-8") as file:
        for row, label in zip(x, y):
            file.write(f"{label:+.0f} " + " ".join(f"{j + 1}:{v!r}" for j, v in enumerate(row.tolist())) + "\n")
    said = subprocess.run(["liblinear-train", "-s", str(solver), "-c", repr(C), "rows.txt", "liblinear.model"],
                          check=True, capture_output=True, text=True)
    with open("liblinear.model", encoding="utf-8") as file:
        lines = file.read().split("\n")
    w = np.array([float(v) for v in lines[lines.index("w") + 1:] if v.strip()])
    first = float(next(line for line in lines if line.startswith("label")).split()[1])
    return w * first, "WARNING" in said.stdout + said.stderr


def certified(sdca, loss, lam):
    """P, D and the seconds of sdca."""
    subprocess.run([sdca, "train", "rows.h5", "-o", "model.h5", "--loss", loss, "--lambda", repr(lam), "--rel-gap", "1e-9",
                    "--summary", "summary.json", "--quiet"], check=True)
    with open("summary.json", encoding="utf-8") as file:
        summary = json.load(file)
    with h5py.File("model.h5") as file:
        return file["w"][:], summary["primal"] - summary["gap"]


def main(sdca):
    x, y = load_breast_cancer(return_X_y=True)
    y = 2.0 * y - 1.0
    lam = 1.0 / len(y)  # C = 1
    with h5py.File("rows.h5", "w") as file:
        file["X"], file["y"] = x, y
    runs = [(loss, name, *fit(estimator, x, y)) for loss, name, estimator in sklearn_programs(1.0)]
    if shutil.which("liblinear-train"):
        runs += [(loss, f"liblinear-train -s {solver}", *liblinear(solver, 1.0, x, y))
                 for loss, solver in (("logistic", 0), ("logistic", 7), ("squared-hinge", 1), ("squared-hinge", 2), ("hinge", 3))]
    print("| loss | program | P(w) | above the minimum | training errors | warning |\n|---|---|---|---|---|---|")
    for loss in LOSSES:
        best, dual = certified(sdca, loss, lam)
        for name, w, warned in [(name, w, "yes" if warned else "**no**") for of, name, w, warned in runs if of == loss] + [
                ("`sdca train --rel-gap 1e-9`", best, "certified")]:
            z = x @ w
            primal = LOSSES[loss](z, y).mean() + lam / 2 * w @ w
            print(f"| {loss} | {name} | {primal:.7g} | {(primal - dual) / dual:.2g} | {np.sum(y * z <= 0)} | {warned} |")


with tempfile.TemporaryDirectory() as scratch:
    program = os.path.abspath(sys.argv[1])
    os.chdir(scratch)
    main(program)
