"""Peak memory of predict beside the number of rows that come through a pipe.

Usage: predict_memory.py train             - print a table to train on
       predict_memory.py measure PROGRAM   - measure the program with model.h5
"""
import os
import subprocess
import sys

BLOCK = 1000
# What a row with a label takes: its score and label, and two groups while they are ranked.
LABELLED_BYTES = 8 + 8 + 2 * 24
MEGABYTE = 1 << 20


def lines(count):
    """Rows, each with another score if @ is another number in each block."""
    for k in range(count):
        yield f"{'yes' if k % 3 == 0 else 'no'},customer of the table number {k:09},{(k % 7) / 7 + k / 1e9:.9f}@,{'red blue green'.split()[k % 3]}"


def peak(program, rows, options):
    """The peak memory in bytes of predict with as many rows on standard input."""
    block = "".join(line + "\n" for line in lines(BLOCK)).encode()
    command = [program, "predict", "model.h5", "-", "--format", "csv", "--quiet", *options]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as run:
        run.stdin.write(b"label,id,size,colour\n")
        for k in range(rows // BLOCK):
            run.stdin.write(block.replace(b"@", b"%06d" % k))
        run.stdin.close()
        _, status, usage = os.wait4(run.pid, 0)
        run.returncode = os.waitstatus_to_exitcode(status)
    if run.returncode != 0:
        sys.exit(f"exit status {run.returncode}: {' '.join(command)}")
    return usage.ru_maxrss * 1024


def growth(program, few, many, options):
    """The bytes by which the peak grows from few to many rows."""
    low, high = (peak(program, rows, options) for rows in (few, many))
    print(f"{' '.join(options)}: {few} rows {low / MEGABYTE:.1f} MB, {many} rows {high / MEGABYTE:.1f} MB, "
          f"{(high - low) / (many - few):.2f} bytes per row")
    return high - low


def measure(program):
    """Return what is wrong."""
    few, many = 200_000, 2_000_000
    wrong = []
    if growth(program, few, many, ["-o", "-", "--unlabelled", "--keep", "id"]) > 2 * MEGABYTE:
        wrong.append("rows without labels are kept")
    few, many = 100_000, 1_000_000
    if growth(program, few, many, ["-o", "out.csv", "--keep", "id"]) > (many - few) * LABELLED_BYTES + 2 * MEGABYTE:
        wrong.append("more of a row with a label is kept than metrics need")
    with open("out.csv", "rb") as file:
        count = sum(1 for _ in file)
    if count != many + 1:
        wrong.append(f"out.csv has {count} lines")
    return wrong


if sys.argv[1] == "train":
    print("label,id,size,colour", *(line.replace("@", "") for line in lines(50)), sep="\n")
else:
    WRONG = measure(sys.argv[2])
    print(*WRONG, sep="\n")
    sys.exit(1 if WRONG else 0)
