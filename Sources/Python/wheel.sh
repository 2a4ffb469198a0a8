#!/bin/sh
# Builds the wheel: wheel.sh LIBRARY FOLDER [TOOL].
set -eu
here=$(cd "$(dirname "$0")" && pwd)
python3 "$here/build_wheel.py" "$@"
