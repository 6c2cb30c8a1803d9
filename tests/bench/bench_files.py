"""Rows of a data file, for peers in Python."""
import h5py
import numpy
import scipy.sparse


def load(path):
    """The rows, each divided by its norm, and the labels as they are stored."""
    with h5py.File(path) as f:
        x = f["X"]
        if isinstance(x, h5py.Group):
            parts = (x["data"][:].astype(float), x["indices"][:], x["indptr"][:])
            rows = scipy.sparse.csr_matrix(parts, shape=tuple(x.attrs["shape"]))
        else:
            rows = scipy.sparse.csr_matrix(x[:].astype(float))
        y = f["y"][:]
    rows.sort_indices()
    length = numpy.sqrt(numpy.asarray(rows.multiply(rows).sum(axis=1)).ravel())
    length[length == 0] = 1
    return scipy.sparse.diags(1 / length) @ rows, y
