#!/bin/sh
# Builds the module for web pages as Embedded Swift for WebAssembly, with the toolchain alone:
#
#   build.sh SOURCES FOLDER [scalar]
#
# FOLDER gets particles.wasm. With "scalar" it uses no vector instructions, for interpreters without them. Exits
# with 3 if the toolchain has no Embedded Swift for WebAssembly.
set -eu

sources=$(cd "$1" && pwd)
folder=$2
vectors="-msimd128"
[ "${3:-}" = scalar ] && vectors=""

swift=$(dirname "$(readlink -f "$(command -v swiftc)")")
triple=wasm32-unknown-none-wasm
library=$swift/../lib/swift/embedded/$triple
if [ ! -d "$library" ] || [ ! -x "$swift/wasm-ld" ]; then
  echo "this toolchain has no Embedded Swift for WebAssembly: pages will show pictures" >&2
  exit 3
fi

rm -rf "$folder/sources"
mkdir -p "$folder/sources"
# The module has a digest in it that depends on the names of the inputs and outputs, so they have no folder of the build.
cd "$folder"
ln -sfn "$sources/CParticlesKernels" kernels
ln -sfn "$sources/ParticlesWeb/Freestanding" freestanding

# One module of all: the imports of each other are left out, line for line.
list=$(
  cd "$sources"
  while read -r line; do
    case $line in
      "#"* | "") ;;
      -*) for file in ${line#-}; do echo "- $file"; done ;;
      *) for file in $line; do [ -f "$file" ] && echo "+ $file"; done ;;
    esac
  done < ParticlesWeb/sources.txt |
    awk '$1 == "-" { out[$2] = 1 } $1 == "+" { all[++n] = $2 }
      END { for (i = 1; i <= n; i++) if (!(all[i] in out) && all[i] ~ /[.]swift$/ && !seen[all[i]]++) print all[i] }'
)
for file in $list; do
  copy=sources/$(echo "$file" | tr / -)
  sed 's/^ *\(public\|package\|internal\) import Particles[A-Za-z]*$//' "$sources/$file" > "$copy"
done

echo 'module CParticlesKernels { header "kernels/include/CParticlesKernels.h" export * }' > kernels.modulemap

"$swift/swiftc" -target $triple -enable-experimental-feature Embedded -wmo -Osize -parse-as-library \
  -swift-version 6 -Xfrontend -disable-stack-protector -module-name ParticlesWeb -package-name particles \
  -Xcc -Ikernels/include -Xcc -fmodule-map-file=kernels.modulemap ${vectors:+-Xcc $vectors} \
  -c sources/*.swift -o module.o

compile() {
  "$swift/clang" --target=$triple -O3 $vectors -mbulk-memory -ffreestanding -fno-builtin -nostdlib -Wall -Werror \
    -Ifreestanding -Ikernels/include -c "$1" -o "$2"
}
compile kernels/CParticlesKernels.c kernels.o
compile freestanding/memory.c memory.o
compile freestanding/numbers.c numbers.o
compile freestanding/text.c text.o

exports=$(sed -n 's/^@_cdecl("\(.*\)")$/--export=\1/p' "$sources/ParticlesWeb/Module/ModuleInterface.swift")
# shellcheck disable=SC2086
"$swift/wasm-ld" --no-entry $exports --gc-sections --strip-all -z stack-size=524288 --initial-memory=2097152 \
  --max-memory=1073741824 --compress-relocations module.o kernels.o memory.o numbers.o text.o \
  -o particles.wasm
# Pages carry these bytes: the packer that searches longest makes them 4 % fewer, where it is installed.
if command -v libdeflate-gzip > /dev/null; then
  libdeflate-gzip -12 -c particles.wasm > particles.wasm.gz
else
  gzip -9 -n -c particles.wasm > particles.wasm.gz
fi
rm -rf sources kernels freestanding
