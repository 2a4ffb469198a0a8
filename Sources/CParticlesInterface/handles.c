#include "handles.h"

#include <stdatomic.h>
#include <stdlib.h>

#ifdef __wasm__
/* Web pages have one thread, and addresses of 32 bits. A handle: 14 bits of count, 14 of place, 4 of kind. */
enum { PLACE_BITS = 14 };
typedef int pthread_mutex_t;
#define PTHREAD_MUTEX_INITIALIZER 0
static void pthread_mutex_lock(pthread_mutex_t *lock) {}
static void pthread_mutex_unlock(pthread_mutex_t *lock) {}
#else
#include <pthread.h>
#include <stdio.h>

/* A handle: 33 bits of count, 24 of place, 4 of kind. */
enum { PLACE_BITS = 24 };
#endif

enum { KIND_BITS = 4, PAGE = 4096, PAGES = (1 << PLACE_BITS) / PAGE };

/* States beside the handle in one word: one exchange finds out whose handle it is, and takes it. */
#define IN_USE (UINT64_C(1) << 63)
#define CLOSED (UINT64_C(1) << 62)
/* A thread has found it in use, and asks about that later. */
#define REFUSED (UINT64_C(1) << 61)
#define STATES (IN_USE | CLOSED | REFUSED)

typedef struct {
  _Atomic uint64_t handle; /* with its states, 0 if it is free */
  void *object;
  uint64_t count; /* how often the place was used */
  uint32_t next;  /* the next free place, PAGE * PAGES for none */
} slot;

/* Pages are never freed: a lookup needs no lock. */
static _Atomic(slot *) pages[PAGES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint32_t first_free = PAGE * PAGES;
static uint32_t used;
static int64_t open_handles;

static slot *slot_at(uint32_t place) {
  slot *page = atomic_load_explicit(&pages[place / PAGE], memory_order_acquire);
  return page ? &page[place % PAGE] : NULL;
}

static uint64_t word_of(const void *handle) { return (uint64_t)(uintptr_t)handle; }

static uint32_t place_of(uint64_t value) { return (uint32_t)(value >> KIND_BITS) & ((1u << PLACE_BITS) - 1); }

/* The slot that a handle of this kind would have. */
static slot *slot_for(uint64_t value, unsigned kind) {
  if (!value || value & STATES || (kind && (value & ((1u << KIND_BITS) - 1)) != kind)) return NULL;
  return slot_at(place_of(value));
}

/* The handle for which the last call of this thread was refused, or 0 if it was not refused. */
static _Thread_local uint64_t refused;

/* A free place that has memory. The caller holds the lock. */
static int reserve_place(uint32_t *place) {
  if (first_free < PAGE * PAGES) {
    *place = first_free;
    first_free = slot_at(first_free)->next;
    return 1;
  }
  if (used == PAGE * PAGES) return 0;
  if (used % PAGE == 0) {
    slot *page = calloc(PAGE, sizeof(slot));
    if (!page) return 0;
    atomic_store_explicit(&pages[used / PAGE], page, memory_order_release);
  }
  *place = used++;
  return 1;
}

void *cparticles_handle_make(void *object, unsigned kind, int entered) {
  uint64_t value = 0;
  uint32_t place;
  pthread_mutex_lock(&lock);
  if (reserve_place(&place)) {
    slot *free = slot_at(place);
    free->object = object;
    free->count++;
    value = ((free->count << (KIND_BITS + PLACE_BITS)) | ((uint64_t)place << KIND_BITS) | kind) & ~STATES & UINTPTR_MAX;
    atomic_store_explicit(&free->handle, entered ? value | IN_USE : value, memory_order_release);
    open_handles++;
  }
  pthread_mutex_unlock(&lock);
  return (void *)(uintptr_t)value;
}

/* Takes a handle that another thread uses or has used meanwhile, or finds out that it cannot be taken. */
static void *enter_slowly(slot *found, uint64_t value, uint64_t seen) {
  while ((seen & ~STATES) == value && !(seen & CLOSED)) {
    uint64_t wanted = seen & IN_USE ? seen | REFUSED : seen | IN_USE;
    if (!atomic_compare_exchange_weak_explicit(&found->handle, &seen, wanted, memory_order_acquire, memory_order_relaxed)) continue;
    if (seen & IN_USE) {
      refused = value;
      return NULL;
    }
    if (refused == value) refused = 0;
    return found->object;
  }
  if (refused == value) refused = 0;
  return NULL;
}

void *cparticles_handle_enter(const void *handle, unsigned kind) {
  uint64_t value = word_of(handle), seen = value;
  slot *found = slot_for(value, kind);
  if (!found) return NULL;
  if (atomic_compare_exchange_strong_explicit(&found->handle, &seen, value | IN_USE, memory_order_acquire, memory_order_relaxed))
    return found->object;
  return enter_slowly(found, value, seen);
}

/* Frees the slot of a handle and returns the object. The caller holds the lock. */
static void *take_out(slot *found, uint64_t value) {
  void *object = found->object;
  found->object = NULL;
  found->next = first_free;
  first_free = place_of(value);
  open_handles--;
  atomic_store_explicit(&found->handle, 0, memory_order_release);
  return object;
}

void *cparticles_handle_leave(const void *handle) {
  uint64_t value = word_of(handle), seen = value | IN_USE;
  slot *found = slot_for(value, CPARTICLES_ANY_KIND);
  if (!found) return NULL;
  while (!atomic_compare_exchange_strong_explicit(&found->handle, &seen, seen & ~IN_USE, memory_order_release, memory_order_relaxed)) {
    if (!(seen & CLOSED)) continue;
    pthread_mutex_lock(&lock);
    void *object = take_out(found, value);
    pthread_mutex_unlock(&lock);
    return object;
  }
  return NULL;
}

int cparticles_handle_refused(const void *handle) { return handle && refused == word_of(handle); }

void *cparticles_handle_retained(const void *handle, unsigned kind, void (*retain)(void *)) {
  uint64_t value = word_of(handle);
  slot *found = slot_for(value, kind);
  if (!found) return NULL;
  pthread_mutex_lock(&lock);
  uint64_t seen = atomic_load_explicit(&found->handle, memory_order_acquire);
  void *object = (seen & ~STATES) == value && !(seen & CLOSED) ? found->object : NULL;
  if (object) retain(object);
  pthread_mutex_unlock(&lock);
  return object;
}

void *cparticles_handle_close(const void *handle, unsigned kind) {
  uint64_t value = word_of(handle);
  slot *found = slot_for(value, kind);
  if (!found) return NULL;
  void *object = NULL;
  pthread_mutex_lock(&lock);
  uint64_t seen = atomic_load_explicit(&found->handle, memory_order_acquire);
  while ((seen & ~STATES) == value && !(seen & CLOSED)) {
    if (!atomic_compare_exchange_weak_explicit(&found->handle, &seen, seen | CLOSED, memory_order_acquire, memory_order_acquire)) continue;
    if (!(seen & IN_USE)) object = take_out(found, value);
    break;
  }
  pthread_mutex_unlock(&lock);
  return object;
}

int64_t cparticles_handle_count(void) {
  pthread_mutex_lock(&lock);
  int64_t count = open_handles;
  pthread_mutex_unlock(&lock);
  return count;
}

#ifndef __wasm__
/* C libraries in the library print their warnings to this file. See Sources/ParticlesC/link.sh. */
FILE *cparticles_stderr;
__attribute__((constructor)) static void set_stderr(void) { cparticles_stderr = stderr; }

/* A forked process has one thread. The lock is held meanwhile, so that it is free in both processes. */
static atomic_int has_threads;
static int is_forked;
static void before_fork(void) { pthread_mutex_lock(&lock); }
static void after_fork(void) { pthread_mutex_unlock(&lock); }
static void in_fork(void) {
  pthread_mutex_unlock(&lock);
  is_forked |= atomic_load(&has_threads);
}
__attribute__((constructor)) static void watch_forks(void) { pthread_atfork(before_fork, after_fork, in_fork); }

void cparticles_threads_started(void) { atomic_store(&has_threads, 1); }
int cparticles_is_forked(void) { return is_forked; }
#endif
