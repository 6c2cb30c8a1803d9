"""Data whose columns differ in size, and models with an intercept without penalty: beside
explicitly standardised columns, scikit-learn, libsvm, SciPy and closed forms."""
import json
import sys

import h5py
import numpy as np
import scipy.optimize as so
import scipy.sparse as sp
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.svm import SVC, SVR

import oracle
from oracle import check, near

ROWS, COLUMNS, LAMBDA = 160, 6, 0.02
PARAMETER = {"smooth-hinge": 1.0, "epsilon-insensitive": 0.1, "huber": 1.0}


def rows(kind):
    """X, labels of two classes, numbers, three classes, and weights. The columns of a table have means and
    sizes from 1e-3 to 1e4, and one does not vary; a third of a sparse matrix is there."""
    rng = np.random.default_rng(5)
    base = rng.normal(0.0, 1.0, (ROWS, COLUMNS))
    score = base @ np.linspace(-1.0, 1.5, COLUMNS) + rng.normal(0.0, 0.8, ROWS)
    x = base * 10.0 ** np.linspace(-3.0, 4.0, COLUMNS) + 10.0 ** np.linspace(-2.0, 5.0, COLUMNS)[::-1]
    x[:, 2] = 0.7
    if kind == "sparse":
        x = np.where(rng.random((ROWS, COLUMNS)) < 0.3, np.round(base * 8.0) / 8.0, 0.0)
        x[:, 1] *= 64.0
        score = x @ np.array([1.0, 0.02, -1.0, 0.5, 1.0, 0.3]) + rng.normal(0.0, 0.8, ROWS)
    three = 1.0 + np.digitize(score + rng.normal(0.0, 0.5, ROWS), np.quantile(score, [0.2, 0.6]))
    return (x, np.where(score > 0.7, 1.0, -1.0), 5.0 + score, three,
            rng.integers(1, 4, ROWS).astype(float))


def save(name, x, y, weight=None):
    """A data file."""
    with h5py.File(name + ".h5", "w") as file:
        if sp.issparse(x):
            group = file.create_group("X")
            group.attrs["encoding-type"], group.attrs["shape"] = "csr_matrix", x.shape
            group["data"], group["indices"], group["indptr"] = x.data, x.indices, x.indptr
        else:
            file["X"] = x
        file["y"] = y
        if weight is not None:
            file["weight"] = weight


def moments(x, weight):
    """Means and standard deviations, 1 for a column that does not vary."""
    mean = np.average(x, axis=0, weights=weight)
    size = np.sqrt(np.average((x - mean) ** 2, axis=0, weights=weight))
    return mean, np.where(size <= 1e-9 * np.abs(mean), 1.0, size)


def write():
    """All files; explicit ones are standardised by numpy."""
    for kind in ("table", "sparse"):
        x, y, number, three, weight = rows(kind)
        stored = sp.csr_matrix(x) if kind == "sparse" else x
        mean, size = moments(x, weight)
        for name, label in (("class", y), ("number", number), ("three", three)):
            save(f"{kind}-{name}", stored, label, weight)
            save(f"{kind}-{name}-explicit-full", (x - mean) / size, label, weight)
            save(f"{kind}-{name}-explicit-scale", sp.csr_matrix(x / size), label, weight)
        save(f"{kind}-class-plain", stored, y)
    x, y, _, _, _ = rows("table")
    with open("new.txt", "w", encoding="utf-8") as text:
        for i in range(ROWS):
            text.write(f"{y[i]:g} " + " ".join(f"{j + 1}:{v!r}" for j, v in enumerate(x[i])) + "\n")
    rare = np.arange(400) % 200 == 7
    save("rare", np.random.default_rng(2).normal(0.0, 0.5, (400, 3)) + 4.0 * rare[:, None], 2.0 * rare - 1.0)
    # One row in ten is of the rarer class, and hard to tell apart; words with rows of norm 30; categories, one per
    # group of four columns.
    rng = np.random.default_rng(3)
    few = rng.random(600) < 0.1
    save("few", rng.normal(0.0, 1.0, (600, 3)) + 0.9 * few[:, None], 2.0 * few - 1.0)
    words = sp.random(200, 300, 0.05, "csr", random_state=4)
    save("words", sp.csr_matrix(words * 15.0), np.where(words[:, :150].sum(axis=1).A1 > words[:, 150:].sum(axis=1).A1, 1.0, -1.0))
    codes = rng.integers(0, 4, (400, 5))
    sizes = np.where(rng.random((400, 5)) < 0.3, rng.normal(0.0, 1.0, (400, 5)), 0.0)
    save("sizes", sp.csr_matrix(sizes * np.array([1.0, 1.0, 1.0, 1.0, 1000.0])), np.where(sizes.sum(axis=1) > 0.3, 1.0, -1.0))
    save("categories", sp.csr_matrix(np.eye(4)[codes].reshape(400, 20)), np.where(codes[:, 0] + codes[:, 1] > rng.uniform(2.0, 4.0, 400), 1.0, -1.0))
    far = rng.normal(0.0, 1.0, (400, 5))
    save("far", far, 1e9 + 1e8 * (far.sum(axis=1) + rng.standard_t(2, 400)))
    save("huge", np.array([[1e150, 1.0], [-1e150, 2.0], [1e150, 0.5]]), np.array([1.0, -1.0, 1.0]), np.full(3, 1e90))


def read_model(name):
    """w and the intercept of a model."""
    with h5py.File(name, "r") as file:
        bias = file["bias"][:] if "bias" in file else file.attrs["bias"]
        return file["w"][:], bias


def problem(kind, loss):
    """Labels and weights for a loss."""
    x, y, number, _, weight = rows(kind)
    return x, y if loss in oracle.CLASSIFICATION else number, weight


def value(loss, x, y, weight, penalty, w, b):
    """P of weights for columns as they are; penalty is that of each column."""
    z = x @ w + b
    return (np.average(oracle.losses(loss, z, y, PARAMETER.get(loss)), weights=weight)
            + LAMBDA / 2.0 * np.dot(penalty * w, w))


def optimum(loss, x, y, weight, intercept):
    """The least P of standardised columns, by others."""
    C = 1.0 / (LAMBDA * np.sum(weight))
    if loss == "hinge" and intercept:
        model = SVC(kernel="linear", C=C, tol=1e-9).fit(x, y, sample_weight=weight)
        w, b = model.coef_[0], model.intercept_[0]
    elif loss in ("absolute", "epsilon-insensitive") and intercept:
        model = SVR(kernel="linear", C=C, tol=1e-9, epsilon=PARAMETER.get(loss, 0.0))
        model.fit(x, y, sample_weight=weight)
        w, b = model.coef_[0], model.intercept_[0]
    elif loss == "logistic":
        model = LogisticRegression(C=C, tol=1e-10, fit_intercept=intercept, max_iter=10000)
        model.fit(x, y, sample_weight=weight)
        w, b = model.coef_[0], model.intercept_[0] if intercept else 0.0
    elif loss == "squared":
        model = Ridge(alpha=LAMBDA / 2.0 * np.sum(weight), fit_intercept=intercept, solver="cholesky")
        model.fit(x, y, sample_weight=weight)
        w, b = model.coef_, model.intercept_
    elif loss in ("squared-hinge", "smooth-hinge", "huber"):
        def function(v):
            return value(loss, x, y, weight, 1.0, v[:-1], v[-1] if intercept else 0.0)
        found = so.minimize(function, np.zeros(x.shape[1] + 1), method="BFGS", options={"gtol": 1e-9})
        w, b = found.x[:-1], found.x[-1] if intercept else 0.0
    else:
        return None
    return value(loss, x, y, weight, 1.0, w, b)


def check_run(name, kind, standardize, intercept, loss):
    """P in the summary is that of the model in its own units, and the optimum of others is within the gap."""
    x, y, weight = problem(kind, loss)
    mean, size = moments(x, weight)
    scale = size if standardize != "none" else np.ones(COLUMNS)
    shift = mean if standardize == "full" else np.zeros(COLUMNS)
    summary = oracle.read_summary(name + ".json")
    w, b = read_model(name + ".model")
    near(value(loss, x, y, weight, scale ** 2, w, b), summary["primal"], 1e-7, f"P of {name}")
    if standardize == "full" and not intercept:
        near(b, -np.dot(w, mean), 1e-6, f"bias of {name}")
    best = optimum(loss, (x - shift) / scale, y, weight, intercept)
    if best is None and not intercept: # beside a run on explicit columns
        best = oracle.read_summary(f"explicit-{kind}-{standardize}-{loss}.json")["primal"]
    check(best is not None, f"no oracle for {name}")
    check(summary["gap"] <= 1.01e-7 * summary["primal"], f"gap of {name}")
    check(best >= summary["primal"] - summary["gap"] - 1e-7 * summary["primal"],
          f"{name}: P {summary['primal']} - gap {summary['gap']} is above {best}, which others reach")
    near(summary["primal"], best, 1e-6, f"P of {name} beside the optimum of others")


def check_bias(name):
    """Scores of predict, exports and the model agree."""
    x, _, _, _, _ = rows("table")
    w, b = read_model(name + ".model")
    score = np.genfromtxt("scores.csv", delimiter=",", names=True)["score"]
    near(score, x @ w + b, 1e-6, "scores of predict")
    with open("export.json", encoding="utf-8") as file:
        exported = json.load(file)
    near(exported["bias"], b, 1e-12, "bias of the JSON export")
    near(np.loadtxt("export.txt")[-1], b, 1e-12, "bias of the text export")
    labels = np.loadtxt("liblinear.out")
    check(np.array_equal(labels, np.where(x @ w + b > 0.0, 1.0, -1.0)), "labels of liblinear-predict")


def check_classes(name, kind, standardize):
    """Every class against the rest beside scikit-learn."""
    x, _, _, three, weight = rows(kind)
    mean, size = moments(x, weight)
    model, bias = read_model(name + ".model")
    summary = oracle.read_summary(name + ".json")
    for k in range(3):
        y = np.where(three == k + 1.0, 1.0, -1.0)
        at = value("logistic", x, y, weight, size ** 2, model[k], bias[k])
        best = optimum("logistic", (x - (mean if standardize == "full" else 0.0)) / size, y, weight, True)
        near(at, summary["per_class"][k]["primal"], 1e-7, f"P of class {k} of {name}")
        near(at, best, 1e-6, f"P of class {k} of {name} beside scikit-learn")
    labels = 1.0 + np.argmax(x @ model.T + bias, axis=1)
    near(summary["test_error"], np.average(labels != three, weights=weight), 1e-9, f"test error of {name}")


def same(first, second):
    """Two models have the same bits."""
    with h5py.File(first, "r") as a, h5py.File(second, "r") as b:
        check(a["w"][:].tobytes() == b["w"][:].tobytes(), f"w of {first} and {second} differ")
        check(np.all(np.asarray(a.attrs.get("bias", 0)) == np.asarray(b.attrs.get("bias", 0))),
              f"bias of {first} and {second} differ")


def main():
    """Runs are listed one per line on standard input: NAME KIND STANDARDIZE INTERCEPT LOSS."""
    if sys.argv[1] == "write":
        write()
    elif sys.argv[1] == "runs":
        for line in sys.stdin:
            name, kind, standardize, intercept, loss = line.split()
            check_run(name, kind, standardize, intercept == "intercept", loss)
    elif sys.argv[1] == "bias":
        check_bias(sys.argv[2])
    elif sys.argv[1] == "classes":
        check_classes(*sys.argv[2:])
    else:
        same(*sys.argv[2:])


main()
