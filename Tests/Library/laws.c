/* Laws of libparticles that a program can rely on: results, errors, callbacks, threads, many handles, hostile bytes.
   Ends with 0 if all hold. The first argument is a folder for files, the rest are hostile files. */
#include "particles.h"
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/resource.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

static int faults;
/* Of the search for leaks: the smallest block of malloc has 32 bytes with its head, and a row has less than one a round. Threads
   of asynchronous work keep up to 400 bytes a row now and then, so a round of the documents may keep one block. */
enum { OPENINGS = 1000, ROUNDS = 8, ROWS = 160, LAST_ROWS = 5, FLAT = 24 * ROUNDS, NEARLY_FLAT = 56 * ROUNDS };
#define LAW(condition) \
  do { if (!(condition)) { printf("%s:%d: %s\n", __FILE__, __LINE__, #condition); faults++; } } while (0)
#define IS(call, status) \
  do { int is = (call); if (is != (status)) { printf("%s:%d: %s gives %d\n", __FILE__, __LINE__, #call, is); faults++; } } while (0)

static const char *folder;
static char path_memory[4096];
static const char *path(const char *name) {
  snprintf(path_memory, sizeof path_memory, "%s/%s", folder, name);
  return path_memory;
}

typedef struct { const char *bytes; size_t size; int fails, reads; volatile int drops; } source;
static int read_source(void *context, int64_t offset, void *buffer, size_t count) {
  source *from = context;
  from->reads++;
  if (from->fails) return 7;
  memcpy(buffer, from->bytes + offset, count);
  return 0;
}
static void drop_source(void *context) { ((source *)context)->drops++; }

typedef struct { char *bytes; size_t count; int fails; } sink;
static int write_sink(void *context, const void *bytes, size_t count) {
  sink *to = context;
  if (to->fails) return 3;
  to->bytes = realloc(to->bytes, to->count + count);
  memcpy(to->bytes + to->count, bytes, count);
  to->count += count;
  return 0;
}
static int count_findings(void *context, const particles_finding *finding) {
  LAW(finding->code && finding->message && finding->text && finding->json);
  ++*(int *)context;
  return 0;
}
static int stop_at_once(void *context, const particles_finding *finding) { (void)context; (void)finding; return 1; }
static int cancel_at_once(void *context, int64_t done, int64_t total) { (void)context; LAW(done <= total); return 1; }
static particles_save_options overwriting = {.size = sizeof overwriting, .flags = PARTICLES_OVERWRITE};
static particles_save_options cancelled = {
  .size = sizeof cancelled, .mode = PARTICLES_REPLACE, .progress = cancel_at_once};
static int fail_frame(void *c, int64_t i, int64_t n, const uint8_t *p, double s) {
  (void)c; (void)i; (void)n; (void)p; (void)s;
  return 9;
}

static void packages(void) {
  particles_package *package, *copy;
  IS(particles_package_new(&package), PARTICLES_OK);
  IS(particles_package_put(package, "a/b.txt", "hello", 5, PARTICLES_EXECUTABLE), PARTICLES_OK);
  IS(particles_package_put(package, "a/../c", "", 0, 0), PARTICLES_NAME);
  LAW(strstr(particles_error_text(package), "[tree/name]"));
  IS(particles_package_put(package, "empty", 0, 0, 0), PARTICLES_OK);
  LAW(!*particles_error_text(package));
  IS(particles_package_copy(package, &copy), PARTICLES_OK);
  IS(particles_package_rename(package, "a", "d/e"), PARTICLES_OK);
  IS(particles_package_rename(package, "none", "f"), PARTICLES_NOTFOUND);
  IS(particles_package_rename(package, "empty", "d"), PARTICLES_EXISTS);
  IS(particles_package_rename(package, "d", "d/e/f"), PARTICLES_NAME);
  LAW(strstr(particles_error_text(package), "'d/e/f'"));
  IS(particles_package_rename(package, "empty", "empty/a"), PARTICLES_NAME);
  particles_entry entry = {sizeof entry, 0, 0, 0, 0, 0};
  IS(particles_package_stat(package, "d/e/b.txt", &entry), PARTICLES_OK);
  LAW(entry.bytes == 5 && entry.executable && entry.kind == PARTICLES_FILE);
  IS(particles_package_stat(copy, "a/b.txt", &entry), PARTICLES_OK);
  entry.size = 8;
  IS(particles_package_stat(copy, "a/b.txt", &entry), PARTICLES_MISUSE);
  source from = {"0123456789", 10, 0, 0, 0};
  IS(particles_package_put_source(package, "digits", 10, read_source, drop_source, &from, 0), PARTICLES_OK);
  IS(particles_package_save(package, 0, 0), PARTICLES_NOTFOUND);
  particles_save_options saving = {.size = sizeof saving};
  IS(particles_package_save(package, path("laws.particles"), &overwriting), PARTICLES_OK);
  IS(particles_package_save(package, path("laws.particles"), &saving), PARTICLES_EXISTS);
  LAW(from.reads > 0);
  uint8_t digest[32], other[32];
  IS(particles_package_digest(package, digest), PARTICLES_OK);
  particles_package_close(package);
  /* What a save has replaced is released on another thread. */
  for (int i = 0; i < 1000 && !from.drops; i++) nanosleep(&(struct timespec){0, 1000000}, 0);
  LAW(from.drops == 1);
  IS(particles_package_open(path("laws.particles"), 0, &package), PARTICLES_OK);
  IS(particles_package_digest(package, other), PARTICLES_OK);
  LAW(!memcmp(digest, other, 32));
  int found = 0;
  IS(particles_package_verify(package, 1, count_findings, &found), PARTICLES_OK);
  LAW(!found);
  particles_blob *blob;
  int64_t size = 0;
  IS(particles_blob_open(package, "digits", &blob, &size), PARTICLES_OK);
  LAW(size == 10);
  char some[4] = "";
  IS(particles_blob_read(blob, 7, some, 3), PARTICLES_OK);
  LAW(!strcmp(some, "789"));
  IS(particles_blob_read(blob, 8, some, 3), PARTICLES_MISUSE);
  IS(particles_blob_read(blob, -1, some, 1), PARTICLES_MISUSE);
  particles_package_close(package);
  IS(particles_blob_read(blob, 0, some, 3), PARTICLES_OK);
  particles_blob_close(blob);
  particles_blob_close(blob);
  IS(particles_blob_read(blob, 0, some, 3), PARTICLES_MISUSE);

  /* Failing and cancelling callbacks. The old file stays. */
  IS(particles_package_open(path("laws.particles"), 0, &package), PARTICLES_OK);
  source broken = {"", 10, 1, 0, 0};
  IS(particles_package_put_source(package, "broken", 1 << 20, read_source, drop_source, &broken, 0), PARTICLES_OK);
  IS(particles_package_save(package, 0, &saving), PARTICLES_CALLBACK);
  IS(particles_package_remove(package, "broken"), PARTICLES_OK);
  LAW(broken.drops == 1);
  char *large = calloc(1, 8 << 20);
  IS(particles_package_put(package, "large", large, 8 << 20, 0), PARTICLES_OK);
  IS(particles_package_save(package, 0, &cancelled), PARTICLES_CANCELLED);
  sink to = {0, 0, 1};
  IS(particles_package_encode(package, 0, write_sink, &to), PARTICLES_CALLBACK);
  IS(particles_package_encode(package, 9, write_sink, &to), PARTICLES_MISUSE);
  to.fails = 0;
  IS(particles_package_encode(package, 0, write_sink, &to), PARTICLES_OK);
  particles_package_close(package);
  free(large);

  IS(particles_package_open_memory(to.bytes, to.count, 0, &package), PARTICLES_OK);
  particles_package_state state = {.size = sizeof state};
  IS(particles_package_describe(package, &state), PARTICLES_OK);
  LAW(state.entries == 6 && !state.path && state.form == PARTICLES_FLAT);
  particles_package_close(package);
  source bytes = {to.bytes, to.count, 0, 0, 0};
  IS(particles_package_open_source((int64_t)to.count, read_source, drop_source, &bytes, 0, &package), PARTICLES_OK);
  particles_package_close(package);
  LAW(bytes.drops == 1);
  particles_limits limits;
  IS(particles_limits_init(&limits, sizeof limits, 1), PARTICLES_OK);
  limits.entries = 2;
  IS(particles_package_open_memory(to.bytes, to.count, &limits, &package), PARTICLES_LIMIT);
  IS(particles_package_describe(package, &state), PARTICLES_LIMIT);
  particles_finding finding = {.size = sizeof finding};
  IS(particles_error(package, &finding), PARTICLES_OK);
  LAW(finding.code && !strcmp(finding.code, "limit/exceeded"));
  particles_package_close(package);
  particles_package_close(copy);

  /* Damage is found where it is. */
  to.bytes[to.count / 2] ^= 1;
  int status = particles_package_open_memory(to.bytes, to.count, 0, &package);
  found = 0;
  if (status == PARTICLES_OK) IS(particles_package_verify(package, 1, count_findings, &found), PARTICLES_OK);
  LAW(status != PARTICLES_OK || found > 0);
  particles_package_close(package);
  free(to.bytes);
}

/* The size of a document is the size of its text in memory, also if the stored bytes have zeros. */
static void damaged_document(void) {
  particles_package *package;
  particles_effect *effect;
  char *json = NULL;
  size_t count = 0;
  IS(particles_package_new(&package), PARTICLES_OK);
  IS(particles_package_put(package, "document.json", "{}\0 123456789", 13, 0), PARTICLES_OK);
  IS(particles_effect_from_package(package, NULL, &effect), PARTICLES_OK);
  IS(particles_effect_document(effect, &json, &count), PARTICLES_OK);
  LAW(json && count == strlen(json));
  particles_free(json);
  particles_effect_close(effect);
  particles_package_close(package);
}

static void effects(void) {
  particles_effect *effect;
  IS(particles_effect_template("no such", &effect), PARTICLES_NOTFOUND);
  LAW(strstr(particles_error_text(effect), "fire"));
  particles_effect_close(effect);
  IS(particles_effect_template("fire", &effect), PARTICLES_OK);
  char *json;
  IS(particles_effect_get(effect, "emitters[0].emission.rate", &json), PARTICLES_OK);
  particles_free(json);
  IS(particles_effect_set(effect, "emitters[0].emission.rate", "-5"), PARTICLES_VALUE);
  IS(particles_effect_allow_out_of_range(effect, 1), PARTICLES_OK);
  IS(particles_effect_set(effect, "emitters[0].emission.rate", "-5"), PARTICLES_OK);
  IS(particles_effect_apply(effect, "emitters[0].emission.rate*=2"), PARTICLES_OK);
  IS(particles_effect_set(effect, "emitters[0].launch.spread", "200"), PARTICLES_OK);
  IS(particles_effect_set(effect, "emitters[0].sprites[0]", "99"), PARTICLES_VALUE);
  IS(particles_effect_allow_out_of_range(effect, 0), PARTICLES_OK);
  IS(particles_effect_set(effect, "emitters[0].emission.rate", "-6"), PARTICLES_VALUE);
  IS(particles_effect_set(effect, "asset.name", "Other"), PARTICLES_OK);
  IS(particles_effect_set(effect, "emitters[0].launch.spread", 0), PARTICLES_OK);
  IS(particles_effect_set(effect, "emitters[0].emission.rate", "\"fast\""), PARTICLES_VALUE);
  IS(particles_effect_set(effect, "emitters[0].emission.speed", "5"), PARTICLES_NOTFOUND);
  IS(particles_effect_set(effect, "emitters[0].emission.rate", "5"), PARTICLES_OK);
  IS(particles_effect_apply(effect, "emitters[0].emission.rate*=3"), PARTICLES_OK);
  IS(particles_effect_get(effect, "emitters[0].emission.rate", &json), PARTICLES_OK);
  LAW(!strcmp(json, "15"));
  particles_free(json);
  IS(particles_effect_set_document(effect, "{", 1), PARTICLES_DAMAGED);
  damaged_document();
  int found = 0;
  IS(particles_effect_validate(effect, count_findings, &found), PARTICLES_OK);
  LAW(found == 0);
  particles_export *result;
  IS(particles_effect_export(effect, "nothing", "a.b", 0, &result), PARTICLES_FORMAT);
  particles_export_close(result);
  IS(particles_effect_export(effect, "starling", "../a.pex", 0, &result), PARTICLES_MISUSE);
  particles_export_close(result);
  IS(particles_effect_export(effect, "starling", "a.pex", 0, &result), PARTICLES_OK);
  IS(particles_export_losses(result, count_findings, &found), PARTICLES_OK);
  LAW(found > 0);
  IS(particles_export_losses(result, stop_at_once, 0), PARTICLES_CALLBACK);
  const char *name;
  const void *bytes;
  size_t count;
  IS(particles_export_file(result, 0, &name, &bytes, &count), PARTICLES_OK);
  LAW(!strcmp(name, "a.pex") && count > 100);
  particles_effect *back;
  IS(particles_effect_open_memory(bytes, count, name, 0, &back), PARTICLES_OK);
  LAW(!strcmp(particles_effect_kind(back), "starling"));
  particles_effect_close(back);
  IS(particles_export_file(result, 1000, &name, &bytes, &count), PARTICLES_DONE);
  IS(particles_export_file(result, -1, &name, &bytes, &count), PARTICLES_MISUSE);
  particles_export_close(result);

  uint8_t pixels[32 * 32 * 4];
  IS(particles_effect_thumbnail(effect, 32, pixels, 128), PARTICLES_OK);
  IS(particles_effect_thumbnail(effect, 32, pixels, 127), PARTICLES_MISUSE);
  IS(particles_effect_thumbnail(effect, 32, pixels, SIZE_MAX / 2), PARTICLES_MISUSE);
  IS(particles_effect_thumbnail(effect, 0, pixels, 128), PARTICLES_VALUE);
  IS(particles_effect_thumbnail(effect, 5000, pixels, 20000), PARTICLES_VALUE);
  particles_plan plan;
  IS(particles_plan_init(&plan, sizeof plan), PARTICLES_OK);
  plan.width = plan.height = 32;
  plan.duration = 0.5;
  IS(particles_effect_draw(effect, &plan, pixels, 128), PARTICLES_OK);
  IS(particles_effect_animate(effect, &plan, fail_frame, 0), PARTICLES_CALLBACK);
  sink to = {0, 0, 0};
  IS(particles_effect_render(effect, &plan, "gif", write_sink, cancel_at_once, &to, 0), PARTICLES_CANCELLED);
  free(to.bytes);
  plan.width = plan.height = 1 << 20;
  IS(particles_effect_draw(effect, &plan, pixels, (size_t)1 << 22), PARTICLES_LIMIT);
  plan.width = -1;
  IS(particles_effect_draw(effect, &plan, pixels, 128), PARTICLES_MISUSE);

  particles_simulation *simulation;
  uint64_t seed = 3;
  IS(particles_simulation_new(effect, &seed, "no engine", &simulation), PARTICLES_NOTFOUND);
  particles_simulation_close(simulation);
  IS(particles_simulation_new(effect, &seed, 0, &simulation), PARTICLES_OK);
  particles_effect_close(effect);
  particles_columns *columns;
  const float *x;
  IS(particles_simulation_advance(simulation, 1), PARTICLES_OK);
  IS(particles_simulation_columns(simulation, 0, &columns), PARTICLES_OK);
  int64_t alive = 0;
  IS(particles_columns_get(columns, "x", &x, &alive), PARTICLES_OK);
  particles_simulation_state state = {.size = sizeof state}, all = state;
  IS(particles_simulation_describe(simulation, 0, &state), PARTICLES_OK);
  IS(particles_simulation_describe(simulation, -1, &all), PARTICLES_OK);
  LAW(state.alive == alive && alive > 0 && x && state.time == 1 && all.emitters > 0 && all.alive >= alive);
  IS(particles_simulation_describe(simulation, -2, &state), PARTICLES_MISUSE);
  IS(particles_simulation_advance(simulation, 0.0 / 0.0), PARTICLES_MISUSE);
  IS(particles_simulation_advance(simulation, -1), PARTICLES_MISUSE);
  IS(particles_simulation_columns(simulation, 99, &(particles_columns *){0}), PARTICLES_MISUSE);
  /* The memory of columns stays when the simulation goes on and ends. */
  IS(particles_simulation_advance(simulation, 5), PARTICLES_OK);
  particles_simulation_close(simulation);
  float sum = 0;
  for (int64_t i = 0; i < alive; i++) sum += x[i];
  LAW(sum == sum);
  particles_columns_close(columns);
}

#include "documents.h"
#include "misuse.h"

static void *work(void *context) {
  for (int round = 0; round < 20; round++) {
    particles_effect *effect;
    particles_export *result = 0;
    if (particles_effect_template(round % 2 ? "snow" : "fire", &effect) ||
        particles_effect_export(effect, "pixi", "a.json", 0, &result)) *(int *)context = 1;
    particles_export_close(result);
    particles_effect_close(effect);
  }
  return 0;
}

static void threads_and_handles(void) {
  pthread_t threads[2];
  int failed[2] = {0, 0};
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, work, &failed[i]);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  LAW(!failed[0] && !failed[1]);
  enum { MANY = 10000 };
  static particles_package *many[MANY];
  int wrong = 0;
  for (int i = 0; i < MANY; i++) wrong |= particles_package_new(&many[i]) || particles_package_put(many[i], "a", "b", 1, 0);
  LAW(!wrong && particles_open_handles() == MANY);
  for (int i = 0; i < MANY; i++) particles_package_close(many[i]);
  for (int i = 0; i < MANY; i++) wrong |= particles_package_put(many[i], "a", "b", 1, 0) != PARTICLES_MISUSE;
  LAW(!wrong);
}

static void hostile(const char *file) {
  particles_limits limits;
  particles_limits_init(&limits, sizeof limits, 1);
  particles_open_options options = {.size = sizeof options, .limits = &limits};
  particles_effect *effect;
  particles_package *package;
  int found = 0;
  uint8_t pixels[16 * 16 * 4];
  int status = particles_effect_open(file, &options, &effect);
  particles_finding finding = {.size = sizeof finding};
  if (status != PARTICLES_OK) {
    LAW(particles_error(effect, &finding) == PARTICLES_OK && finding.code && finding.status == status);
  } else {
    particles_effect_validate(effect, count_findings, &found);
    particles_effect_thumbnail(effect, 16, pixels, 64);
  }
  particles_effect_close(effect);
  if (particles_package_open(file, &limits, &package) == PARTICLES_OK)
    particles_package_verify(package, 1, count_findings, &found);
  particles_package_close(package);
  hostile_document(file, &limits);
}

/* Memory that is in use, or 0 where malloc does not report it. */
static size_t used_memory(void) {
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
  return mallinfo2().uordblks;
#else
  return 0;
#endif
}

/* What a save has replaced may be released a moment later. */
static long growth_since(size_t before, long flat) {
  long growth = (long)used_memory() - (long)before;
  for (int i = 0; i < 50 && growth >= flat; i++) {
    nanosleep(&(struct timespec){0, 10000000}, 0);
    growth = (long)used_memory() - (long)before;
  }
  return growth;
}

static int compare(const void *a, const void *b) {
  long left = *(const long *)a, right = *(const long *)b;
  return (left > right) - (left < right);
}

/* A kind of work, with its faults, leaves no memory behind. Threads keep some for later work, and documents need several
   threads: memory grows in the first rows, and once in a while later. So the median of the last rows counts. It has every
   block that each round leaves behind. Needs GLIBC_TUNABLES=glibc.malloc.tcache_count=0, without which free blocks count,
   too. */
static void leaks(const char *name, void (*work)(void), long bound) {
  long growths[ROWS], last[LAST_ROWS];
  int rows = 0, flat = 0;
  do {
    size_t before = used_memory();
    for (int round = 0; round < ROUNDS; round++) work();
    growths[rows++] = growth_since(before, bound);
    if (rows < LAST_ROWS) continue;
    memcpy(last, growths + rows - LAST_ROWS, sizeof last);
    qsort(last, LAST_ROWS, sizeof *last, compare);
    flat = labs(last[LAST_ROWS / 2]) < bound;
  } while (!faults && rows < ROWS && !flat);
  long growth = flat ? last[LAST_ROWS / 2] : growths[rows - 1];
  printf("%s: memory grows by %ld bytes in %d rounds, after %d rows\n", name, growth, ROUNDS, rows);
  LAW(flat);
}

int main(int count, char **arguments) {
  folder = count > 1 ? arguments[1] : ".";
  packages();
  effects();
  documents();
  misuse();
  threads_and_handles();
  if (!getenv("LAWS_SHORT")) {
    leaks("packages", packages, FLAT);
    leaks("effects", effects, FLAT);
    leaks("wrong calls", misuse, FLAT);
    /* Fills the caches of the threads that run asynchronous work. */
    for (int i = 0; i < OPENINGS; i++) open_document();
    leaks("documents", documents, NEARLY_FLAT);
  }
  for (int i = 2; i < count; i++) hostile(arguments[i]);
  LAW(particles_open_handles() == 0);
  printf("%d faults, %d hostile files\n", faults, count > 2 ? count - 2 : 0);
  return faults != 0;
}
