/* Laws of wrong arguments and of callbacks that fail, a part of laws.c. */

static int drops;
static void count_drop(void *context) { (void)context; __atomic_add_fetch(&drops, 1, __ATOMIC_SEQ_CST); }
static int dropped(int count) { /* on another thread, a moment later */
  for (int i = 0; i < 1000 && __atomic_load_n(&drops, __ATOMIC_SEQ_CST) < count; i++) nanosleep(&(struct timespec){0, 1000000}, 0);
  return __atomic_exchange_n(&drops, 0, __ATOMIC_SEQ_CST) == count;
}
static int read_zeros(void *context, int64_t offset, void *buffer, size_t count) {
  (void)context; (void)offset;
  memset(buffer, 0, count);
  return 0;
}
static int fail_find(void *context, const char *name, particles_bytes *out) {
  (void)name; (void)out;
  ++*(int *)context;
  return 4;
}
static int fail_write(void *context, const void *bytes, size_t count) {
  (void)bytes; (void)count;
  ++*(int *)context;
  return 3;
}
static int second_frame_fails(void *context, int64_t index, int64_t count, const uint8_t *rgba, double seconds) {
  (void)count; (void)rgba; (void)seconds;
  ++*(int *)context;
  return index == 1;
}

/* Every struct with a size that is too small is refused. Nothing behind its size is read or written. */
static void sizes(particles_package *package, particles_effect *effect, particles_simulation *simulation) {
  size_t small[] = {0, 1, sizeof(size_t), SIZE_MAX};
  uint8_t pixels[16 * 16 * 4];
  for (int i = 0; i < 4; i++) {
    /* Too small for every struct, so that AddressSanitizer sees an access. */
    size_t *given = malloc(sizeof *given);
    particles_package *other = 0;
    particles_effect *opened = 0;
    particles_export *result = 0;
    particles_document *document = 0;
    *given = small[i];
    IS(particles_limits_init((void *)given, *given, 1), PARTICLES_MISUSE);
    IS(particles_plan_init((void *)given, *given), PARTICLES_MISUSE);
    IS(particles_error(package, (void *)given), PARTICLES_MISUSE);
    IS(particles_package_describe(package, (void *)given), PARTICLES_MISUSE);
    LAW(strstr(particles_error_text(package), "'size'"));
    IS(particles_package_stat(package, "a", (void *)given), PARTICLES_MISUSE);
    IS(particles_package_save(package, path("sizes.particles"), (void *)given), PARTICLES_MISUSE);
    IS(particles_package_open(path("sizes.particles"), (void *)given, &other), PARTICLES_MISUSE);
    IS(particles_effect_open_memory("{}", 2, "a.json", (void *)given, &opened), PARTICLES_MISUSE);
    IS(particles_effect_export(effect, "pixi", "a.json", (void *)given, &result), PARTICLES_MISUSE);
    IS(particles_effect_draw(effect, (void *)given, pixels, 64), PARTICLES_MISUSE);
    IS(particles_simulation_describe(simulation, 0, (void *)given), PARTICLES_MISUSE);
    IS(particles_document_open(path("sizes.particles"), (void *)given, &document), PARTICLES_MISUSE);
    LAW(*given == small[i]);
    particles_package_close(other);
    particles_effect_close(opened);
    particles_export_close(result);
    particles_document_close(document);
    free(given);
  }
  /* The struct of a later version. */
  struct { particles_package_state state; char more[16]; } later = {{.size = sizeof later}, "later"};
  IS(particles_package_describe(package, &later.state), PARTICLES_OK);
  LAW(later.state.entries == 1 && later.state.size == sizeof later && !strcmp(later.more, "later"));
}

/* A source is dropped once, also if the call is wrong. */
static void sources(particles_package *package) {
  particles_package *opened = 0;
  IS(particles_package_put_source(package, "s", -5, read_zeros, count_drop, 0, 0), PARTICLES_MISUSE);
  IS(particles_package_put_source(package, "s", INT64_MAX, read_zeros, count_drop, 0, 0), PARTICLES_LIMIT);
  IS(particles_package_put_source(package, "s", 5, 0, count_drop, 0, 0), PARTICLES_MISUSE);
  IS(particles_package_put_source(package, "../s", 5, read_zeros, count_drop, 0, 0), PARTICLES_NAME);
  IS(particles_package_put_source(package, "s", 5, read_zeros, count_drop, 0, 1 << 20), PARTICLES_MISUSE);
  IS(particles_package_put_source(0, "s", 5, read_zeros, count_drop, 0, 0), PARTICLES_MISUSE);
  LAW(dropped(6));
  IS(particles_package_open_source(-1, read_zeros, count_drop, 0, 0, &opened), PARTICLES_MISUSE);
  particles_package_close(opened);
  IS(particles_package_open_source(INT64_MAX, read_zeros, count_drop, 0, 0, &opened), PARTICLES_DAMAGED);
  particles_package_close(opened);
  IS(particles_package_open_source(100, 0, count_drop, 0, 0, &opened), PARTICLES_MISUSE);
  particles_package_close(opened);
  IS(particles_package_open_source(100, read_zeros, count_drop, 0, 0, 0), PARTICLES_MISUSE);
  LAW(dropped(4));
}

static void flags_and_folders(particles_package *package, particles_effect *effect) {
  particles_export *result;
  particles_save_options unknown = {.size = sizeof unknown, .flags = 1 << 12};
  IS(particles_package_put(package, "a", "b", 1, 1 << 20), PARTICLES_MISUSE);
  IS(particles_package_save(package, path("flags.particles"), &unknown), PARTICLES_MISUSE);
  IS(particles_package_extract(package, path("extracted"), PARTICLES_EXECUTABLE, 0, 0), PARTICLES_MISUSE);
  IS(particles_effect_export(effect, "pixi", "a.json", 0, &result), PARTICLES_OK);
  IS(particles_export_write(result, folder, PARTICLES_COPY), PARTICLES_MISUSE);
  particles_export_close(result);
  /* A folder of changed contents appears whole or not at all, too. */
  IS(particles_package_extract(package, path("extracted"), 0, cancel_at_once, 0), PARTICLES_CANCELLED);
  LAW(access(path("extracted"), F_OK) != 0);
  IS(particles_package_extract(package, path("extracted"), PARTICLES_NOSYNC, 0, 0), PARTICLES_OK);
  IS(particles_package_extract(package, path("extracted"), 0, 0, 0), PARTICLES_EXISTS);
  IS(particles_package_extract(package, path("extracted"), PARTICLES_OVERWRITE, 0, 0), PARTICLES_OK);
  LAW(!unlink(path("extracted/a")) && !rmdir(path("extracted")));
  IS(particles_package_link(package, "out", "../.."), PARTICLES_OK);
  IS(particles_package_extract(package, path("extracted"), 0, 0, 0), PARTICLES_NAME);
  LAW(access(path("extracted"), F_OK) != 0);
  IS(particles_package_remove(package, "out"), PARTICLES_OK);
  /* Paths on the disk are bytes, here of Latin-1. Texts are UTF-8. */
  particles_save_options copy = {.size = sizeof copy, .flags = PARTICLES_COPY | PARTICLES_NOSYNC};
  particles_package_state state = {.size = sizeof state};
  particles_finding finding = {.size = sizeof finding};
  particles_package *latin;
  IS(particles_package_save(package, path("gr\374n.particles"), &copy), PARTICLES_OK);
  IS(particles_package_open(path("gr\374n.particles"), 0, &latin), PARTICLES_OK);
  IS(particles_package_describe(latin, &state), PARTICLES_OK);
  LAW(!strcmp(state.path, path("gr\374n.particles")));
  IS(particles_package_put(latin, "gr\374n", "b", 1, 0), PARTICLES_MISUSE);
  particles_package_close(latin);
  LAW(!unlink(path("gr\374n.particles")));
  IS(particles_package_open(path("gr\374n.particles"), 0, &latin), PARTICLES_NOTFOUND);
  IS(particles_error(latin, &finding), PARTICLES_OK);
  LAW(!strcmp(finding.file, path("gr\374n.particles")) && strstr(finding.text, "gr\\xFCn") && strstr(finding.json, "errno"));
  particles_package_close(latin);
}

/* The files of an export are written, or none. */
static void exports(particles_effect *effect) {
  particles_export *result;
  const void *bytes;
  size_t count;
  IS(particles_effect_export(effect, "starling", "a.pex", 0, &result), PARTICLES_OK);
  /* A folder is in the place of the effect: no image is left. */
  const char *image;
  IS(particles_export_file(result, 1, &image, &bytes, &count), PARTICLES_OK);
  LAW(!mkdir(path("a.pex"), 0700));
  IS(particles_export_write(result, folder, PARTICLES_OVERWRITE), PARTICLES_EXISTS);
  LAW(access(path(image), F_OK) != 0);
  LAW(!rmdir(path("a.pex")));
  IS(particles_export_write(result, folder, 0), PARTICLES_OK);
  IS(particles_export_write(result, folder, PARTICLES_OVERWRITE | PARTICLES_NOSYNC), PARTICLES_OK);
  LAW(!access(path(image), F_OK) && !unlink(path("a.pex")));
  for (int i = 1; !particles_export_file(result, i, &image, &bytes, &count); i++) LAW(!unlink(path(image)));
  particles_export_close(result);
}

static void failing_callbacks(particles_package *package, particles_effect *effect) {
  const char *pex = "<particleEmitterConfig><texture name=\"t.png\"/><maxParticles value=\"10\"/></particleEmitterConfig>";
  int called = 0, found = 0;
  particles_open_options options = {.size = sizeof options, .find = fail_find, .context = &called};
  particles_effect *opened;
  IS(particles_effect_open_memory(pex, strlen(pex), "a.pex", &options, &opened), PARTICLES_CALLBACK);
  LAW(called == 1 && strstr(particles_error_text(opened), "'find'"));
  IS(particles_effect_validate(opened, count_findings, &found), PARTICLES_CALLBACK);
  particles_effect_close(opened);
  IS(particles_effect_from_package(package, 0, &opened), PARTICLES_OK);
  IS(particles_effect_validate(opened, stop_at_once, 0), PARTICLES_CALLBACK);
  particles_effect_close(opened);
  particles_plan plan;
  IS(particles_plan_init(&plan, sizeof plan), PARTICLES_OK);
  plan.width = plan.height = 16;
  plan.duration = 0.5;
  called = 0;
  IS(particles_effect_animate(effect, &plan, second_frame_fails, &called), PARTICLES_CALLBACK);
  LAW(called == 2);
  called = 0;
  char *problems = &path_memory[0];
  IS(particles_effect_render(effect, &plan, "gif", fail_write, 0, &called, &problems), PARTICLES_CALLBACK);
  LAW(called == 1 && problems == &path_memory[0]);
  IS(particles_package_encode(package, 0, fail_write, &called), PARTICLES_CALLBACK);
  IS(particles_package_recover(path("none"), 0, count_findings, &found, &package), PARTICLES_NOTFOUND);
  particles_package_close(package);
}

static void misuse(void) {
  particles_package *package;
  particles_effect *effect;
  particles_simulation *simulation;
  IS(particles_package_new(&package), PARTICLES_OK);
  IS(particles_package_put(package, "a", "b", 1, 0), PARTICLES_OK);
  IS(particles_effect_template("fire", &effect), PARTICLES_OK);
  IS(particles_simulation_new(effect, 0, 0, &simulation), PARTICLES_OK);
  sizes(package, effect, simulation);
  sources(package);
  flags_and_folders(package, effect);
  exports(effect);
  failing_callbacks(package, effect);
  particles_simulation_close(simulation);
  particles_effect_close(effect);
  particles_package_close(package);
}
