#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Train on NumPy arrays through the shared library, without a file.

Usage: [mpirun -np 2] ctypes_train.py [LIBSDCA.so]

Each rank passes its own rows. The structures below mirror include/sdca/train.h and
include/sdca/dataset.h of the same version.
"""
import ctypes as ct
import sys

import numpy as np


class DenseView(ct.Structure):
    _fields_ = [("rows", ct.c_int64), ("columns", ct.c_int32),
                ("value32", ct.c_void_p), ("value64", ct.c_void_p)]


class CheckpointOptions(ct.Structure):
    _fields_ = [("path", ct.c_char_p), ("older_generations", ct.c_int),
                ("interval_seconds", ct.c_double), ("adaptive_interval", ct.c_bool),
                ("interval_rounds", ct.c_int64), ("resume_from", ct.c_char_p)]


class TrainOptions(ct.Structure):
    _fields_ = [("loss", ct.c_char_p), ("loss_parameter", ct.c_double),
                ("lambda_", ct.c_double), ("C", ct.c_double),
                ("gap", ct.c_double), ("rel_gap", ct.c_double), ("epochs", ct.c_int64),
                ("rounds", ct.c_int64), ("seconds", ct.c_double),
                ("solver", ct.c_int), ("order", ct.c_int), ("aggregate", ct.c_int),
                ("local_steps", ct.c_double), ("sigma", ct.c_double), ("seed", ct.c_uint64),
                ("deterministic", ct.c_bool), ("sgd_start", ct.c_bool),
                ("approximate_step", ct.c_bool), ("warm_start", ct.c_char_p),
                ("output", ct.c_int), ("average_from", ct.c_double),
                ("evaluation_interval", ct.c_double), ("record_bounds", ct.c_bool),
                ("test", ct.c_void_p), ("checkpoint", CheckpointOptions)]


class Certificate(ct.Structure):
    _fields_ = [(name, ct.c_double) for name in ("primal", "dual", "gap", "rounding", "distance")]


lib = ct.CDLL(sys.argv[1] if len(sys.argv) > 1 else "libsdca.so.0", mode=ct.RTLD_GLOBAL)
lib.sdca_status_message.restype = ct.c_char_p
lib.sdca_train_options_default.restype = TrainOptions
lib.sdca_model_weights.restype = ct.POINTER(ct.c_double)
lib.sdca_model_certificate.restype = Certificate
try:  # MPI_COMM_WORLD is the address of a variable in Open MPI, and a number in MPICH
    world = ct.c_void_p(ct.addressof(ct.c_char.in_dll(lib, "ompi_mpi_comm_world")))
except ValueError:
    world = ct.c_int(0x44000000)


def attempt(status):
    """Stop with the message of a call that failed; SDCA_OK is 0."""
    if status != 0:
        sys.exit(lib.sdca_status_message().decode())


lib.MPI_Init(None, None)
rank = ct.c_int()
lib.MPI_Comm_rank(world, ct.byref(rank))
rng = np.random.default_rng(rank.value)
x = rng.random((1000, 2))
y = np.where(x[:, 1] > x[:, 0], 1.0, 0.0)

data, model = ct.c_void_p(), ct.c_void_p()
view = DenseView(x.shape[0], x.shape[1], None, x.ctypes.data)
attempt(lib.sdca_dataset_from_dense(world, ct.byref(view), ct.c_void_p(y.ctypes.data), None,
                                    ct.byref(data)))
options = lib.sdca_train_options_default()
options.loss = b"logistic"
options.lambda_ = 1e-4
attempt(lib.sdca_train(world, data, ct.byref(options), None, ct.byref(model), None))
scores = np.empty(len(y))
attempt(lib.sdca_agree(world, lib.sdca_model_predict(model, data, ct.c_void_p(scores.ctypes.data))))
if rank.value == 0:
    w = np.ctypeslib.as_array(lib.sdca_model_weights(model), (2,))
    print(f"w = ({w[0]:.4f}, {w[1]:.4f}), gap {lib.sdca_model_certificate(model).gap:.1e}, "
          f"error {np.mean((scores > 0) != (y > 0)):.4f}")
lib.sdca_model_free(model)
lib.sdca_dataset_free(data)
lib.MPI_Finalize()
