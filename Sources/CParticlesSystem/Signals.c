#define _GNU_SOURCE
#include "CParticlesSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/syscall.h>
#endif

// Everything below that a handler reaches uses system calls and lock-free atomics only.

enum { slot_count = 512, path_size = 4400, unused = 0, reserved = 1, ready = 2 };

static struct {
  atomic_int state;
  char path[path_size];
} slots[slot_count];

static const int caught[] = {SIGINT, SIGTERM, SIGHUP};
static atomic_int is_catching, delays, pending, is_ending;
static _Thread_local int delays_here;

static void sleep_a_millisecond(void) {
  struct timespec time = {.tv_nsec = 1000000};
  nanosleep(&time, NULL);
}

#ifdef __linux__

// The entries that getdents64 returns. The C library has no type for them.
struct entry {
  unsigned long long number;
  long long offset;
  unsigned short length;
  unsigned char type;
  char name[];
};

static void remove_contents(int folder, int depth);

static void remove_at(int folder, const char *name, int depth) {
  if (unlinkat(folder, name, 0) == 0 || errno != EISDIR || depth == 0) return;
  // Another thread may be creating its last entry.
  for (int tries = 0; tries < 500; tries++) {
    int inner = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (inner < 0) return;
    remove_contents(inner, depth - 1);
    close(inner);
    if (unlinkat(folder, name, AT_REMOVEDIR) == 0 || errno != ENOTEMPTY) return;
    sleep_a_millisecond();
  }
}

static void remove_contents(int folder, int depth) {
  _Alignas(struct entry) char buffer[2048];
  long count;
  while ((count = syscall(SYS_getdents64, folder, buffer, sizeof buffer)) > 0) {
    for (long position = 0; position < count;) {
      struct entry *entry = (struct entry *)(buffer + position);
      position += entry->length;
      if (strcmp(entry->name, ".") != 0 && strcmp(entry->name, "..") != 0)
        remove_at(folder, entry->name, depth);
    }
  }
}

#else

// Folders cannot be listed by system calls alone here. The next save removes them.
static void remove_at(int folder, const char *name, int depth) { unlinkat(folder, name, 0); }

#endif

static void set_blocked(int how) {
  sigset_t signals;
  sigemptyset(&signals);
  for (int index = 0; index < 3; index++) sigaddset(&signals, caught[index]);
  pthread_sigmask(how, &signals, NULL);
}

static void end_process(int number) {
  set_blocked(SIG_BLOCK);
  if (atomic_exchange(&is_ending, 1)) {
    for (;;) pause();
  }
  // A thread that began to replace a file before it could see `is_ending` completes that.
  while (atomic_load(&delays) > 0) sleep_a_millisecond();
  for (int index = 0; index < slot_count; index++)
    if (atomic_load(&slots[index].state) == ready) remove_at(AT_FDCWD, slots[index].path, 100);
  signal(number, SIG_DFL);
  raise(number);
  set_blocked(SIG_UNBLOCK);
  _exit(128 + number);
}

static void catch_signal(int number) {
  int code = errno;
  atomic_store(&pending, number);
  if (atomic_load(&delays) == 0) end_process(number);
  errno = code;
}

void particles_remove_temporaries_on_signals(void) {
  struct sigaction action = {.sa_handler = catch_signal, .sa_flags = SA_RESTART}, old;
  sigemptyset(&action.sa_mask);
  for (int index = 0; index < 3; index++) sigaddset(&action.sa_mask, caught[index]);
  for (int index = 0; index < 3; index++) {
    if (sigaction(caught[index], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
      sigaction(caught[index], &action, NULL);
  }
  atomic_store(&is_catching, 1);
}

int particles_register_temporary(const char *path) {
  if (!atomic_load(&is_catching) || strlen(path) >= path_size) return -1;
  particles_stop_if_ending();
  for (int index = 0; index < slot_count; index++) {
    int expected = unused;
    if (!atomic_compare_exchange_strong(&slots[index].state, &expected, reserved)) continue;
    strcpy(slots[index].path, path);
    atomic_store(&slots[index].state, ready);
    // A signal in between may have missed this path, which must not be created then.
    particles_stop_if_ending();
    return index;
  }
  return -1;
}

void particles_forget_temporary(int number) {
  if (number >= 0) atomic_store(&slots[number].state, unused);
}

void particles_delay_signals(void) {
  if (delays_here++ > 0) return;
  atomic_fetch_add(&delays, 1);
  if (!atomic_load(&is_ending)) return;
  atomic_fetch_sub(&delays, 1);
  for (;;) pause();
}

void particles_allow_signals(void) {
  if (--delays_here > 0) return;
  if (atomic_fetch_sub(&delays, 1) > 1) return;
  int number = atomic_load(&pending);
  if (number != 0) end_process(number);
}

void particles_stop_if_ending(void) {
  while (atomic_load(&is_ending) && delays_here == 0) pause();
}
