#!/bin/sh
# What `make try` runs: the main jobs of the tool, shown as they would be typed.
set -eu

tool=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
project=$(cd "$(dirname "$0")/.." && pwd)
corpus=$project/../shared/corpus/apple-particles
if [ -d "$corpus" ]; then
  apple=$(ls "$corpus"/*.particles | head -n 1)
  images=$(ls -d "$corpus"/textures/* | head -n 1)
else
  apple=$project/Fixtures/scenekit/ember.particles
  images=$project/Fixtures/scenekit
fi

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cp "$apple" apple.particles
cp "$images"/*.png .

show() {
  printf '\n$ %s\n' "$*"
  "$@"
}
particles() { "$tool" "$@"; }

show particles new fire.particles --template fire
show particles edit fire.particles 'emitters[Flames].emission.rate=120'
show particles info fire.particles
show particles validate fire.particles
show particles list --long fire.particles
show particles convert apple.particles -o imported.particles
show particles info imported.particles
show particles validate apple.particles imported.particles
show particles convert imported.particles -o imported --form directory
show particles digest imported.particles imported
show particles convert imported.particles -o imported.zip
show particles diff imported.zip imported
show particles render fire.particles -o fire.png --size 256
show particles render fire.particles -o fire.gif --size 128 --duration 1 --fps 20 --loop seamless
# Before there are JSON files that are no effects.
show particles catalog . -o effects.html --size 96 --duration 1
show particles sheet fire.particles -o sheet.png --size 64 --duration 1 --fps 8
show particles simulate fire.particles --frames 30 --seeds 4 -o fire.json

# A static tool works in a folder without /proc and without libraries.
if [ "$(uname -s)" = Linux ] && unshare -r true 2> /dev/null; then
  mkdir jail
  cp "$tool" jail/particles
  cp "$apple" jail/apple.particles
  show unshare -r chroot jail /particles convert apple.particles -o imported.zip
  test -s jail/imported.zip
fi
printf '\nThe tool is %s\n' "$tool"
