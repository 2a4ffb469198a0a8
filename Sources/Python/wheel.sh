#!/bin/sh
# Builds the wheel: wheel.sh LIBRARY FOLDER.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
python3 "$here/build_wheel.py" "$1" "$2"
