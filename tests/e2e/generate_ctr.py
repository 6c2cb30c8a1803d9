"""Check generated click logs. usage: generate_ctr.py COLUMNS LEAST-USED MOST-USED LEAST-ERROR MOST-ERROR TRAIN.h5 TEST.h5

The error of scikit-learn's linear model on the test rows is between LEAST-ERROR and MOST-ERROR.
"""
import sys

import h5py
import numpy as np
import scipy.sparse as sp
from sklearn.svm import LinearSVC

FIELDS = 39


def load(path):
    with h5py.File(path) as file:
        x, y = file["X"], file["y"][:]
        rows = sp.csr_matrix((x["data"][:].astype(float), x["indices"][:], x["indptr"][:]), shape=x.attrs["shape"])
    return rows, y


def check_form(rows, y, columns):
    assert rows.shape[1] == columns, rows.shape
    assert set(y) == {-1.0, 1.0}, set(y)
    norms = np.sqrt(rows.multiply(rows).sum(axis=1))
    assert abs(norms - 1).max() < 1e-6, "rows have length 1"
    for begin, end in zip(rows.indptr[:1000], rows.indptr[1:1001]):
        categories = rows.data[begin:end] / rows.data[begin:end].min()
        assert abs(categories - categories.round()).max() < 1e-5, "a value is a number of categories"
        assert categories.round().sum() == FIELDS, "a category of each field"


columns, least_used, most_used = (int(word) for word in sys.argv[1:4])
least, most = (float(word) for word in sys.argv[4:6])
(rows, y), (test_rows, test_y) = load(sys.argv[6]), load(sys.argv[7])
check_form(rows, y, columns)
check_form(test_rows, test_y, columns)
used = len(np.unique(rows.indices))
assert least_used <= used <= most_used, f"{used} columns in use"
model = LinearSVC(loss="hinge", C=1 / (1e-4 * rows.shape[0]), fit_intercept=True, random_state=1).fit(rows, y)
error = 1 - model.score(test_rows, test_y)
assert least <= error <= most, f"error {error}"
