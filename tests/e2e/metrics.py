"""Data with ties and weights, and scikit-learn's metrics of their predictions."""
import csv
import json
import sys

import h5py
import numpy as np
from sklearn import metrics

from oracle import check, near


def write():
    generator = np.random.default_rng(3)
    x = np.float32(generator.integers(-1, 2, size=(400, 3)))  # 27 different rows at most
    for name, classes in ("two", 2), ("five", 5), ("real", 0):
        with h5py.File(name + ".h5", "w") as file:
            y = x @ [1.0, -0.5, 0.25] + generator.normal(size=400)
            if classes:
                y = np.minimum(np.floor((y - y.min()) / (np.ptp(y) / classes)), classes - 1) * 2.0 + 3.0
            file["X"], file["y"] = x, y
            file["weight"] = generator.integers(0, 4, size=400) * 0.7


def close(found, expected, what):
    check(abs(found - expected) <= 1e-12 * max(1.0, abs(expected)), f"{what}: {found!r}, not {expected!r}")


def judge_classes(found, table, y, weight, what):
    labels = np.array([entry["label"] for entry in found["per_class"]])
    predicted = np.array([float(row["prediction"]) for row in table])
    if len(labels) == 2:
        score = np.array([[-float(row["score"]), float(row["score"])] for row in table])
    else:
        score = np.array([[float(row[f"score_{label:g}"]) for label in labels] for row in table])
    check(len(np.unique(score[:, 0])) < 30, what + ": no ties")
    arguments = {"sample_weight": weight}
    close(found["error"], 1.0 - metrics.accuracy_score(y, predicted, **arguments), what + " error")
    close(found["balanced_error"], 1.0 - metrics.balanced_accuracy_score(y, predicted, **arguments), what + " balanced")
    most = max(np.sum(weight[y == label]) for label in labels)
    close(found["majority_error"], 1.0 - most / np.sum(weight), what + " majority")
    near(found["confusion"], metrics.confusion_matrix(y, predicted, labels=labels, **arguments), 1e-12, what)
    parts = metrics.precision_recall_fscore_support(y, predicted, labels=labels, zero_division=0, **arguments)
    for name, expected in zip(("precision", "recall", "f1", "support"), parts):
        near([entry[name] for entry in found["per_class"]], expected, 1e-12, f"{what} {name}")
        if name != "support":
            close(found["macro_" + name], np.mean(expected), f"{what} macro {name}")
    used = weight > 0.0
    auc = [metrics.roc_auc_score(y[used] == label, score[used, k], sample_weight=weight[used])
           for k, label in enumerate(labels)]
    precision = [metrics.average_precision_score(y == label, score[:, k], **arguments)
                 for k, label in enumerate(labels)]
    near([entry["auc"] for entry in found["per_class"]], auc, 1e-12, what + " AUC")
    near([entry["average_precision"] for entry in found["per_class"]], precision, 1e-12, what + " precision")
    two = len(labels) == 2
    close(found["auc"], auc[1] if two else np.mean(auc), what + " total AUC")
    close(found["average_precision"], precision[1] if two else np.mean(precision), what + " total precision")
    close(found["f1"], parts[2][1] if two else np.mean(parts[2]), what + " total F1")
    if "logistic" not in what:
        check(found["log_loss"] is None and found["brier"] is None, what + ": probabilities of a hinge loss")
        return
    probability = 1.0 / (1.0 + np.exp(-score))
    probability /= probability.sum(axis=1, keepdims=True)
    close(found["log_loss"], metrics.log_loss(y, probability, labels=labels, **arguments), what + " log-loss")
    is_class = y[:, None] == labels
    brier = (metrics.brier_score_loss(is_class[:, 1], probability[:, 1], **arguments) if two else
             np.average(np.sum((probability - is_class) ** 2, axis=1), weights=weight))
    close(found["brier"], brier, what + " Brier score")


def judge_curves(found, table, y, weight, what):
    """The curve has corners of scikit-learn's curves, and as many as these few scores have."""
    positive, score = y == found["per_class"][1]["label"], np.array([float(row["score"]) for row in table])
    used, curve = weight > 0.0, found["curve"]
    false_rate, true_rate, threshold = metrics.roc_curve(
        positive[used], score[used], sample_weight=weight[used], drop_intermediate=False)
    near(curve["threshold"], threshold[1:], 1e-12, what + " thresholds")
    near(curve["false_positive_rate"], false_rate[1:], 1e-12, what + " false positives")
    near(curve["true_positive_rate"], true_rate[1:], 1e-12, what + " true positives")
    precision, recall, threshold = metrics.precision_recall_curve(
        positive[used], score[used], sample_weight=weight[used])
    expected = dict(zip(threshold, precision))
    near(curve["precision"], [expected[t] for t in curve["threshold"]], 1e-12, what + " precision curve")
    check(("calibration" in found) == ("logistic" in what), what + ": calibration")
    if "logistic" in what:
        probability = 1.0 / (1.0 + np.exp(-score))
        number = np.minimum((probability * 10).astype(int), 9)
        for k in range(10):
            rows = (number == k) & used
            close(found["calibration"]["weight"][k], weight[rows].sum(), what + " bin")
            if rows.any():
                close(found["calibration"]["fraction"][k], np.average(positive[rows], weights=weight[rows]), what)
                close(found["calibration"]["probability"][k], np.average(probability[rows], weights=weight[rows]), what)


def judge_regression(found, table, y, weight, what):
    score = np.array([float(row["score"]) for row in table])
    mean = np.full(len(y), np.average(y, weights=weight))
    for prefix, guess in ("", score), ("mean_", mean):
        square = metrics.mean_squared_error(y, guess, sample_weight=weight)
        close(found[prefix + "rmse"], np.sqrt(square), what + prefix + "rmse")
        close(found[prefix + "mae"], metrics.mean_absolute_error(y, guess, sample_weight=weight), what + prefix + "mae")
    close(found["r2"], metrics.r2_score(y, score, sample_weight=weight), what + " r2")


def main():
    for model in "two-logistic", "two-hinge", "five-logistic", "five-hinge", "real-squared":
        with h5py.File(model.split("-", maxsplit=1)[0] + ".h5", "r") as file:
            y, weight = file["y"][:], file["weight"][:]
        with open(model + ".csv", encoding="utf-8") as file:
            table = list(csv.DictReader(file))
        for ranks in "1", "3":
            for suffix, used in ("", weight), ("-plain", np.ones(len(y))):
                with open(f"{model}-{ranks}{suffix}.json", encoding="utf-8") as file:
                    found = json.load(file)
                judge = judge_regression if model == "real-squared" else judge_classes
                check(found["rows"] == len(y), model + ": rows")
                close(found["weight"], np.sum(used), model + " weight")
                judge(found, table, y, used, f"{model} on {ranks}{suffix}")
                if model.startswith("two"):
                    judge_curves(found, table, y, used, f"{model} on {ranks}{suffix}")


write() if sys.argv[1] == "write" else main()
