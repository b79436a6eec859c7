# SPDX-License-Identifier: Apache-2.0
"""What the scripts that make tables and pictures of the driver's CSV share."""
import csv
import sys


def perf_rows(paths, needed, template, measured=("min_time",)):
    """Rows of the lines that start with "perf,", by the names in the header before them; others may stand
    around. Lines where a column of `measured` is not above 0 (a case that was skipped) are left out. Ends
    the program where the first perf line is no header with the columns `needed`, which --batch=`template`
    asks for."""
    for path in paths:
        header = None
        with open(path, newline="") as file:
            for fields in csv.reader(file):
                if not fields or fields[0] != "perf":
                    continue
                if set(needed) <= set(fields):
                    header = fields
                    continue
                if header is None:
                    sys.exit(f"{path}: no header with {', '.join(needed)}; use --batch={template}")
                row = dict(zip(header, fields))
                if all(float(row[name]) > 0 for name in measured):
                    yield row


def nothing_measured(paths):
    sys.exit("no measured perf line in " + ", ".join(paths))


def replace_between(path, begin, end, text):
    """Puts `text` between the two markers, which the file has once."""
    with open(path) as file:
        old = file.read()
    if old.count(begin) != 1 or end not in old.split(begin)[1]:
        sys.exit(f"{path}: no {begin} with {end} behind it")
    before, rest = old.split(begin)
    with open(path, "w") as file:
        file.write(before + begin + "\n" + text + "\n" + end + rest.split(end, 1)[1])
