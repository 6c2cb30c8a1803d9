"""Generate rows of very different norms.

usage: uneven_rows.py OUT.h5    40,000 rows with 30 of 5,000 columns, low columns more often than
                           high ones; the norm of a row is exp(1.5 N(0, 1)). Labels are -1 and +1.
"""
import sys

import h5py
import numpy
import scipy.sparse

ROWS, COLUMNS, EACH = 40000, 5000, 30


def make():
    draw = numpy.random.default_rng(1)
    often = 1.0 / numpy.arange(1, COLUMNS + 1)
    columns = draw.choice(COLUMNS, size=ROWS * EACH, p=often / often.sum())
    values = numpy.abs(draw.standard_normal(ROWS * EACH))
    x = scipy.sparse.csr_matrix((values, (numpy.repeat(numpy.arange(ROWS), EACH), columns)), shape=(ROWS, COLUMNS))
    x = scipy.sparse.diags(1.0 / numpy.sqrt(x.multiply(x).sum(axis=1)).A1) @ x
    score = x @ draw.standard_normal(COLUMNS) + 0.3 * draw.standard_normal(ROWS)
    return (scipy.sparse.diags(numpy.exp(1.5 * draw.standard_normal(ROWS))) @ x).tocsr(), numpy.where(score > 0, 1.0, -1.0)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    x, y = make()
    x.sort_indices()
    with h5py.File(sys.argv[1], "w") as file:
        group = file.create_group("X")
        group.attrs.update({"encoding-type": "csr_matrix", "encoding-version": "0.1.0", "shape": x.shape})
        group["data"] = x.data.astype(numpy.float32)
        group["indices"] = x.indices.astype(numpy.int32)
        group["indptr"] = x.indptr.astype(numpy.int64)
        file["y"] = y


if __name__ == "__main__":
    main()
