/* Packs a folder into a package and lists it, or extracts a package.
     pack FOLDER PACKAGE
     pack PACKAGE         lists it, and checks every byte
     pack -x PACKAGE FOLDER */
#include <particles.h>
#include <stdio.h>
#include <string.h>

/* Ends with the message of a handle. */
static int failed(particles_package *package) {
  fprintf(stderr, "pack: %s\n", particles_error_text(package));
  particles_package_close(package);
  return 1;
}

static int show(void *context, const particles_finding *finding) {
  ++*(int *)context;
  fprintf(stderr, "pack: %s\n", finding->text);
  return 0;
}

static int progress(void *context, int64_t done, int64_t total) {
  (void)context;
  fprintf(stderr, "\r%d %%", (int)(100 * done / total));
  return 0; /* another number cancels */
}

static int list(particles_package *package) {
  particles_iterator *entries;
  particles_entry entry = {.size = sizeof entry};
  if (particles_package_list(package, "", 1, &entries)) return failed(package);
  while (particles_iterator_next(entries, &entry) == PARTICLES_ROW)
    printf("%10lld %s%s\n", (long long)entry.bytes, entry.path, entry.kind == PARTICLES_DIRECTORY ? "/" : "");
  particles_iterator_close(entries);
  return 0;
}

int main(int count, char **arguments) {
  particles_package *package;
  int faults = 0;
  if (count == 4 && !strcmp(arguments[1], "-x")) {
    if (particles_package_open(arguments[2], 0, &package) ||
        particles_package_extract(package, arguments[3], 0, 0, 0)) return failed(package);
  } else if (count == 3) {
    particles_save_options options = {.size = sizeof options, .flags = PARTICLES_OVERWRITE | PARTICLES_COPY,
                                      .progress = progress};
    if (particles_package_open(arguments[1], 0, &package) ||
        particles_package_save(package, arguments[2], &options)) return failed(package);
    fprintf(stderr, "\n");
  } else if (count == 2) {
    if (particles_package_open(arguments[1], 0, &package) || list(package) ||
        particles_package_verify(package, 1, show, &faults)) return failed(package);
  } else {
    fprintf(stderr, "usage: pack FOLDER PACKAGE | pack PACKAGE | pack -x PACKAGE FOLDER\n");
    return 64;
  }
  particles_package_close(package);
  return faults > 0;
}
