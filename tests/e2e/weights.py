"""Write data files with sample weights, good ones and wrong ones, and check what sdca
makes of them: beside the same rows repeated, and beside scikit-learn."""
import sys

import h5py
import numpy as np
import scipy.sparse as sp
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC
from sklearn.utils.class_weight import compute_class_weight

import oracle
from oracle import check, near

ROWS, COLUMNS = 120, 8


def rows():
    """Rows with unequal classes, and whole numbers as weights, some of them 0."""
    rng = np.random.default_rng(11)
    x = sp.random(ROWS, COLUMNS, density=0.4, format="csr", random_state=3,
                  data_rvs=lambda n: rng.integers(-8, 9, n) / 4.0)
    y = np.where(x @ np.linspace(-1.0, 1.0, COLUMNS) + rng.normal(0.0, 0.7, ROWS) > 0.6, 7.0, 3.0)
    return x, y, rng.integers(0, 4, ROWS).astype(np.float64)


def class_rows(classes):
    """Rows of several classes of unequal sizes, labels 1, 2, ..., and whole numbers as weights."""
    x, _, weight = rows()
    rng = np.random.default_rng(classes)
    score = x @ rng.normal(0.0, 1.0, (COLUMNS, classes)) + rng.normal(0.0, 0.7, (ROWS, classes))
    return x, 1.0 + np.argmax(score + np.linspace(0.0, 1.5, classes), axis=1), weight


def balance(y, weight=None):
    """scikit-learn's balanced weights of rows by their own class, times those of the rows."""
    weight = np.ones(len(y)) if weight is None else weight
    labels, index = np.unique(y, return_inverse=True)
    repeated = np.repeat(y, weight.astype(int)) # what the weights mean
    return weight * compute_class_weight("balanced", classes=labels, y=repeated)[index]


def put_matrix(file, x):
    """X as a group."""
    group = file.create_group("X")
    group.attrs["encoding-type"], group.attrs["shape"] = "csr_matrix", x.shape
    group["data"], group["indices"], group["indptr"] = x.data, x.indices, x.indptr


def save(name, x, y, weight=None):
    """A data file; X is sparse or dense."""
    with h5py.File(name + ".h5", "w") as file:
        if sp.issparse(x):
            put_matrix(file, x)
        else:
            file["X"] = x
        file["y"] = y
        if weight is not None:
            file["weight"] = weight


def changed(weight, row, value):
    """The weights with another value in one row."""
    weight = weight.copy()
    weight[row] = value
    return weight


def save_anndata(x, y, weight):
    """The same as an AnnData file, with weights of every kind."""
    with h5py.File("cells.h5ad", "w") as file:
        put_matrix(file, x)
        obs = file.create_group("obs")
        obs["kind"] = y
        obs["size"] = weight
        obs["whole"] = weight.astype(np.int16)
        obs["used"] = weight > 0
        for name, mask in (("nullable", np.zeros(ROWS, dtype=bool)), ("gaps", np.arange(ROWS) == 77)):
            column = obs.create_group(name)
            column.attrs["encoding-type"] = "nullable-integer"
            column["values"], column["mask"] = weight.astype(np.int64), mask
        column = obs.create_group("category")
        column["codes"], column["categories"] = weight.astype(np.int8), np.arange(4.0)
        obs["old"] = weight.astype(np.int8)
        obs.create_group("__categories")["old"] = np.arange(4.0)
        obs["text"] = np.array([b"1"] * ROWS)
        obs["short"] = weight[1:]


def write():
    """All files."""
    x, y, weight = rows()
    repeated = np.repeat(np.arange(ROWS), weight.astype(int))
    save("weighted", x, y, weight)
    save("scaled", x, y, 1000.0 * weight)
    save("dense", x.toarray(), y, weight)
    save("plain", x, y)
    save("ones", x, y, np.ones(ROWS))
    save("repeated", x[repeated], y[repeated])
    save("halves", x, y, np.where(y == 7.0, 3.0, 0.5))
    save("used", x, y, weight > 0)
    balanced = compute_class_weight("balanced", classes=[3.0, 7.0], y=y)
    save("balanced", x, y, np.where(y == 7.0, balanced[1], balanced[0]))
    save("unlabelled", x, y, changed(weight, 3, -1.0))
    with h5py.File("unlabelled.h5", "r+") as file:
        del file["y"]
    save_anndata(x, y, weight)
    _, y3, _ = class_rows(3)
    save("three", x, y3, weight)
    save("three-repeated", x[repeated], y3[repeated])
    save("three-alone", x, np.where(y3 == 2.0, 1.0, -1.0), weight * np.where(y3 == 2.0, 3.0, 0.5))
    save("four", x, class_rows(4)[1])
    save("four-weighted", x, class_rows(4)[1], weight)

    save("negative", x, y, changed(weight, 117, -0.25))
    save("nan", x, y, changed(weight, 60, np.nan))
    save("infinite", x, y, changed(weight, 2, np.inf))
    save("short", x, y, weight[1:])
    save("zero", x, y, 0.0 * weight)
    save("huge", x, y, changed(weight, 5, 1e150))
    save("flat", x, y, np.ones((ROWS, 1)))
    save("words", x, y, np.array([b"1"] * ROWS))

    with open("rows.txt", "w", encoding="utf-8") as text, open("rows.csv", "w", encoding="utf-8") as table:
        table.write("label,size," + ",".join(f"c{j}" for j in range(COLUMNS)) + "\n")
        for i in range(ROWS):
            dense = x[i].toarray()[0]
            text.write(f"{y[i]:g} " + " ".join(f"{j + 1}:{v!r}" for j, v in enumerate(dense) if v != 0.0) + "\n")
            table.write(f"{y[i]:g},{weight[i]:g}," + ",".join(f"{v!r}" for v in dense) + "\n")
    with open("weights.txt", "w", encoding="utf-8") as text:
        text.writelines(f"{w:g}\n" for w in weight)


def solution(name):
    """P and w of a run."""
    return oracle.read_summary(name + ".json")["primal"], oracle.read_w(name + ".h5.model")


def same(first, second, tolerance):
    """Two runs have the same P and w."""
    near(solution(first)[0], solution(second)[0], tolerance, f"P of {first} and {second}")
    near(solution(first)[1], solution(second)[1], np.sqrt(tolerance), f"w of {first} and {second}")


def check_sklearn(name, loss, model, weight):
    """P of a run is the minimum that scikit-learn finds, for weights of the rows."""
    x, y, _ = rows()
    model.fit(x, oracle.signs(y))
    w = model.coef_[0]
    expected = np.average(oracle.losses(loss, x @ w, oracle.signs(y)), weights=weight) + 0.01 / 2.0 * np.dot(w, w)
    near(solution(name)[0], expected, 1e-5, f"P of {name} beside scikit-learn")


def judge():
    """Weights mean what they say."""
    for loss in ("hinge", "squared-hinge", "logistic", "squared"):
        for name in ("dense", "scaled", "repeated"):
            same(f"weighted-{loss}", f"{name}-{loss}", 1e-6)
        same(f"weighted-{loss}", f"ranks-{loss}", 1e-6)
        p, w = solution(f"weighted-{loss}")
        x, y, weight = rows()
        y = y if loss == "squared" else oracle.signs(y)
        near(p, np.average(oracle.losses(loss, x @ w, y), weights=weight) + 0.005 * np.dot(w, w), 1e-9, "P")
    for solver in ("sdca", "newton", "sag"):
        same(f"solver-{solver}", "weighted-squared-hinge", 1e-4)
    same("eg", "weighted-logistic", 1e-4)
    same("sgd", "weighted-logistic", 1e-3)
    check(abs(solution("plain-hinge")[0] - solution("weighted-hinge")[0]) > 1e-3, "weights make no difference")
    same("class-list", "halves-hinge", 1e-6)
    same("class-balanced", "balanced-hinge", 1e-6)
    same("logistic-balanced", "balanced-logistic", 1e-6)
    for column in ("size", "whole", "nullable"):
        same(f"obs-{column}", "weighted-hinge", 1e-6)
    same("obs-used", "used-hinge", 1e-6)
    _, y, _ = rows()
    factor = compute_class_weight("balanced", classes=[3.0, 7.0], y=y)
    weight = np.where(y == 7.0, factor[1], factor[0])
    how = {"C": 1.0 / (0.01 * ROWS), "class_weight": "balanced", "fit_intercept": False, "tol": 1e-9, "max_iter": 10**6}
    check_sklearn("class-balanced", "hinge", LinearSVC(loss="hinge", random_state=1, **how), weight)
    check_sklearn("logistic-balanced", "logistic", LogisticRegression(**how), weight)
    near(oracle.read_summary("class-balanced.json")["total_weight"], ROWS, 1e-12, "the sum of balanced weights")
    near(oracle.read_summary("weighted-hinge.json")["total_weight"], rows()[2].sum(), 0.0, "the sum of weights")


def read_certificate(name):
    """w and the certificate of each class of a run."""
    with h5py.File(name + ".h5.model", "r") as file:
        return file["w"][:], file["certificate/primal"][:], file["certificate/gap"][:]


def check_balanced_classes(name, sample_weight):
    """P of each class is that of the written w, and within the gap of scikit-learn's."""
    x, y, _ = class_rows(4)
    weight = balance(y, sample_weight)
    w, primal, gap = read_certificate(name)
    total = weight.sum()
    near(oracle.read_summary(name + ".json")["total_weight"], total, 1e-12, f"{name}: the sum of weights")
    check(len(primal) == 4 and np.all(gap <= 1e-8 * primal), f"{name}: gaps {gap}")
    for k in range(4):
        sign = np.where(y == k + 1.0, 1.0, -1.0)

        def objective(v, sign=sign):
            return np.average(oracle.losses("hinge", x @ v, sign), weights=weight) + 0.005 * np.dot(v, v)

        near(primal[k], objective(w[k]), 1e-12, f"{name}: P of class {k + 1}")
        peer = LinearSVC(loss="hinge", dual=True, fit_intercept=False, C=1.0 / (0.01 * total), tol=1e-10,
                         max_iter=10**6, random_state=1).fit(x, sign, sample_weight=weight)
        found = objective(peer.coef_[0])
        check(primal[k] - gap[k] - 1e-12 <= found <= primal[k] * (1.0 + 1e-6), f"{name}: class {k + 1}: {primal[k]}, {found}")


def judge_classes():
    """Weights of several classes: by row, by class, in metrics, and of one against the rest."""
    for name, sample_weight in (("four-balanced", None), ("four-ranks", None), ("four-both", rows()[2])):
        check_balanced_classes(name, sample_weight)
    for name in ("three-ranks", "three-repeated"):
        for found, expected, what in zip(read_certificate(name), read_certificate("three"), ("w", "P")):
            near(found, expected, 1e-4 if what == "w" else 1e-8, f"{what} of {name}")
    same("three-positive", "three-alone", 1e-8)
    x, y, weight = class_rows(3)
    wrong = 1.0 + np.argmax(x @ read_certificate("three")[0].T, axis=1) != y
    check(0 < wrong.sum() < ROWS, "some predictions are wrong")
    for way, expected in (("weighted", np.average(wrong, weights=weight)), ("unweighted", np.mean(wrong))):
        with open(f"three-{way}.out", encoding="utf-8") as out:
            near(float(out.read().split()[1]), expected, 1e-5, f"the {way} error of three classes")
        near(oracle.read_summary(f"three-{way}.json")["test_error"], expected, 1e-9, f"the {way} test error")


def judge_files():
    """convert writes the weights; metrics of predict and train are weighted means."""
    x, y, weight = rows()
    for name in ("text", "table", "again", "piped", "packed"):
        with h5py.File(f"convert-{name}.h5", "r") as file:
            near(file["weight"][:], weight, 0.0, f"weights of {name}")
        near(oracle.read_data(f"convert-{name}.h5")[0].toarray(), x.toarray(), 0.0, f"rows of {name}")
    w = oracle.read_w("weighted-hinge.h5.model")
    wrong = np.where(x @ w > 0.0, 7.0, 3.0) != y
    check(0 < wrong.sum() < ROWS, "some predictions are wrong")
    for name, expected in (("weighted", np.average(wrong, weights=weight)), ("unweighted", np.mean(wrong))):
        with open(name + ".out", encoding="utf-8") as out:
            near(float(out.read().split()[1]), expected, 1e-5, f"the {name} error")
        near(oracle.read_summary(f"test-{name}.json")["test_error"], expected, 1e-9, f"the {name} test error")
    score = x @ oracle.read_w("weighted-squared.h5.model")
    with open("squared.out", encoding="utf-8") as out:
        found = out.read().split()
    near(float(found[1]), np.sqrt(np.average((score - y) ** 2, weights=weight)), 1e-5, "the weighted RMSE")
    near(float(found[found.index("MAE:") + 1]), np.average(np.abs(score - y), weights=weight), 1e-5, "the weighted MAE")


if __name__ == "__main__":
    {"write": write, "check": judge, "classes": judge_classes, "files": judge_files}[sys.argv[1]]()
