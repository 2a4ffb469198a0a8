/* libparticles: packages, effects, conversions, pictures and simulations of particle effects.

   Handles. A handle is opaque, and 0 is none. Every function that makes a handle sets its `out` argument, also when it fails: the
   handle then has the status and the message of the failure, every other function returns that status again, and the handle has to be
   closed, too. Where a copy, a list, columns, the package of an effect or the effect of a document fail, `out` is set to 0, and the
   given handle has the fault. Closing 0 or a closed handle does nothing. Handles that are 0, closed, of another kind or made up give
   PARTICLES_MISUSE. Handles of one effect or package are independent: a simulation or an export goes on after its effect is closed.

   Status. int functions return PARTICLES_OK, PARTICLES_ROW and PARTICLES_DONE (iterators), or a fault.
   particles_error gives code, message and place of the last call on a handle.

   Strings and paths are UTF-8 and end with 0. A `const char *` that is returned or in a struct belongs to the
   handle. It is valid until the next call on the handle, and in a callback until the callback returns. A `char **`
   or `void **` is set to memory that the caller frees with particles_free. A call that fails leaves it unchanged.

   Threads. Only handles have state. One call at a time uses a handle, from any thread. Different threads may use
   different handles at once. A handle that a call uses gives PARTICLES_MISUSE to all further calls, and
   particles_error describes it as "interface/busy" to the thread that made such a call. A handle that is closed during
   a call is closed when the call ends. Several threads may read a blob at once. particles_cancel and
   particles_document_next_event may be called from any thread, also while the handle is closed, and from callbacks.

   Processes. After fork, handles of packages, effects and simulations are copies, if no other thread was in a call. A
   document needs threads that a forked process does not have: if one was opened before, every call on a document
   there gives PARTICLES_MISUSE and "interface/forked", and closing it saves nothing. Start other processes by exec.

   Callbacks are called on any thread during the function that takes them, and callbacks of a source until its
   `drop` is called. Two callbacks of one context never run at once. They must not use the handle they are
   called for, except with particles_cancel, and must not leave by longjmp or an exception. A result other than
   0 stops the work: progress gives PARTICLES_CANCELLED, all further callbacks PARTICLES_CALLBACK.

   Structs begin with their size, which the caller sets, so that they can grow. A size that is too small gives
   PARTICLES_MISUSE. The rest of a larger struct is left alone. Flags that a function does not list give PARTICLES_MISUSE. */
#ifndef PARTICLES_H
#define PARTICLES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this interface. Functions are added within a version, and never removed or changed. */
#define PARTICLES_API_VERSION 1

enum {
  PARTICLES_OK = 0,         /* done */
  PARTICLES_SYSTEM = 1,     /* the system refused: no space, no permission, too many open files */
  PARTICLES_DAMAGED = 2,    /* the input breaks the rules of its format */
  PARTICLES_LIMIT = 3,      /* the input asks for more than particles_limits allows */
  PARTICLES_CHANGED = 4,    /* another program has changed the file since it was opened */
  PARTICLES_NOTFOUND = 5,   /* there is no such file, entry, property, format or template */
  PARTICLES_EXISTS = 6,     /* the file or entry exists */
  PARTICLES_NAME = 7,       /* the name or link is not allowed in a package */
  PARTICLES_CANCELLED = 8,  /* stopped by particles_cancel or by a progress callback */
  PARTICLES_MISUSE = 9,     /* a wrong handle, a missing argument, a wrong size */
  PARTICLES_NOMEM = 10,     /* there is not enough memory */
  PARTICLES_FORMAT = 11,    /* no known format, or a format that cannot be read or written */
  PARTICLES_READONLY = 12,  /* the file may not be written */
  PARTICLES_BUSY = 13,      /* another program holds the lock of the file */
  PARTICLES_VALUE = 14,     /* the value is not allowed there */
  PARTICLES_CALLBACK = 15,  /* a callback has failed */
  PARTICLES_ROW = 100,      /* an iterator has a next element */
  PARTICLES_DONE = 101      /* an iterator is at its end */
};

enum { PARTICLES_FILE = 0, PARTICLES_DIRECTORY = 1, PARTICLES_LINK = 2 };
enum { PARTICLES_NOTE = 0, PARTICLES_WARNING = 1, PARTICLES_ERROR = 2 };
enum { PARTICLES_FLAT = 0, PARTICLES_FOLDER = 1, PARTICLES_MEMORY = -1 };      /* forms of a package */
enum { PARTICLES_AUTOMATIC = 0, PARTICLES_APPEND = 1, PARTICLES_REPLACE = 2 }; /* modes of saving */
enum { PARTICLES_STANDARD = 0, PARTICLES_FAST = 1, PARTICLES_BEST = 2 };       /* levels of compression */
/* flags */
enum { PARTICLES_EXECUTABLE = 1, PARTICLES_OVERWRITE = 2, PARTICLES_NOSYNC = 4, PARTICLES_COPY = 8, PARTICLES_LOSSES = 16 };
enum { PARTICLES_LOOP_AUTOMATIC = 0, PARTICLES_FOREVER = 1, PARTICLES_ONCE = 2, PARTICLES_SEAMLESS = 3 };
enum { PARTICLES_BACKGROUND_AUTOMATIC = 0, PARTICLES_TRANSPARENT = 1, PARTICLES_COLOR = 2 };
enum { PARTICLES_IMAGES_USUAL = 0, PARTICLES_EMBEDDED = 1, PARTICLES_BESIDE = 2 };
enum { PARTICLES_AUTOSAVE_IN_PLACE = 0, PARTICLES_AUTOSAVE_OFF = 1, PARTICLES_AUTOSAVE_RECOVERY = 2 };
enum { PARTICLES_OURS = 0, PARTICLES_THEIRS = 1, PARTICLES_BOTH = 2, PARTICLES_MERGED = 3 }; /* sides of a conflict */
/* States of a document, as bits. */
enum {
  PARTICLES_STATE_CONFLICT = 2,    /* this program and another program have changed a part differently */
  PARTICLES_STATE_FAILED = 4,      /* the last save failed */
  PARTICLES_STATE_DISABLED = 8,    /* edits are refused while it is reverted */
  PARTICLES_STATE_WORKING = 16,    /* it is read or written */
  PARTICLES_STATE_CHANGED = 32,    /* there are changes that are not saved */
  PARTICLES_STATE_READONLY = 64,   /* it cannot be written where it is */
  PARTICLES_STATE_DELETED = 128,   /* another program has deleted it */
  PARTICLES_STATE_UNREADABLE = 256 /* another program has stored what cannot be read */
};

typedef struct particles_package particles_package;       /* a tree of files in a .particles package */
typedef struct particles_iterator particles_iterator;     /* the entries of a package */
typedef struct particles_blob particles_blob;             /* the contents of a file in a package */
typedef struct particles_effect particles_effect;         /* an effect with its images */
typedef struct particles_export particles_export;         /* the files of a conversion and its losses */
typedef struct particles_simulation particles_simulation; /* a running effect */
typedef struct particles_columns particles_columns;       /* the particles of an emitter at a moment */
typedef struct particles_session particles_session;       /* edits of an effect in memory */
typedef struct particles_document particles_document;     /* an effect that is edited over time */

/* What an input may cost: see particles_limits_init. A field that is 0 or less has its standard value. */
typedef struct {
  size_t size;
  int64_t entries, depth, entry_bytes, total_bytes, amplification, index_bytes, file_bytes, text_bytes,
      scalar_bytes, objects, work, memory, types, nesting, archives, emitters, particles, image_pixels, pixels,
      frames, paint, animation_paint, frame_paint, particle_steps, frame_steps, frame_work, preview_seconds,
      warmup_seconds;
} particles_limits;

/* A finding. Strings that do not apply are 0, `offset` is -1, `line` and `column` are 0. `json` has the whole finding. */
typedef struct {
  size_t size;
  int status, severity;
  const char *code, *message, *file, *entry, *key, *expected, *found, *hint, *text, *json;
  int64_t offset;
  int line, column;
} particles_finding;

/* A package as it is now. `path` is the path where it was opened or saved, or 0 in memory. `form` is PARTICLES_FLAT,
   PARTICLES_FOLDER or PARTICLES_MEMORY. `entries` counts files, folders and links. */
typedef struct {
  size_t size;
  const char *path;
  int64_t entries;
  int form;
} particles_package_state;

/* An entry of a package. `bytes` is 0 for others than files, `target` is 0 for others than links. */
typedef struct {
  size_t size;
  const char *path, *target;
  int64_t bytes;
  int kind, executable;
} particles_entry;

/* Bytes that a callback gives. They are copied when it returns. */
typedef struct {
  size_t size;
  const void *bytes;
  size_t count;
} particles_bytes;

typedef int (*particles_read_fn)(void *context, int64_t offset, void *buffer, size_t count); /* fills all */
typedef int (*particles_write_fn)(void *context, const void *bytes, size_t count);
typedef int (*particles_progress_fn)(void *context, int64_t done, int64_t total);
typedef int (*particles_finding_fn)(void *context, const particles_finding *finding);
typedef int (*particles_find_fn)(void *context, const char *name, particles_bytes *out); /* 0 bytes: not found */
typedef int (*particles_frame_fn)(void *context, int64_t index, int64_t count, const uint8_t *rgba, double seconds);
typedef void (*particles_drop_fn)(void *context);
typedef int (*particles_edit_fn)(void *context, particles_effect *effect);

/* How a package is saved. 0 in a field is the default. `form` counts for a new path, `mode` for the place where the package
   is. `flags`: PARTICLES_NOSYNC does not wait for the disk, except where the package is and is replaced. A loss of power
   soon afterwards may damage the saved package. PARTICLES_OVERWRITE replaces a file or folder at a new path. PARTICLES_COPY
   writes a copy there, and the package keeps its path. */
typedef struct {
  size_t size;
  int form, mode, level, flags;
  particles_progress_fn progress;
  void *context;
} particles_save_options;

/* How an effect is opened. 0 in a field is the default. Images that a file names are found beside the file and in
   `image_folders`, which ends with 0, or by `find`, which takes the place of both. */
typedef struct {
  size_t size;
  const char *format, *engine;
  const char *const *image_folders;
  particles_find_fn find;
  void *context;
  const particles_limits *limits;
} particles_open_options;

/* How an effect is converted. `measure` 1 simulates both effects and measures the difference, which takes
   tenths of a second. 2 measures each line of the losses, too. */
typedef struct {
  size_t size;
  int images, measure;
} particles_export_options;

/* The plan of a picture or animation: see particles_plan_init. Times below 0 are chosen as `particles render` chooses them.
   `camera` and `move` are texts of its options --camera and --move, or 0. `move` has the lines of a file, not its name. */
typedef struct {
  size_t size;
  int width, height, samples, loop, background, has_seed;
  double start, duration, frames_per_second, pause, scale;
  uint64_t seed;
  const char *engine;
  uint8_t color[4];
  int still;
  const char *camera, *move;
} particles_plan;

/* How a document is opened. 0 in a field is the default. Packages are saved in place `autosave_seconds` after a change (1 by
   default), or kept in the recovery journal, or not before particles_document_save. Files of further formats are never saved
   unless asked. `data_folder` is for versions and the journal, "" for neither, by default the folder of the user. `timeout`
   is how many seconds are waited for other programs, 5 by default. `keep_edits`: the last edits can be undone after the
   document was opened again. `recover`: unsaved contents that a program has left become an edit. */
typedef struct {
  size_t size;
  int autosave, viewing, keep_edits, recover;
  double autosave_seconds, timeout;
  const char *data_folder;
  const particles_limits *limits;
} particles_document_options;

/* A running effect as it is now: seconds since its start, the number of emitters, and the particles of one emitter or of
   all, counted as alive and as emitted. */
typedef struct {
  size_t size;
  double time;
  int64_t emitters, alive, emitted;
} particles_simulation_state;

/* Edits in memory as they are now. `undo_name` and `redo_name` are the next edits to undo and redo, 0 if there is none.
   `states`: PARTICLES_STATE_CHANGED and PARTICLES_STATE_CONFLICT. */
typedef struct {
  size_t size;
  const char *undo_name, *redo_name;
  int64_t revision;
  int states;
} particles_session_state;

/* A document as it is now. `undo_name` and `redo_name` are the next edits to undo and redo, 0 if there is none.
   `event_descriptor` is readable while particles_document_next_event has an event. `recoverable` counts what programs
   have left in the recovery journal. */
typedef struct {
  size_t size;
  const char *path, *format, *undo_name, *redo_name;
  int64_t revision;
  int states, event_descriptor, recoverable;
} particles_document_state;

/* ==== particles_library: versions, memory, errors, limits ==== */

/* Returns the version of the library, such as "0.3.0". */
const char *particles_version(void);
/* Returns the PARTICLES_API_VERSION of the library. */
int particles_api_version(void);
/* Returns a sentence for a status, never 0. */
const char *particles_status_text(int status);
/* Frees memory that a function has set by a `char **` or `void **`. 0 is allowed. */
void particles_free(void *memory);
/* Returns the number of open handles of all kinds, to find handles that were not closed. */
int64_t particles_open_handles(void);
/* Returns one line with place, severity, message and code of the last call on a handle, or "" after a success. */
const char *particles_error_text(const void *handle);
/* Describes the fault of the last call on a handle of any kind. After a success the code is 0. */
int particles_error(const void *handle, particles_finding *out);
/* Stops the call that works on a handle, from any thread. It then returns PARTICLES_CANCELLED. Does nothing
   if none works. */
int particles_cancel(const void *handle);
/* Sets the limits for files that a user opens, or, if `untrusted` is not 0, for files of strangers. `size` is the
   size of the struct. */
int particles_limits_init(particles_limits *limits, size_t size, int untrusted);

/* ==== particles_package: a tree of files in one file or folder ==== */

/* Makes an empty package in memory. */
int particles_package_new(particles_package **out);
/* Opens a package, a file or a folder. Opening reads the end of a file. Entries are checked when they are read.
   `limits` may be 0. */
int particles_package_open(const char *path, const particles_limits *limits, particles_package **out);
/* Opens a copy of the bytes of a package. */
int particles_package_open_memory(const void *bytes, size_t count, const particles_limits *limits, particles_package **out);
/* Opens a package of `size` bytes that `read` reads. `drop`, which may be 0, is called when the bytes are not
   needed any more, also if opening fails. */
int particles_package_open_source(int64_t size, particles_read_fn read, particles_drop_fn drop, void *context,
                                  const particles_limits *limits, particles_package **out);
/* Recovers the intact part of a damaged or cut file, as a package in memory. `finding` is called with each fault. */
int particles_package_recover(const char *path, const particles_limits *limits, particles_finding_fn finding,
                              void *context, particles_package **out);
/* Makes a copy, which takes no time: a list of copies is an undo list. */
int particles_package_copy(particles_package *package, particles_package **out);
/* Closes a package without saving it. */
void particles_package_close(particles_package *package);
/* Describes it as it is now: path, form, number of entries. */
int particles_package_describe(particles_package *package, particles_package_state *out);
/* Describes an entry. */
int particles_package_stat(particles_package *package, const char *path, particles_entry *out);
/* Iterates over the entries below a folder ("" for all), in canonical order. Changes of the package do not
   change the iterator. */
int particles_package_list(particles_package *package, const char *below, int recursive, particles_iterator **out);
/* Describes the next entry: PARTICLES_ROW, or PARTICLES_DONE. */
int particles_iterator_next(particles_iterator *iterator, particles_entry *out);
/* Ends an iterator. */
void particles_iterator_close(particles_iterator *iterator);
/* Reads a file of the package. `bytes` is not 0 for an empty one. */
int particles_package_read(particles_package *package, const char *path, void **bytes, size_t *count);
/* Opens a file of the package, to be read in pieces. It stays readable when the package is changed or closed. `size` is set
   to its number of bytes and may be 0. */
int particles_blob_open(particles_package *package, const char *path, particles_blob **out, int64_t *size);
/* Reads `count` bytes from `offset` on. All bytes have to be in the blob. */
int particles_blob_read(particles_blob *blob, int64_t offset, void *buffer, size_t count);
/* Closes a blob. */
void particles_blob_close(particles_blob *blob);
/* Sets the contents of a file to a copy of the bytes, and makes missing folders. `flags`: PARTICLES_EXECUTABLE. */
int particles_package_put(particles_package *package, const char *path, const void *bytes, size_t count, int flags);
/* Adds a file to a folder ("" for the root) under a name, or, if that is taken, one derived from it. `path` is set
   to its path and may be 0. */
int particles_package_add(particles_package *package, const char *folder, const char *name, const void *bytes,
                          size_t count, char **path);
/* Sets a file whose contents `read` reads, when they are needed, until `drop` is called. `size` is at most 64 GiB. */
int particles_package_put_source(particles_package *package, const char *path, int64_t size, particles_read_fn read,
                                 particles_drop_fn drop, void *context, int flags);
/* Sets a file or folder from the disk. It is read when it is needed and must not change until then. */
int particles_package_put_file(particles_package *package, const char *path, const char *disk_path);
/* Makes a folder and the folders above it. */
int particles_package_make_directory(particles_package *package, const char *path);
/* Makes a symbolic link. A link that leads out of the package is refused when it is saved, encoded or extracted. */
int particles_package_link(particles_package *package, const char *path, const char *target);
/* Moves an entry, with all below it, to a path where there is none. An entry is not moved into itself. */
int particles_package_rename(particles_package *package, const char *from, const char *to);
/* Removes an entry, with all below it. */
int particles_package_remove(particles_package *package, const char *path);
/* Sets whether a file is executable. */
int particles_package_set_executable(particles_package *package, const char *path, int executable);
/* Saves the package at a path and goes on there, or, if that is 0, where it is. `options` may be 0. If it fails, the old
   package stays. */
int particles_package_save(particles_package *package, const char *path, const particles_save_options *options);
/* Encodes it as one file, which `write` gets in pieces. */
int particles_package_encode(particles_package *package, int level, particles_write_fn write, void *context);
/* Writes its files into a folder. `flags`: PARTICLES_OVERWRITE allows files in a folder that exists. PARTICLES_NOSYNC does
   not wait for the disk. A new folder appears when it is complete. */
int particles_package_extract(particles_package *package, const char *folder, int flags, particles_progress_fn progress,
                              void *context);
/* Computes its digest, which does not depend on form and compression, of 32 bytes. */
int particles_package_digest(particles_package *package, uint8_t *digest);
/* Checks every byte of a flat package. `full` unpacks it, too. `finding` gets the faults. PARTICLES_OK means
   that it was checked. */
int particles_package_verify(particles_package *package, int full, particles_finding_fn finding, void *context);
/* Reports the flaws that were found when it was opened. */
int particles_package_warnings(particles_package *package, particles_finding_fn finding, void *context);

/* ==== particles_effect: properties, validation, conversion ==== */

/* Opens a file or folder of any format that can be read. `options` may be 0. */
int particles_effect_open(const char *path, const particles_open_options *options, particles_effect **out);
/* Opens the bytes of a file. `name` is its name, which may decide the format, or 0. Nothing is read from the disk:
   images come from `find`. */
int particles_effect_open_memory(const void *bytes, size_t count, const char *name,
                                 const particles_open_options *options, particles_effect **out);
/* Makes an effect from a template. particles_templates_json lists the templates. */
int particles_effect_template(const char *name, particles_effect **out);
/* Makes an effect of a copy of a package. `limits` may be 0. */
int particles_effect_from_package(particles_package *package, const particles_limits *limits, particles_effect **out);
/* Makes a package of a copy of the effect. */
int particles_effect_package(particles_effect *effect, particles_package **out);
/* Makes a copy. */
int particles_effect_copy(particles_effect *effect, particles_effect **out);
/* Closes an effect without saving it. */
void particles_effect_close(particles_effect *effect);
/* Returns the name of the format that it was opened from: "particles", or one of particles_formats_json. */
const char *particles_effect_kind(particles_effect *effect);
/* Reports what opening has found: warnings, assumptions, losses of an import. */
int particles_effect_findings(particles_effect *effect, particles_finding_fn finding, void *context);
/* Checks document, images and files. PARTICLES_OK means that it was checked. */
int particles_effect_validate(particles_effect *effect, particles_finding_fn finding, void *context);
/* Makes the repairs that need no guess, in memory. `repairs` is set to JSON: [{code, action, entry, key}]. */
int particles_effect_repair(particles_effect *effect, char **repairs);
/* Returns a property as JSON: its value, or its default. PARTICLES_NOTFOUND if it has neither. */
int particles_effect_get(particles_effect *effect, const char *key, char **json);
/* Sets a property: JSON, or the short forms of `particles edit`, such as 1..2 or #ff8800. [*] in a key is every
   element, [+] a new one. A value with an error is refused, and nothing changes. 0 removes the property, which then has
   its default, or the element. */
int particles_effect_set(particles_effect *effect, const char *key, const char *value);
/* Allows numbers out of the range of their property in later changes if `allows` is not 0, and refuses them, as at first, if it
   is 0. Allowed ones are findings of particles_effect_validate. */
int particles_effect_allow_out_of_range(particles_effect *effect, int allows);
/* Makes a change as `particles edit` writes it: "emitters[0].emission.rate*=2". */
int particles_effect_apply(particles_effect *effect, const char *change);
/* Lists all properties with values as JSON: [{key, value, isSet, type, unit, minimum, maximum, default, summary}]. */
int particles_effect_properties_json(particles_effect *effect, const char *prefix, char **json);
/* Returns the document, UTF-8 JSON. `count` may be 0. */
int particles_effect_document(particles_effect *effect, char **json, size_t *count);
/* Replaces the document. A text that cannot be read, or has an error that the document before did not have, is refused. */
int particles_effect_set_document(particles_effect *effect, const char *json, size_t count);
/* Embeds an image: PNG, JPEG, GIF, TIFF, OpenEXR or BMP. `emitter` is the name or index of the emitter that uses
   it, or 0. `path` is set to its path in the package and may be 0. */
int particles_effect_embed(particles_effect *effect, const void *bytes, size_t count, const char *name,
                           const char *emitter, char **path);
/* Saves it as a package, as particles_package_save does. Without a path, it has to be opened from a package or saved as
   one before. */
int particles_effect_save(particles_effect *effect, const char *path, const particles_save_options *options);
/* Converts it to a format. `file_name` is the name of the first file, without folders. `options` may be 0. A `format` of 0
   gives the file that it was opened from, with the edits in place: one line for each value in a text file. Its losses are
   those of the edits. `file_name` may be 0 then, for the name of that file. Of the options, `images` has no effect then, and
   no line is measured by itself. */
int particles_effect_export(particles_effect *effect, const char *format, const char *file_name,
                            const particles_export_options *options, particles_export **out);
/* Describes a file, by its number from 0: those with the effect come first, and images after them. PARTICLES_DONE behind
   the last one. Bytes and name are valid until the export is closed. */
int particles_export_file(particles_export *result, int64_t index, const char **name, const void **bytes, size_t *count);
/* Reports the losses, one finding each. The JSON of a finding has the loss. */
int particles_export_losses(particles_export *result, particles_finding_fn finding, void *context);
/* Returns the measured difference, 0 to 1, or PARTICLES_NOTFOUND if it was not measured. `json` gets its
   aspects and may be 0. */
int particles_export_difference(particles_export *result, double *difference, char **json);
/* Writes the files into a folder, which exists: all or none. If it fails, the files in the folder are as before, except
   replaced files that can neither be linked nor read. `flags`: PARTICLES_OVERWRITE, PARTICLES_NOSYNC. */
int particles_export_write(particles_export *result, const char *folder, int flags);
/* Closes an export. */
void particles_export_close(particles_export *result);
/* Measures how different two effects are when they run: 0 means no difference, 1 nothing in common. `json` may be 0. */
int particles_effect_difference(particles_effect *effect, particles_effect *other, double *difference, char **json);
/* Describes the properties that can be set: [{key, type, unit, minimum, maximum, default, summary}]. */
int particles_properties_json(const char *prefix, char **json);
/* Lists the formats: [{name, title, extensions, canRead, canWrite, exact, approximated}]. */
int particles_formats_json(char **json);
/* Lists the templates: [{name, summary}]. */
int particles_templates_json(char **json);

/* ==== particles_picture: pictures and animations ==== */

/* Sets the default plan: 512 x 512, 30 frames per second, everything else chosen. `size` is the size of the struct.
   Functions that get 0 use this plan, too. */
int particles_plan_init(particles_plan *plan, size_t size);
/* Draws a thumbnail of `size` x `size` pixels, 1 to 1024: RGBA with straight alpha, the top row first, `stride` bytes
   from a row to the next. */
int particles_effect_thumbnail(particles_effect *effect, int size, uint8_t *rgba, size_t stride);
/* Draws one picture of `plan`, when most is visible unless the plan states a start. */
int particles_effect_draw(particles_effect *effect, const particles_plan *plan, uint8_t *rgba, size_t stride);
/* Draws the frames of an animation. `frame` gets each, of width x height x 4 bytes, and for how many seconds it is
   shown. */
int particles_effect_animate(particles_effect *effect, const particles_plan *plan, particles_frame_fn frame,
                             void *context);
/* Writes a picture or animation: png, apng, gif, webp or html. `problems`, which may be 0, is set to a JSON array of
   findings. */
int particles_effect_render(particles_effect *effect, const particles_plan *plan, const char *format,
                            particles_write_fn write, particles_progress_fn progress, void *context, char **problems);
/* Runs the effect as `particles simulate` does and returns its statistics as JSON. `frames`, `seeds` of 0 are the
   defaults. */
int particles_effect_statistics_json(particles_effect *effect, int frames, int seeds, uint64_t first_seed,
                                     const char *engine, char **json);

/* ==== particles_simulation: a running effect ==== */

/* Makes a running effect at its start. `seed` and `engine` may be 0, for the values of the effect. */
int particles_simulation_new(particles_effect *effect, const uint64_t *seed, const char *engine,
                             particles_simulation **out);
/* Closes a simulation. */
void particles_simulation_close(particles_simulation *simulation);
/* Advances it by a time, 0 to 3600 seconds, in steps of at most 1/60 s. */
int particles_simulation_advance(particles_simulation *simulation, double seconds);
/* Ends the emission of all emitters. Living particles go on. */
int particles_simulation_stop(particles_simulation *simulation);
/* Describes it as it is now. `emitter` is the emitter whose particles are counted, or -1 for all. */
int particles_simulation_describe(particles_simulation *simulation, int64_t emitter, particles_simulation_state *out);
/* Takes the particles of an emitter as they are now, without copying them. The memory stays until it is closed,
   but its numbers change when the simulation advances. */
int particles_simulation_columns(particles_simulation *simulation, int64_t emitter, particles_columns **out);
/* Sets a pointer to the numbers of a column, one for each particle: x y z velocity_x velocity_y velocity_z width
   height angle red green blue alpha intensity mix age life. 0 if there are no particles. `count` is set to their number and may be 0. */
int particles_columns_get(particles_columns *columns, const char *name, const float **numbers, int64_t *count);
/* Sets a pointer to the ordinals: how many particles were emitted before each. */
int particles_columns_ordinals(particles_columns *columns, const uint64_t **numbers);
/* Closes columns. */
void particles_columns_close(particles_columns *columns);
/* Draws it as it is now, by the size, background and scale of a plan. Later calls keep the values of the first call. */
int particles_simulation_draw(particles_simulation *simulation, const particles_plan *plan, uint8_t *rgba,
                              size_t stride);

/* ==== particles_session: edits of an effect in memory ==== */

/* Begins to edit a copy of an effect. Nothing is read from the disk or written: particles_effect_export without a format
   gives the file with the edits. */
int particles_session_new(particles_effect *effect, particles_session **out);
/* Closes it. */
void particles_session_close(particles_session *session);
/* Describes it as it is now. */
int particles_session_stat(particles_session *session, particles_session_state *out);
/* Makes an effect of a copy of the contents. */
int particles_session_effect(particles_session *session, particles_effect **out);
/* Returns a property, as particles_effect_get. */
int particles_session_get(particles_session *session, const char *key, char **json);
/* Sets a property, or removes it, as particles_effect_set. `name` is the name of the edit in menus and may be 0. All changes
   with one `gesture` other than 0 are one edit, as a slider makes them, from the first change until
   particles_session_end_gesture. A gesture that an undo, a merge or the end of a conflict has ended gives
   PARTICLES_MISUSE once, and begins again. */
int particles_session_set(particles_session *session, const char *key, const char *value, const char *name,
                          int64_t gesture);
/* Ends a gesture: its changes are one edit, or are taken back if `cancels` is not 0. */
int particles_session_end_gesture(particles_session *session, int64_t gesture, int cancels);
/* Makes one edit of all that `edit` does with an effect, a handle that it must not keep. If it fails, nothing changes. */
int particles_session_edit(particles_session *session, const char *name, particles_edit_fn edit, void *context);
/* Undoes `count` edits, or redoes them if it is below 0. `done`, which may be 0, is set to how many there were. */
int particles_session_undo(particles_session *session, int count, int *done);
/* States that the contents are stored now: PARTICLES_STATE_CHANGED ends. Edits can still be undone. PARTICLES_CHANGED during
   a conflict. */
int particles_session_saved(particles_session *session);
/* Merges the contents that another program has stored since the last save. `json`, which may be 0, is set to {kind:
   nothing, reloaded, merged or conflict, clashes: the parts that both have changed}. */
int particles_session_merge(particles_session *session, particles_effect *theirs, char **json);
/* Ends a conflict: PARTICLES_OURS, PARTICLES_THEIRS or PARTICLES_MERGED (ours wherever both have changed a part). Ends all
   gestures, as edits. Does nothing without a conflict. */
int particles_session_resolve(particles_session *session, int side);

/* ==== particles_document: an effect that is edited over time ==== */

/* Opens a file of any format, or a package, for editing. Changes by other programs are noticed and merged. `options` may
   be 0. */
int particles_document_open(const char *path, const particles_document_options *options, particles_document **out);
/* Closes it. With PARTICLES_AUTOSAVE_IN_PLACE, unsaved changes of a package are saved. If that fails, and in all other
   cases, they are kept in the recovery journal. Call particles_document_save before, to know the result. Does nothing
   while another call is going on, such as in a callback of an edit. */
void particles_document_close(particles_document *document);
/* Describes it as it is now. */
int particles_document_stat(particles_document *document, particles_document_state *out);
/* Makes an effect of a copy of the contents. */
int particles_document_effect(particles_document *document, particles_effect **out);
/* Returns a property, as particles_effect_get. */
int particles_document_get(particles_document *document, const char *key, char **json);
/* Sets a property, or removes it, as particles_effect_set. `name` is the name of the edit in menus and may be 0. All
   changes with one `gesture` other than 0 are one edit, as a slider makes them, from the first change until
   particles_document_end_gesture. The last change of a property counts. */
int particles_document_set(particles_document *document, const char *key, const char *value, const char *name,
                           int64_t gesture);
/* Ends a gesture: its changes are one edit, or are taken back if `cancels` is not 0. */
int particles_document_end_gesture(particles_document *document, int64_t gesture, int cancels);
/* Makes one edit of all that `edit` does with an effect, a handle that it must not keep. If it fails, nothing changes. */
int particles_document_edit(particles_document *document, const char *name, particles_edit_fn edit, void *context);
/* Undoes `count` edits, or redoes them if it is below 0. `done`, which may be 0, is set to how many there were. */
int particles_document_undo(particles_document *document, int count, int *done);
/* Saves it and keeps a version. `flags`: PARTICLES_OVERWRITE saves also if another program has deleted it, changed
   the part that was edited, or stored bytes that cannot be read. PARTICLES_LOSSES saves also if its format has no
   room for an edit, otherwise the result is PARTICLES_VALUE. If it fails, the old file stays. */
int particles_document_save(particles_document *document, int flags);
/* Drops unsaved changes and takes the stored contents, as an edit that can be undone. */
int particles_document_revert(particles_document *document);
/* Ends a conflict: PARTICLES_OURS, PARTICLES_THEIRS, PARTICLES_BOTH (ours become a document beside it, and `beside`, which may
   be 0, is set to its path) or PARTICLES_MERGED. The rejected side is a version then. Does nothing without a conflict. */
int particles_document_resolve(particles_document *document, int side, char **beside);
/* Returns the next event as JSON, or PARTICLES_DONE: {kind: opened, states, edited, changed, gestureEnded, saved,
   progress, moved, reloaded, merged, conflict, deleted, unreadable, failed, retrying, or missed if more than 1024
   were not taken}. Does not wait. May be called beside other calls. Only the status reports a fault. */
int particles_document_next_event(particles_document *document, char **json);

/* ==== particles_types: types of files ==== */

/* Returns the type of a file or folder as JSON: {identifier, description, extensions, mimeTypes, format, candidates}. */
int particles_type_of_file(const char *path, char **json);
/* Returns the type of bytes with a name. Only the first 4 KiB and the name are needed. */
int particles_type_of_bytes(const void *bytes, size_t count, const char *name, char **json);

#ifdef __cplusplus
}
#endif
#endif
