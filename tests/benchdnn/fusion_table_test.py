#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""fusion_table.py on lines as the driver prints them."""
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import fusion_table

HEADER = "perf,alg,shapes,threads,min_time,min_limit,min_outofplace,min_speedup,prb\n"


def line(pattern, shapes, threads=1, time=0.5, limit=50, outofplace=1, speedup=2, knobs=""):
    return (f"perf,Select,{shapes},{threads},{time},{limit},{outofplace},{speedup},"
            f"--mode=P {knobs} --graph --case=fusion/{pattern}.json\n")


class FusionTable(unittest.TestCase):
    def text(self, *lines):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "perf.csv")
            with open(path, "w") as file:
                file.write("Template entries: perf,%alg%\n" + HEADER + "".join(lines))
            return fusion_table.text_of(fusion_table.read_cases([path]))

    def test_sizes_and_places(self):
        text = self.text(line("mask", "1x1x384x384", limit=61.4, speedup=2.96),
                         line("mask", "1x16x384x384", knobs="--inplace=on", limit=70),
                         line("mask", "4096x4096;4096x4096", limit=9))
        self.assertIn("| mask | 61, 3.0x |  |  | 70, 2.0x | 9, 2.0x |  |", text)

    def test_the_repetition_nearest_to_its_limit_counts(self):
        text = self.text(line("mask", "384x384", limit=40, speedup=9),
                         line("mask", "384x384", limit=60, speedup=3))
        self.assertIn("| mask | 60, 3.0x |", text)

    def test_a_case_that_did_not_run_is_left_out(self):
        text = self.text(line("mask", "384x384"), line("band", "384x384", time=0))
        self.assertNotIn("band", text)

    def test_threads_have_tables_of_their_own(self):
        text = self.text(line("mask", "384x384"), line("mask", "384x384", threads=2, limit=33))
        self.assertIn("1 thread:", text)
        self.assertIn("| mask | 33, 2.0x |", text[text.index("2 threads:"):])

    def test_diagonal_in_place(self):
        text = self.text(line("a_plus_ci", "4096x4096", knobs="--inplace=on", outofplace=212.4),
                         line("a_plus_ci", "4096x4096", knobs="--cold-cache=all --inplace=on",
                              outofplace=81))
        self.assertIn("faster than the best copy of A by 212 times (warm caches) and 81 times (cold",
                      " ".join(text.split()))


if __name__ == "__main__":
    unittest.main()
