#include "CParticlesCompression.h"
#include "Decoding.h"

#include <stdlib.h>

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

/// Decodes a literal or a match.
static Progress inflateStep(Input *input, Output *output, const Tables *tables) {
  uint64_t before;
  refill(input);
  uint32_t entry = decode(input, tables->literals, LITERAL_BITS, &before);
  if (isExhausted(input)) return FAULTY;
  if (entry & OTHER) return entry & END ? FINISHED : FAULTY;
  if (entry & LITERAL) {
    if (output->next == output->end) return FAULTY;
    *output->next++ = (uint8_t)(entry >> 16);
    return NEAR_THE_END;
  }
  const unsigned length = value(entry, before);
  refill(input);
  entry = decode(input, tables->distances, DISTANCE_BITS, &before);
  const unsigned distance = value(entry, before);
  if (entry & OTHER || isExhausted(input) || length > (size_t)(output->end - output->next)
      || distance > (size_t)(output->next - output->begin)) {
    return FAULTY;
  }
  for (unsigned index = 0; index < length; index++, output->next++) {
    *output->next = *(output->next - distance);
  }
  return NEAR_THE_END;
}

static bool inflateBlock(Input *input, Output *output, const Tables *tables) {
  for (;;) {
    Progress progress = inflateFast(input, output, tables);
    if (progress == NEAR_THE_END) progress = inflateStep(input, output, tables);
    if (progress != NEAR_THE_END) return progress == FINISHED;
  }
}

/// Gives whole bytes that were taken, but not used, back to the stream.
static void giveBack(Input *input) {
  const unsigned bits = input->count - input->missing;
  input->next -= bits / 8;
  input->count = bits % 8;
  input->bits = low(input->bits, input->count);
  input->missing = 0;
}

/// Reads the length of a block of plain bytes. Returns false if it is cut or damaged.
static bool readLength(Input *input, unsigned *length) {
  drop(input, input->count & 7);
  *length = readBits(input, 16);
  const unsigned complement = readBits(input, 16);
  if (isExhausted(input) || (*length ^ complement) != 0xFFFF) return false;
  giveBack(input);
  return true;
}

static bool copyStored(Input *input, Output *output) {
  unsigned length;
  if (!readLength(input, &length) || length > (size_t)(input->end - input->next)
      || length > (size_t)(output->end - output->next)) {
    return false;
  }
  memcpy(output->next, input->next, length);
  output->next += length;
  input->next += length;
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

// Matches reach so many bytes back (RFC 1951, 3.2.5). A piece has at most PIECE bytes.
enum { WINDOW = 1 << 15, PIECE = 1 << 16 };
// The most bits of the head of a block: 17, 19 lengths of 3 bits, and 316 lengths of 14 bits. And those of a match.
enum { LONGEST_HEAD = 17 + 19 * 3 + 316 * 14, LONGEST_STEP = 48 };

struct particles_inflater {
  Input input;
  enum { AT_BLOCK, IN_STORED, IN_CODES, AT_END } place;
  bool isLast, areFixed;
  // The bytes that are left in a block of plain ones.
  unsigned stored;
  size_t filled;
  Tables tables;
  uint8_t bytes[WINDOW + PIECE];
};

particles_inflater *particles_inflater_new(void) {
  particles_inflater *inflater = malloc(sizeof *inflater);
  if (inflater == NULL) return NULL;
  inflater->input = (Input){NULL, NULL, 0, 0, 0};
  inflater->place = AT_BLOCK;
  inflater->isLast = inflater->areFixed = false;
  inflater->stored = 0;
  inflater->filled = 0;
  return inflater;
}

void particles_inflater_free(particles_inflater *inflater) { free(inflater); }

static size_t leftBits(const Input *input) {
  return (size_t)(input->end - input->next) * 8 + input->count - input->missing;
}

/// Decodes the head of a block.
static particles_inflater_state beginBlock(particles_inflater *inflater) {
  Input *input = &inflater->input;
  inflater->isLast = readBits(input, 1);
  const unsigned kind = readBits(input, 2);
  bool isSound = kind != 3;
  if (kind == 0) {
    isSound = readLength(input, &inflater->stored);
    inflater->place = IN_STORED;
  } else {
    if (kind == 2) isSound = particles_read_codes(input, &inflater->tables);
    if (kind == 1 && !inflater->areFixed) particles_make_fixed_codes(&inflater->tables);
    if (kind != 3) inflater->areFixed = kind == 1;
    inflater->place = IN_CODES;
  }
  return isExhausted(input) ? PARTICLES_INFLATER_CUT
         : isSound          ? PARTICLES_INFLATER_PIECE
                            : PARTICLES_INFLATER_DAMAGED;
}

/// Decodes until the piece is full, bytes are missing, or the stream ends.
static particles_inflater_state advance(particles_inflater *inflater, Output *output, bool isAll) {
  Input *input = &inflater->input;
  for (;;) {
    const size_t bytes = (size_t)(input->end - input->next), room = (size_t)(output->end - output->next);
    switch (inflater->place) {
      case AT_END: return PARTICLES_INFLATER_END;
      case AT_BLOCK: {
        if (!isAll && leftBits(input) < LONGEST_HEAD) return PARTICLES_INFLATER_INPUT;
        const particles_inflater_state state = beginBlock(inflater);
        if (state != PARTICLES_INFLATER_PIECE) return state;
        continue;
      }
      case IN_STORED: {
        if (inflater->stored == 0) break;
        if (room == 0) return PARTICLES_INFLATER_PIECE;
        if (bytes == 0) return isAll ? PARTICLES_INFLATER_CUT : PARTICLES_INFLATER_INPUT;
        size_t count = inflater->stored;
        if (count > room) count = room;
        if (count > bytes) count = bytes;
        memcpy(output->next, input->next, count);
        output->next += count;
        input->next += count;
        inflater->stored -= (unsigned)count;
        continue;
      }
      case IN_CODES: {
        if (room < LONGEST_MATCH) return PARTICLES_INFLATER_PIECE;
        Progress progress = inflateFast(input, output, &inflater->tables);
        if (progress == NEAR_THE_END) {
          if ((size_t)(output->end - output->next) < LONGEST_MATCH) return PARTICLES_INFLATER_PIECE;
          if (!isAll && leftBits(input) < LONGEST_STEP) return PARTICLES_INFLATER_INPUT;
          progress = inflateStep(input, output, &inflater->tables);
        }
        if (progress == NEAR_THE_END) continue;
        if (progress == FINISHED) break;
        return isExhausted(input) ? PARTICLES_INFLATER_CUT : PARTICLES_INFLATER_DAMAGED;
      }
    }
    inflater->place = inflater->isLast ? AT_END : AT_BLOCK;
  }
}

particles_inflater_state particles_inflater_run(
    particles_inflater *inflater, const uint8_t *stream, size_t *count, bool isAll,
    const uint8_t **piece, size_t *size) {
  Input *input = &inflater->input;
  input->next = stream;
  input->end = stream + *count;
  uint8_t *const bytes = inflater->bytes;
  if (inflater->filled > WINDOW) {
    memmove(bytes, bytes + inflater->filled - WINDOW, WINDOW);
    inflater->filled = WINDOW;
  }
  uint8_t *const start = bytes + inflater->filled;
  Output output = {bytes, start, bytes + sizeof inflater->bytes};
  const particles_inflater_state state = advance(inflater, &output, isAll);
  if (!isExhausted(input)) giveBack(input);
  inflater->filled = (size_t)(output.next - bytes);
  *count = (size_t)(input->next - stream);
  *piece = start;
  *size = (size_t)(output.next - start);
  return state;
}
