"""Writes a C program that calls every function of particles.h with wrong arguments, and prints the functions.

    python3 Tests/Library/calls.py HEADER names        the names, one a line
    python3 Tests/Library/calls.py HEADER map          the version script of the linker
    python3 Tests/Library/calls.py HEADER program      the C program
    python3 Tests/Library/calls.py HEADER manuals FOLDER  a manual page for each group, and one for each function that shows it
"""

import pathlib
import re
import sys

PROTOTYPE = re.compile(r"^((?:const )?\w+ \*?)\s*(particles_\w+)\(([^;]*?)\);", re.M | re.S)
COMMENTED = re.compile(r"/\* ((?:(?!\*/).)*?) \*/\n((?:const )?\w+ \*?\s*particles_\w+\([^;]*?\);)", re.S)
HANDLES = ("package", "iterator", "blob", "effect", "export", "simulation", "columns", "session", "document")
GROUP = re.compile(r"/\* ==== (particles_\w+): (.*?) ==== \*/")


def functions(header):
    """Result, name and parameter types."""
    found = []
    for result, name, parameters in PROTOTYPE.findall(header):
        parameters = " ".join(parameters.split())
        types = [] if parameters == "void" else [re.sub(r"\b\w+$", "", p.strip()).strip() for p in parameters.split(",")]
        found.append((result.strip(), name, types))
    return found


def version_script(header):
    names = "".join(f"    {name};\n" for _, name, _ in functions(header))
    return f"LIBPARTICLES_1 {{\n  global:\n{names}  local:\n    *;\n}};\n"


def argument(kind, handle, number):
    match = re.fullmatch(r"(?:const )?particles_(\w+) \*", kind)
    if match and match.group(1) in HANDLES:
        # Another kind of handle.
        handle = "open_package" if handle == "other" and match.group(1) == "blob" else handle
        return f"(particles_{match.group(1)} *)({handle.format(match.group(1))})"
    if kind == "const void *" and number == "handle":
        return f"({handle.format('package')})"
    if kind.endswith("*") or kind.endswith("_fn"):
        return "0"
    return "0" if number == "handle" else number


def program(header):
    """Every call has handles of one sort: none, closed, of another kind, made up, open."""
    calls = []
    for result, name, types in functions(header):
        if name in ("particles_free", "particles_open_handles", "particles_version", "particles_api_version"):
            continue
        for handle in ("0", "closed", "other", "made_up", "open_{}"):
            for number in ("0", "-1", "1 << 30"):
                arguments = ", ".join(argument(kind, handle, number) for kind in types)
                value = f"  last = \"{name} with {handle.strip('_{}')}, {number}\";\n"
                takes = types and re.match(r"(const )?particles_(%s) \*$" % "|".join(HANDLES), types[0])
                if result == "int":
                    wrong = 1 if takes and not handle.startswith("open") else 0
                    value += f"  check({name}({arguments}), {wrong});\n"
                elif result == "void":
                    # Closing an open handle would make the next calls wrong ones.
                    if handle.startswith("open"):
                        continue
                    value += f"  {name}({arguments});\n"
                else:
                    value += f"  (void){name}({arguments});\n"
                calls.append(value)
    return PROGRAM.replace("CALLS", "".join(calls))


PROGRAM = r"""/* Written by calls.py. */
#include "particles.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *last = "";
static int faults;

static void check(int status, int wrong) {
  if (status < 0 || status > 101 || (wrong && status != PARTICLES_MISUSE)) {
    printf("%s: %d\n", last, status);
    faults++;
  }
}

int main(void) {
  particles_package *open_package, *gone;
  particles_effect *open_effect;
  particles_iterator *open_iterator;
  particles_blob *open_blob;
  particles_export *open_export;
  particles_simulation *open_simulation;
  particles_columns *open_columns;
  particles_session *open_session;
  particles_document *open_document;
  char folder[] = "/tmp/calls-XXXXXX", file[64];
  if (!mkdtemp(folder)) return 2;
  snprintf(file, sizeof file, "%s/a.particles", folder);
  particles_document_options options = {.size = sizeof options, .data_folder = ""};
  if (particles_package_new(&open_package) || particles_package_put(open_package, "a", "b", 1, 0) ||
      particles_package_new(&gone)) return 2;
  if (particles_effect_template("fire", &open_effect) || particles_package_list(open_package, "", 1, &open_iterator) ||
      particles_blob_open(open_package, "a", &open_blob, 0) ||
      particles_effect_export(open_effect, "starling", "a.pex", 0, &open_export) ||
      particles_simulation_new(open_effect, 0, 0, &open_simulation) ||
      particles_simulation_columns(open_simulation, 0, &open_columns) ||
      particles_session_new(open_effect, &open_session) ||
      particles_effect_save(open_effect, file, 0) ||
      particles_document_open(file, &options, &open_document)) return 2;
  particles_package_close(gone);
  void *closed = gone, *other = open_blob, *made_up = (void *)(uintptr_t)0x5EC0DE5EC0DE5EC0u;
CALLS
  particles_document_close(open_document);
  particles_session_close(open_session);
  unlink(file);
  rmdir(folder);
  particles_columns_close(open_columns);
  particles_simulation_close(open_simulation);
  particles_export_close(open_export);
  particles_blob_close(open_blob);
  particles_iterator_close(open_iterator);
  particles_effect_close(open_effect);
  particles_package_close(open_package);
  particles_package_close(open_package);
  printf("%lld handles are open\n", (long long)particles_open_handles());
  return faults || particles_open_handles() > 0;
}
"""


def manual(header, name):
    """A page of section 3 with the functions of a group."""
    parts = GROUP.split(header)
    groups = {parts[i]: (parts[i + 1], parts[i + 2]) for i in range(1, len(parts), 3)}
    summary, text = groups[name]

    def roff(line):
        line = " ".join(line.split()).replace("\\", "\\\\").replace("-", "\\-")
        return ("\\&" if line[:1] in ".'" else "") + line

    page = [f'.TH {name.upper()} 3 "" "libparticles 1"', ".SH NAME"]
    names = [n for _, n, _ in functions(text)]
    page += [f"{', '.join([name, *names])} \\- {roff(summary)}", ".SH SYNOPSIS", ".nf", "#include <particles.h>", ".PP"]
    page += [roff(declaration) for _, declaration in COMMENTED.findall(text)]
    page += [".fi", ".SH DESCRIPTION"]
    for comment, declaration in COMMENTED.findall(text):
        function = re.search(r"particles_\w+", declaration).group(0)
        page += [".TP", f".B {function}", roff(comment)]
    begin = header[header.index("/* ") + 3 : header.index("*/")]
    page.append(".SH RULES OF ALL FUNCTIONS")
    for paragraph in begin.split("\n\n"):
        page += [".PP", roff(paragraph)]
    page += [".SH SEE ALSO", ", ".join(f".BR {group} (3)"[4:] for group in groups if group != name)]
    assert len(COMMENTED.findall(text)) == len(names), name
    return "\n".join(page) + "\n"


def manuals(header, folder):
    """Writes the pages of all groups and functions."""
    for group, _ in GROUP.findall(header):
        page = manual(header, group)
        (folder / f"{group}.3").write_text(page)
        for name in re.findall(r"^\.B (particles_\w+)$", page, re.M):
            (folder / f"{name}.3").write_text(f".so man3/{group}.3\n")


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        text = file.read()
    if sys.argv[2] == "names":
        print("\n".join(sorted(name for _, name, _ in functions(text))))
    elif sys.argv[2] == "map":
        print(version_script(text), end="")
    elif sys.argv[2] == "manuals":
        manuals(text, pathlib.Path(sys.argv[3]))
    else:
        print(program(text), end="")
