#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Measures attention again and rewrites what doc/attention.md says of it: the CSV files and the
# picture in doc/measured, and the tables between its markers.
#
#   measure_attention.sh BENCHDNN [ISA]     BENCHDNN: the driver; ISA: avx2 unless given
#
# Environment: THREADS ("1 2"), MASKS (the set attention/perf_all), MS for each case at least (2000),
# PYTHON (python3; it needs matplotlib). Takes about six minutes with one thread and less with more, and
# wants an idle machine. oneDNN's primitives are measured, too, where the driver was built with them.

# shellcheck source=tests/benchdnn/measure.sh
. "$(dirname "${BASH_SOURCE[0]}")/measure.sh"

attention() {
  local knobs=(--mode=P --max-ms-per-prb="${MS:-2000}" --graph)
  perf_lines "$1" "${knobs[@]}" --batch="${MASKS:-attention/perf_all}"
  perf_lines "$1" "${knobs[@]}" --batch=attention/perf_decode
  perf_lines "$1" --mode=S --graph --batch=attention/perf_memory
  if "$benchdnn" --mode=L --compare=onednn --graph --case=attention/no-mask.json >/dev/null; then
    perf_lines "$1" "${knobs[@]}" --batch=attention/perf_onednn
  fi
}

measure_threads attention attention
write_tables attention_table.py attention doc/attention.md
