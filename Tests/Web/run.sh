#!/bin/sh
# The tests of the player: those in node, and those in Chromium if it can be had.
#
#   run.sh TOOL
set -eu

tool=$1
python=.build/python/bin/python3
command -v node > /dev/null || { echo "node is not installed; the player is not tested"; exit 0; }
node --test Tests/Web/packages.mjs Tests/Web/player.mjs

if ! $python -c 'import playwright' 2> /dev/null && ! $python -m pip install --quiet playwright 2> /dev/null; then
  echo "playwright cannot be installed; the player is not tested in a browser"
  exit 0
fi
if [ -z "${CHROMIUM:-}" ] && ! command -v chromium > /dev/null && ! $python -m playwright install chromium > /dev/null 2>&1; then
  echo "Chromium is not installed (package chromium); the player is not tested in a browser"
  exit 0
fi
$python Tests/Web/drawer.py
$python Tests/Web/element.py
[ -f .build/web/particles.wasm ] || { echo "there is no module (make web); pictures are not compared"; exit 0; }
corpus=../shared/corpus
$python Tests/Web/web.py --tool "$tool" --frames 3600
$python Tests/Web/pictures.py --tool "$tool" --module .build/web/particles.wasm $([ -d $corpus ] && echo --corpus $corpus)
