#include "handles.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

/* A handle: 36 bits of count, 24 of place, 4 of kind. */
enum { KIND_BITS = 4, PLACE_BITS = 24, PAGE = 4096, PAGES = 4096 };

typedef struct {
  _Atomic uint64_t handle; /* 0 if it is free */
  void *object;
  uint64_t count; /* how often the place was used */
  uint32_t next;  /* the next free place; PAGE * PAGES is none */
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

static slot *slot_of(const void *handle, unsigned kind) {
  uint64_t value = (uint64_t)(uintptr_t)handle;
  if (!value || (kind && (value & ((1u << KIND_BITS) - 1)) != kind)) return NULL;
  slot *found = slot_at((uint32_t)(value >> KIND_BITS) & ((1u << PLACE_BITS) - 1));
  return found && atomic_load_explicit(&found->handle, memory_order_acquire) == value ? found : NULL;
}

/* A free place that has memory; the lock is held. */
static int take(uint32_t *place) {
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

void *cparticles_handle_make(void *object, unsigned kind) {
  uint64_t value = 0;
  uint32_t place;
  pthread_mutex_lock(&lock);
  if (take(&place)) {
    slot *free = slot_at(place);
    free->object = object;
    free->count++;
    value = (free->count << (KIND_BITS + PLACE_BITS)) | ((uint64_t)place << KIND_BITS) | kind;
    atomic_store_explicit(&free->handle, value, memory_order_release);
    open_handles++;
  }
  pthread_mutex_unlock(&lock);
  return (void *)(uintptr_t)value;
}

void *cparticles_handle_object(const void *handle, unsigned kind) {
  slot *found = slot_of(handle, kind);
  return found ? found->object : NULL;
}

void *cparticles_handle_retained(const void *handle, unsigned kind, void (*retain)(void *)) {
  pthread_mutex_lock(&lock);
  slot *found = slot_of(handle, kind);
  void *object = found ? found->object : NULL;
  if (object) retain(object);
  pthread_mutex_unlock(&lock);
  return object;
}

void *cparticles_handle_remove(const void *handle, unsigned kind) {
  void *object = NULL;
  pthread_mutex_lock(&lock);
  slot *found = slot_of(handle, kind);
  if (found) {
    object = found->object;
    atomic_store_explicit(&found->handle, 0, memory_order_release);
    found->object = NULL;
    found->next = first_free;
    first_free = (uint32_t)((uint64_t)(uintptr_t)handle >> KIND_BITS) & ((1u << PLACE_BITS) - 1);
    open_handles--;
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

/* C libraries in the library print their warnings to this; see Sources/ParticlesC/link.sh. */
FILE *cparticles_stderr;
__attribute__((constructor)) static void set_stderr(void) { cparticles_stderr = stderr; }
