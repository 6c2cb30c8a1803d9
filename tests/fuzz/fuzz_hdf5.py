#!/usr/bin/env python3
"""Mutated HDF5 files, each read by a command: for any file, the program ends in
time with a documented exit status and, on failure, one message.

A run depends only on --seed and its number: --only N repeats one, and --keep DIR saves
its files. Crashes inside libhdf5 are counted, but are no failures.
SDCA may be built with sanitizers."""
import argparse
import collections
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import hdf5_commands
import hdf5_mutate
import hdf5_seeds

DONE = {0, 3, 75}
FAILED = {64, 65, 66, 71, 73, 74}
# Frames of a backtrace, as glibc, Open MPI and sanitizers write them: function and file, or file and function.
FRAME = re.compile(r"^\s*#\d+ 0x[0-9a-f]+ (?:in )?(?P<function>\S*) ?\(?(?P<file>[^+)]+)"
                   r"|^(?:\[\S+\] \[ *\d+\] )?(?P<file2>[^\s(]+)\((?P<function2>[^+)]*)[^)]*\) ?\[0x")
# Files to skip in a backtrace: signal handling and memory.
PLUMBING = re.compile(r"libc\.so|libc-|libpthread|ld-linux|libasan|libubsan|sanitizer|trace\.so|libgcc_s|libopen-pal|vdso"
                      r"|sysdeps|unknown module")
# Sanitizer messages about refused allocations, which are expected here.
REFUSAL = re.compile(r"^==\d+==WARNING: AddressSanitizer failed to allocate .*\n", re.MULTILINE)
CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\ufffd]")
MEMORY = 6 << 30
# Kinds of files with a checksum.
SEALED = {"checkpoint", "batch", "path", "choice"}


class Fuzzer:
    """State shared by all runs."""

    def __init__(self, arguments):
        self.options = arguments
        self.sdca = os.path.abspath(arguments.sdca)
        with open(self.sdca, "rb") as file:
            self.sanitized = b"__asan_init" in file.read()
        self.limit = arguments.limit * (3 if self.sanitized else 1)
        self.environment = dict(os.environ, LC_ALL="C.UTF-8", OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                                OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_mpi_yield_when_idle="1")
        if self.sanitized:
            self.environment["ASAN_OPTIONS"] = ("detect_leaks=0:allocator_may_return_null=1:max_allocation_size_mb=2000:"
                                                "handle_abort=1:hard_rss_limit_mb=3000")
            self.environment["UBSAN_OPTIONS"] = "print_stacktrace=1"
        elif arguments.trace:
            self.environment["LD_PRELOAD"] = os.path.abspath(arguments.trace)
        self.seeds = []
        self.statuses = collections.Counter()
        self.commands = collections.Counter()
        self.known = collections.Counter()
        self.unmade = 0
        self.failures = 0

    def limit_memory(self):
        """Limit memory, so that huge allocations fail. (Sanitizers have their own limit.)"""
        if not self.sanitized:
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    def mutate(self, number, name, other, sealed):
        """The mutations that made bad.h5, or None where h5py died of them. They run in a child
        process, because a broken file can crash libhdf5 in the fuzzer as well."""
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            status = 1
            try:
                rng = random.Random(f"{self.options.seed}:{number}:mutate")
                how = hdf5_mutate.mutate(rng, name, "bad.h5", other, sealed)
                os.write(writer, ", ".join(how).encode())
                status = 0
            finally:
                os._exit(status)
        os.close(writer)
        with os.fdopen(reader, "rb") as pipe:
            how = pipe.read().decode()
        return how if os.waitpid(child, 0)[1] == 0 else None

    def run(self, number):
        """Mutate one file and run one command."""
        rng = random.Random(f"{self.options.seed}:{number}")
        name, kind, label = rng.choice(self.seeds)
        other = rng.choice(self.seeds)[0]
        for left in ("bad.h5", "bad.h5.1", "out.h5", "out.csv", "out.txt", "out.html", "out.json"):
            if os.path.exists(left):
                os.remove(left)
        shutil.rmtree("fits", ignore_errors=True)
        how = self.mutate(number, name, other, kind in SEALED)
        if how is None:
            self.unmade += 1
            return
        line, outputs = hdf5_commands.choose(rng, kind, label)
        quiet = "--quiet" in line
        parallel = self.options.mpirun and line[0] in ("train", "predict", "verify") and rng.random() < self.options.parallel
        words = ([self.options.mpirun, "-np", "2"] if parallel else []) + [self.sdca] + line
        if parallel and line[0] == "train":
            words.append("--all-ranks")
        if self.options.keep:
            shutil.copy("bad.h5", os.path.join(self.options.keep, f"{number}.h5"))
        before = self.look()
        code, said, told = self.launch(words, parallel)
        self.statuses[code] += 1
        self.commands[line[0]] += 1
        trouble = self.judge(code, said, told, not parallel and (quiet or line[0] != "train")) or self.litter(before, outputs, code)
        if trouble:
            self.failures += 1
            print(f"fuzz: run {number}: {trouble}\n  {name}: {how}\n  {' '.join(words)}", flush=True)
            for text in told.splitlines()[-40:]:
                print(f"  | {text}", flush=True)

    def launch(self, words, parallel):
        """Its status ("hang" on timeout), and its output on both streams."""
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            child = subprocess.Popen(words, stdout=out, stderr=err, stdin=subprocess.DEVNULL, env=self.environment,
                                     preexec_fn=self.limit_memory, start_new_session=True)
            try:
                code = child.wait(self.limit)
            except subprocess.TimeoutExpired:
                code = "hang"
                self.end(child, parallel)
            texts = []
            for file in (out, err):
                file.seek(0)
                texts.append(REFUSAL.sub("", file.read(1 << 20).decode("utf-8", "replace")))
        return code, texts[0], texts[1]

    @staticmethod
    def end(child, parallel):
        """Kill it or its ranks; they print a backtrace first."""
        ranks = []
        for entry in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{entry}/stat", encoding="ascii", errors="replace") as file:
                    if int(file.read().rsplit(")", 1)[1].split()[1]) == child.pid:
                        ranks.append(int(entry))
            except (OSError, IndexError, ValueError):
                pass
        for pid in ranks if parallel else [child.pid]:
            try:
                os.kill(pid, signal.SIGABRT)
            except ProcessLookupError:
                pass
        try:
            child.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()

    @staticmethod
    def culprit(told):
        """File and function of the innermost identifiable frame of a backtrace, or nothing;
        for a frame without a function, the next function in the backtrace."""
        frames = [found.groupdict() for found in map(FRAME.match, told.splitlines()) if found]
        frames = [(frame["file"] or frame["file2"], frame["function"] or frame["function2"] or "") for frame in frames]
        frames = [frame for frame in frames if not PLUMBING.search(frame[0])]
        if not frames:
            return ""
        function = next((name for file, name in frames if name and file == frames[0][0]), "")
        return f"{os.path.basename(frames[0][0])}: {function}"

    def judge(self, code, said, told, alone):
        """What is wrong with its end, if anything. A single process must print nothing else."""
        sane = "Sanitizer" not in told and "runtime error:" not in told
        if not sane or code == "hang" or (isinstance(code, int) and (code < 0 or code > 128)):
            where = self.culprit(told)
            if where.startswith("libhdf5") and code != "hang":
                self.known[f"{code}, {where}"] += 1
                return None
            return f"status {code}, at {where or 'an unknown place'}"
        if code not in DONE | FAILED:
            return f"status {code}"
        lines = [text for text in told.splitlines() if text.startswith("sdca: ")]
        if code in FAILED and len(lines) != 1:
            return f"status {code} and {len(lines)} messages"
        if code in FAILED and alone and len(told.splitlines()) != 1:
            return f"status {code} and more than one message"
        if CONTROL.search(said) or CONTROL.search(told):
            return "control characters: " + repr((CONTROL.search(said) or CONTROL.search(told)).string[:300])
        return None

    @staticmethod
    def look():
        """All files here, with their state."""
        return {name: (os.stat(name).st_size, os.stat(name).st_mtime_ns) for name in os.listdir(".")}

    def litter(self, before, outputs, code):
        """Files left over, missing or changed."""
        after = self.look()
        allowed = set(outputs) if code in DONE else set()
        wrong = [name for name in set(before) | set(after)
                 if name not in allowed and after.get(name) != before.get(name)]
        if "bad.h5.1" in outputs:  # a checkpoint replaces the previous one
            wrong = [name for name in wrong if name not in ("bad.h5", "bad.h5.1")]
        return f"left over, missing or changed: {', '.join(sorted(wrong))}" if wrong else None


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sdca", help="the program")
    parser.add_argument("--mpirun", help="to start some runs on two ranks with")
    parser.add_argument("--parallel", type=float, default=0.05, help="the share of these (0.05)")
    parser.add_argument("--trace", help="a library that tells where a program dies: build/tests/libfuzz_trace.so")
    parser.add_argument("--runs", type=int, help="how many files")
    parser.add_argument("--seconds", type=float, help="how long, in place of that")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int, help="the one run of this number")
    parser.add_argument("--limit", type=float, default=20.0, help="seconds that make a hang (20, three times that with sanitizers)")
    parser.add_argument("--keep", help="a folder for all files, each called by the number of its run")
    return parser.parse_args()


def main():
    options = parse()
    fuzzer = Fuzzer(options)
    if options.keep:
        options.keep = os.path.abspath(options.keep)
        os.makedirs(options.keep, exist_ok=True)
    start, number = time.monotonic(), 0
    with tempfile.TemporaryDirectory(prefix="sdca-fuzz-") as folder:
        os.chdir(folder)
        fuzzer.seeds = hdf5_seeds.make(fuzzer.sdca, fuzzer.environment)
        if options.only is not None:
            fuzzer.run(options.only)
            number = 1
        else:
            while (number < options.runs if options.runs else time.monotonic() - start < (options.seconds or 60.0)):
                fuzzer.run(number)
                number += 1
        os.chdir("/")
    print(f"{number} runs in {time.monotonic() - start:.0f} s, {fuzzer.failures} failures")
    print("statuses:", ", ".join(f"{code}: {count}" for code, count in sorted(fuzzer.statuses.items(), key=str)))
    print("commands:", ", ".join(f"{name}: {count}" for name, count in sorted(fuzzer.commands.items())))
    print(f"mutations that crashed h5py: {fuzzer.unmade}")
    print(f"inside libhdf5: {sum(fuzzer.known.values())}")
    for where, count in fuzzer.known.most_common():
        print(f"  {count} x {where}")
    sys.exit(1 if fuzzer.failures else 0)


main()
