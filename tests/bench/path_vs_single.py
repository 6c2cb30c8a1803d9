"""A path of 20 lambda from 1e-1 to 1e-6, and its hardest single fit.

usage: path_vs_single.py BUILD SCRATCH TURNS FILE.h5 ...

Both train to a relative gap of 1e-3, hinge and logistic, on one core. The hardest single
fit is the slowest of the 20 lambda when each is trained from nothing. Seconds are those
of the summaries, without reading and writing files. Prints a Markdown table.
"""
import os
import shutil
import sys

from bench_train import Run, median, name

LOSSES = ("hinge", "logistic")
COUNT = 20
GRID = f"1e-1:1e-6:{COUNT}"


def path(sdca, scratch, data, loss):
    """Fits of a path: those of the summary."""
    models = os.path.join(scratch, "path")
    shutil.rmtree(models, ignore_errors=True)
    return Run(sdca, scratch, data, "--loss", loss, "--lambda", GRID, "--path", models).summary["path"]


def main(build, scratch, turns, *files):
    sdca = os.path.join(build, "sdca")
    print("| data | loss | path s | epochs | hardest fit s | its lambda | its epochs | all single fits s | ratio |")
    print("|---" * 9 + "|")
    for data in files:
        for loss in LOSSES:
            print(name(data), loss, file=sys.stderr)
            fits = [path(sdca, scratch, data, loss) for _ in range(int(turns))]
            seconds = median([sum(fit["seconds"] for fit in one) for one in fits])
            single = [[Run(sdca, scratch, data, "--loss", loss, "--lambda", repr(fit["lambda"]))
                       for _ in range(int(turns))] for fit in fits[0]]
            cost = [median([run.seconds for run in runs]) for runs in single]
            hardest = max(range(COUNT), key=cost.__getitem__)
            print(f"| {name(data)} | {loss} | {seconds:.3g} | {sum(fit['epochs'] for fit in fits[0]):.0f} "
                  f"| {cost[hardest]:.3g} | {fits[0][hardest]['lambda']:.2g} "
                  f"| {single[hardest][0].summary['epochs']:.0f} | {sum(cost):.3g} "
                  f"| {seconds / cost[hardest]:.2f} |", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
