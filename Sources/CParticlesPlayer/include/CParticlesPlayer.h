#pragma once
#include <stddef.h>

/// A file of the player for web pages.
typedef struct {
  const char *_Nonnull name;
  const unsigned char *_Nonnull start;
  size_t size;
} particles_player_file;

/// The files of `Sources/ParticlesWeb/Player`, and `particles.wasm.gz` if the module was built before (`make web`).
/// - Returns: nil behind the last one.
const particles_player_file *_Nullable particles_player_file_at(size_t index);
