#include "Decoding.h"

/// The next code of this length, as the bits are stored: from the highest to the lowest.
static inline unsigned successor(unsigned code, unsigned length) {
  const unsigned zeros = code ^ ((1u << length) - 1);
  const unsigned bit = 1u << (31 - __builtin_clz(zeros));
  return (code & (bit - 1)) | bit;
}

/// Builds a table from the lengths of codes and the entries of their symbols without lengths. A code must be complete.
/// If `incomplete` is allowed, it may also be empty or one code of one bit.
static bool build(
    uint32_t *table, unsigned tableBits, const uint8_t *lengths, unsigned count,
    const uint32_t *meanings, bool incomplete) {
  unsigned numbers[MAXIMUM_LENGTH + 1] = {0}, starts[MAXIMUM_LENGTH + 2];
  for (unsigned symbol = 0; symbol < count; symbol++) numbers[lengths[symbol]]++;
  unsigned space = 0;
  starts[0] = 0;
  starts[1] = numbers[0];
  for (unsigned length = 1; length <= MAXIMUM_LENGTH; length++) {
    starts[length + 1] = starts[length] + numbers[length];
    space += numbers[length] << (MAXIMUM_LENGTH - length);
  }
  uint16_t sorted[288];
  for (unsigned symbol = 0; symbol < count; symbol++) {
    sorted[starts[lengths[symbol]]++] = (uint16_t)symbol;
  }
  const uint16_t *symbol = sorted + numbers[0];
  const unsigned whole = 1u << MAXIMUM_LENGTH;
  if (space != whole) {
    const unsigned assigned = count - numbers[0];
    if (space > whole || !incomplete || assigned > 1 || assigned != numbers[1]) return false;
    for (unsigned index = 0; index < 1u << tableBits; index++) {
      table[index] = assigned && (index & 1) == 0 ? meanings[*symbol] + 0x101 : OTHER;
    }
    return true;
  }

  unsigned length = 1, left = numbers[1], code = 0, end = 2;
  while (left == 0) {
    left = numbers[++length];
    end <<= 1;
  }
  // The table for codes of up to `length` bits is doubled for the next length.
  while (length <= tableBits) {
    for (; left > 0; left--) {
      table[code] = meanings[*symbol++] + length * 0x101;
      if (code == end - 1) {
        for (; length < tableBits; length++, end <<= 1) memcpy(table + end, table, end * sizeof *table);
        return true;
      }
      code = successor(code, length);
    }
    do {
      if (++length <= tableBits) {
        memcpy(table + end, table, end * sizeof *table);
        end <<= 1;
      }
      left = numbers[length];
    } while (left == 0);
  }

  unsigned next = 1u << tableBits, prefix = ~0u, start = 0;
  for (;;) {
    if (low(code, tableBits) != prefix) {
      prefix = low(code, tableBits);
      start = next;
      unsigned bits = length - tableBits, used = left;
      while (used < 1u << bits) used = (used << 1) + numbers[tableBits + ++bits];
      next = start + (1u << bits);
      table[prefix] = start << 16 | OTHER | SUBTABLE | bits << 8 | tableBits;
    }
    const uint32_t entry = meanings[*symbol++] + (length - tableBits) * 0x101;
    for (unsigned index = start + (code >> tableBits); index < next;
         index += 1u << (length - tableBits)) {
      table[index] = entry;
    }
    if (code == (1u << length) - 1) return true;
    code = successor(code, length);
    left--;
    while (left == 0) left = numbers[++length];
  }
}

#define FOUR(entry, n) entry(n), entry(n + 1), entry(n + 2), entry(n + 3)
#define SIXTEEN(entry, n) FOUR(entry, n), FOUR(entry, n + 4), FOUR(entry, n + 8), FOUR(entry, n + 12)
#define SIXTY_FOUR(entry, n) \
  SIXTEEN(entry, n), SIXTEEN(entry, n + 16), SIXTEEN(entry, n + 32), SIXTEEN(entry, n + 48)
#define LITERAL_OF(n) LITERAL | (n) << 16
#define PLAIN(n) (n) << 16
// Four lengths, or two distances, with an equal number of extra bits.
#define LENGTHS(least, extra)                                                              \
  (least) << 16 | (extra), ((least) + (1 << (extra))) << 16 | (extra),                     \
      ((least) + (2 << (extra))) << 16 | (extra), ((least) + (3 << (extra))) << 16 | (extra)
#define DISTANCES(extra) ((2 << (extra)) + 1) << 16 | (extra), ((3 << (extra)) + 1) << 16 | (extra)

/// The meanings of the symbols. The last two of literals and distances have fixed codes, but no meaning.
static const Meanings meanings = {
    {SIXTY_FOUR(LITERAL_OF, 0u), SIXTY_FOUR(LITERAL_OF, 64u), SIXTY_FOUR(LITERAL_OF, 128u),
     SIXTY_FOUR(LITERAL_OF, 192u), OTHER | END, LENGTHS(3, 0), LENGTHS(7, 0), LENGTHS(11, 1),
     LENGTHS(19, 2), LENGTHS(35, 3), LENGTHS(67, 4), LENGTHS(131, 5), LONGEST_MATCH << 16, OTHER, OTHER},
    {1 << 16, 2 << 16, DISTANCES(0), DISTANCES(1), DISTANCES(2), DISTANCES(3), DISTANCES(4),
     DISTANCES(5), DISTANCES(6), DISTANCES(7), DISTANCES(8), DISTANCES(9), DISTANCES(10),
     DISTANCES(11), DISTANCES(12), DISTANCES(13), OTHER, OTHER},
    {SIXTEEN(PLAIN, 0u), 16 << 16, 17 << 16, 18 << 16},
};

bool particles_read_codes(Input *input, Tables *tables) {
  static const uint8_t order[19] = {
      16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
  const unsigned literalCount = readBits(input, 5) + 257, distanceCount = readBits(input, 5) + 1;
  const unsigned lengthCount = readBits(input, 4) + 4;
  if (literalCount > 286 || distanceCount > 30) return false;
  uint8_t lengths[286 + 30], first[19] = {0};
  for (unsigned index = 0; index < lengthCount; index++) {
    first[order[index]] = (uint8_t)readBits(input, 3);
  }
  uint32_t table[1 << LENGTH_BITS];
  if (!build(table, LENGTH_BITS, first, 19, meanings.lengths, false)) return false;
  for (unsigned index = 0; index < literalCount + distanceCount;) {
    refill(input);
    uint64_t before;
    const unsigned symbol = decode(input, table, LENGTH_BITS, &before) >> 16;
    if (isExhausted(input)) return false;
    if (symbol < 16) {
      lengths[index++] = (uint8_t)symbol;
      continue;
    }
    if (symbol == 16 && index == 0) return false;
    const uint8_t length = symbol == 16 ? lengths[index - 1] : 0;
    const unsigned repeats = symbol == 16 ? 3 + readBits(input, 2)
                             : symbol == 17 ? 3 + readBits(input, 3)
                                            : 11 + readBits(input, 7);
    if (repeats > literalCount + distanceCount - index) return false;
    memset(lengths + index, length, repeats);
    index += repeats;
  }
  if (lengths[256] == 0) return false;
  return build(tables->literals, LITERAL_BITS, lengths, literalCount, meanings.literals, true)
         && build(tables->distances, DISTANCE_BITS, lengths + literalCount, distanceCount,
                  meanings.distances, true);
}

void particles_make_fixed_codes(Tables *tables) {
  uint8_t lengths[288], fives[32];
  memset(lengths, 8, 144);
  memset(lengths + 144, 9, 112);
  memset(lengths + 256, 7, 24);
  memset(lengths + 280, 8, 8);
  memset(fives, 5, sizeof fives);
  build(tables->literals, LITERAL_BITS, lengths, 288, meanings.literals, false);
  build(tables->distances, DISTANCE_BITS, fives, 32, meanings.distances, false);
}
