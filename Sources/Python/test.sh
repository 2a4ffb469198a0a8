#!/bin/sh
# Installs the wheel of a folder into a new virtual environment and tests it there: test.sh FOLDER.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
wheels=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
packages="$work/venv/bin/python -B $here/../../Tests/packages.py"
# Nothing but Python is needed for packages, conversions and files of pictures.
"$work/venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-index "$wheels"/particlekit-*.whl
cd "$work"
unset PARTICLES_LIBRARY PYTHONPATH || true
"$work/venv/bin/python" -c '
import particlekit
effect = particlekit.Effect.template("fire")
assert effect.png(32)[:4] == b"\x89PNG" and effect.convert("starling").files
print("particlekit", particlekit.__version__, "works without other packages")'
"$work/venv/bin/python" -BP "$here/beside.py" "$wheels"
if ! $packages numpy pytest mypy; then
  echo "numpy, pytest and mypy cannot be installed; the tests are skipped"
  python3 "$here/root.py" "$wheels"
  exit
fi
$packages nbclient nbconvert ipykernel || echo "skipped: no nbclient, nbconvert and ipykernel for the notebook"
# Documents have versions and a recovery journal apart from the user's.
export XDG_DATA_HOME="$work/data"
"$work/venv/bin/python" -m pytest -q -p no:cacheprovider "$here/tests" --rootdir "$here/tests"
"$work/venv/bin/python" -m pytest -q -p no:cacheprovider --doctest-modules --pyargs particlekit \
  -o doctest_optionflags="ELLIPSIS IGNORE_EXCEPTION_DETAIL"
"$work/venv/bin/python" -m mypy --strict --python-version 3.11 -p particlekit --cache-dir "$work/mypy"
"$work/venv/bin/python" "$here/root.py" "$wheels" "$("$work/venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')"
if $packages auditwheel && "$work/venv/bin/python" -m auditwheel show "$wheels"/particlekit-*.whl > audit 2>&1; then
  grep -o 'manylinux_[0-9_]*' audit | sort -u | head -3
else
  echo "skipped: no auditwheel"
fi
