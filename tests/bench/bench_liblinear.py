"""LIBLINEAR's library, by way of the program bench_liblinear_classes."""
import os
import subprocess

import numpy


class Rows:
    """Rows in a file for that program, and its runs on them."""

    def __init__(self, build, scratch, name, rows, y):
        self.program = os.path.join(build, "tests", "bench_liblinear_classes")
        self.path = os.path.join(scratch, f"{name}.rows")
        self.weights = os.path.join(scratch, f"{name}.weights")
        self.columns = rows.shape[1]
        with open(self.path, "wb") as f:
            for part in (numpy.array([*rows.shape, rows.nnz]), rows.indptr, rows.indices):
                f.write(part.astype(numpy.int64).tobytes())
            for part in (rows.data, y):
                f.write(part.astype(float).tobytes())

    def train(self, solver, C, eps):
        """Processor seconds, w (columns x models), the labels of the models, and whether eps was reached."""
        command = [self.program, self.path, self.weights, str(solver), repr(float(C)), repr(float(eps))]
        words = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.split()
        w = numpy.fromfile(self.weights).reshape(self.columns, -1)
        return float(words[0]), w, [float(word) for word in words[2:]], words[1] == "1"
