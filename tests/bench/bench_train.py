"""Runs of sdca train on one core, timed by their summaries.

Small on purpose: the peak memory of a child is at least what its parent has.
"""
import json
import os
import statistics
import subprocess
import sys

BUDGET = 3  # exit status: the time is over, the model and the summary are written


class Run:
    """Training from nothing: the summary, seconds without reading, peak bytes."""

    def __init__(self, sdca, scratch, path, *options):
        summary = os.path.join(scratch, "summary.json")
        command = [sdca, "train", path, "-o", os.path.join(scratch, "model.h5"), "--summary", summary,
                   "--normalize", "rows", "--quiet", *map(str, options)]
        child = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        errors = child.stderr.read()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode not in (0, BUDGET):
            sys.exit(f"failed: {' '.join(command)}: {errors}")
        with open(summary) as f:
            self.summary = json.load(f)
        self.converged = child.returncode == 0
        self.primal = self.summary["primal"]
        self.seconds = self.summary["seconds"]["total"]  # without reading
        self.peak = 1024 * usage.ru_maxrss

    def labels(self):
        """The labels of the classes, one per model."""
        return [str(one["label"]) for one in self.summary.get("per_class", [])]


def median(numbers):
    return statistics.median(numbers)


def name(path):
    return os.path.basename(path)
