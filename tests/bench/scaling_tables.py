"""Tables from the measurements of tests/bench/scaling.

usage: scaling_tables.py DIR MACHINE BUDGET SECTIONS    Markdown
       scaling_tables.py --plot DIR                     commands for gnuplot
"""
import csv
import glob
import os
import statistics
import sys

METHODS = {"auto": "automatic", "fixed": "0.03 of the rows", "average": "average (CoCoA)",
           "add": "add (CoCoA+)", "careful": "line search, sigma K", "newton": "Newton"}
OPTIONS = {"auto": "--solver sdca --all-ranks", "fixed": "--solver sdca --local-steps 0.03",
           "average": "--solver sdca --aggregate average --local-steps 1",
           "add": "--solver sdca --aggregate add --local-steps 1",
           "careful": "--solver sdca --aggregate line-search --local-steps 1 --sigma K",
           "newton": "--solver newton"}
TRAIN = "sdca train FILE --normalize rows --loss LOSS --lambda LAMBDA"


def rows_of(folder, name, columns):
    path = os.path.join(folder, name)
    if not os.path.exists(path):
        return []
    return [dict(zip(columns, line)) for line in csv.reader(open(path))]


def read_counts(folder):
    """{(data, loss, lambda, method, ranks): (passes, rounds, bytes) at 1e-3, then at 1e-4};
    medians over seeds, None if the target was not reached."""
    names = ["data", "loss", "lambda", "method", "ranks", "seed"] + list("abcdef")
    groups = {}
    for row in rows_of(folder, "counts.csv", names):
        key = (row["data"], row["loss"], row["lambda"], row["method"], int(row["ranks"]))
        groups.setdefault(key, []).append([float("inf") if row[c] == "-" else float(row[c]) for c in "abcdef"])
    return {key: [median(column) for column in zip(*values)] for key, values in groups.items()}


def median(values):
    middle = statistics.median(values)
    return None if middle == float("inf") or middle != middle else middle


TIMES = ["data", "loss", "lambda", "method", "place", "ranks", "turn", "code", "seconds", "local", "communicate",
         "gap", "epochs", "rounds", "bytes", "primal"]


def read_times(folder):
    """{(data, loss, lambda, method, place, ranks): the runs}, numbers as such."""
    groups = {}
    for row in rows_of(folder, "times.csv", TIMES):
        for name in TIMES[7:]:
            row[name] = float(row[name])
        key = tuple(row[name] for name in TIMES[:5]) + (int(row["ranks"]),)
        groups.setdefault(key, []).append(row)
    return groups


def typical(runs, name):
    return statistics.median(run[name] for run in runs)


def table(head, rows):
    print("| " + " | ".join(head) + " |")
    print("|" + "---|" * len(head))
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print()


def unique(values):
    return list(dict.fromkeys(values))


def show(value, digits, budget):
    return f"> {budget}" if value is None else f"{value:.{digits}f}"


def relative(value, base, budget):
    if base is None:
        return "-"
    return f"> {budget / base:.1f}" if value is None else f"{value / base:.2f}"


TEXTBOOK = ("average", "add", "careful")


def print_summary(counts, budget):
    """Passes to 1e-3 relative to one rank, a line for each problem."""
    def cell(problem, methods, ranks):
        found = [counts[problem + (m, ranks)][0] for m in methods if problem + (m, ranks) in counts]
        if not found:
            return "not run"
        reached = [value for value in found if value is not None]
        return relative(min(reached) if reached else None, one, budget)

    columns = ([("0.03", ["fixed"], k) for k in (8, 64)] + [("automatic", ["auto"], k) for k in (2, 4, 8, 16, 32, 64)] +
               [("best textbook", TEXTBOOK, k) for k in (2, 8, 64)])
    head = ["data", "loss", "lambda", "one rank: passes"] + [f"{name}, K = {k}" for name, _, k in columns]
    body = []
    for problem in sorted(unique(key[:3] for key in counts), key=lambda p: (p[0], -float(p[2]))):
        one = counts.get(problem + ("auto", 1), [None])[0]
        body.append(list(problem) + [show(one, 1, budget)] + [cell(problem, methods, k) for _, methods, k in columns])
    print("Passes to 1e-3, divided by those of one rank; *textbook* is the best of three, each with one pass per round.\n")
    table(head, body)


def print_counts(folder, machine, budget):
    counts = read_counts(folder)
    print("\n## Passes, rounds and bytes\n")
    print(f"`{TRAIN} --rel-gap 1e-4 --epochs {budget} --evaluate 0.5 --history FILE.csv`, with more ranks than cores on "
          f"{machine}. Between two evaluations the logarithm of the gap is taken as linear. Passes are epochs: visits "
          "of rows, in numbers of rows. Bytes are those that the first rank hands to others. Relative: passes to 1e-3, "
          "and to 1e-4, divided by those of one rank.\n")
    table(["name", "options"], [[METHODS[m], f"`{OPTIONS[m]}`"] for m in METHODS])
    print_summary(counts, budget)
    for data in unique(key[0] for key in counts):
        for lam in unique(key[2] for key in counts if key[0] == data):
            print(f"### {data}, lambda {lam}\n")
            body = []
            chosen = [key for key in counts if key[0] == data and key[2] == lam]
            for loss in unique(key[1] for key in chosen):
                one = counts.get((data, loss, lam, "auto", 1), [None] * 6)
                for method in METHODS:
                    for ranks in sorted(key[4] for key in chosen if key[1] == loss and key[3] == method):
                        c = counts[data, loss, lam, method, ranks]
                        many = [show(None if v is None else v / 1e6, 1, "").strip("> ") or "-" for v in (c[2], c[5])]
                        body.append([loss, METHODS[method], str(ranks), show(c[0], 1, budget), show(c[3], 1, budget),
                                     relative(c[0], one[0], budget), relative(c[3], one[3], budget),
                                     show(c[1], 0, "").strip("> ") or "-", show(c[4], 0, "").strip("> ") or "-"] + many)
            table(["loss", "method", "ranks", "passes 1e-3", "1e-4", "relative 1e-3", "relative 1e-4", "rounds 1e-3",
                   "rounds 1e-4", "MB 1e-3", "MB 1e-4"], body)


def read_liblinear(folder):
    """{(data, loss, lambda): (seconds, P)}, from the tables that bench_train_vs_liblinear prints."""
    out = {}
    for path in glob.glob(os.path.join(folder, "liblinear-*.md")):
        for line in open(path):
            cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
            if len(cells) == 12 and cells[0].endswith(".h5"):
                out[cells[0][:-3], cells[1], float(cells[2])] = (cells[4], cells[5])
    return out


def print_cores(folder, machine):
    times, peer = read_times(folder), read_liblinear(folder)
    print("\n## Two ranks on two cores\n")
    print(f"`mpirun -np K {TRAIN} --rel-gap 1e-3`, K = 1 and 2 in turns, and `bench_train_vs_liblinear --turns 1 --eps 0.01 "
          f"FILE`, on {machine}. Seconds without reading, medians; speed-up = one rank / two; "
          "in brackets the least and the greatest of single turns. Two ranks wait for each other, so that anything else at work "
          "on the machine slows them more than it slows one; least times are the least disturbed. LIBLINEAR's tolerance "
          "of 0.01 gives the P beside it.\n")
    body = []
    for data, loss, lam, method, place, ranks in times:
        if (place, ranks, method) != ("node", 2, "plain") or (data, loss, lam, method, place, 1) not in times:
            continue
        one, two = times[data, loss, lam, method, place, 1], times[data, loss, lam, method, place, 2]
        each = [a["seconds"] / b["seconds"] for a, b in zip(one, two)]
        theirs = peer.get((data, loss, float(lam)), ("-", "-"))
        body.append([data, loss, lam, str(len(two)), f"{typical(one, 'seconds'):.3f}", f"{typical(two, 'seconds'):.3f}",
                     f"{typical(one, 'seconds') / typical(two, 'seconds'):.2f} ({min(each):.2f} to {max(each):.2f})",
                     f"{min(r['seconds'] for r in one) / min(r['seconds'] for r in two):.2f}",
                     f"{typical(one, 'epochs'):.1f}", f"{typical(two, 'epochs'):.1f}", f"{typical(two, 'primal'):.6g}",
                     theirs[0], theirs[1]])
    table(["data", "loss", "lambda", "turns", "one rank s", "two ranks s", "speed-up", "of least times", "passes, one", "passes, two", "P, two",
           "LIBLINEAR s", "its P"], body)


def print_network(folder, machine, budget):
    times = read_times(folder)
    print("\n## Four hosts on an emulated network\n")
    path = os.path.join(folder, "skipped")
    if os.path.exists(path):
        print(open(path).read())
    print(f"`mpirun -np K --map-by node {TRAIN} --rel-gap 1e-3 --epochs {budget}`, one or two ranks on each host, on {machine}: hosts are "
          "network namespaces, behind a switch in user space with 1 Gbit/s per port, frames of 9000 bytes and the delay given, one "
          "way. Seconds without reading, medians. All ranks and the switch share the cores: computing is slower "
          "than on four hosts. Bytes are those that the first rank sends.\n")
    body = []
    for data, loss, lam, method, place, ranks in times:
        if place == "node":
            continue
        runs = times[data, loss, lam, method, place, ranks]
        alone = times.get((data, loss, lam, "plain", "node", 1))
        reached = all(run["code"] == 0 for run in runs)
        seconds = typical(runs, "seconds")
        body.append([data, loss, place.split("+")[1], str(ranks), METHODS[method], str(len(runs)), f"{'' if reached else '> '}{seconds:.2f}",
                     f"{typical(runs, 'communicate'):.2f}", f"{'' if reached else '> '}{typical(runs, 'epochs'):.1f}",
                     f"{typical(runs, 'rounds'):.0f}", f"{typical(runs, 'bytes') / 1e6:.1f}",
                     f"{typical(alone, 'seconds'):.3f}" if alone else "-"])
    body.sort(key=lambda row: (row[0], row[1], row[2], row[3]))
    table(["data", "loss", "delay", "ranks", "method", "turns", "seconds", "of these exchange", "passes", "rounds", "MB", "one rank alone s"],
          body)


def print_plot(folder):
    """One panel per data set and lambda: passes to 1e-3 of the automatic method and of 0.03."""
    look = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../src/cli/report/")
    counts = read_counts(folder)
    panels = unique((key[0], key[2]) for key in counts)
    losses = unique(key[1] for key in counts)
    lines = (len(panels) + 1) // 2
    height = 250 * lines + 100
    print(f"set terminal svg enhanced size 900,{height} background 'white' font 'sans-serif,13'")
    print(open(look + "plot_look.gp").read())
    print(f"set multiplot layout {lines},2 margins screen 0.06,0.98,{56 / height},{1 - 110 / height} "
          f"spacing screen 0.08,{90 / height}")
    print("set logscale x 2; set xlabel 'ranks' offset 0,0.6; set yrange [0:*]; set xtics 2")
    for data, lam in panels:
        curves = []
        for loss in losses:
            for method, style in (("auto", "dashtype solid"), ("fixed", "dashtype (3, 3) linewidth 1")):
                points = sorted((key[4], value[0]) for key, value in counts.items()
                                if key[:4] == (data, loss, lam, method) and value[0] is not None)
                if method == "fixed" and (data, loss, lam, "auto", 1) in counts:
                    points.insert(0, (1, counts[data, loss, lam, "auto", 1][0]))
                if len(points) > 1:
                    curves.append((f"linestyle {1 + losses.index(loss)} {style}", points))
        if not curves:
            continue
        print(f"set title '{{/:Bold {data}}}, λ = {lam}'".replace("_", "\\_"))
        print("plot " + ", ".join(f"'-' with linespoints {style} notitle" for style, _ in curves))
        for _, points in curves:
            print("\n".join(f"{k} {p}" for k, p in points if p is not None) + "\ne")
    print(open(look + "plot_legend.gp").read())
    print(f"set label 'Passes to a relative gap of 1e-3 on 1 to {max(key[4] for key in counts)} ranks (dotted: rounds of "
          f"0.03 of the rows)' at screen 0.5, screen {1 - 18 / height} center font 'sans-serif:Bold,13'")
    print(f"set key at screen 0.5, {1 - 32 / height} noenhanced maxcols {len(losses)}")
    print("plot NaN notitle, " + ", ".join(
        f"keyentry with lines linestyle {k} dashtype solid title '{loss}'" for k, loss in enumerate(losses, start=1)))
    print("unset multiplot")


def main():
    if sys.argv[1] == "--plot":
        print_plot(sys.argv[2])
        return
    folder, machine, budget, sections = sys.argv[1:]
    print("# sdca on many ranks")
    if "counts" in sections.split():
        print_counts(folder, machine, int(budget))
    if "cores" in sections.split():
        print_cores(folder, machine)
    if "network" in sections.split():
        print_network(folder, machine, int(budget))


if __name__ == "__main__":
    main()
