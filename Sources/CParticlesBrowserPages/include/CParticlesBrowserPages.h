#pragma once
#include <stddef.h>

/// A file of the pages of the browser.
typedef struct {
  const char *_Nonnull name;
  const unsigned char *_Nonnull start;
  size_t size;
} particles_browser_page;

/// The files of `Sources/ParticlesBrowser/Pages`.
/// - Returns: nil behind the last one.
const particles_browser_page *_Nullable particles_browser_page_at(size_t index);
