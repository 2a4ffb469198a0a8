#include "CParticlesInflate.h"

#include <string.h>

// A decoding table has an entry for each value of the next bits, as many as the longest code has:
//   bits 0-3 length of the code, 0 if none is assigned
//   bits 4-7 number of extra bits
//   bit 8    a match follows with a distance
//   bit 9    end of the block
//   bits 10- the symbol, for code lengths
enum { MAXIMUM_LENGTH = 15, MATCH = 1 << 8, END = 1 << 9 };

typedef struct {
  unsigned bits;
  uint16_t entries[1 << MAXIMUM_LENGTH];
} Table;

typedef struct {
  const uint8_t *next, *end;
  uint64_t bits;
  unsigned count;
  // Bits that were taken from after the end of the stream, as zeros.
  unsigned missing;
} Input;

static inline void refill(Input *input) {
  if (input->end - input->next >= 8) {
    uint64_t word;
    memcpy(&word, input->next, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    input->bits |= word << input->count;
    input->next += (63 - input->count) >> 3;
    input->count |= 56;
    return;
  }
  while (input->count <= 56) {
    if (input->next < input->end) {
      input->bits |= (uint64_t)*input->next++ << input->count;
    } else {
      input->missing += 8;
    }
    input->count += 8;
  }
}

static inline void drop(Input *input, unsigned count) {
  input->bits >>= count;
  input->count -= count;
}

static inline unsigned take(Input *input, unsigned count) {
  refill(input);
  unsigned value = (unsigned)(input->bits & ((1u << count) - 1));
  drop(input, count);
  return value;
}

static unsigned reversed(unsigned code, unsigned length) {
  unsigned result = 0;
  for (; length > 0; length--, code >>= 1) result = result << 1 | (code & 1);
  return result;
}

/// Builds a table from the lengths of codes and what each symbol means. A code must be complete; if
/// `incomplete` is allowed, it may also be empty or one code of one bit.
static bool build(
    Table *table, const uint8_t *lengths, unsigned count, const uint16_t *meanings,
    bool incomplete) {
  unsigned numbers[MAXIMUM_LENGTH + 1] = {0}, codes[MAXIMUM_LENGTH + 1], longest = 0;
  for (unsigned symbol = 0; symbol < count; symbol++) {
    numbers[lengths[symbol]]++;
    if (lengths[symbol] > longest) longest = lengths[symbol];
  }
  numbers[0] = 0;
  unsigned code = 0, space = 0;
  for (unsigned length = 1; length <= MAXIMUM_LENGTH; length++) {
    code = (code + numbers[length - 1]) << 1;
    codes[length] = code;
    space += numbers[length] << (MAXIMUM_LENGTH - length);
  }
  const unsigned whole = 1u << MAXIMUM_LENGTH;
  if (space > whole || (space < whole && (!incomplete || longest > 1))) return false;
  table->bits = longest > 0 ? longest : 1;
  const unsigned size = 1u << table->bits;
  if (space < whole) memset(table->entries, 0, size * sizeof table->entries[0]);
  for (unsigned symbol = 0; symbol < count; symbol++) {
    const unsigned length = lengths[symbol];
    if (length == 0) continue;
    const unsigned first = reversed(codes[length]++, length);
    const uint16_t entry = (uint16_t)(meanings[symbol] | length);
    for (unsigned index = first; index < size; index += 1u << length) table->entries[index] = entry;
  }
  return true;
}

/// The meanings of the symbols of each kind of code.
typedef struct {
  uint16_t literals[288], distances[32], lengths[19];
} Meanings;

static void define(Meanings *meanings) {
  memset(meanings, 0, sizeof *meanings);
  meanings->literals[256] = END;
  for (unsigned symbol = 257; symbol < 286; symbol++) {
    const unsigned extra = symbol < 261 || symbol == 285 ? 0 : (symbol - 261) / 4;
    meanings->literals[symbol] = (uint16_t)(MATCH | extra << 4);
  }
  for (unsigned symbol = 0; symbol < 30; symbol++) {
    meanings->distances[symbol] = (uint16_t)((symbol < 2 ? 0 : symbol / 2 - 1) << 4);
  }
  for (unsigned symbol = 0; symbol < 19; symbol++) {
    meanings->lengths[symbol] = (uint16_t)(symbol << 10);
  }
}

/// The next entry; 0 if no code is assigned to the next bits, or if the stream is at its end.
static inline unsigned decode(Input *input, const Table *table) {
  const unsigned entry = table->entries[input->bits & ((1u << table->bits) - 1)];
  drop(input, entry & 15);
  return entry;
}

static bool isBlockStrict(Input *input, const Table *literals, const Table *distances) {
  for (;;) {
    refill(input);
    // Three literals need at most 45 of the 56 bits and more that are there.
    unsigned entry = decode(input, literals);
    if ((entry & ~15u) == 0 && entry != 0) entry = decode(input, literals);
    if ((entry & ~15u) == 0 && entry != 0) entry = decode(input, literals);
    if ((entry & 15) == 0 || input->missing > input->count) return false;
    if (entry & END) return true;
    if (entry & MATCH) {
      refill(input);
      drop(input, entry >> 4 & 15);
      const unsigned distance = decode(input, distances);
      if ((distance & 15) == 0) return false;
      drop(input, distance >> 4 & 15);
    }
  }
}

static bool readCodes(Input *input, const Meanings *meanings, Table *literals, Table *distances) {
  static const uint8_t order[19] = {
      16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
  const unsigned literalCount = take(input, 5) + 257, distanceCount = take(input, 5) + 1;
  const unsigned lengthCount = take(input, 4) + 4;
  if (literalCount > 286 || distanceCount > 30) return false;
  uint8_t lengths[286 + 30] = {0}, first[19] = {0};
  for (unsigned index = 0; index < lengthCount; index++) {
    first[order[index]] = (uint8_t)take(input, 3);
  }
  if (!build(literals, first, 19, meanings->lengths, false)) return false;
  for (unsigned index = 0; index < literalCount + distanceCount;) {
    refill(input);
    const unsigned entry = decode(input, literals);
    if ((entry & 15) == 0) return false;
    const unsigned symbol = entry >> 10;
    if (symbol < 16) {
      lengths[index++] = (uint8_t)symbol;
      continue;
    }
    if (symbol == 16 && index == 0) return false;
    const uint8_t length = symbol == 16 ? lengths[index - 1] : 0;
    const unsigned repeats = symbol == 16 ? 3 + take(input, 2)
                             : symbol == 17 ? 3 + take(input, 3)
                                            : 11 + take(input, 7);
    if (repeats > literalCount + distanceCount - index) return false;
    memset(lengths + index, length, repeats);
    index += repeats;
  }
  return lengths[256] != 0 && build(literals, lengths, literalCount, meanings->literals, true)
         && build(distances, lengths + literalCount, distanceCount, meanings->distances, true);
}

static void makeFixedCodes(const Meanings *meanings, Table *literals, Table *distances) {
  uint8_t lengths[288], fives[32];
  for (unsigned symbol = 0; symbol < 288; symbol++) {
    lengths[symbol] = symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8;
  }
  memset(fives, 5, sizeof fives);
  build(literals, lengths, 288, meanings->literals, false);
  build(distances, fives, 32, meanings->distances, false);
  // These have codes, but no meaning.
  for (unsigned index = 0; index < 1u << 9; index++) {
    const unsigned code = reversed(index & 0xFF, 8);
    if (code == 0xC6 || code == 0xC7) literals->entries[index] = 0;
  }
  for (unsigned index = 0; index < 32; index++) {
    if (reversed(index, 5) >= 30) distances->entries[index] = 0;
  }
}

bool particles_deflate_is_strict(const uint8_t *stream, size_t count) {
  Input input = {stream, stream + count, 0, 0, 0};
  Meanings meanings;
  Table literals, distances;
  define(&meanings);
  for (bool isLast = false; !isLast;) {
    isLast = take(&input, 1);
    const unsigned kind = take(&input, 2);
    if (input.missing > input.count) return false;
    if (kind == 3) return false;
    if (kind == 0) {
      drop(&input, input.count & 7);
      const unsigned length = take(&input, 16);
      take(&input, 16);
      // Goes back to the byte after the lengths.
      const size_t unread = input.count / 8 - (input.missing > input.count ? 0 : input.missing / 8);
      const uint8_t *next = input.next - unread;
      if (input.missing > input.count || length > (size_t)(input.end - next)) return false;
      input = (Input){next + length, input.end, 0, 0, 0};
      continue;
    }
    if (kind == 1) {
      makeFixedCodes(&meanings, &literals, &distances);
    } else if (!readCodes(&input, &meanings, &literals, &distances)) {
      return false;
    }
    if (!isBlockStrict(&input, &literals, &distances)) return false;
  }
  return true;
}
