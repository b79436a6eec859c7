#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""perf_csv.py, and attention_table.py on lines as the driver prints them."""
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import attention_table
import perf_csv

HEADER = "perf,alg,threads,min_time,min_compare-time,compare-median,Kpeakmem,prb\n"
READING = "perf,alg,threads,min_time,Mibytes,min_read-limit,min_read-limit-time,prb\n"
SHAPES = "--in-shapes=0:1x8x{0}x64+1:1x8x{1}x64+2:1x8x{1}x64"


def line(graph, figures, knobs="--mode=P", queries=1024, keys=1024):
    return (f"perf,MatMul,{figures},{knobs} --graph {SHAPES.format(queries, keys)} "
            f"--case=attention/{graph}.json\n")


class PerfCsv(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.folder.name, "file")

    def tearDown(self):
        self.folder.cleanup()

    def write(self, *lines):
        with open(self.path, "w") as file:
            file.write("".join(lines))
        return self.path

    def table(self, *lines):
        return attention_table.table(*attention_table.read_cases([self.write(*lines)]))

    def test_only_the_text_between_the_markers_changes(self):
        self.write("before\n<!-- begin -->\nold\n<!-- end -->\nafter\n")
        perf_csv.replace_between(self.path, "<!-- begin -->", "<!-- end -->", "new")
        with open(self.path) as changed:
            self.assertEqual(changed.read(), "before\n<!-- begin -->\nnew\n<!-- end -->\nafter\n")

    def test_a_file_without_the_markers_is_refused(self):
        self.write("before\n<!-- end -->\n")
        with self.assertRaisesRegex(SystemExit, "no <!-- begin --> with <!-- end --> behind it"):
            perf_csv.replace_between(self.path, "<!-- begin -->", "<!-- end -->", "new")

    def test_a_line_without_a_header_is_refused(self):
        with self.assertRaisesRegex(SystemExit, "no header with min_time; use --batch=perf_template"):
            list(perf_csv.perf_rows([self.write("perf,Eye,1,2\n")], ["min_time"], "perf_template"))

    def test_a_second_header_has_its_own_columns(self):
        rows = list(perf_csv.perf_rows(
            [self.write("perf,min_time,a\nperf,1,2\nother\nperf,b,min_time\nperf,3,4\nperf,3,0\n")],
            ["min_time"], "perf_template"))
        self.assertEqual([row.get("a") for row in rows], ["2", None])
        self.assertEqual([row["min_time"] for row in rows], ["1", "4"])

    def test_masks_stand_beside_none_and_onednn(self):
        text = self.table(HEADER,
                          line("implicit-causal", "1,5,10,0.55,200", "--compare=graph:attention/no-mask.json"),
                          line("explicit-mask", "1,12,10,1.25,200", "--compare=graph:attention/no-mask.json"),
                          line("no-mask", "1,9,12,0.8,200", "--compare=onednn"))
        self.assertIn("| 1 | f32 | 64 | 1024 | 8 | 10.00 | 0.80 | 5.00 | 0.55 | 1.25 |", text)

    def test_what_was_not_measured_is_a_dash(self):
        text = self.table(HEADER, line("implicit-causal", "2,5,10,0.55,N/A"))
        self.assertIn("| 2 | f32 | 64 | 1024 | 8 | 10.00 | - | 5.00 | 0.55 | - |", text)

    def test_the_fastest_of_several_counts(self):
        text = self.table(HEADER, line("implicit-causal", "1,6,10,0.6,1"),
                          line("implicit-causal", "1,5,10,0.5,1"))
        self.assertIn("| 5.00 | 0.50 |", text)

    def test_one_query_and_memory(self):
        text = self.table(READING, line("bottom-right", "1,2,33.5,75,1.5", queries=1), HEADER,
                          line("implicit-causal", "1,50,0,0,270.3", "--mode=S"))
        self.assertIn("| 1 | f32 | 1024 | 2.000 | 16.8 | 22.3 | 0.75 |", text)
        self.assertIn("| 1 | f32 | 1024 | 270 |", text)
        self.assertNotIn("no mask", text)


if __name__ == "__main__":
    unittest.main()
