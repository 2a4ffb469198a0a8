#include <errno.h>
#include <sqlite3.h>
#include <string.h>

/// Keeps the write-ahead log when the last connection is closed. Swift cannot call functions with `...`.
static inline int particles_sqlite_keep_log(sqlite3 *database) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

/// Why the last call of the system failed, such as "No space left on device", or NULL if none failed.
static inline const char *particles_sqlite_cause(sqlite3 *database) {
  int code = sqlite3_system_errno(database);
  return code == 0 ? (const char *)0 : strerror(code);
}

/// Whether the last call of the system failed because a volume is full.
static inline int particles_sqlite_is_full(sqlite3 *database) {
  return sqlite3_system_errno(database) == ENOSPC;
}

enum { particles_sqlite_pause = 5 };

/// Whether to wait on: a statement has waited `count` times for another program.
static inline int particles_sqlite_waits(void *milliseconds, int count) {
  if ((long)count * particles_sqlite_pause >= (long)(size_t)milliseconds) return 0;
  sqlite3_sleep(particles_sqlite_pause);
  return 1;
}

/// Waits for other programs up to so many milliseconds, in equal pauses. The pauses of `sqlite3_busy_timeout` become longer, so
/// that the longest waiter has the least chance.
static inline int particles_sqlite_wait(sqlite3 *database, int milliseconds) {
  return sqlite3_busy_handler(database, particles_sqlite_waits, (void *)(size_t)milliseconds);
}
