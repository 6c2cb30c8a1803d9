"""Check generated files of several classes. usage: generate_classes.py CLASSES FIRST-LABEL LEAST MOST TRAIN.h5 TEST.h5

scikit-learn's one-against-rest error on the test rows is between LEAST and MOST.
"""
import sys

import h5py
import numpy as np
import scipy.sparse as sp
from sklearn.svm import LinearSVC


def load(path):
    with h5py.File(path) as file:
        x, y = file["X"], file["y"][:]
        rows = sp.csr_matrix((x["data"][:].astype(float), x["indices"][:], x["indptr"][:]), shape=x.attrs["shape"])
    return rows, y


def check_form(rows, y, labels):
    values, counts = np.unique(y, return_counts=True)
    assert np.array_equal(values, labels), values
    assert counts.max() - counts.min() <= 1, counts
    assert rows.data.min() > 0 and rows.data.max() <= 1, (rows.data.min(), rows.data.max())
    norms = np.sqrt(rows.multiply(rows).sum(axis=1))
    assert abs(norms - 1).max() < 1e-6, "rows have length 1"


classes, first, least, most = (float(word) for word in sys.argv[1:5])
(rows, y), (test_rows, test_y) = load(sys.argv[5]), load(sys.argv[6])
labels = first + np.arange(classes)
check_form(rows, y, labels)
check_form(test_rows, test_y, labels)
model = LinearSVC(loss="hinge", C=1 / (1e-4 * rows.shape[0]), fit_intercept=False, random_state=1).fit(rows, y)
error = 1 - model.score(test_rows, test_y)
assert least <= error <= most, f"error {error}"
