"""Several classes: data sets, and what NumPy, scikit-learn and h5py make of the results."""
import csv
import json
import shutil
import sys
import warnings
import xml.dom.minidom

import h5py
import numpy as np
import scipy.sparse as sp
from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OneVsRestClassifier
from sklearn.svm import LinearSVC

from oracle import check, near

WORDS = ["a b", "b,c", 'c "d"', "d"]
NUMBERS = [3.0, 5.0, 7.0, 9.0]
TEXT = h5py.string_dtype()


def points(rows, columns, classes, seed):
    """Rows around one centre per class."""
    generator = np.random.default_rng(seed)
    y = generator.integers(classes, size=rows)
    x = generator.normal(size=(classes, columns))[y] + generator.normal(size=(rows, columns))
    return np.float32(x), y


def save(path, x, y, names=None):
    with h5py.File(path, "w") as file:
        if sp.issparse(x):
            group = file.create_group("X")
            group.attrs["encoding-type"], group.attrs["shape"] = "csr_matrix", x.shape
            group["data"], group["indices"], group["indptr"] = x.data, x.indices, x.indptr
        else:
            file["X"] = x
        file["y"] = y
        if names is not None:
            file.create_dataset("label_names", data=names, dtype=TEXT)


def make():
    x, y = points(300, 7, 4, 1)
    save("dense.h5", x, np.take(NUMBERS, y))
    save("words.h5", x, y, WORDS)
    with open("dense.txt", "w", encoding="utf-8") as file:
        for row, label in zip(x, np.take(NUMBERS, y)):
            file.write(f"{label:g} " + " ".join(f"{j + 1}:{float(v)!r}" for j, v in enumerate(row)) + "\n")
    save("words-weighted.h5", x, y, WORDS)
    with h5py.File("words-weighted.h5", "a") as file:
        file["weight"] = np.take([3.0, 2.0, 0.5, 1.0], y)
    place = np.array([0, 5, 1023, 1024, 70000, 99998, 99999])
    small = sp.csr_matrix(np.where(np.abs(x) > 0.7, x, 0.0))
    save("sparse.h5", sp.csr_matrix((small.data, place[small.indices], small.indptr), shape=(300, 100000)), y, WORDS)
    save("many.h5", *points(400, 6, 25, 2))
    two = y >= 2
    save("fewer.h5", x[two], y[two] - 2, WORDS[2:])
    three = two | (np.arange(300) == np.flatnonzero(~two)[0])  # and one row of a class that fewer.h5 lacks
    save("third.h5", x[three], np.maximum(y[three] - 1, 0), [WORDS[0]] + WORDS[2:])
    save("other-labels.h5", x[:20], np.arange(20) % 2 + 100.0)


def read_rows(path):
    with h5py.File(path, "r") as file:
        x = file["X"]
        if isinstance(x, h5py.Group):
            x = sp.csr_matrix((x["data"][:], x["indices"][:], x["indptr"][:]), shape=x.attrs["shape"])
            return sp.csr_matrix(x, dtype=float), file["y"][:]
        return sp.csr_matrix(np.float64(x[:])), file["y"][:]


LOSS = {"hinge": lambda m: np.maximum(0.0, 1.0 - m), "squared-hinge": lambda m: np.maximum(0.0, 1.0 - m) ** 2,
        "logistic": lambda m: np.logaddexp(0.0, -m)}


def read_model(path):
    with h5py.File(path, "r") as file:
        model = {name: file[name][:] for name in ("w", "bias", "labels")}
        model["names"] = [n.decode() for n in file["label_names"][:]] if "label_names" in file else None
        model["certificate"] = {name: file["certificate"][name][:] for name in file["certificate"]}
        model["status"] = file["certificate"].attrs["status"]
        model["history"] = {name: file["history"][name][:] for name in file["history"]}
        model.update(file.attrs)
    return model


def judge_run(name, ranks, data):
    """Certificates, summary, history and predictions of a run."""
    x, y = read_rows(data)
    model = read_model(f"{name}-{ranks}.h5")
    if model["normalize"] == "rows":
        x = sp.diags(1.0 / np.maximum(1e-300, np.sqrt(x.multiply(x).sum(axis=1)).A1)) @ x
    scores = x @ model["w"].T + model["bias"]
    value = model.get("bias-value", 1.0)
    labels = model["labels"]
    check(model["w"].shape == (4, x.shape[1]), f"{name}: shape of w")
    check(model["names"] == (None if name == "hinge" else WORDS), f"{name}: names")
    check(np.array_equal(labels, NUMBERS if name == "hinge" else np.arange(4)), f"{name}: labels")
    certificate = model["certificate"]
    for k in range(4):
        sign = np.where(y == labels[k], 1.0, -1.0)
        norm2 = model["w"][k] @ model["w"][k] + (model["bias"][k] / value) ** 2
        primal = np.mean(LOSS[model["loss"]](sign * scores[:, k])) + model["lambda"] / 2.0 * norm2
        near(certificate["primal"][k], primal, 1e-6 if name == "sparse" else 1e-10, f"{name}: P of class {k}")
        check(certificate["positives"][k] == np.sum(y == labels[k]), f"{name}: rows of class {k}")
    check(np.all(certificate["gap"] <= 1e-6 * certificate["primal"]) and np.all(certificate["converged"] == 1.0) and
          model["status"] == "converged", f"{name}: gaps {certificate['gap']}")

    with open(f"{name}-{ranks}.json", encoding="utf-8") as file:
        summary = json.load(file)
    for field in ("primal", "dual", "gap"):
        near(summary[field], np.sum(certificate[field]), 1e-12, f"{name}: {field} of the summary")
    near(summary["rel_gap"], np.max(certificate["gap"] / certificate["primal"]), 1e-12, f"{name}: rel_gap")
    check(summary["classes"] == 4 and [c["label"] for c in summary["per_class"]] == (model["names"] or NUMBERS),
          f"{name}: per_class")
    for k, part in enumerate(summary["per_class"]):
        check(all(part[field] == certificate[field][k] for field in ("primal", "dual", "gap", "epochs", "positives")),
              f"{name}: per_class of {k}")

    with open(f"{name}-{ranks}.csv", encoding="utf-8", newline="") as file:
        history = list(csv.DictReader(file))
    texts = model["names"] or [f"{v:g}" for v in NUMBERS]
    check([texts.index(h["class"]) for h in history] == model["history"]["class"].tolist(), f"{name}: classes of the history")
    check(all(h["test_error"] == "" for h in history), f"{name}: test errors of the history")
    check([float(h["gap"]) for h in history] == model["history"]["gap"].tolist(), f"{name}: gaps of the history")

    best = np.argmax(scores, axis=1)
    error = np.mean(labels[best] != y)
    with open(f"{name}-{ranks}-predicted.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    logistic = model["loss"] == "logistic"
    check(rows[0] == ["prediction"] + ["score_" + t for t in texts] + logistic * ["probability_" + t for t in texts] +
          ["certain"] + logistic * [f"probability_{end}_{t}" for end in ("low", "high") for t in texts],
          f"{name}: columns of predictions")
    check([row[0] for row in rows[1:]] == [texts[k] for k in best], f"{name}: predictions")
    table = np.array([[float(v) for v in row[1:]] for row in rows[1:]])
    near(table[:, :4], scores, 1e-5 if name == "sparse" else 1e-12, f"{name}: scores")
    with h5py.File(f"{name}-{ranks}-predicted.h5", "r") as file:
        check(np.array_equal(file["score"][:], table[:, :4]) and np.array_equal(file["prediction"][:], labels[best]),
              f"{name}: HDF5 predictions")
        check(not logistic or np.array_equal(file["probability"][:], table[:, 4:8]), f"{name}: HDF5 probabilities")
        check(("label_names" in file) == (name != "hinge"), f"{name}: names in HDF5")
    if logistic:
        sigmoid = 1.0 / (1.0 + np.exp(-scores))
        near(table[:, 4:8], sigmoid / sigmoid.sum(axis=1, keepdims=True), 1e-12, f"{name}: probabilities")
    with open(f"{name}-{ranks}.error", encoding="utf-8") as file:
        near(float(file.read().split()[1]), error, 1e-5, f"{name}: error of predict")
    near(summary["test_error"], error, 1e-12, f"{name}: test error")
    return x, y, model, scores


def judge():
    for ranks in (1, 3):
        x, y, model, scores = judge_run("hinge", ranks, "dense.h5")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            peer = OneVsRestClassifier(LinearSVC(loss="hinge", C=0.1, fit_intercept=False, tol=1e-9, max_iter=10**6)).fit(x, y)
        check(np.mean(peer.predict(x) == model["labels"][np.argmax(scores, axis=1)]) == 1.0, "LinearSVC predicts differently")
        near(model["w"], np.vstack([e.coef_[0] for e in peer.estimators_]), 2e-3, "w of LinearSVC")
        x, y, model, scores = judge_run("logistic", ranks, "words.h5")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            peer = OneVsRestClassifier(LogisticRegression(solver="liblinear", C=0.5, tol=1e-10, max_iter=10**4)).fit(x, y)
        check(np.array_equal(peer.predict(x), np.argmax(scores, axis=1)), "LogisticRegression predicts differently")
        near(model["w"], np.vstack([e.coef_[0] for e in peer.estimators_]), 1e-3, "w of LogisticRegression")
        with open(f"logistic-{ranks}-predicted.csv", encoding="utf-8", newline="") as file:
            table = np.array([[float(v) for v in row[5:9]] for row in list(csv.reader(file))[1:]])
        near(table, peer.predict_proba(x), 1e-3, "probabilities of LogisticRegression")
        judge_run("sdca", ranks, "words.h5")
        judge_run("sparse", ranks, "sparse.h5")


def liblinear():
    with open("theirs.txt", encoding="utf-8") as file:
        theirs = [line.split() for line in file]
    with open("ours.csv", encoding="utf-8") as file:
        ours = list(csv.reader(file))
    if theirs[0][0] == "labels":
        check(theirs[0][1:] == ["3", "5", "7", "9"], "labels of LIBLINEAR")
        theirs = theirs[1:]
        near(np.array([row[5:9] for row in ours[1:]], dtype=float), np.array([row[1:] for row in theirs], dtype=float),
             1e-4, "probabilities of LIBLINEAR")
    check([row[0] for row in ours[1:]] == [row[0] for row in theirs], "labels of LIBLINEAR")


def exports():
    model = read_model("logistic-1.h5")
    with open("model.json", encoding="utf-8") as file:
        text = json.load(file)
    check(np.array_equal(text["weights"], model["w"]) and np.array_equal(text["bias"], model["bias"]), "weights in JSON")
    check(text["labels"] == WORDS and text["loss"] == "logistic" and text["lambda"] == model["lambda"] and
          text["C"] == 0.5, "settings in JSON")
    check([c["gap"] for c in text["certificate"]] == model["certificate"]["gap"].tolist(), "certificates in JSON")
    table = np.loadtxt("model.tsv", delimiter="\t", usecols=range(4))
    check(np.array_equal(table, np.vstack([model["w"].T, model["bias"]])), "weights as text")
    with open("model.tsv", encoding="utf-8") as file:
        check([line.rstrip("\n").split("\t")[4] for line in file] == [str(j) for j in range(7)] + ["bias"], "names as text")


def page():
    document = xml.dom.minidom.parse("page.html")
    texts = ["".join(n.data for n in d.getElementsByTagName("summary")[0].childNodes) for d in
             document.getElementsByTagName("details")]
    check("Curves of logistic-1.h5 by class" in texts and "Curves of many-model.h5, the first 20 of 25 classes" in texts and
          "25 classes of many-model.h5" in texts, f"parts of the page: {texts}")
    ids = [e.getAttribute("id") for e in document.getElementsByTagName("*") if e.hasAttribute("id")]
    rows = {e.getAttribute("data-row") for e in document.getElementsByTagName("circle")}
    check(len(ids) == len(set(ids)) and rows <= set(ids) and len(rows) > 20, "ids of the page")
    headings = ["".join(n.data for n in h.childNodes) for h in document.getElementsByTagName("h2")]
    check("4 classes of logistic-1.h5" in headings and headings.count("Class b,c") == 1, f"headings: {headings}")


def clock():
    """The history of a class begins after that of all classes of earlier batches."""
    with open("many.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    seconds = [[float(r["seconds"]) for r in rows if r["class"] == f"{k}"] for k in range(25)]
    for k, times in enumerate(seconds):
        before = [s for earlier in seconds[:k - k % 8] for s in earlier]
        check(times[0] >= max(before, default=0.0), f"the clock of class {k}: {times}, {before}")
    with open("many.json", encoding="utf-8") as file:
        total = json.load(file)["seconds"]["total"]
    check(total >= max(seconds[k][-1] for k in range(24)), f"the time of all classes: {total}, {seconds}")


def class_weights():
    near(read_model("by-class.h5")["w"], read_model("by-row.h5")["w"], 1e-4, "weights of classes and of rows")


def first_duals(path):
    """D of each class at the start, which is 0 without a warm start."""
    with open(path, encoding="utf-8", newline="") as file:
        return {r.get("class"): float(r["dual"]) for r in csv.DictReader(file) if r["round"] == "0"}


def warm():
    with open("again.json", encoding="utf-8") as file:
        check(json.load(file)["epochs"] <= 4, "a warm start from the optimum")
    duals = first_duals("more.csv")
    check(duals[WORDS[0]] == duals[WORDS[1]] == 0.0 and min(duals[WORDS[2]], duals[WORDS[3]]) > 0.01,
          f"a warm start from two classes: {duals}")
    duals = first_duals("third.csv")
    primals = dict(zip(read_model("third-model.h5")["names"], read_model("third-model.h5")["certificate"]["primal"]))
    check(all(duals[name] > 0.8 * primals[name] for name in WORDS[2:]), f"both signs of a warm start: {duals}, {primals}")
    check(first_duals("back.csv")[None] > 0.01, "a warm start from several classes")


def damage():
    """Changed copies of a model, each with a part of its message."""
    def change(name, text, edit, model="logistic-1.h5"):
        shutil.copy(model, name)
        with h5py.File(name, "a") as file:
            edit(file)
        print(f"{name}\t{text}")

    def replace(path, value):
        def edit(file):
            del file[path]
            file[path] = value
        return edit

    w = read_model("logistic-1.h5")["w"]
    change("rows.h5", "w in 'rows.h5' does not have a row for each of 4 classes", replace("w", w[:3]))
    change("vector.h5", "does not have a row for each of 4 classes", replace("w", w[0]))
    change("cube.h5", "is not an array of numbers in 1 or 2 dimensions", replace("w", w[None]))
    change("bias.h5", "bias in 'bias.h5' has 3 entries where 4 are needed", replace("bias", np.zeros(3)))
    change("table-bias.h5", "has 2 dimensions, not 1", replace("bias", np.zeros((4, 1))))
    change("no-bias.h5", "has no array bias", lambda f: f.pop("bias"))
    change("labels.h5", "labels in 'labels.h5' has 2 entries, not 3 to 10000", replace("labels", [0.0, 1.0]))
    change("order.h5", "labels in 'order.h5' are not ascending from 0 by 1", replace("labels", [0.0, 2.0, 3.0, 4.0]))
    change("same.h5", "labels in 'same.h5' are not ascending", replace("labels", [0.0, 1.0, 1.0, 3.0]), "hinge-1.h5")
    change("five.h5", "has 4 names for 5 labels", replace("labels", np.arange(5.0)))
    change("gaps.h5", "certificate/gap in 'gaps.h5' has 2 entries where 4 are needed",
           replace("certificate/gap", np.zeros(2)))
    change("more-primal.h5", "has 5 certificates for 4 classes", lambda f: [replace("certificate/" + n, np.zeros(5))(f)
                                                                           for n in list(f["certificate"])])
    change("class.h5", "history/class in 'class.h5' has the class 4 of 4",
           lambda f: f["history/class"].__setitem__(0, 4))
    change("no-class.h5", "has no array history/class", lambda f: f["history"].pop("class"))
    change("nan.h5", "w in 'nan.h5' is not finite in column 2", lambda f: f["w"].__setitem__((3, 2), np.nan))
    change("infinite.h5", "the bias in 'infinite.h5' is not finite", lambda f: f["bias"].__setitem__(1, np.inf))


{"make": make, "judge": judge, "liblinear": liblinear, "exports": exports, "page": page, "clock": clock,
 "class_weights": class_weights, "warm": warm, "damage": damage}[sys.argv[1]]()
