#ifndef PARTICLES_DECODING_H
#define PARTICLES_DECODING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// A decoding table is indexed by the next bits, the first bit of a code being the lowest. Codes that are
// longer than the index continue in a subtable. An entry consists of:
//   bits 0-7   number of bits to drop: the code and the extra bits after it
//   bits 8-11  length of the code, or the number of index bits of a subtable
//   bit 13     end of the block
//   bit 14     a subtable follows
//   bit 15     neither a literal, a length nor a distance. Alone: no code is assigned
//   bits 16-30 the literal, the smallest length or distance, or the index of the subtable
//   bit 31     a literal
#define LITERAL (1u << 31)
#define OTHER (1u << 15)
#define SUBTABLE (1u << 14)
#define END (1u << 13)

enum {
  MAXIMUM_LENGTH = 15,
  LITERAL_BITS = 11,
  DISTANCE_BITS = 8,
  LENGTH_BITS = 7,
  // The greatest sizes of complete codes of 288 and 32 symbols, as computed by `enough` of zlib.
  LITERAL_ENTRIES = 2342,
  DISTANCE_ENTRIES = 402,
  LONGEST_MATCH = 258,
};

typedef struct {
  uint32_t literals[LITERAL_ENTRIES], distances[DISTANCE_ENTRIES];
} Tables;

typedef struct {
  const uint8_t *next, *end;
  // From bit `count` on, the bits are 0 or equal to the bytes from `next` on.
  uint64_t bits;
  unsigned count;
  // Bits that were taken from after the end of the stream, as zeros.
  unsigned missing;
} Input;

static inline uint64_t loadLittleEndian(const uint8_t *bytes) {
  uint64_t word;
  memcpy(&word, bytes, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  word = __builtin_bswap64(word);
#endif
  return word;
}

static inline void refill(Input *input) {
  while (input->count < 56) {
    if (input->next < input->end) {
      input->bits |= (uint64_t)*input->next++ << input->count;
    } else {
      input->missing += 8;
    }
    input->count += 8;
  }
}

static inline unsigned low(uint64_t bits, unsigned count) {
  return (unsigned)(bits & (((uint64_t)1 << count) - 1));
}

static inline void drop(Input *input, unsigned count) {
  input->bits >>= count;
  input->count -= count;
}

static inline unsigned readBits(Input *input, unsigned count) {
  refill(input);
  const unsigned value = low(input->bits, count);
  drop(input, count);
  return value;
}

static inline bool isExhausted(const Input *input) { return input->missing > input->count; }

/// Drops the code at the beginning of the bits and returns its entry. The bits that follow a length or distance are
/// dropped, too, and `before` contains them.
static inline uint32_t decode(
    Input *input, const uint32_t *table, unsigned tableBits, uint64_t *before) {
  uint32_t entry = table[low(input->bits, tableBits)];
  if (entry & SUBTABLE) {
    drop(input, tableBits);
    entry = table[(entry >> 16) + low(input->bits, entry >> 8 & 15)];
  }
  *before = input->bits;
  drop(input, entry & 0xFF);
  return entry;
}

/// The length or distance of an entry, with the extra bits that follow the code.
static inline unsigned value(uint32_t entry, uint64_t before) {
  return (entry >> 16) + (low(before, entry & 0xFF) >> (entry >> 8 & 15));
}

/// The entries of the symbols of each kind of code, without the lengths of their codes.
typedef struct {
  uint32_t literals[288], distances[32], lengths[19];
} Meanings;

/// Reads the codes of a block. Returns false if they are incomplete, over-subscribed or cut.
bool particles_read_codes(Input *input, Tables *tables);

/// Makes the codes of blocks without codes of their own.
void particles_make_fixed_codes(Tables *tables);

#endif
