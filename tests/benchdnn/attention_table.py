#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tables and a picture of attention out of the driver's CSV: the mask made of coordinates and an explicit
one in turn with none, none in turn with oneDNN, one query in turn with reading its keys and values, and
by how much long sequences raise the peak of memory.

    benchdnn --mode=P --graph --batch=attention/perf_all > perf.csv
    benchdnn --mode=P --graph --batch=attention/perf_onednn >> perf.csv      (and perf_decode)
    benchdnn --mode=S --graph --batch=attention/perf_memory >> perf.csv
    attention_table.py perf.csv [more.csv ...] [--plot attention.svg] [--into attention.md]

Files may hold anything around the lines that start with "perf,"; the columns are those of
benchdnn_inputs/graph/attention/perf_template and those beside it. Times are the least of a case,
ratios the medians over neighbouring executions. Of a case that was measured several times the fastest
counts. --into replaces what stands between "<!-- attention table -->" and "<!-- end -->" in a file.
--plot needs matplotlib (Debian: python3-matplotlib).
"""
import argparse
import collections
import re

from perf_csv import nothing_measured, perf_rows, replace_between

NEEDED = ("threads", "min_time", "prb")
BEGIN, END = "<!-- attention table -->", "<!-- end -->"
NONE, CAUSAL, EXPLICIT = "no-mask", "implicit-causal", "explicit-mask"
ONE_QUERY = "bottom-right"

Case = collections.namedtuple("Case", "threads type head keys queries heads")


def number(row, column):
    """0 where there is no such column, and no number in it."""
    try:
        return float(row.get(column, 0))
    except ValueError:
        return 0.0


def case_of(row):
    shapes = dict(re.findall(r"(\d+):([\dx]+)", re.search(r"--in-shapes=(\S+)", row["prb"])[1]))
    q, k = ([int(extent) for extent in shapes[id].split("x")] for id in ("0", "1"))
    kind = "bf16" if re.search(r"--dt=\S*bf16", row["prb"]) else "f32"
    return Case(int(row["threads"]), kind, q[-1], k[-2], q[-2], q[-3])


def read_cases(paths):
    """Case -> {graph: row}; what was executed once, for its memory, is apart: Case -> row."""
    cases, memory = collections.defaultdict(dict), {}
    for row in perf_rows(paths, NEEDED, "attention/perf_template"):
        case = case_of(row)
        if "--mode=S " in row["prb"]:
            memory[case] = row
            continue
        graph = re.search(r"--case=attention/([\w-]+)\.json", row["prb"])[1]
        best = cases[case].setdefault(graph, row)
        if number(row, "min_time") < number(best, "min_time"):
            cases[case][graph] = row
    if not cases and not memory:
        nothing_measured(paths)
    return cases, memory


def ratio(found, graph):
    """Of a graph's time to that of what it was measured in turn with."""
    return number(found.get(graph, {}), "compare-median")


def table_of(header, rows):
    """"" without rows; what was not measured is a dash."""
    lines = [header, "|" + " --- |" * (header.count("|") - 1)]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines) if rows else ""


def shown(value, digits):
    return f"{value:.{digits}f}" if value > 0 else "-"


def mask_rows(cases):
    for case in sorted(cases):
        found = cases[case]
        if CAUSAL not in found:
            continue
        causal = found[CAUSAL]
        yield [str(case.threads), case.type, str(case.head), str(case.keys), str(case.heads),
               shown(number(causal, "min_compare-time"), 2), shown(ratio(found, NONE), 2),
               shown(number(causal, "min_time"), 2), shown(ratio(found, CAUSAL), 2),
               shown(ratio(found, EXPLICIT), 2)]


def query_rows(cases):
    for case in sorted(cases):
        if ONE_QUERY not in cases[case]:
            continue
        row = cases[case][ONE_QUERY]
        megabytes, ms = number(row, "Mibytes"), number(row, "min_read-limit-time")
        yield [str(case.threads), case.type, str(case.keys), shown(number(row, "min_time"), 3),
               shown(megabytes / number(row, "min_time"), 1), shown(megabytes / ms if ms > 0 else 0, 1),
               shown(number(row, "min_read-limit") / 100, 2)]


def memory_rows(memory):
    for case, row in sorted(memory.items()):
        yield [str(case.threads), case.type, str(case.keys), shown(number(row, "Kpeakmem"), 0)]


def table(cases, memory):
    parts = [
        table_of("| threads | type | head | S | heads | no mask, ms | of oneDNN 2.6 | implicit causal, ms "
                 "| of no mask | explicit mask, of no mask |", list(mask_rows(cases))),
        table_of("| threads | type | keys | one query, ms | GB/s of its inputs | GB/s of reading them "
                 "| of that |", list(query_rows(cases))),
        table_of("| threads | type | S | a head raises the peak of memory by, KB |",
                 list(memory_rows(memory)))]
    return "\n\n".join(part for part in parts if part)


def plot(cases, path):
    import matplotlib
    matplotlib.use("svg")
    from matplotlib import pyplot
    matplotlib.rcParams["svg.hashsalt"] = "iotadnn"
    threads = max(case.threads for case in cases)
    figure, axes = pyplot.subplots(1, 2, figsize=(9, 3.6), sharey=True)
    for axis, kind in zip(axes, ("f32", "bf16")):
        for graph in (EXPLICIT, CAUSAL):
            points = sorted((c.keys, ratio(f, graph)) for c, f in cases.items()
                            if (c.threads, c.type, c.head) == (threads, kind, 128) and graph in f)
            axis.plot([p[0] for p in points], [p[1] for p in points], marker="o", label=graph)
        axis.axhline(1, color="grey", linewidth=0.8, label=NONE)
        axis.set_title(f"{kind}, head 128, {threads} threads")
        axis.set_xscale("log", base=2)
        axis.set_xlabel("S")
        axis.grid(True, alpha=0.3)
    axes[0].set_ylim(bottom=0)
    axes[0].set_ylabel("time, of the time without a mask")
    axes[0].legend()
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--plot")
    parser.add_argument("--into")
    args = parser.parse_args()
    cases, memory = read_cases(args.files)
    if args.plot:
        plot(cases, args.plot)
    text = table(cases, memory)
    if args.into:
        replace_between(args.into, BEGIN, END, "\n" + text + "\n")
    else:
        print(text)


if __name__ == "__main__":
    main()
