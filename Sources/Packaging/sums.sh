#!/bin/sh
# Writes SHA256SUMS of all files in a folder, the files of folders included, and signs it:
#
#   sums.sh FOLDER
#
# MINISIGN_KEY names a key of minisign, SIGNIFY_KEY a key of signify. Without keys, the list is not signed. Users with
# the public key check with
#
#   minisign -Vm SHA256SUMS -p particles.pub && sha256sum --check --quiet SHA256SUMS
#   signify-openbsd -V -p particles.pub -m SHA256SUMS -x SHA256SUMS.sig
set -eu
cd "$1"
rm -f SHA256SUMS SHA256SUMS.minisig SHA256SUMS.sig
find . -type f ! -name '.sums' | sed 's|^\./||' | LC_ALL=C sort | tr '\n' '\0' | xargs -0 sha256sum > .sums
mv .sums SHA256SUMS
if [ -n "${MINISIGN_KEY:-}" ]; then
  minisign -S -s "$MINISIGN_KEY" -m SHA256SUMS -t "$(basename "$PWD")" > /dev/null
elif [ -n "${SIGNIFY_KEY:-}" ]; then
  signify-openbsd -S -s "$SIGNIFY_KEY" -m SHA256SUMS
else
  echo "SHA256SUMS is not signed: set MINISIGN_KEY or SIGNIFY_KEY" >&2
fi
echo "$PWD/SHA256SUMS"
