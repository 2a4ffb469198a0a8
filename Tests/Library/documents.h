/* Laws of documents, a part of laws.c. Versions and the recovery journal are in a folder of their own. */

#define RATE "emitters[0].emission.rate"
enum { SMALL_FILE = 512 };

static int change_rate(void *context, particles_effect *effect) {
  IS(particles_effect_apply(effect, RATE "*=2"), PARTICLES_OK);
  IS(particles_effect_set(effect, "asset.name", "\"Edited\""), PARTICLES_OK);
  /* The document is in use. */
  if (context) IS(particles_document_save(context, 0), PARTICLES_MISUSE);
  if (context) LAW(strstr(particles_error_text(context), "interface/busy"));
  return 0;
}
static int fail_edit(void *context, particles_effect *effect) {
  (void)context;
  IS(particles_effect_set(effect, RATE, "1"), PARTICLES_OK);
  return 5;
}

/* Whether a property has a value. */
static int has(particles_document *document, const char *key, const char *value) {
  char *json = 0;
  int is = particles_document_get(document, key, &json) == PARTICLES_OK && !strcmp(json, value);
  particles_free(json);
  return is;
}

static int states(particles_document *document) {
  particles_document_state state = {.size = sizeof state};
  IS(particles_document_stat(document, &state), PARTICLES_OK);
  return state.states;
}

/* Whether an event of a kind comes within 10 seconds. Events of all kinds are taken. */
static int hears(particles_document *document, const char *kind) {
  particles_document_state state = {.size = sizeof state};
  char text[64];
  snprintf(text, sizeof text, "\"kind\":\"%s\"", kind);
  if (particles_document_stat(document, &state)) return 0;
  for (;;) {
    char *json = 0;
    int status;
    while ((status = particles_document_next_event(document, &json)) == PARTICLES_ROW) {
      int is = strstr(json, text) != 0;
      particles_free(json);
      if (is) return 1;
    }
    struct pollfd ready = {.fd = state.event_descriptor, .events = POLLIN};
    if (status != PARTICLES_DONE || poll(&ready, 1, 10000) != 1) return 0;
  }
}

/* Another program sets a property of the stored document. */
static void store(const char *file, const char *key, const char *value) {
  particles_effect *effect;
  IS(particles_effect_open(file, 0, &effect), PARTICLES_OK);
  IS(particles_effect_set(effect, key, value), PARTICLES_OK);
  particles_save_options saving = {.size = sizeof saving, .mode = PARTICLES_REPLACE};
  IS(particles_effect_save(effect, 0, &saving), PARTICLES_OK);
  particles_effect_close(effect);
}

static void edits(particles_document *document) {
  int done = 0;
  LAW(hears(document, "opened") && !states(document));
  IS(particles_document_set(document, RATE, "10", 0, 0), PARTICLES_OK);
  IS(particles_document_set(document, RATE, "-5", 0, 0), PARTICLES_VALUE);
  LAW(strstr(particles_error_text(document), "[interface/refused]"));
  IS(particles_document_set(document, "emitters[0].speed.of", "1", 0, 0), PARTICLES_NOTFOUND);
  LAW(has(document, RATE, "10") && states(document) == PARTICLES_STATE_CHANGED && hears(document, "edited"));
  IS(particles_document_edit(document, "Double", change_rate, document), PARTICLES_OK);
  IS(particles_document_edit(document, "Fail", fail_edit, 0), PARTICLES_CALLBACK);
  LAW(has(document, RATE, "20") && has(document, "asset.name", "\"Edited\""));
  /* A gesture is one edit. */
  for (int i = 1; i <= 50; i++) {
    char value[16];
    snprintf(value, sizeof value, "%d", i);
    IS(particles_document_set(document, RATE, value, "Drag", 7), PARTICLES_OK);
  }
  IS(particles_document_end_gesture(document, 7, 0), PARTICLES_OK);
  IS(particles_document_end_gesture(document, 7, 0), PARTICLES_MISUSE);
  IS(particles_document_set(document, RATE, "99", 0, -3), PARTICLES_OK);
  IS(particles_document_end_gesture(document, -3, 1), PARTICLES_OK);
  particles_document_state state = {.size = sizeof state};
  LAW(has(document, RATE, "50"));
  IS(particles_document_stat(document, &state), PARTICLES_OK);
  LAW(!strcmp(state.undo_name, "Drag") && !state.redo_name && state.revision > 50);
  LAW(!strcmp(state.format, "particles") && strstr(state.path, "document.particles"));
  IS(particles_document_undo(document, 1, &done), PARTICLES_OK);
  LAW(done == 1 && has(document, RATE, "20"));
  IS(particles_document_undo(document, 1 << 30, &done), PARTICLES_OK);
  LAW(done == 2);
  IS(particles_document_undo(document, INT32_MIN, &done), PARTICLES_OK);
  LAW(done == 3 && has(document, RATE, "50"));
  particles_effect *copy;
  IS(particles_document_effect(document, &copy), PARTICLES_OK);
  IS(particles_effect_set(copy, RATE, "1"), PARTICLES_OK);
  particles_effect_close(copy);
  LAW(has(document, RATE, "50"));
}

static void conflicts(particles_document *document, const char *file) {
  /* Changes of two properties are merged. Two changes of one property are a conflict. */
  store(file, "asset.name", "\"Theirs\"");
  IS(particles_document_set(document, RATE, "30", 0, 0), PARTICLES_OK);
  IS(particles_document_save(document, 0), PARTICLES_OK);
  LAW(has(document, "asset.name", "\"Theirs\"") && has(document, RATE, "30"));
  IS(particles_document_set(document, RATE, "31", 0, 0), PARTICLES_OK);
  store(file, RATE, "32");
  IS(particles_document_save(document, 0), PARTICLES_CHANGED);
  LAW(states(document) & PARTICLES_STATE_CONFLICT && hears(document, "conflict"));
  IS(particles_document_resolve(document, 9, 0), PARTICLES_MISUSE);
  IS(particles_document_resolve(document, PARTICLES_THEIRS, 0), PARTICLES_OK);
  LAW(has(document, RATE, "32") && !(states(document) & PARTICLES_STATE_CONFLICT));
  IS(particles_document_set(document, RATE, "33", 0, 0), PARTICLES_OK);
  IS(particles_document_revert(document), PARTICLES_OK);
  LAW(has(document, RATE, "32") && !(states(document) & PARTICLES_STATE_CHANGED));
  /* Deleted by another program. */
  IS(particles_document_set(document, RATE, "34", 0, 0), PARTICLES_OK);
  LAW(!unlink(file));
  IS(particles_document_save(document, 0), PARTICLES_NOTFOUND);
  LAW(states(document) & PARTICLES_STATE_DELETED);
  IS(particles_document_save(document, PARTICLES_OVERWRITE), PARTICLES_OK);
  LAW(!states(document) && !access(file, R_OK) && hears(document, "saved"));
}

/* A disk that takes no more bytes: the old file stays. */
static void full_disk(particles_document *document, const char *file) {
  particles_effect *stored;
  struct rlimit before, now;
  void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
  getrlimit(RLIMIT_FSIZE, &before);
  now = before;
  now.rlim_cur = SMALL_FILE;
  setrlimit(RLIMIT_FSIZE, &now);
  IS(particles_document_set(document, RATE, "40", 0, 0), PARTICLES_OK);
  int status = particles_document_save(document, 0);
  setrlimit(RLIMIT_FSIZE, &before);
  signal(SIGXFSZ, handler);
  LAW(status == PARTICLES_SYSTEM && *particles_error_text(document) && states(document) & PARTICLES_STATE_FAILED);
  IS(particles_effect_open(file, 0, &stored), PARTICLES_OK);
  char *json = 0;
  IS(particles_effect_get(stored, RATE, &json), PARTICLES_OK);
  LAW(json && !strcmp(json, "34"));
  particles_free(json);
  particles_effect_close(stored);
  IS(particles_document_save(document, 0), PARTICLES_OK);
}

/* A file of another format stays one. */
static void foreign(const particles_document_options *options) {
  particles_effect *effect;
  particles_export *result;
  particles_document *document;
  char file[4096];
  snprintf(file, sizeof file, "%s/fire.pex", folder);
  IS(particles_effect_template("fire", &effect), PARTICLES_OK);
  IS(particles_effect_export(effect, "starling", "fire.pex", 0, &result), PARTICLES_OK);
  IS(particles_export_write(result, folder, PARTICLES_OVERWRITE), PARTICLES_OK);
  particles_export_close(result);
  particles_effect_close(effect);
  IS(particles_document_open(file, options, &document), PARTICLES_OK);
  IS(particles_document_set(document, "emitters[0].lifetime", "2", 0, 0), PARTICLES_OK);
  IS(particles_document_save(document, 0), PARTICLES_OK);
  IS(particles_document_set(document, "emitters[0].timing.delay", "2", 0, 0), PARTICLES_OK);
  IS(particles_document_save(document, 0), PARTICLES_VALUE);
  IS(particles_document_save(document, PARTICLES_LOSSES), PARTICLES_OK);
  particles_document_close(document);
  IS(particles_effect_open(file, 0, &effect), PARTICLES_OK);
  LAW(!strcmp(particles_effect_kind(effect), "starling"));
  particles_effect_close(effect);
}

/* Unsaved changes are in the recovery journal. */
static void journal(const char *file, particles_document_options options) {
  particles_document *document;
  particles_document_state state = {.size = sizeof state};
  IS(particles_document_open(file, &options, &document), PARTICLES_OK);
  IS(particles_document_set(document, RATE, "77", 0, 0), PARTICLES_OK);
  particles_document_close(document);
  IS(particles_document_open(file, &options, &document), PARTICLES_OK);
  IS(particles_document_stat(document, &state), PARTICLES_OK);
  LAW(state.recoverable == 1 && !has(document, RATE, "77"));
  particles_document_close(document);
  options.recover = 1;
  IS(particles_document_open(file, &options, &document), PARTICLES_OK);
  LAW(has(document, RATE, "77") && states(document) == PARTICLES_STATE_CHANGED);
  IS(particles_document_save(document, 0), PARTICLES_OK);
  particles_document_close(document);
  options.viewing = 1;
  IS(particles_document_open(file, &options, &document), PARTICLES_OK);
  LAW(states(document) == PARTICLES_STATE_READONLY && has(document, RATE, "77"));
  IS(particles_document_set(document, RATE, "78", 0, 0), PARTICLES_READONLY);
  particles_document_close(document);
  particles_document_close(document);
  IS(particles_document_save(document, 0), PARTICLES_MISUSE);
  char *json;
  IS(particles_document_next_event(document, &json), PARTICLES_MISUSE);
}

static particles_document_options document_options(const char *data) {
  return (particles_document_options){
    .size = sizeof(particles_document_options), .autosave = PARTICLES_AUTOSAVE_OFF, .data_folder = data};
}

/* Opens the document that the last round has left, and closes it. */
static void open_document(void) {
  char file[4096];
  snprintf(file, sizeof file, "%s/document.particles", folder);
  particles_document_options options = document_options("");
  particles_document *document;
  IS(particles_document_open(file, &options, &document), PARTICLES_OK);
  particles_document_close(document);
}

static void documents(void) {
  char file[4096], data[4096];
  snprintf(file, sizeof file, "%s/document.particles", folder);
  snprintf(data, sizeof data, "%s/data", folder);
  particles_document_options options = document_options(data);
  particles_document *document;
  particles_effect *effect;
  IS(particles_effect_template("fire", &effect), PARTICLES_OK);
  particles_save_options copying = {.size = sizeof copying, .flags = PARTICLES_OVERWRITE | PARTICLES_COPY};
  IS(particles_effect_save(effect, file, &copying), PARTICLES_OK);
  IS(particles_effect_save(effect, 0, 0), PARTICLES_NOTFOUND);
  particles_effect_close(effect);
  IS(particles_document_open("/no such file", &options, &document), PARTICLES_NOTFOUND);
  IS(particles_document_save(document, 0), PARTICLES_NOTFOUND);
  particles_document_close(document);
  options.autosave = 9;
  IS(particles_document_open(file, &options, &document), PARTICLES_MISUSE);
  particles_document_close(document);
  options.autosave = PARTICLES_AUTOSAVE_OFF;
  IS(particles_document_open(file, &options, &document), PARTICLES_OK);
  edits(document);
  IS(particles_document_save(document, 0), PARTICLES_OK);
  LAW(!states(document));
  conflicts(document, file);
  full_disk(document, file);
  particles_document_close(document);
  foreign(&options);
  journal(file, options);
}

static void hostile_document(const char *file, const particles_limits *limits) {
  particles_document_options options = {.size = sizeof options, .viewing = 1, .data_folder = "", .limits = limits};
  particles_document *document;
  int status = particles_document_open(file, &options, &document);
  if (status != PARTICLES_OK) {
    LAW(*particles_error_text(document));
  } else {
    char *json = 0;
    particles_document_get(document, "emitters", &json);
    particles_free(json);
  }
  particles_document_close(document);
}
