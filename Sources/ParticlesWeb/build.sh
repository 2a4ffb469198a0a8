#!/bin/sh
# Builds the module for web pages as Embedded Swift for WebAssembly, with the toolchain alone:
#
#   build.sh SOURCES FOLDER [scalar|whole|toolkit]
#
# FOLDER gets particles.wasm. With "scalar" it uses no vector instructions, for interpreters without them. With "whole",
# the modules that are pure are compiled in full, each as a module of its own, to see that they can be. With "toolkit",
# FOLDER gets particles-toolkit.wasm of all pure modules, with the functions of particles.h that need no system. Exits with
# 3 if the toolchain has no Embedded Swift for WebAssembly.
set -eu

sources=$(cd "$1" && pwd)
folder=$2
vectors="-msimd128"
optimisation=-Osize
case ${3:-} in
  scalar) vectors="" ;;
  whole) optimisation=-Onone ;;
esac

swift=$(dirname "$(readlink -f "$(command -v swiftc)")")
triple=wasm32-unknown-none-wasm
library=$swift/../lib/swift/embedded/$triple
if [ ! -d "$library" ] || [ ! -x "$swift/wasm-ld" ]; then
  echo "this toolchain has no Embedded Swift for WebAssembly: pages will show pictures" >&2
  exit 3
fi

rm -rf "$folder/sources" "$folder/modules"
mkdir -p "$folder/sources" "$folder/modules"
# The module has a digest in it that depends on the names of the inputs and outputs, so they have no folder of the build.
cd "$folder"
ln -sfn "$sources" all
ln -sfn "$sources/ParticlesWeb/Freestanding" freestanding

# The C of our own that Swift imports.
c="CParticlesKernels CParticlesCompression CParticlesUnicode CParticlesDigest"
for module in $c; do
  echo "module $module { header \"all/$module/include/$module.h\" export * }"
done > c.modulemap
interface=all/CParticlesInterface/include
echo "module CParticlesInterface { header \"$interface/particles.h\" header \"$interface/handles.h\" export * }" >> c.modulemap

# compile NAME SOURCE...: a module of Swift, which later modules can import. With $bare, it has no object.
compile() {
  name=$1
  shift
  "$swift/swiftc" -target $triple -enable-experimental-feature Embedded -wmo $optimisation -parse-as-library \
    -swift-version 6 -enable-upcoming-feature InternalImportsByDefault -enable-upcoming-feature MemberImportVisibility \
    -Xfrontend -disable-stack-protector -module-name "$name" -package-name particles \
    -I modules -Xcc -fmodule-map-file=c.modulemap -Xcc -Ifreestanding ${vectors:+-Xcc $vectors} \
    -emit-module -emit-module-path "modules/$name.swiftmodule" ${bare:--c -o "$name.o"} "$@"
}

# swift_files MODULE: its files. The folder System of the interface for C needs files and threads.
swift_files() { find "all/$1/" -name '*.swift' ! -path '*/System/*' | LC_ALL=C sort | xargs -r echo; }

# Pure modules, whole, each as a module of its own. The player is linked with the first ones. Of the others it needs a part,
# and their tables would keep the rest in it.
pure="ParticlesCore"
whole=$pure
case ${3:-} in
  whole | toolkit) whole="$pure ParticlesModel ParticlesSimulation ParticlesPropertyLists ParticlesTypes ParticlesContainer ParticlesImages ParticlesArchives ParticlesRender ParticlesFormats ParticlesEffects" ;;
esac
checks= bare=
# Values without a description of their own cannot be printed in pages.
[ "${3:-}" = whole ] && checks="-Werror DeprecatedDeclaration freestanding/printing.swift"
# The object of the last module has all that it uses of the others.
[ "${3:-}" = toolkit ] && bare=-emit-module
# shellcheck disable=SC2046,SC2086
for module in $whole; do compile "$module" $checks $(swift_files "$module"); done
bare=
# shellcheck disable=SC2046,SC2086
if [ "$whole" != "$pure" ]; then compile ParticlesC $checks $(swift_files ParticlesC); fi
if [ "${3:-}" = whole ]; then
  echo "compiled for pages, whole: $whole ParticlesC"
  exit
fi

# link NAME OPTIONS FILE...: objects, and the C.
link() {
  name=$1
  options=$2
  shift 2
  for file in $(cd "$sources" && echo $(printf '%s/*.c ' $c ParticlesWeb/Freestanding)); do
    # The toolkit has the tables of Unicode.
    [ "$file" = ParticlesWeb/Freestanding/text.c ] && [ "$name" = particles-toolkit ] && continue
    object=$(echo "$file" | tr / -).o
    "$swift/clang" --target=$triple -O3 $vectors -mbulk-memory -ffreestanding -fno-builtin -nostdlib -Wall -Werror \
      -Ifreestanding -I"all/$(dirname "$file")/include" -c "all/$file" -o "$object"
    set -- "$@" "$object"
  done
  # shellcheck disable=SC2046,SC2086
  "$swift/wasm-ld" --no-entry $options --gc-sections --strip-all --max-memory=1073741824 --compress-relocations \
    "$@" -o "$name.wasm"
  # Pages carry these bytes: the packer that searches longest makes them 4 % fewer, where it is installed.
  if command -v libdeflate-gzip > /dev/null; then
    libdeflate-gzip -12 -c "$name.wasm" > "$name.wasm.gz"
  else
    gzip -9 -n -c "$name.wasm" > "$name.wasm.gz"
  fi
  rm -rf sources modules all freestanding
}

# exports FILE...: the functions of C in Swift files.
exports() { sed -n 's/^@_cdecl("\(.*\)")$/--export=\1/p' "$@"; }

if [ "${3:-}" = toolkit ]; then
  c="$c CParticlesInterface"
  # A stack that overflows meets the end of memory.
  # shellcheck disable=SC2046
  link particles-toolkit "-z stack-size=4194304 --stack-first --export-table --growable-table --export=malloc \
    $(exports $(swift_files ParticlesC))" ParticlesC.o "$library/libswiftUnicodeDataTables.a"
  exit
fi

# The rest, in one module: the imports of each other are left out, line for line.
left=$(echo $pure | sed 's/ /\\|/g')
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
  sed "/ import \\($left\\)$/b
    s/^ *\\(public\\|package\\|internal\\) import Particles[A-Za-z]*$//" "$sources/$file" > "$copy"
done
compile ParticlesWeb sources/*.swift

link particles "-z stack-size=524288 --initial-memory=2097152 $(exports "$sources/ParticlesWeb/Module/ModuleInterface.swift")" \
  ParticlesWeb.o ParticlesCore.o
