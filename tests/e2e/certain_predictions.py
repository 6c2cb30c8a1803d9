"""Statements about the exact optimum, against optima by NumPy and scikit-learn to full precision."""
import csv
import re
import subprocess
import sys
import warnings

import h5py
import numpy as np
from scipy.optimize import lsq_linear
from sklearn.svm import SVC, LinearSVC, LinearSVR

from oracle import check

ROWS, COLUMNS, TESTS = 120, 8, 1500
generator = np.random.default_rng(11)
warnings.filterwarnings("ignore", message="Liblinear failed to converge")  # its result is only a start


def newton(gradient_and_hessian, columns):
    """Minimise a smooth convex function by Newton's method with step halving on the gradient."""
    w = np.zeros(columns)
    for _ in range(500):
        gradient, hessian = gradient_and_hessian(w)
        step, size = np.linalg.solve(hessian, gradient), 1.0
        while size > 1e-9 and np.linalg.norm(gradient_and_hessian(w - size * step)[0]) > np.linalg.norm(gradient):
            size /= 2.0
        w = w - size * step
        if np.linalg.norm(step) < 1e-15 * np.linalg.norm(w):
            break
    return w


def derivatives(loss, z, y):
    """phi' and phi''."""
    if loss == "logistic":
        p = 1.0 / (1.0 + np.exp(y * z))
        return -y * p, p * (1.0 - p)
    if loss == "squared-hinge":
        inside = y * z < 1.0
        return np.where(inside, 2.0 * (z - y), 0.0), np.where(inside, 2.0, 0.0)
    if loss == "smooth-hinge":  # gamma 1
        m = 1.0 - y * z
        return -y * np.clip(m, 0.0, 1.0), np.where((m > 0.0) & (m < 1.0), 1.0, 0.0)
    if loss == "huber":  # delta 1
        return np.clip(z - y, -1.0, 1.0), np.where(np.abs(z - y) < 1.0, 1.0, 0.0)
    return 2.0 * (z - y), np.full(len(y), 2.0)  # squared


def polish(loss, x, y, s, C, w):
    """The exact optimum from a w that is close: rows at a corner of their loss stay there, the others where they are."""
    z, e = x @ w, 0.1 if loss == "epsilon-insensitive" else 0.0
    corner = y - np.where(y > z, e, -e)
    free = np.abs(z - corner) < 1e-5
    alpha = np.where(y * z < 1.0, y, 0.0) if loss == "hinge" else np.where(np.abs(y - z) > e, np.sign(y - z), 0.0)
    alpha[free] = 0.0
    fixed = C * x.T @ (s * alpha)
    if free.sum() > x.shape[1]:  # the corners alone give w, and some feasible alpha gives it too
        w = np.linalg.lstsq(x[free], corner[free], rcond=1e-13)[0]
    else:
        alpha[free] = np.linalg.lstsq(C * x[free] @ (x[free].T * s[free]), corner[free] - x[free] @ fixed,
                                      rcond=1e-13)[0]
        w = C * x.T @ (s * alpha)
    z = x @ w
    check(np.all(np.abs(z[free] - corner[free]) < 1e-11), f"{loss}: a row has left its corner")
    low, high = (np.minimum(y, 0), np.maximum(y, 0)) if loss == "hinge" else (-np.ones(len(y)), np.ones(len(y)))
    if free.any():
        found = lsq_linear(C * x[free].T * s[free], w - fixed, bounds=(low[free], high[free]), tol=1e-14)
        check(np.sqrt(2 * found.cost) < 1e-8 * np.linalg.norm(w), f"{loss}: no feasible alpha")
    sides = np.sign(x @ w - corner)[~free]
    check(np.all(alpha[~free] == (np.where(y[~free] * z[~free] < 1.0, y[~free], 0.0) if loss == "hinge" else
                                  np.where(np.abs(y - z)[~free] > e, np.sign(y - z)[~free], 0.0))), f"{loss}: sides")
    check(np.all(sides != 0), f"{loss}: a row is at a corner")
    return w


def optimum(loss, x, y, s, lam):
    """The minimiser of (1/S) sum s phi + lam/2 |w|^2."""
    total, C = s.sum(), 1.0 / (lam * s.sum())
    common = {"C": C, "tol": 1e-9, "max_iter": 100000, "fit_intercept": False, "dual": True, "random_state": 1}
    if loss == "hinge":
        near = LinearSVC(loss="hinge", **common).fit(x, y, sample_weight=s).coef_[0]
        return polish(loss, x, y, s, C, near)
    if loss in ("absolute", "epsilon-insensitive"):
        near = LinearSVR(epsilon=0.1 if loss != "absolute" else 0.0, **common).fit(x, y, sample_weight=s).coef_
        return polish(loss, x, y, s, C, near)

    def gradient_and_hessian(w):
        first, second = derivatives(loss, x @ w, y)
        return (x.T @ (s * first) / total + lam * w,
                (x.T * (s * second)) @ x / total + lam * np.eye(x.shape[1]))

    w = newton(gradient_and_hessian, x.shape[1])
    check(np.linalg.norm(gradient_and_hessian(w)[0]) < 1e-12 * lam * np.linalg.norm(w), f"{loss}: no optimum")
    return w


def make(classes):
    """Rows, labels and weights; the last column is constant in memory only."""
    x = np.float32(generator.normal(size=(ROWS + TESTS, COLUMNS)) * 2.0 ** -np.arange(COLUMNS)).astype(float)
    x[ROWS + 5] = 0.0
    noise = generator.normal(size=(ROWS + TESTS, max(classes, 1)))
    score = x @ generator.normal(size=(COLUMNS, max(classes, 1))) + 0.5 * noise
    y = score[:, 0] if classes == 0 else np.sign(score[:, 0]) if classes == 2 else np.argmax(score, axis=1)
    return x, y, generator.integers(1, 5, size=ROWS) * 0.5


def run(sdca, *arguments):
    result = subprocess.run([sdca, *arguments], check=False, capture_output=True, text=True)
    check(result.returncode in (0, 3), f"{arguments}: {result.returncode}, {result.stderr}")
    return result.stdout


def case(sdca, loss, classes, lam, gap, bias, solver, totals):
    x, y, s = make(classes)
    with h5py.File("train.h5", "w") as file:
        file["X"], file["y"], file["weight"] = np.float32(x[:ROWS]), y[:ROWS], s
    with h5py.File("test.h5", "w") as file:
        file["X"], file["y"] = np.float32(x[ROWS:]), y[ROWS:]
    said = run(sdca, "train", "train.h5", "-o", "model.h5", "--loss", loss, "--lambda", str(lam), "--rel-gap", str(gap),
               "--solver", solver, *(["--bias", str(bias)] if bias else []))
    what = f"{loss}, {classes} classes, lambda {lam}, gap {gap}, bias {bias}, {solver}"
    extended = np.hstack([x, np.full((len(x), 1), bias)]) if bias else x
    with h5py.File("model.h5", "r") as file:
        w = np.atleast_2d(file["w"][:])
        many = len(w) > 1
        distance = np.atleast_1d(file["certificate/distance"][:] if many else file["certificate"].attrs["distance"])
        if bias:
            b = file["bias"][:] if many else [file.attrs["bias"]]
            w = np.hstack([w, np.reshape(b, (-1, 1)) / bias])
    check_norm(said, w, np.linalg.norm(distance), what)
    parts = range(classes) if many else [None]
    best = np.array([optimum(loss, extended[:ROWS], y[:ROWS] if k is None else np.where(y[:ROWS] == k, 1.0, -1.0), s, lam)
                     for k in parts])
    far = np.linalg.norm(w - best, axis=1)
    check(np.all(far <= distance + 1e-12), f"{what}: |w - w*| is {far}, not at most {distance}")
    totals["distances"] += len(far)
    totals["sharpest"] = max(totals["sharpest"], np.max(far / distance))
    proven = np.abs(w) > distance[:, None]
    check(np.all(np.sign(w)[proven] == np.sign(best)[proven]), f"{what}: a sign that was proven is wrong")
    totals["signs"] += proven.sum()
    if not many:
        order(sdca, what, w[0][:COLUMNS], best[0][:COLUMNS], distance[0], totals)
    if classes == 0:
        return
    judge(sdca, what, loss, y, extended[ROWS:] @ best.T, totals)


def check_norm(said, w, distance, what):
    """What train says of |w|, beside the distance."""
    found = re.search(r"at most ([0-9.e+-]+),\s+where \|w\| is ([0-9.e+-]+?)(, for standardised columns)?\.\n", said)
    check(found and np.allclose([float(found[1]), float(found[2])], [distance, np.linalg.norm(w)], rtol=6e-3),
          f"{what}: |w| {np.linalg.norm(w)}, distance {distance}: '{said}'")


def standardised(sdca):
    """The norm is that of the weights of standardised columns, as the distance is."""
    x, y, s = make(4)
    x = (x + 1.0)[:ROWS]
    with h5py.File("train.h5", "w") as file:
        file["X"], file["y"], file["weight"] = np.float32(x), y[:ROWS], s
    mean, x = np.average(x, axis=0, weights=s), np.float32(x).astype(float)
    deviation = np.sqrt(np.average((x - mean) ** 2, axis=0, weights=s))
    for options, constant in (["--bias", "2"], 2.0), (["--intercept"], np.inf):
        said = run(sdca, "train", "train.h5", "-o", "model.h5", "--lambda", "0.01", "--standardize", "full", *options)
        with h5py.File("model.h5", "r") as file:
            w, distance = file["w"][:], np.linalg.norm(file["certificate/distance"][:])
            extended = np.hstack([w * deviation, ((file["bias"][:] + w @ mean) / constant)[:, None]])
            check("certificate/intercept_low" not in file, "standardised: bounds of another intercept than the file has")
        check_norm(said, extended, distance, f"standardised, {options}")
        check(", for standardised columns." in said, f"standardised: '{said}'")


def order(sdca, what, w, best, distance, totals):
    """What info says of the weights."""
    said = run(sdca, "info", "model.h5")
    signs = re.search(r"the signs? of (\d+) of", said)
    check(signs and int(signs[1]) == np.sum(np.abs(w) > distance), f"{what}: '{said}'")
    check(re.search(r"proven +\|w\| is [0-9.e+-]+, at most ", said), f"{what}: '{said}'")
    largest = re.search(r"the order of the (\d+) largest", said)
    count = int(largest[1]) if largest else 0
    check(np.array_equal(np.argsort(-np.abs(w))[:count], np.argsort(-np.abs(best))[:count]),
          f"{what}: the order of {count} weights")
    totals["ordered"] += count


def until(sdca, loss, classes, lam, solver):
    """--until labels: all labels are those of the optimum, and the history is one."""
    x, y, s = make(classes)
    with h5py.File("train.h5", "w") as file:
        file["X"], file["y"], file["weight"] = np.float32(x[:ROWS]), y[:ROWS], s
    with h5py.File("test.h5", "w") as file:
        file["X"], file["y"] = np.float32(x[ROWS:]), y[ROWS:]
    said = subprocess.run([sdca, "train", "train.h5", "-o", "model.h5", "--loss", loss, "--lambda", str(lam), "--solver", solver,
                           "--rel-gap", "0.1", "--test", "test.h5", "--until", "labels", "--history", "history.csv"],
                          check=False, capture_output=True, text=True)
    what = f"--until labels, {loss}, {classes} classes, {solver}"
    check(said.returncode == 0 and f"Certain: {TESTS} of {TESTS} labels" in said.stdout, f"{what}: {said}")
    labels = y[:ROWS]
    best = np.array([optimum(loss, x[:ROWS], labels if classes == 2 else np.where(labels == k, 1.0, -1.0), s, lam)
                     for k in (range(classes) if classes > 2 else [0])])
    score = x[ROWS:] @ best.T
    right = np.where(score[:, 0] > 0, 1.0, -1.0) if classes == 2 else np.argmax(score, axis=1)
    run(sdca, "predict", "model.h5", "test.h5", "-o", "out.csv")
    with open("out.csv", encoding="utf-8") as file:
        table = list(csv.DictReader(file))
    found = np.array([float(row["prediction"]) for row in table])
    rows = np.arange(TESTS) != 5  # whose scores are all 0
    check(np.array_equal(found[rows], right[rows]), f"{what}: labels")
    check(all(row["certain"] == "1" for row in table), f"{what}: certain")
    with open("history.csv", encoding="utf-8") as file:
        history = list(csv.DictReader(file))
    for k in {row.get("class", "") for row in history}:
        part = [row for row in history if row.get("class", "") == k]
        for name in "round", "epoch", "seconds":
            column = np.array([float(row[name]) for row in part])
            check(column[0] < 1e-2 and np.all(np.diff(column) >= 0), f"{what}: {name} {column}")
    with h5py.File("model.h5") as file:
        status = file["certificate"].attrs["status"]
        check(status in ("converged", b"converged"), f"{what}: {status}")
    # A row on which the score of the optimum is 0, as no row of the training data uses its column: never proven.
    x[:ROWS, -1], x[ROWS + 7] = 0.0, 0.0
    x[ROWS + 7, -1] = 1.0
    with h5py.File("train.h5", "r+") as file:
        file["X"][:] = np.float32(x[:ROWS])
    with h5py.File("test.h5", "r+") as file:
        file["X"][:] = np.float32(x[ROWS:])
    said = subprocess.run([sdca, "train", "train.h5", "-o", "never.h5", "--loss", loss, "--lambda", str(lam), "--solver", solver,
                           "--test", "test.h5", "--until", "labels"], check=False, capture_output=True, text=True)
    count = re.search(r"Certain: (\d+) of", said.stdout)
    check(said.returncode == 3 and count and TESTS - 20 < int(count[1]) < TESTS, f"{what}: {said}")


def optimum_with_intercept(loss, x, y, s, lam):
    """The minimiser (w, b), where b has no penalty."""
    total = s.sum()
    if loss == "hinge":
        svc = SVC(kernel="linear", C=1.0 / (lam * total), tol=1e-12).fit(x, y, sample_weight=s)
        return np.append(svc.coef_[0], svc.intercept_)
    ones, penalty = np.hstack([x, np.ones((len(x), 1))]), lam * np.append(np.ones(x.shape[1]), 0.0)

    def gradient_and_hessian(w):
        first, second = derivatives(loss, ones @ w, y)
        return ones.T @ (s * first) / total + penalty * w, (ones.T * (s * second)) @ ones / total + np.diag(np.maximum(penalty, 1e-3))

    w = newton(gradient_and_hessian, x.shape[1] + 1)
    check(np.linalg.norm(gradient_and_hessian(w)[0]) < 1e-12 * lam * np.linalg.norm(w), f"{loss}: no optimum")
    return w


def intercept_case(sdca, loss, classes, lam, gap, solver, totals):
    """What is proven with an intercept without penalty: w, b, labels and probabilities."""
    x, y, s = make(classes)
    if classes == 2:  # so that b is far from 0
        y = np.where(x[:, 0] + 0.3 * generator.normal(size=len(x)) > 1.0, 1.0, -1.0)
    with h5py.File("train.h5", "w") as file:
        file["X"], file["y"], file["weight"] = np.float32(x[:ROWS]), y[:ROWS], s
    with h5py.File("test.h5", "w") as file:
        file["X"], file["y"] = np.float32(x[ROWS:]), y[ROWS:]
    run(sdca, "train", "train.h5", "-o", "model.h5", "--loss", loss, "--lambda", str(lam), "--rel-gap", str(gap),
        "--solver", solver, "--intercept", "--quiet")
    what = f"{loss}, {classes} classes, gap {gap}, intercept, {solver}"
    best = np.array([optimum_with_intercept(loss, x[:ROWS], y[:ROWS] if classes == 2 else np.where(y[:ROWS] == k, 1.0, -1.0),
                                            s, lam) for k in range(classes if classes > 2 else 1)])
    with h5py.File("model.h5", "r") as file:
        w = np.atleast_2d(file["w"][:])
        distance = np.atleast_1d(file["certificate/distance"][:] if classes > 2 else file["certificate"].attrs["distance"])
        low, high = file["certificate/intercept_low"][:], file["certificate/intercept_high"][:]
        b = np.atleast_1d(file["bias"][:] if classes > 2 else file.attrs["bias"])
    slack = 1e-6 if loss == "hinge" else 1e-11
    check(np.all(np.linalg.norm(w - best[:, :-1], axis=1) <= distance + slack), f"{what}: distance")
    check(np.all((low <= best[:, -1] + slack) & (best[:, -1] <= high + slack)), f"{what}: b {best[:, -1]} not in {low}..{high}")
    check(np.all((low < b) & (b < high) & (high - low < 10.0)), f"{what}: b {b}, {low}..{high}")
    totals["intercepts"] += len(b)
    if classes == 2:
        order(sdca, what, w[0], best[0][:-1], distance[0], totals)
    judge(sdca, what, loss, y, x[ROWS:] @ best[:, :-1].T + best[:, -1], totals)


def judge(sdca, what, loss, y, score, totals):
    """Proven labels and intervals of predict against the scores of the optimum."""
    said = run(sdca, "predict", "model.h5", "test.h5", "-o", "out.csv")
    with open("out.csv", encoding="utf-8") as file:
        table = list(csv.DictReader(file))
    certain = np.array([row["certain"] == "1" for row in table])
    predicted = np.array([float(row["prediction"]) for row in table])
    label = np.where(score[:, 0] > 0, 1.0, -1.0) if score.shape[1] == 1 else np.argmax(score, axis=1)
    check(f"Certain: {certain.sum()} of {len(table)} labels" in said, f"{what}: '{said}'")
    check(np.all(predicted[certain] == label[certain]), f"{what}: a label that was proven is not that of the optimum")
    check(certain[5] or np.any(score[5]), f"{what}: the label of a row of zeros")
    check(not certain.all() or len(set(label)) > 1, f"{what}: only one label")
    totals["certain"] += certain.sum()
    totals["labels"] += len(table)
    totals["other"] += np.sum(predicted != label)
    if loss == "logistic":
        probability = 1.0 / (1.0 + np.exp(-score))
        if score.shape[1] > 1:
            probability /= probability.sum(axis=1, keepdims=True)
        for k in range(score.shape[1]):
            name = k if score.shape[1] > 1 else 1
            low = np.array([float(row[f"probability_low_{name}"]) for row in table])
            high = np.array([float(row[f"probability_high_{name}"]) for row in table])
            check(np.all((low - 1e-12 <= probability[:, k]) & (probability[:, k] <= high + 1e-12)),
                  f"{what}: a probability of the optimum is not in its interval")
            totals["intervals"] += len(table)


def threshold(sdca):
    """--threshold moves the label, the error, and what is certain."""
    run(sdca, "train", "train.h5", "-o", "model.h5", "--loss", "logistic", "--lambda", "0.01", "--positive", "1", "--quiet")
    run(sdca, "predict", "model.h5", "test.h5", "-o", "plain.csv")
    run(sdca, "predict", "model.h5", "test.h5", "-o", "moved.csv", "--threshold", "-0.7")
    run(sdca, "predict", "model.h5", "test.h5", "-o", "moved.h5", "--threshold", "-0.7")
    tables = {}
    for name in "plain", "moved":
        with open(name + ".csv", encoding="utf-8") as file:
            tables[name] = list(csv.DictReader(file))
    score = np.array([float(row["score"]) for row in tables["plain"]])
    for name, at in ("plain", 0.0), ("moved", -0.7):
        is_one = np.array([row["prediction"] == "1" for row in tables[name]])
        check(np.all(is_one == (score > at)), f"{name}: labels")
    certain = [np.array([row["certain"] == "1" for row in tables[name]]) for name in ("plain", "moved")]
    check(certain[0][np.abs(score) > 1].mean() > 0.5 and not certain[1][np.abs(score + 0.7) < 1e-4].any(), "certain")
    with h5py.File("moved.h5", "r") as file:
        check(np.array_equal(file["certain"][:], np.uint8(certain[1])), "certain in HDF5")
        low = np.array([float(row["probability_low_1"]) for row in tables["moved"]])
        check(np.array_equal(file["probability_low"][:], low), "intervals in HDF5")
        is_one = np.array([row["prediction"] == "1" for row in tables["moved"]])
        check(np.array_equal(file["prediction"][:] == 1.0, is_one), "labels in HDF5")


def main(sdca):
    totals = dict.fromkeys(("labels", "certain", "other", "intervals", "distances", "signs", "ordered", "intercepts"), 0) | {"sharpest": 0.0}
    for number, loss in enumerate(("hinge", "smooth-hinge", "squared-hinge", "logistic")):
        for k, gap in enumerate((0.3, 0.01, 1e-4)):
            case(sdca, loss, 2, (0.1, 0.01)[number % 2], gap, (0.0, 2.0)[k % 2], "sdca", totals)
        case(sdca, loss, 2, 0.01, 0.05, 1.0, "newton", totals)
        case(sdca, loss, 4, 0.002, (0.05, 1e-3)[number % 2], 1.0, "sdca", totals)
    for loss in "squared", "absolute", "epsilon-insensitive", "huber":
        for gap, bias, solver in (0.1, 0.0, "sdca"), (0.01, 1.0, "newton"), (1e-3, 1.0, "sdca"):
            case(sdca, loss, 0, 0.1, gap, bias, solver, totals)
    for loss in "hinge", "smooth-hinge", "squared-hinge", "logistic":
        for gap in 0.1, 1e-3, 1e-5:
            intercept_case(sdca, loss, 2, 0.05, gap, "sdca", totals)
    intercept_case(sdca, "logistic", 2, 0.05, 1e-3, "newton", totals)
    intercept_case(sdca, "logistic", 4, 0.02, 1e-3, "sdca", totals)
    intercept_case(sdca, "squared-hinge", 4, 0.02, 1e-2, "sdca", totals)
    for loss, classes, solver in ("hinge", 2, "sdca"), ("logistic", 2, "newton"), ("squared-hinge", 4, "sdca"):
        until(sdca, loss, classes, 0.1, solver)
    case(sdca, "logistic", 2, 0.01, 1e-3, 0.0, "sdca", totals)
    threshold(sdca)
    standardised(sdca)
    print(totals)
    check(totals["labels"] >= 10000, "too few labels")
    check(0.3 * totals["labels"] < totals["certain"] < 0.95 * totals["labels"], "all or nothing is certain")
    check(totals["other"] > 50, "the labels of all models are those of the optimum: nothing was tested")
    check(totals["signs"] > 50, "no sign was proven")
    check(totals["ordered"] > 20, "no order was proven")


main(sys.argv[1])
