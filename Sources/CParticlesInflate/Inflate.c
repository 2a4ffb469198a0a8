#include "CParticlesInflate.h"
#include "Decoding.h"

// The bytes that a step of the fast loop may read or write after the current positions.
enum { INPUT_MARGIN = 32, OUTPUT_MARGIN = LONGEST_MATCH + 64 };

typedef struct {
  uint8_t *begin, *next, *end;
} Output;

typedef enum { FAULTY, FINISHED, NEAR_THE_END } Progress;

/// Copies a match. May write up to 37 bytes more.
__attribute__((always_inline)) static inline void copyFast(
    uint8_t *to, unsigned length, unsigned distance) {
  uint8_t *const end = to + length;
  const uint8_t *from = to - distance;
  if (distance >= 8) {
    // Most matches are short, so the first words are copied without a branch.
    for (unsigned word = 0; word < 5; word++, to += 8, from += 8) memcpy(to, from, 8);
    for (; to < end; to += 8, from += 8) memcpy(to, from, 8);
  } else if (distance == 1) {
    const uint64_t bytes = 0x0101010101010101u * *from;
    for (; to < end; to += 8) memcpy(to, &bytes, 8);
  } else {
    // Of each word, as many bytes as the distance are final. The next word replaces the rest.
    for (; to < end; to += distance, from += distance) {
      uint64_t word;
      memcpy(&word, from, 8);
      memcpy(to, &word, 8);
    }
  }
}

/// Decodes while input and output have room for one step without further checks.
__attribute__((always_inline)) static inline Progress inflateFast(
    Input *whole, Output *output, const Tables *tables) {
  // Only the low byte of `count` is used, so that whole entries are subtracted.
  const uint8_t *next = whole->next;
  uint64_t bits = whole->bits;
  uint32_t count = whole->count;
  uint8_t *to = output->next;
  Progress progress = NEAR_THE_END;
  if (whole->end - next < INPUT_MARGIN || output->end - to < OUTPUT_MARGIN) return progress;
  const uint8_t *const lastInput = whole->end - INPUT_MARGIN;
  uint8_t *const lastOutput = output->end - OUTPUT_MARGIN;
#define REFILL()                                   \
  do {                                             \
    bits |= loadLittleEndian(next) << (count & 63); \
    next += (63 - (count & 63)) >> 3;              \
    count |= 56;                                   \
  } while (0)
#define DROP(entry)             \
  do {                          \
    bits >>= (entry) & 63;      \
    count -= (entry);           \
  } while (0)
  REFILL();
  uint32_t entry = tables->literals[low(bits, LITERAL_BITS)];
  // At the beginning of a step, `entry` belongs to the next bits, and at least 56 bits are there. A step needs up to 42.
  do {
    uint64_t before = bits;
    DROP(entry);
    if (entry & LITERAL) {
      *to++ = (uint8_t)(entry >> 16);
      entry = tables->literals[low(bits, LITERAL_BITS)];
      before = bits;
      DROP(entry);
      if (entry & LITERAL) {
        *to++ = (uint8_t)(entry >> 16);
        entry = tables->literals[low(bits, LITERAL_BITS)];
        before = bits;
        DROP(entry);
        if (entry & LITERAL) {
          *to++ = (uint8_t)(entry >> 16);
          REFILL();
          entry = tables->literals[low(bits, LITERAL_BITS)];
          continue;
        }
      }
    }
    if (entry & OTHER) {
      if (entry & SUBTABLE) {
        entry = tables->literals[(entry >> 16) + low(bits, entry >> 8 & 15)];
        before = bits;
        DROP(entry);
        if (entry & LITERAL) {
          *to++ = (uint8_t)(entry >> 16);
          REFILL();
          entry = tables->literals[low(bits, LITERAL_BITS)];
          continue;
        }
      }
      if (entry & OTHER) {
        progress = entry & END ? FINISHED : FAULTY;
        break;
      }
    }
    const unsigned length = value(entry, before);
    REFILL();
    entry = tables->distances[low(bits, DISTANCE_BITS)];
    if (entry & SUBTABLE) {
      DROP(entry);
      entry = tables->distances[(entry >> 16) + low(bits, entry >> 8 & 15)];
    }
    before = bits;
    DROP(entry);
    const unsigned distance = value(entry, before);
    if (entry & OTHER || distance > (size_t)(to - output->begin)) {
      progress = FAULTY;
      break;
    }
    REFILL();
    entry = tables->literals[low(bits, LITERAL_BITS)];
    copyFast(to, length, distance);
    to += length;
  } while (next <= lastInput && to <= lastOutput);
#undef REFILL
#undef DROP
  output->next = to;
  whole->next = next;
  whole->bits = bits;
  whole->count = count & 63;
  return progress;
}

static bool inflateBlock(Input *input, Output *output, const Tables *tables) {
  for (;;) {
    const Progress progress = inflateFast(input, output, tables);
    if (progress != NEAR_THE_END) return progress == FINISHED;
    uint64_t before;
    refill(input);
    uint32_t entry = decode(input, tables->literals, LITERAL_BITS, &before);
    if (isExhausted(input)) return false;
    if (entry & OTHER) return entry & END;
    if (entry & LITERAL) {
      if (output->next == output->end) return false;
      *output->next++ = (uint8_t)(entry >> 16);
      continue;
    }
    const unsigned length = value(entry, before);
    refill(input);
    entry = decode(input, tables->distances, DISTANCE_BITS, &before);
    const unsigned distance = value(entry, before);
    if (entry & OTHER || isExhausted(input) || length > (size_t)(output->end - output->next)
        || distance > (size_t)(output->next - output->begin)) {
      return false;
    }
    for (unsigned index = 0; index < length; index++, output->next++) {
      *output->next = *(output->next - distance);
    }
  }
}

static bool copyStored(Input *input, Output *output) {
  drop(input, input->count & 7);
  const unsigned length = readBits(input, 16), complement = readBits(input, 16);
  if (isExhausted(input) || (length ^ complement) != 0xFFFF) return false;
  // Goes back to the byte after the lengths.
  input->next -= (input->count - input->missing) / 8;
  if (length > (size_t)(input->end - input->next)
      || length > (size_t)(output->end - output->next)) {
    return false;
  }
  memcpy(output->next, input->next, length);
  output->next += length;
  *input = (Input){input->next + length, input->end, 0, 0, 0};
  return true;
}

bool particles_inflate(const uint8_t *stream, size_t count, uint8_t *bytes, size_t size) {
  Input input = {stream, stream + count, 0, 0, 0};
  Output output = {bytes, bytes, bytes + size};
  Tables tables;
  // The fixed codes are made only once for all blocks up to one with other codes: a block of 10 bits may
  // have them, so that making them again for each would cost a second for a megabyte.
  bool areFixed = false;
  for (bool isLast = false; !isLast;) {
    isLast = readBits(&input, 1);
    const unsigned kind = readBits(&input, 2);
    if (isExhausted(&input) || kind == 3) return false;
    if (kind == 0) {
      if (!copyStored(&input, &output)) return false;
      continue;
    }
    if (kind == 1) {
      if (!areFixed) particles_make_fixed_codes(&tables);
    } else if (!particles_read_codes(&input, &tables)) {
      return false;
    }
    areFixed = kind == 1;
    if (!inflateBlock(&input, &output, &tables)) return false;
  }
  return (size_t)(input.end - input.next) + (input.count - input.missing) / 8 == 0
         && output.next == output.end;
}
