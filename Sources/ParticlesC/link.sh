#!/bin/sh
# Links libparticles: link.sh OBJECT-LIST VERSION-SCRIPT LIBRARY. The standard library of Swift and the C libraries are
# in it, so that a program needs the C library of the system alone; what nothing exported needs is left out. LIBRARY.archives
# gets the statistics of the linker, which name the archives from which it took something. All functions of the system are looked
# up when the library is loaded (-z now), after which nothing can write to the table of their addresses.
set -eu
objects=$1 map=$2 library=$3
work=$library.parts
rm -rf "$work"
mkdir -p "$work"
case $(uname -s) in
  Linux)
    machine=$(uname -m)
    # The first file of a name in the folders of the system and of the compiler; nothing if there is none.
    archive() {
      for folder in "/usr/lib/$machine-linux-gnu" /usr/lib64 /usr/lib /usr/local/lib "/usr/lib/gcc/$machine-linux-gnu"/*; do
        if [ -f "$folder/lib$1.a" ]; then
          echo "$folder/lib$1.a"
          return
        fi
      done
    }
    # Modules ask for their libraries by name; the archives are found first, and so become a part of the library.
    # An older libwebp has no library of its own for sharpyuv.
    for name in z deflate md png jpeg sqlite3 webpmux webp sharpyuv stdc++; do
      found=$(archive $name)
      [ -n "$found" ] || continue
      # Archives that are compiled for executables take the address of stderr, which a library cannot have.
      objcopy --redefine-sym stderr=cparticles_stderr "$found" "$work/lib$name.a"
    done
    set -- -L "$work"
    # What C asks for is named here.
    for name in sharpyuv deflate; do [ ! -f "$work/lib$name.a" ] || set -- "$@" "-l$name"; done
    # As in the tool: nothing in it throws exceptions of C++, so that the tables that these need are left out; debuggers follow frame
    # pointers. Valgrind needs the tables, for the library with names. Digests of modules, which nothing reads, depend on the folder
    # of the build, and so does that of the whole.
    tables='*(.eh_frame)'
    [ -z "${STRIP:-}" ] || tables=
    echo "SECTIONS { /DISCARD/ : { $tables *(.swift_modhash) } } INSERT AFTER .comment;" > "$work/script"
    # The C library of the system may be older than the one here.
    "${CC:-clang}" -O2 -fPIC -fno-builtin -c -o "$work/older-glibc.o" "$(dirname "$0")/older-glibc.c"
    "${SWIFTC:-swiftc}" -emit-library -static-stdlib -use-ld=lld -o "$work/whole" "@$objects" "$work/older-glibc.o" "$@" \
      -Xlinker -soname=libparticles.so.1 -Xlinker --version-script="$map" -Xlinker --gc-sections \
      -Xlinker -T -Xlinker "$work/script" -Xlinker --print-archive-stats="$library.archives" -Xlinker --build-id=none \
      -Xlinker --icf=safe -Xlinker --no-undefined -Xlinker -Bsymbolic -Xlinker --as-needed -Xlinker -z -Xlinker now -Xclang-linker -static-libgcc
    objcopy "${STRIP:---strip-all}" "$work/whole" "$library"
    ;;
  *)
    "${SWIFTC:-swiftc}" -emit-library -o "$library" "@$objects" -lz -ldeflate -lpng -ljpeg -lsqlite3 -lwebpmux -lwebp
    ;;
esac
rm -rf "$work"
