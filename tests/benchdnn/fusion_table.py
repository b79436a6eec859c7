#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tables and a picture of fused patterns, fused beside unfused, out of the driver's CSV.

    benchdnn --mode=P --graph --batch=fusion/perf_all > perf.csv  (--isa=, --threads= in front as wanted)
    fusion_table.py perf.csv [more.csv ...] [--plot fusion.svg] [--into performance.md]

Files may hold anything around the lines that start with "perf,"; the columns are those of
benchdnn_inputs/graph/fusion/perf_template. Of a case that was measured several times
(--repeats-per-prb) the time counts that came nearest to its limit. --into replaces what stands between
"<!-- fusion table -->" and "<!-- end -->" in a file. --plot needs matplotlib (Debian:
python3-matplotlib).
"""
import argparse
import collections
import os
import re

from perf_csv import nothing_measured, perf_rows, replace_between

NEEDED = ("shapes", "threads", "min_time", "min_limit", "min_outofplace", "min_speedup", "prb")
SIZES = ("576 KiB", "9 MiB", "64 MiB")
BEGIN, END = "<!-- fusion table -->", "<!-- end -->"

Case = collections.namedtuple("Case", "pattern size in_place cold threads")
Figures = collections.namedtuple("Figures", "limit speedup outofplace")


def elements(shapes):
    count = 1
    for extent in shapes.split(";")[0].split("x"):
        count *= int(extent)
    return count


def size_of(shapes):
    """By elements, as the same extents of other types have other bytes."""
    mib = elements(shapes) * 4 / 2**20
    for name, limit in zip(SIZES, (2, 20, 70)):
        if mib < limit:
            return name
    return f"{mib:.0f} MiB"


def read_cases(paths):
    cases = {}
    for row in perf_rows(paths, NEEDED, "fusion/perf_template"):
        case = Case(re.search(r"fusion/(\w+)\.json", row["prb"]).group(1),
                    size_of(row["shapes"]), "--inplace=on" in row["prb"],
                    "--cold-cache=all" in row["prb"], int(row["threads"]))
        figures = Figures(float(row["min_limit"]), float(row["min_speedup"]),
                          float(row["min_outofplace"]))
        if case not in cases or figures.limit > cases[case].limit:
            cases[case] = figures
    if not cases:
        nothing_measured(paths)
    return cases


def cell(figures):
    return f"{figures.limit:.0f}, {figures.speedup:.1f}x" if figures else ""


def table(cases, threads):
    patterns = list(dict.fromkeys(case.pattern for case in cases if case.threads == threads))
    columns = [(size, in_place) for size in SIZES for in_place in (False, True)]
    lines = [f"{threads} thread{'s' if threads > 1 else ''}:", "",
             "| pattern | " + " | ".join(f"{size}{', in place' if in_place else ''}"
                                         for size, in_place in columns) + " |",
             "|---|" + "---|" * len(columns)]
    for pattern in sorted(patterns):
        cells = [cell(cases.get(Case(pattern, size, in_place, False, threads)))
                 for size, in_place in columns]
        lines.append(f"| {pattern} | " + " | ".join(cells) + " |")
    return lines


def diagonal(cases, threads):
    """A + c * I in place against the best way out of place."""
    found = []
    for cold in (False, True):
        figures = cases.get(Case("a_plus_ci", SIZES[-1], True, cold, threads))
        if figures:
            found.append(f"{figures.outofplace:.0f} times ({'cold' if cold else 'warm'} caches)")
    return ([f"`A + c * I` in place, n = 4096, is faster than the best copy of A by "
             f"{' and '.join(found)}."] if found else [])


def text_of(cases):
    parts = []
    for threads in sorted({case.threads for case in cases}):
        parts += table(cases, threads) + [""] + diagonal(cases, threads) + [""]
    return "\n".join(parts).replace("\n\n\n", "\n\n").strip("\n")


def links(files, target):
    """To the files, as text in the file `target` names them."""
    folder = os.path.dirname(os.path.abspath(target))
    named = [os.path.relpath(os.path.abspath(file), folder) for file in files]
    return ("The `perf` lines: " +
            ", ".join(f"[{os.path.basename(name)}]({name})" for name in named) + ".")


def draw(cases, output):
    """Percent of the limit of each pattern, fused and unfused, a column for each size."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    threads = min(case.threads for case in cases)
    shown = {case: figures for case, figures in cases.items()
             if case.threads == threads and not case.cold and case.size in SIZES
             and figures.limit > 0 and figures.speedup > 0}
    rows = sorted({(case.pattern, case.in_place) for case in shown}, reverse=True)
    figure, panels = plt.subplots(1, len(SIZES), figsize=(13, 1.5 + 0.22 * len(rows)), sharey=True)
    for panel, size in zip(panels, SIZES):
        points = [(row, shown[case]) for row, (pattern, in_place) in enumerate(rows)
                  for case in [Case(pattern, size, in_place, False, threads)] if case in shown]
        at = [row for row, _ in points]
        fused = [figures.limit for _, figures in points]
        unfused = [figures.limit / figures.speedup for _, figures in points]
        panel.hlines(at, unfused, fused, color="lightgrey")
        panel.plot(unfused, at, "o", color="C1", markersize=4, label="unfused")
        panel.plot(fused, at, "o", color="C0", markersize=4, label="fused")
        panel.axvline(100, color="grey", linewidth=0.8)
        panel.set_xscale("log")
        panel.set_title(size)
        panel.set_xlabel("percent of the limit")
        panel.grid(axis="x", alpha=0.3)
    panels[0].set_yticks(range(len(rows)))
    panels[0].set_yticklabels([pattern + (", in place" if in_place else "")
                               for pattern, in_place in rows], fontsize=7)
    panels[0].legend(fontsize="small")
    figure.suptitle(f"Fused patterns, {threads} thread{'s' if threads > 1 else ''}")
    figure.tight_layout()
    figure.savefig(output)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("csv", nargs="+", help="the driver's output")
    parser.add_argument("--plot", help="picture to write (svg, png, pdf)")
    parser.add_argument("--into", help="file that has the table's markers")
    arguments = parser.parse_args()
    cases = read_cases(arguments.csv)
    if arguments.plot:
        draw(cases, arguments.plot)
    if arguments.into:
        replace_between(arguments.into, BEGIN, END,
                        links(arguments.csv, arguments.into) + "\n\n" + text_of(cases))
    else:
        print(text_of(cases))


if __name__ == "__main__":
    main()
