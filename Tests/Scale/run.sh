#!/bin/sh
# Tests of particlekit.ray: run.sh LIBRARY TOOL [COUNT]. Packages of PyPI are installed into .build/python-scale. Without
# them, only tests that need none run. Then COUNT generated documents, 2,000 by default, go through a cluster of two
# nodes, with one worker killed, and the report has to add up, also when pyarrow alone reads it.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
PARTICLES_LIBRARY=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
PARTICLES_TOOL=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
PYTHONPATH=$root/Sources/Python
RAY_USAGE_STATS_ENABLED=0
RAY_raylet_start_wait_time_s=120
export PARTICLES_LIBRARY PARTICLES_TOOL PYTHONPATH RAY_USAGE_STATS_ENABLED RAY_raylet_start_wait_time_s
count=${3:-2000}
python=$root/.build/python-scale/bin/python
if [ ! -x "$python" ]; then python3 -m venv "$root/.build/python-scale"; fi
packages="$python -B $root/Tests/packages.py"
$packages numpy pytest || { echo "skipped: numpy and pytest cannot be installed"; exit 0; }
$packages ray pyarrow pandas fsspec s3fs moto scikit-learn || echo "Ray cannot be installed; its tests are skipped"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
"$python" -m pytest -q -p no:cacheprovider -rs "$root/Sources/Python/tests" -k "not test_particlekit" --rootdir "$root/Sources/Python/tests"
"$python" -m pytest -q -p no:cacheprovider --doctest-modules --pyargs particlekit.ray \
  -o doctest_optionflags="ELLIPSIS IGNORE_EXCEPTION_DETAIL"
if ! "$python" -c 'import ray.data' 2> /dev/null; then exit 0; fi
"$python" "$here/generate.py" "${PARTICLES_SEEDS:-$root/Fixtures/effects}" "$work/corpus" --count "$count" --per-file 500
"$python" "$here/million.py" "$work/corpus" "$work/out" --block 100 --kill
"$python" "$here/account.py" "$work/corpus" "$work/out"
