// What the kernels use of the C library; memory.c has it.
#pragma once
#include <stddef.h>
void *malloc(size_t size);
void free(void *memory);
int posix_memalign(void **result, size_t alignment, size_t size);
