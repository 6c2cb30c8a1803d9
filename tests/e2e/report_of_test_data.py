"""Data sets, and the page of report --test beside scikit-learn's results.

report_of_test_data.py write                         write the data sets
report_of_test_data.py check PAGE MODEL DATA SCORES  PAGE has the results of MODEL on DATA; SCORES is from predict
report_of_test_data.py several PAGE RUN...           PAGE has curves of all runs in common figures
"""
import csv
import re
import sys
import xml.etree.ElementTree as tree

import h5py
import numpy as np
from sklearn import calibration, metrics

from oracle import check

HTML = "{http://www.w3.org/1999/xhtml}"
LEFT, RIGHT, TOP, BOTTOM = 54, 430, 28, 246  # the plot of a figure


def write():
    generator = np.random.default_rng(5)
    scale = np.array([1.0, 30.0, 0.01, 1.0, 5.0])
    shift = np.array([0.0, 100.0, 0.0, -3.0, 0.0])
    w = np.array([1.0, -0.5, 0.25, 0.1, 0.8])
    for part, rows in ("", 600), ("-test", 500):
        z = np.round(generator.normal(size=(rows, 5)), 1)  # ties
        x = np.where(generator.random((rows, 5)) < 0.2, 0, z * scale + shift)
        y = z @ w + generator.normal(size=rows)
        for name, label in (("two", np.where(y > 0, 1.0, 0.0)),
                            ("five", np.clip(np.floor(y) + 2, 0, 4)), ("real", y)):
            with h5py.File(name + part + ".h5", "w") as file:
                file["X"] = x.astype(np.float32)
                file["y"] = label
                if name == "two":
                    file["label_names"] = ["<no>", "yes & more"]
                if part:
                    file["weight"] = generator.integers(0, 4, size=rows) * 0.7


def words(element):
    return "".join(element.itertext()).strip()


def figure(root, title):
    [found] = [f for f in root.iter(HTML + "figure") if words(f.find(HTML + "h2")) == title]
    return found


def table(root, title):
    """The rows of the card with this title: lists of cells."""
    [card] = [s for s in root.iter(HTML + "section") if words(s.find(HTML + "h2")) == title]
    return [[words(cell) for cell in row] for row in next(card.iter(HTML + "tbody"))]


def close(found, expected, what, within=2e-4):
    check(abs(float(found) - expected) <= within * max(1.0, abs(expected)), f"{what}: {found}, not {expected}")


def to_value(x, y):
    return (x - LEFT) / (RIGHT - LEFT), (BOTTOM - y) / (BOTTOM - TOP)


def on_curve(places, x, y, what):
    """All places are points of the curve, to the precision of the drawing."""
    points = np.column_stack([x, y])
    for place in places:
        far = np.abs(points - place).max(axis=1).min()
        check(far < 6e-4, f"{what}: {place} is {far} from the curve")


def reaches(places, x, y, what):
    """No point of the curve is far from the places."""
    places = np.array(places)
    for point in zip(x, y):
        far = np.abs(places - point).max(axis=1).min()
        check(far < 1 / 128, f"{what}: the curve's {point} is {far} from what is drawn")


def line_of(group):
    return group.findall(HTML + "path")[-1].get("d")


def check_roc(root, positive, score, weight):
    places = [to_value(float(x), float(y)) for x, y in re.findall(r"[ML]([\d.]+) ([\d.]+)", line_of(
        figure(root, "ROC curve").find(f".//{HTML}g")))]
    across, up, _ = metrics.roc_curve(positive, score, sample_weight=weight, drop_intermediate=False)
    on_curve(places, across, up, "ROC")
    reaches(places, across, up, "ROC")
    told = words(figure(root, "ROC curve").find(HTML + "figcaption"))
    close(re.search(r"AUC ([\d.]+)", told)[1], metrics.roc_auc_score(positive, score, sample_weight=weight), "AUC")


def check_recall(root, positive, score, weight):
    drawn = line_of(figure(root, "Precision and recall").find(f".//{HTML}g"))
    first, height, across = re.match(r"M([\d.]+) ([\d.]+)H([\d.]+)", drawn).groups()
    check(float(first) == LEFT, f"precision starts at {first}")
    places = [to_value(float(across), float(height))]
    places += [to_value(float(x), float(y)) for y, x in re.findall(r"V([\d.]+)H([\d.]+)", drawn)]
    precision, recall, _ = metrics.precision_recall_curve(positive, score, sample_weight=weight)
    on_curve(places, recall[:-1], precision[:-1], "precision")  # the last is not of a score
    told = words(figure(root, "Precision and recall").find(HTML + "figcaption"))
    close(re.search(r"precision ([\d.]+)", told)[1],
          metrics.average_precision_score(positive, score, sample_weight=weight), "average precision")


def check_calibration(root, positive, probability, weight):
    dots = [to_value(float(c.get("cx")), float(c.get("cy"))) for c in figure(root, "Calibration").iter(HTML + "circle")]
    some = weight > 0
    repeat = np.round(weight[some] / 0.7).astype(int)
    truth, mean = calibration.calibration_curve(np.repeat(positive[some], repeat), np.repeat(np.nextafter(probability[some], 1), repeat),
                                                n_bins=10)
    check(len(dots) == len(mean), f"{len(dots)} dots of calibration, not {len(mean)}")
    for dot, expected in zip(dots, zip(mean, truth)):
        check(np.abs(np.subtract(dot, expected)).max() < 6e-4, f"calibration: {dot}, not {expected}")


def check_scores(root, positive, score, weight):
    """The areas of the histograms are the weights of the classes."""
    areas = [p for p in figure(root, "Scores by class").iter(HTML + "path") if "area" in p.get("class")]
    ticks = [float(words(t)) for t in figure(root, "Scores by class").iter(HTML + "text") if t.get("x") == "48"]
    unit = max(ticks) / (BOTTOM - TOP)
    for area, of in zip(areas, (~positive, positive)):
        heights = [BOTTOM - float(y) for y in re.findall(r"V([\d.]+)H", area.get("d"))]
        check(len(heights) == 40, f"{len(heights)} bars")
        close(sum(heights) * unit, weight[of].sum(), "the bars of a class", 0.02)


def check_matrix(root, labels, y, predicted, weight):
    expected = metrics.confusion_matrix(y, predicted, labels=labels, sample_weight=weight)
    for row, counts in zip(table(root, "Confusion matrix"), expected):
        cells = [re.match(r"[\d.]+?(?=\d+\.\d\xa0%$|$)", c)[0] if "%" in c else c for c in row[1:]]
        for cell, shown, count in zip(cells, row[1:], counts):
            share = f"{100 * count / max(counts.sum(), 1e-300):.1f}\xa0%" if "%" in shown else ""
            check(shown == f"{count:.6g}{share}", f"confusion: {shown}, not {count:.6g}{share}")


def check_weights(root, model, x, weight, title):
    """Ordered by the weight per standard deviation of the column."""
    mean = np.average(x, axis=0, weights=weight)
    deviation = np.sqrt(np.average((x - mean) ** 2, axis=0, weights=weight))
    effect = model * deviation
    rows = table(root, title)
    check([int(row[0]) for row in rows] == list(np.argsort(-np.abs(effect))), f"{title}: order {rows}, not {effect}")
    for row in rows:
        close(row[1], model[int(row[0])], "weight", 1e-3)
        close(row[2], effect[int(row[0])], "weight per deviation", 1e-3)


def check_metrics(root, data, expected):
    shown = dict(table(root, "Metrics on " + data))
    for name, value in expected.items():
        told = shown[name].removesuffix("\xa0%")
        close(float(told) / (1 if told == shown[name] else 100), value, name, 6e-5)


def check_certain(root, rows):
    """The count of proven labels is that of predict."""
    notes = [words(note) for card in root.iter(HTML + "div") for term in card.findall(HTML + "dt") if words(term) == "labels proven"
             for note in card.findall(HTML + "dd")]
    count = sum(row["certain"] == "1" for row in rows)
    check(0 < count < len(rows), f"{count} of {len(rows)} labels are certain: nothing was tested")
    check(notes == [f"{100 * count / len(rows):.2f}\xa0%", f"{count} of {len(rows)} rows"], f"{notes}, not {count}")


def check_classes(root, model, data, y, rows, weight):
    labels = np.array([name.decode() for name in model["label_names"][:]] if "label_names" in model
                      else model.get("labels", model.attrs.get("labels"))[:])
    read = str if labels.dtype.kind == "U" else float
    predicted = np.array([read(row["prediction"]) for row in rows])
    arguments = {"sample_weight": weight}
    check_metrics(root, data, {
        "error": 1 - metrics.accuracy_score(y, predicted, **arguments),
        "error of the majority vote": 1 - max(weight[y == label].sum() for label in labels) / weight.sum(),
        "balanced error": 1 - metrics.balanced_accuracy_score(y, predicted, **arguments)})
    check_matrix(root, labels, y, predicted, weight)
    if len(labels) == 2:
        score, positive = np.array([float(row["score"]) for row in rows]), y == labels[1]
        check_roc(root, positive, score, weight)
        check_recall(root, positive, score, weight)
        check_scores(root, positive, score, weight)
        if model.attrs["loss"] in ("logistic", b"logistic"):
            check_calibration(root, positive, 1 / (1 + np.exp(-score)), weight)
    else:
        curves = list(figure(root, "ROC curve").iter(HTML + "g"))
        check(len(curves) == len(labels), f"{len(curves)} curves for {len(labels)} classes")
        for label, curve in zip(labels, curves):
            score = np.array([float(row[f"score_{label:g}"]) for row in rows])
            across, up, _ = metrics.roc_curve(y == label, score, sample_weight=weight, drop_intermediate=False)
            on_curve([to_value(float(a), float(b)) for a, b in re.findall(r"[ML]([\d.]+) ([\d.]+)", line_of(curve))],
                     across, up, f"ROC of {label}")


def check_page(page, model_path, data, scores):
    root = tree.parse(page).getroot()
    with h5py.File(data) as file:
        x, y, weight = file["X"][:].astype(float), file["y"][:], file["weight"][:]
        if "label_names" in file:
            y = np.array([name.decode() for name in file["label_names"][:]])[y.astype(int)]
    with open(scores, newline="") as file:
        rows = list(csv.DictReader(file))
    with h5py.File(model_path) as model:
        if model.attrs["loss"] in ("squared", b"squared"):
            predicted = np.array([float(row["prediction"]) for row in rows])
            mean = np.average(y, weights=weight)
            check_metrics(root, data, {
                "RMSE": np.sqrt(metrics.mean_squared_error(y, predicted, sample_weight=weight)),
                "RMSE of the mean": np.sqrt(np.average((y - mean) ** 2, weights=weight)),
                "MAE": metrics.mean_absolute_error(y, predicted, sample_weight=weight),
                "R\xb2": metrics.r2_score(y, predicted, sample_weight=weight)})
            figure(root, "Predictions")
            figure(root, "Errors")
        else:
            check_classes(root, model, data, y, rows, weight)
            check_certain(root, rows)
        if model["w"].ndim == 1:
            check_weights(root, model["w"][:], x, weight, "Largest weights of " + model_path)
        else:
            check_weights(root, model["w"][0], x, weight, "Class 0")
    parts = [words(h) for h in root.iter(HTML + "h2") if h.get("class") == "part"]
    check([part.split(":")[0] for part in parts] ==
          ["How good", "How certain", "What was learned", "How it was made"], f"the parts are {parts}")


def check_several(page, *runs):
    root = tree.parse(page).getroot()
    for title in "ROC curve", "Precision and recall":
        legend = words(figure(root, title).find(HTML + "figcaption"))
        check(len(list(figure(root, title).iter(HTML + "g"))) == len(runs), f"{title}: not one curve per run")
        check(all(run in legend for run in runs), f"{title}: {legend}")
    folded = [words(d.find(HTML + "summary")) for d in root.iter(HTML + "details")]
    for run in runs:
        check("Confusion matrix and scores of " + run in folded, f"{run}: {folded}")


if __name__ == "__main__":
    {"write": write, "check": check_page, "several": check_several}[sys.argv[1]](*sys.argv[2:])
