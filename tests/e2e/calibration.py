"""Probabilities from held-out scores, beside scikit-learn's CalibratedClassifierCV.

Usage: calibration.py write | compare SDCA | same A.h5 B.h5 TOLERANCE | chosen SDCA MODEL | exported MODEL JSON
       | extremes ZERO APART | damage MODEL"""
import csv
import json
import shutil
import subprocess
import sys
import warnings

import h5py
import numpy as np
from sklearn.calibration import CalibratedClassifierCV
from sklearn.metrics import brier_score_loss, log_loss
from sklearn.model_selection import PredefinedSplit
from sklearn.svm import LinearSVC

from oracle import check, near

LAMBDA = 0.01


class Model(LinearSVC):
    """The squared hinge loss with sdca's lambda, and class weights that are no sample weights."""

    def __init__(self, factor=None, C=1.0):
        super().__init__(loss="squared_hinge", fit_intercept=False, dual=False, tol=1e-13, max_iter=100000, C=C)
        self.factor = factor

    def fit(self, X, y, sample_weight=None):
        weight = sample_weight * (1.0 if self.factor is None else np.array(self.factor)[np.unique(y, return_inverse=True)[1]])
        self.set_params(C=1.0 / (LAMBDA * weight.sum()))
        return super().fit(X, y, weight)


def make(classes, rows, seed):
    generator = np.random.default_rng(seed)
    x = np.float32(generator.normal(size=(rows, 6)))
    truth = np.random.default_rng(5).normal(size=(6, classes))
    score = x @ truth + generator.normal(size=(rows, classes))
    y = np.where(score[:, 0] > 0.9, 1.0, -1.0) if classes == 2 else np.argmax(score, axis=1) * 1.0
    return x, y, generator.integers(1, 5, size=rows) * 0.5


def write():
    for name, classes in ("two", 2), ("four", 4):
        for prefix, rows, seed in ("", 240, 1), ("valid-", 160, 2), ("test-", 500, 3):
            with h5py.File(f"{prefix}{name}.h5", "w") as file:
                file["X"], file["y"], file["weight"] = make(classes, rows, seed)
    with h5py.File("single.h5", "w") as file:
        file["X"], file["y"] = np.ones((5, 6)), np.ones(5)
    with h5py.File("zero.h5", "w") as file:
        file["X"], file["y"] = np.zeros((12, 3)), np.where(np.arange(12) < 4, 1.0, -1.0)
    with h5py.File("apart.h5", "w") as file:
        file["X"] = np.vstack([np.ones((20, 2)), -np.ones((20, 2))])
        file["y"] = np.repeat([1.0, -1.0], 20)


def read(name):
    with h5py.File(name) as file:
        return file["X"][:].astype(float), file["y"][:], file["weight"][:]


def run(sdca, *arguments):
    result = subprocess.run([sdca, *arguments], check=False, capture_output=True, text=True)
    check(result.returncode in (0, 3), f"{arguments}: {result.returncode}, {result.stderr}")  # 3: the limit of double precision


def table(name, prefix):
    with open(name, encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    names = [key for key in rows[0] if key.startswith(prefix)
             and (prefix != "probability_" or key.split("_")[1] not in ("low", "high"))]
    return np.array([[float(row[key]) for key in names] for row in rows])


def metrics(name, y, weight, p):
    """log-loss and Brier score of the calibrated probabilities."""
    with open(name, encoding="utf-8") as file:
        found = json.load(file)
    near(found["log_loss"], log_loss(y, p, sample_weight=weight), 1e-9, "log-loss")
    if p.shape[1] == 2:
        near(found["brier"], brier_score_loss(y, p[:, 1], sample_weight=weight), 1e-9, "Brier score")


def compare_case(sdca, data, how, factor):
    x, y, s = read(f"{data}.h5")
    t, labels, weights = read(f"test-{data}.h5")
    folds = how == "folds"
    held = ["--folds", "4", "--fold-file", "folds"] if folds else ["--validation", f"valid-{data}.h5"]
    text = [] if factor is None else ["--class-weight", ",".join(f"{k:g}={v}" for k, v in zip(np.unique(y), factor))]
    run(sdca, "train", f"{data}.h5", "-o", "model.h5", "--loss", "squared-hinge", "--lambda", str(LAMBDA),
        "--rel-gap", "1e-14", "--calibrate", "--quiet", *held, *text)
    run(sdca, "predict", "model.h5", f"test-{data}.h5", "-o", "out.csv", "--metrics", "out.json", "--quiet")
    base = Model(factor)
    if folds:
        oracle = CalibratedClassifierCV(base, method="sigmoid", ensemble=False,
                                        cv=PredefinedSplit(np.loadtxt("folds", dtype=int) - 1))
        oracle.fit(x, y, sample_weight=s)
    else:
        v, of_v, weight = read(f"valid-{data}.h5")
        oracle = CalibratedClassifierCV(base.fit(x, y, s), method="sigmoid", cv="prefit").fit(v, of_v, weight)
    expected, found = oracle.predict_proba(t), table("out.csv", "probability_")
    columns = expected if data == "four" else expected[:, 1:]
    what = f"{data}, {how}, class weights {factor}"
    near(found, columns, 2e-6, what)
    metrics("out.json", labels, weights, found if data == "four" else np.hstack([1.0 - found, found]))
    sigmoid = oracle.calibrated_classifiers_[0].calibrators
    with h5py.File("model.h5") as file:
        group = file["calibration"]
        near(group["slope"][:], [-c.a_ for c in sigmoid], 2e-6, what + ": A")
        near(group["offset"][:], [-c.b_ for c in sigmoid], 2e-6, what + ": B")
        check(group.attrs["rows"] == (240 if folds else 160) and group.attrs["folds"] == (4 if folds else 0), what)
        a, b = group["slope"][:], group["offset"][:]
    return a, b, base.fit(x, y, s).decision_function(t)


def intervals(sdca, data, a, b, score):
    """The intervals of a model that is far from the optimum, with these sigmoids."""
    run(sdca, "train", f"{data}.h5", "-o", "loose.h5", "--loss", "squared-hinge", "--lambda", str(LAMBDA),
        "--rel-gap", "1e-2", "--calibrate", "--folds", "4", "--quiet")
    with h5py.File("loose.h5", "r+") as file:  # any sigmoid will do: a falling one too
        a[0], file["calibration/slope"][:], file["calibration/offset"][:] = -a[0], a * np.where(np.arange(len(a)) == 0, -1, 1), b
    run(sdca, "predict", "loose.h5", f"test-{data}.h5", "-o", "out.csv", "--quiet")
    p = 1.0 / (1.0 + np.exp(-(a * np.reshape(score, (-1, len(a))) + b)))
    p = p / p.sum(axis=1, keepdims=True) if len(a) > 1 else p
    low, high = table("out.csv", "probability_low_"), table("out.csv", "probability_high_")
    found = table("out.csv", "probability_")
    check(np.all((low <= p + 1e-9) & (p <= high + 1e-9)), f"{data}: a probability of the optimum is not in its interval")
    check(np.all((low <= found) & (found <= high)), f"{data}: a probability is not in its interval")
    if len(a) == 1:  # the ends are those of docs/certificates.md
        with h5py.File("loose.h5") as file, h5py.File(f"test-{data}.h5") as rows:
            reach = file["certificate"].attrs["distance"] * np.linalg.norm(rows["X"][:].astype(float), axis=1)
        z = table("out.csv", "score")
        ends = 1.0 / (1.0 + np.exp(-(a * (z + np.outer(reach, [-1.0, 1.0])) + b)))
        near(np.hstack([low, high]), np.sort(ends, axis=1), 1e-6, "ends of the intervals")
    check(np.max(np.abs(found - p)) > 1e-3, f"{data}: nothing was tested")
    check(0.001 < np.mean(high - low) < 0.9, f"{data}: the intervals are {np.mean(high - low)} wide")


def compare(sdca):
    for data, factor in ("two", (1.0, 3.0)), ("four", (2.0, 1.0, 0.5, 1.0)):
        compare_case(sdca, data, "folds", factor)
        compare_case(sdca, data, "validation", None)
        intervals(sdca, data, *compare_case(sdca, data, "folds", None))


def same(first, second, tolerance):
    with h5py.File(first) as a, h5py.File(second) as b:
        for name in "slope", "offset":
            near(b["calibration"][name][:], a["calibration"][name][:], float(tolerance), f"{second}: {name}")


def chosen(sdca, model):
    with h5py.File(model) as file:
        lam = file.attrs["lambda"]
        check(len(file["selection/lambda"]) == 3, "three lambda")
    run(sdca, "train", "four.h5", "-o", "alone.h5", "--lambda", repr(float(lam)), "--folds", "4", "--loss", "squared-hinge",
        "--rel-gap", "1e-12", "--calibrate", "--quiet")
    same("alone.h5", model, 1e-6)
    with open("path.json", encoding="utf-8") as summary, h5py.File(model) as file:
        near(json.load(summary)["calibration"]["slope"], file["calibration/slope"][:], 0, "summary")


def exported(model, name):
    with open(name, encoding="utf-8") as text, h5py.File(model) as file:
        found = json.load(text)["calibration"]
        near(found["slope"], file["calibration/slope"][:], 0, "slope")
        near(found["offset"], file["calibration/offset"][:], 0, "offset")
        check(found["method"] == "sigmoid" and found["rows"] == 240 and found["folds"] == 4, str(found))


def extremes(zero, apart):
    """Constant scores have the mean target, 4 positive rows of 12; separated ones a steep sigmoid."""
    with h5py.File(zero) as file:
        mean = (4 * 5 / 6 + 8 / 10) / 12
        check(file["calibration/slope"][0] == 0.0, "slope of constant scores")
        near(file["calibration/offset"][0], np.log(mean / (1 - mean)), 1e-14, "offset of constant scores")
    with h5py.File(apart) as file:  # scores +z and -z: the targets 21/22 and 1/22 are reached exactly
        z = np.abs(file["w"][:].sum())
        near(1 / (1 + np.exp(-file["calibration/slope"][0] * z)), 21 / 22, 1e-2, "separated classes")


def damage(model):
    for name, slope in ("short", np.ones(3)), ("infinite", np.array([1, np.inf, 1, 1])):
        shutil.copy(model, f"{name}.h5")
        with h5py.File(f"{name}.h5", "r+") as file:
            del file["calibration/slope"]
            file["calibration/slope"] = slope


warnings.filterwarnings("ignore")
globals()[sys.argv[1]](*sys.argv[2:])
