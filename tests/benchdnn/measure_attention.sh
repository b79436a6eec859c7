#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Measures attention again and rewrites what doc/attention.md says of it: the CSV files and the
# picture in doc/measured, and the table between its markers.
#
#   measure_attention.sh BENCHDNN [ISA]     BENCHDNN: the driver; ISA: avx2 unless given
#
# Environment: THREADS ("1 2"), REPEATS of each case (3, the fastest counts), BATCH
# (attention/perf_all), PYTHON (python3; it needs matplotlib).
# Takes about a quarter of an hour and wants an idle machine. oneDNN's primitives are measured beside,
# run for run, where the driver was built with them.
set -euo pipefail
[ $# -ge 1 ] || { sed -n '3,10s/^# \{0,1\}//p' "$0"; exit 2; }
benchdnn=$(realpath "$1")
isa=${2:-avx2}
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
measured=$root/doc/measured
files=()
for threads in ${THREADS:-1 2}; do
  [ "$threads" -le "$(nproc)" ] || continue
  file=$measured/attention_${isa}_${threads}_thread$([ "$threads" = 1 ] || echo s).csv
  OMP_NUM_THREADS=$threads "$benchdnn" --mode=P --max-ms-per-prb=400 --isa="$isa" --graph \
    --repeats-per-prb="${REPEATS:-3}" --compare=onednn --batch="${BATCH:-attention/perf_all}" | grep '^perf,' >"$file"
  files+=("$file")
done
"${PYTHON:-python3}" "$root/tests/benchdnn/attention_table.py" "${files[@]}" \
  --plot "$measured/attention.svg" --into "$root/doc/attention.md"
