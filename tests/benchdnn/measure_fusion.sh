#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Measures the fused patterns again and rewrites what doc/performance.md says of them: the CSV files
# and the picture in doc/measured, and the tables between its markers.
#
#   measure_fusion.sh BENCHDNN [ISA]     BENCHDNN: the driver; ISA: avx2 unless given
#
# Takes about a quarter of an hour for one and two threads; wants an idle machine and a python3 with
# matplotlib (PYTHON names another).
set -euo pipefail
[ $# -ge 1 ] || { sed -n '3,10s/^# \{0,1\}//p' "$0"; exit 2; }
benchdnn=$(realpath "$1")
isa=${2:-avx2}
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
measured=$root/doc/measured
files=()
for threads in 1 2; do
  [ "$threads" -le "$(nproc)" ] || continue
  file=$measured/fusion_${isa}_${threads}_thread$([ "$threads" = 1 ] || echo s).csv
  OMP_NUM_THREADS=$threads "$benchdnn" --mode=P --max-ms-per-prb=60 --repeats-per-prb=3 --isa="$isa" \
    --graph --batch=fusion/perf_all | grep '^perf,' >"$file"
  files+=("$file")
done
"${PYTHON:-python3}" "$root/tests/benchdnn/fusion_table.py" "${files[@]}" --plot "$measured/fusion.svg" \
  --into "$root/doc/performance.md"
