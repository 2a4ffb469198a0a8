// Memory for the module: there is no C library below it.
//
// Blocks are powers of two up to a page of 64 KiB, each kept in a list of its size when it is free. Larger blocks are
// whole pages, kept in one list by address, joined with free neighbours, and cut. So columns that grow leave room that
// later ones use, instead of twice the memory.

#include <stddef.h>
#include <stdint.h>

enum { PAGE = 65536, SMALLEST = 4, CLASSES = 13, NO_MEMORY = 12 };

// Before each block, 16 bytes: its size without them, so that blocks are at multiples of 16.
typedef struct head {
  size_t size;
  struct head *next;
  size_t padding[2];
} head;

// In front of a block that is aligned to more: where the block itself begins.
enum { ALIGNED = 0x5A11F00D };

static head *small[CLASSES];
static head *large;
static char *fresh;
static char *freshEnd;

extern char __heap_base;

// New pages behind the present memory, or NULL if there are too few.
static char *grow(size_t bytes) {
  size_t pages = (bytes + PAGE - 1) / PAGE;
  size_t before = __builtin_wasm_memory_grow(0, pages);
  if (before == (size_t)-1) return NULL;
  return (char *)(before * PAGE);
}

static void keepLarge(head *block) {
  head **place = &large;
  while (*place && *place < block) place = &(*place)->next;
  block->next = *place;
  *place = block;
  // Joined with the block behind and the block before.
  if (block->next && (char *)(block + 1) + block->size == (char *)block->next) {
    block->size += block->next->size + sizeof(head);
    block->next = block->next->next;
  }
  for (head *b = large; b && b->next; b = b->next) {
    if (b->next == block && (char *)(b + 1) + b->size == (char *)block) {
      b->size += block->size + sizeof(head);
      b->next = block->next;
      break;
    }
  }
}

static head *cutLarge(size_t size) {
  // The smallest that suffices.
  head **best = NULL;
  for (head **place = &large; *place; place = &(*place)->next)
    if ((*place)->size >= size && (!best || (*place)->size < (*best)->size)) best = place;
  if (!best) return NULL;
  head *block = *best;
  *best = block->next;
  size_t rest = block->size - size;
  if (rest >= PAGE / 2 + sizeof(head)) {
    block->size = size;
    head *other = (head *)((char *)(block + 1) + size);
    other->size = rest - sizeof(head);
    keepLarge(other);
  }
  return block;
}

static int classOf(size_t size) {
  int class = SMALLEST;
  while (((size_t)1 << class) < size) class++;
  return class - SMALLEST;
}

static head *allocateBlock(size_t size) {
  if (size > PAGE / 2) {
    size = (size + 15) & ~(size_t)15;
    head *block = cutLarge(size);
    if (block) return block;
    size_t bytes = (size + sizeof(head) + PAGE - 1) / PAGE * PAGE;
    block = (head *)grow(bytes);
    if (!block) return NULL;
    block->size = bytes - sizeof(head);
    // Joined with free pages before it. The rest is cut off.
    keepLarge(block);
    return cutLarge(size);
  }
  int class = classOf(size ? size : 1);
  head *block = small[class];
  if (block) {
    small[class] = block->next;
    return block;
  }
  size_t whole = ((size_t)1 << (class + SMALLEST)) + sizeof(head);
  if (!fresh) {
    // The memory that the linker leaves behind the data.
    fresh = (char *)(((uintptr_t)&__heap_base + 15) & ~(uintptr_t)15);
    freshEnd = (char *)(__builtin_wasm_memory_size(0) * PAGE);
  }
  if ((size_t)(freshEnd - fresh) < whole) {
    char *pages = grow(4 * PAGE);
    if (!pages) return NULL;
    if (pages != freshEnd) fresh = pages;
    freshEnd = pages + 4 * PAGE;
  }
  block = (head *)fresh;
  fresh += whole;
  block->size = whole - sizeof(head);
  return block;
}

void *malloc(size_t size) {
  head *block = size > SIZE_MAX / 2 ? NULL : allocateBlock(size);
  if (!block) return NULL;
  block->padding[0] = 0;
  return block + 1;
}

void *calloc(size_t count, size_t size) {
  if (size && count > SIZE_MAX / size) return NULL;
  void *memory = malloc(count * size);
  return memory ? __builtin_memset(memory, 0, count * size) : NULL;
}

void free(void *memory) {
  if (!memory) return;
  head *block = (head *)memory - 1;
  if (block->padding[0] == ALIGNED) {
    void *start = (void *)block->next;
    block->padding[0] = 0;
    free(start);
    return;
  }
  if (block->size > PAGE / 2) {
    keepLarge(block);
    return;
  }
  int class = classOf(block->size);
  block->next = small[class];
  small[class] = block;
}

int posix_memalign(void **result, size_t alignment, size_t size) {
  if (alignment <= 16) {
    *result = malloc(size);
    return *result ? 0 : NO_MEMORY;
  }
  if (size > SIZE_MAX / 2 || alignment > PAGE) return NO_MEMORY;
  char *start = malloc(size + alignment + sizeof(head));
  if (!start) return NO_MEMORY;
  uintptr_t place = ((uintptr_t)start + sizeof(head) + alignment - 1) & ~(uintptr_t)(alignment - 1);
  head *block = (head *)place - 1;
  block->size = size;
  block->next = (head *)start;
  block->padding[0] = ALIGNED;
  *result = (void *)place;
  return 0;
}

// The compiler makes one instruction of each of these.

void *memcpy(void *to, const void *from, size_t count) { return __builtin_memcpy(to, from, count); }

void *memmove(void *to, const void *from, size_t count) { return __builtin_memmove(to, from, count); }

void *memset(void *to, int value, size_t count) { return __builtin_memset(to, value, count); }

int memcmp(const void *a, const void *b, size_t count) {
  const unsigned char *x = a, *y = b;
  for (size_t i = 0; i < count; i++)
    if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
  return 0;
}

size_t strlen(const char *text) {
  size_t count = 0;
  while (text[count]) count++;
  return count;
}
