// The functions of the C library that the kernels use, defined in memory.c.
#pragma once
#include <stddef.h>
void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void free(void *memory);
int posix_memalign(void **result, size_t alignment, size_t size);
