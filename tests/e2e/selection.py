"""Data and oracle of selection.sh.

usage: selection.py make | donors | chosen NAME | cases

The file cases has lines of: judge NAME DATA LOSS METRIC OPTIONS... | groups FILE DATA |
validation NAME DATA METRIC OPTIONS... | bound NAME FINE | report NAME"""
import csv
import json
import re
import sys
from xml.etree import ElementTree

import h5py
import numpy as np
import oracle
from scipy.sparse import csr_matrix
from sklearn import metrics
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.svm import SVC, LinearSVC

ROWS, COLUMNS = 240, 10


def check(holds, *what):
    oracle.check(holds, " ".join(map(str, what)))


def near(found, expected, relative, *what):
    oracle.near(found, expected, relative, " ".join(map(str, what)))


def write(path, x, y, **more):
    with h5py.File(path, "w") as file:
        file["y"] = y
        if path.startswith("sparse"):
            matrix, group = csr_matrix(x), file.create_group("X")
            group.attrs["encoding-type"], group.attrs["shape"] = "csr_matrix", x.shape
            group["data"], group["indices"], group["indptr"] = matrix.data, matrix.indices, matrix.indptr
        else:
            file["X"] = x
        for name, values in more.items():
            file[name] = values


def make():
    random = np.random.default_rng(5)
    x = random.normal(size=(2 * ROWS, COLUMNS)) / np.sqrt(COLUMNS)
    score = x @ random.normal(size=COLUMNS) * 3 + random.normal(size=2 * ROWS)
    two = np.where(score > 1.0, 1.0, -1.0)
    weight = random.uniform(0.5, 2.0, size=ROWS)
    donor = random.integers(0, 17, size=ROWS) * 1000 + 7
    write("two.h5", x[:ROWS], two[:ROWS], donor=donor, short=donor[:9],
          words=np.array([f"d{k}" for k in donor], dtype=h5py.string_dtype()),
          part=np.where(np.arange(ROWS) == 3, np.nan, 1.0), same=np.ones(ROWS))
    with open("donors.csv", "w", encoding="ascii") as file:
        print(*(f"x{j}" for j in range(COLUMNS)), "y", "donor", sep=",", file=file)
        for row, label, k in zip(x[:ROWS], two[:ROWS], donor):
            print(*(repr(float(value)) for value in row), int(label), f"d{k}", sep=",", file=file)
    write("held.h5", x[ROWS:], two[ROWS:])
    write("weights.h5", x[:ROWS], two[:ROWS], weight=np.where(np.arange(ROWS) % 10 == 0, 0.0, weight))
    write("real.h5", x[:ROWS], score[:ROWS])
    write("four.h5", x[:ROWS], np.digitize(score[:ROWS], [-1.0, 0.0, 1.5]).astype(float))
    write("one.h5", x[ROWS:], np.ones(ROWS))
    write("wide.h5", np.hstack([x[ROWS:], np.ones((ROWS, 1))]), two[ROWS:])
    write("other.h5", x[ROWS:], 3.0 + two[ROWS:])
    write("partly.h5", x[ROWS:], np.where(np.arange(ROWS) < 3, 5.0, two[ROWS:]))
    rare = np.where(np.arange(ROWS) < 3, 1.0, -1.0)
    write("rare.h5", x[:ROWS], rare)
    write("tiny.h5", x[:6], np.array([1.0, -1.0] * 3))
    size = 10.0 ** np.linspace(-2, 3, COLUMNS)
    shift = size * np.linspace(-0.5, 0.7, COLUMNS)
    sparse = np.where(random.uniform(size=x.shape) < 0.4, x, 0.0) * size
    for suffix, rows in (("", slice(ROWS)), ("-held", slice(ROWS, None))):
        write(f"table{suffix}.h5", x[rows] * size + shift, two[rows], weight=np.resize(weight, ROWS))
        write(f"table-real{suffix}.h5", x[rows] * size + shift, 7.0 + score[rows])
        write(f"table-four{suffix}.h5", x[rows] * size + shift, np.digitize(score[rows], [-1.0, 0.0, 1.5]).astype(float))
        write(f"sparse{suffix}.h5", sparse[rows], two[rows])
    with h5py.File("cells.h5ad", "w") as file:
        file["X"], file["y"] = x[:ROWS], two[:ROWS]
        group = file.create_group("obs/donor")
        group["codes"] = (donor // 1000).astype(np.int8)
        group.create_dataset("categories", data=[f"d{k}" for k in range(17)], dtype=h5py.string_dtype())


def donors():
    """The data set of a table with groups is the one without, and the groups are those of the table."""
    with open("donors.csv", encoding="ascii") as file:
        names = [row["donor"] for row in csv.DictReader(file)]
    x, _, _ = data_of("donors.h5")
    check(x.shape == (ROWS, COLUMNS), "columns of donors.h5", x.shape)
    for path in ("donors.h5", "again.h5"):
        with h5py.File(path) as file:
            group = file["obs/donor"][...]
        check(len(set(zip(names, group))) == len(set(names)) == len(set(group)), "groups of", path)
    folds = np.loadtxt("donors.folds")
    check(len(set(zip(names, folds))) == len(set(names)) and set(folds) == {1, 2, 3, 4}, "folds of donors.csv")


def data_of(path):
    with h5py.File(path) as file:
        weight = file["weight"][...] if "weight" in file else np.ones(len(file["y"]))
        if isinstance(file["X"], h5py.Group):
            group = file["X"]
            x = csr_matrix((group["data"][...], group["indices"][...], group["indptr"][...]), group.attrs["shape"])
            return x.toarray(), file["y"][...], weight
        return file["X"][...], file["y"][...], weight


def standardized(x, s, options):
    """What is done to the columns: one fixed transformation, from all rows of the data."""
    mean = np.average(x, axis=0, weights=s)
    size = np.sqrt(np.average((x - mean) ** 2, axis=0, weights=s))
    if "full" in options:
        return lambda rows: (rows - mean) / size
    return (lambda rows: rows / size) if "scale" in options else lambda rows: rows


def scores(loss, x, y, s, lam, test, intercept=False):
    """Scores by another program, to its best accuracy."""
    C = 1.0 / (lam * s.sum())
    if loss == "squared":
        return Ridge(alpha=lam * s.sum() / 2, fit_intercept=intercept, solver="cholesky").fit(x, y, s).predict(test)
    labels = np.unique(y)
    columns = []
    for label in labels if len(labels) > 2 else labels[1:]:
        model = LogisticRegression(C=C, fit_intercept=intercept, tol=1e-12, max_iter=100000) if loss == "logistic" else \
            SVC(kernel="linear", C=C, tol=1e-9) if intercept else LinearSVC(C=C, loss="hinge", fit_intercept=False, tol=1e-10, max_iter=10000000)
        columns.append(model.fit(x, y == label, s).decision_function(test))
    return np.array(columns).T


def measure(metric, y, z, s, labels):
    if metric == "rmse":
        return np.sqrt(metrics.mean_squared_error(y, z, sample_weight=s))
    if metric in ("mae", "r2"):
        return {"mae": metrics.mean_absolute_error, "r2": metrics.r2_score}[metric](y, z, sample_weight=s)
    p = 1 / (1 + np.exp(-z))
    two = len(labels) == 2
    label = labels[(z[:, 0] > 0).astype(int)] if two else labels[np.argmax(z, axis=1)]
    if metric == "error":
        return 1 - metrics.accuracy_score(y, label, sample_weight=s)
    if metric == "balanced-error":
        return 1 - metrics.balanced_accuracy_score(y, label, sample_weight=s)
    if metric == "f1":
        return metrics.f1_score(y, label, average="binary" if two else "macro", sample_weight=s)
    if metric == "auc" and two:
        return metrics.roc_auc_score(y, z[:, 0], sample_weight=s)
    if metric == "auc":
        return np.mean([metrics.roc_auc_score(y == label, z[:, k], sample_weight=s) for k, label in enumerate(labels)])
    p = np.hstack([1 - p, p]) if two else p / p.sum(axis=1, keepdims=True)
    return metrics.log_loss(y, p, sample_weight=s, labels=labels)


def table(name):
    with open(f"{name}.csv", encoding="ascii") as file:
        return list(csv.DictReader(file))


def chosen(name):
    """The mean of the chosen lambda, as info prints it."""
    with h5py.File(f"{name}.h5") as file:
        group = file["selection"]
        k = group.attrs["chosen"]
        print(f"{group['mean'][k]:.6g} +- {group['standard_error'][k]:.2g} over {group['value'].shape[1]} folds", end="")


def check_choice(name, metric, rule):
    """The choice follows from the numbers, and all outputs agree on it."""
    rows, summary = table(name), json.load(open(f"{name}.json", encoding="ascii"))
    mean = np.array([float(row[metric]) for row in rows])
    sign = -1 if metric in ("auc", "f1", "r2") else 1
    best = int(np.argmin(sign * mean))
    chosen = best
    if rule == "one-se":
        limit = sign * mean[best] + float(rows[best]["standard_error"])
        chosen = int(np.flatnonzero(sign * mean <= limit)[0])
    check([int(row["chosen"]) for row in rows] == [int(k == chosen) for k in range(len(rows))], name, "choice", rows)
    with h5py.File(f"{name}.h5") as file:
        group = file["selection"]
        check(group.attrs["chosen"] == chosen and group.attrs["best"] == best, name, "model's choice")
        check(group.attrs["metric"] in (metric, metric.encode()), name, "model's metric")
        check(file.attrs["lambda"] == group["lambda"][chosen] == summary["lambda"], name, "lambda")
        folds = [key for key in rows[0] if key.startswith("fold_")]
        value = np.array([[float(row[key]) for key in folds] for row in rows])
        check((group["value"][...] == value).all() and (group["mean"][...] == mean).all(), name, "values")
        near(mean, value.mean(axis=1), 1e-12, name, "mean")
        if len(folds) > 1:
            near(group["standard_error"][...], value.std(axis=1, ddof=1) / np.sqrt(len(folds)), 1e-10, name, "se")
        check([int(row["nonzero_columns"]) for row in rows] == list(group["nonzero_columns"][...]), name, "columns")
        w = np.atleast_2d(file["w"][...])
        check(group["nonzero_columns"][chosen] == (w != 0).any(axis=0).sum(), name, "columns of the model")
        fit = summary["path"][chosen]
        check(fit["gap"] == group["full_gap"][chosen] == summary["gap"], name, "gap of the chosen model", fit)
        check(fit["primal"] == summary["primal"] and fit["epochs"] == summary["epochs"], name, "chosen model", fit)
    return rows


def class_factors(y, s, options):
    """What --class-weight multiplies the weights by."""
    if "balanced" in options:
        return np.array([s.sum() / (len(np.unique(y)) * s[y == label].sum()) for label in y])
    listed = dict(word.split("=") for option in options if "=" in option for word in option.split(","))
    return np.array([float(listed.get(f"{label:g}", 1)) for label in y])


def judge(name, path, loss, metric, *options):
    x, y, s = data_of(path)
    x = standardized(x, s, options)(x)
    labels = np.unique(y)
    folds = np.loadtxt(f"{name}.folds").astype(int)
    check(((folds == 0) == (s == 0)).all(), name, "rows of weight 0")
    count = folds.max()
    if loss != "squared":  # divided evenly by class
        for label in labels:
            sizes = np.bincount(folds[(y == label) & (s > 0)], minlength=count + 1)[1:]
            check(sizes.max() - sizes.min() <= 1, name, label, sizes)
    sizes = np.bincount(folds[s > 0])[1:]
    check(sizes.max() - sizes.min() <= 1, name, sizes)
    factor = class_factors(y, s, options)  # of the training alone
    for row in check_choice(name, metric, "one-se" if "one" in name else "best"):
        for fold in range(1, count + 1):
            test = folds == fold
            train = ~test & (s > 0)
            z = scores(loss, x[train], y[train], (s * factor)[train], float(row["lambda"]), x[test],
                       "--intercept" in options)
            near(float(row[f"fold_{fold}"]), measure(metric, y[test], z, s[test], labels), 2e-5, name, row["lambda"], fold)


def groups(name, path):
    with h5py.File(path) as file:
        group = file["obs/donor/codes" if "obs" in file else "donor"][...]
        y = file["y"][...]
    folds = np.loadtxt(name).astype(int)
    check(all(len(set(folds[group == g])) == 1 for g in set(group)), name, "a group in two folds")
    check(set(folds) == {1, 2, 3, 4}, name, "folds", set(folds))
    for label in (-1.0, 1.0):
        share = np.bincount(folds[y == label], minlength=5)[1:] / (y == label).sum()
        check(share.min() > 0.1 and share.max() < 0.45, name, "shares", share)


def validation(name, path, metric, *options):
    x, y, s = data_of(path)
    held = data_of("held.h5" if path == "two.h5" else path.replace(".h5", "-held.h5"))
    columns = standardized(x, s, options)
    loss = "squared" if metric == "rmse" else "logistic"
    for row in check_choice(name, metric, "best"):
        z = scores(loss, columns(x), y, s, float(row["lambda"]), columns(held[0]), "--intercept" in options)
        near(float(row["fold_1"]), measure(metric, held[1], z, held[2], np.unique(y)), 2e-5, name, row["lambda"])


def bound(name, fine):
    """No lambda of a fine grid beats the bound of its interval."""
    rows, tested = table(name), table(fine)
    bounds = [float(row["error_bound"]) for row in rows[:-1]]
    least = min(bounds)
    with h5py.File(f"{name}.h5") as file:
        check(file["selection"].attrs["error_bound"] == least, name, "least bound")
        check((file["selection/interval_error_bound"][...] == bounds).all(), name, "bounds")
    seen = 0
    for upper, lower, below in zip(rows, rows[1:], bounds):
        inside = [row for row in tested if float(lower["lambda"]) <= float(row["lambda"]) <= float(upper["lambda"])]
        error = min(float(row["error"]) for row in inside)
        check(error >= below, name, "error", error, "below the bound", below, upper["lambda"])
        seen += below > 0.3 * error
    check(seen >= len(bounds) / 2, name, "bounds say nothing", bounds, tested)


def report(name):
    """The page shows every fold and every mean where they are, the bound, and the choice."""
    page = ElementTree.parse(f"{name}.html")
    rows = table(name)
    folds = sum(key.startswith("fold_") for key in rows[0])
    curve = [figure for figure in page.findall(".//{*}figure") if "held out" in "".join(figure.itertext())]
    check(len(curve) == 1, name, "figures", len(curve))
    dots = list(curve[0].findall(".//{*}circle"))
    heads = [["".join(cell.itertext()) for cell in line] for line in page.findall(".//{*}tr")]
    at = next(line for line in heads if "non-zero columns" in line).index("non-zero columns")
    check([line[at] for line in heads if len(line) > at and line[0] in {f"{float(row['lambda']):.4g}" for row in rows}]
          == [row["nonzero_columns"] for row in rows], name, "non-zero columns", heads)
    means = [f"lambda {float(row['lambda']):g}: {float(row['error']):.6g}" for row in rows]
    values = [f"fold {f}: {float(row[f'fold_{f}']):.6g}" for row in rows for f in range(1, folds + 1) if folds > 1]
    check(sorted(dot.find("{*}title").text for dot in dots) == sorted(means + values), name, "dots")
    place = {dot.find("{*}title").text: (float(dot.get("cx")), float(dot.get("cy"))) for dot in dots}
    decade = np.log10([float(row["lambda"]) for row in rows])
    across = np.array([place[text][0] for text in means])
    near((across - across[0]) / (across[-1] - across[0]), (decade - decade[0]) / (decade[-1] - decade[0]), 1e-2, name)
    check(across[-1] < across[0], name, "lambda does not grow to the right")
    marked = [dot.find("{*}title").text for dot in dots if dot.get("class") == "chosen"]
    check(marked == [text for text, row in zip(means, rows) if row["chosen"] == "1"], name, "chosen", marked)
    band = [path for path in curve[0].findall(".//{*}path") if path.get("class") == "band"]
    shown = sorted({(float(text.split(": ")[1]), place[text][1]) for text in means + values})
    (low, bottom), (high, top) = shown[0], shown[-1]  # the axis, from the lowest and the highest dot
    check(len(band) == 1, name, "bands", len(band))
    steps = [float(step) for step in re.findall(r"V([0-9.]+)H", band[0].get("d"))]
    bounds = np.array([float(row["error_bound"]) for row in rows[:-1]])
    near(steps, bottom + (bounds - low) / (high - low) * (top - bottom), 5e-3, name, "band")


def cases():
    for line in open("cases", encoding="ascii"):
        word, *arguments = line.split()
        {"judge": judge, "groups": groups, "validation": validation, "bound": bound, "report": report}[word](*arguments)


if __name__ == "__main__":
    {"make": make, "donors": donors, "chosen": chosen, "cases": cases}[sys.argv[1]](*sys.argv[2:])
