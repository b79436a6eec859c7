#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Measures the fused patterns again and rewrites what doc/performance.md says of them: the CSV files
# and the picture in doc/measured, and the tables between its markers.
#
#   measure_fusion.sh BENCHDNN [ISA]     BENCHDNN: the driver; ISA: avx2 unless given
#
# Environment: THREADS ("1 2"), BATCH (fusion/perf_all), REPEATS of each case (3, the one nearest to its
# limit counts), PYTHON (python3; it needs matplotlib). Takes about a quarter of an hour and wants an idle machine.

# shellcheck source=tests/benchdnn/measure.sh
. "$(dirname "${BASH_SOURCE[0]}")/measure.sh"

fusion() {
  perf_lines "$1" --mode=P --max-ms-per-prb=60 --repeats-per-prb="${REPEATS:-3}" --graph \
    --batch="${BATCH:-fusion/perf_all}"
}

measure_threads fusion fusion
write_tables fusion_table.py fusion doc/performance.md
