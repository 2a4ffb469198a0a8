#include "CParticlesCompression.h"
#include "Fast.h"

#include <stdlib.h>
#include <string.h>

// Our own compressor, for builds without libdeflate: matches by chains of equal hashes, one step of looking ahead, and
// for each block the shortest of three forms: plain bytes, the fixed codes, and codes of its own.

enum {
  WINDOW = 1 << 15,
  SHORTEST = 3,
  LONGEST = 258,
  HASHES = 1 << 15,
  // The symbols of a block.
  BLOCK = 1 << 14,
  // Positions have 32 bits. After so many bytes the tables begin anew.
  STRETCH = 1 << 30,
  LITERALS = 286,
  DISTANCES = 30,
  LENGTHS = 19,
  END = 256,
};

/// Bits that are written to memory, the lowest first. What does not fit is counted, not written.
typedef struct {
  uint8_t *bytes;
  size_t room, size;
  uint64_t bits;
  unsigned count;
} Output;

typedef struct {
  // A literal with distance 0, or the length of a match.
  uint16_t value, distance;
} Symbol;

typedef struct {
  // For each hash the place after its latest position, and for each position of the window the place before it.
  uint32_t latest[HASHES], before[WINDOW];
  Symbol symbols[BLOCK];
  unsigned used;
  uint32_t literals[LITERALS], distances[DISTANCES];
} Matcher;

typedef struct {
  uint8_t lengths[LITERALS + 2];
  uint16_t codes[LITERALS + 2];
} Codes;

struct particles_deflater {
  int level;
  // libdeflate, or NULL where our own code compresses.
  FastDeflater *fast;
  Matcher *matcher;
};

static void put(Output *output, uint32_t value, unsigned count) {
  output->bits |= (uint64_t)value << output->count;
  for (output->count += count; output->count >= 8; output->count -= 8, output->bits >>= 8) {
    if (output->size < output->room) output->bytes[output->size] = (uint8_t)output->bits;
    output->size++;
  }
}

static void fill(Output *output) {
  if (output->count > 0) put(output, 0, 8 - output->count);
}

/// Writes bytes after whole ones.
static void putBytes(Output *output, const uint8_t *bytes, size_t count) {
  if (output->size <= output->room && count <= output->room - output->size) {
    memcpy(output->bytes + output->size, bytes, count);
  }
  output->size += count;
}

static unsigned highest(unsigned value) { return 31 - (unsigned)__builtin_clz(value); }

/// The symbol of a length (RFC 1951, 3.2.5), and how many bits of the length follow it.
static unsigned lengthSymbol(unsigned length, unsigned *extra) {
  const unsigned rest = length - SHORTEST;
  *extra = rest < 4 || length == LONGEST ? 0 : highest(rest) - 2;
  return length == LONGEST ? 285 : 257 + 4 * *extra + (rest >> *extra);
}

/// The symbol of a distance, and how many bits of the distance follow it.
static unsigned distanceSymbol(unsigned distance, unsigned *extra) {
  const unsigned rest = distance - 1;
  *extra = rest < 2 ? 0 : highest(rest) - 1;
  return 2 * *extra + (rest >> *extra);
}

/// A code as it is stored, from its highest bit on.
static uint16_t stored(unsigned code, unsigned length) {
  return (uint16_t)(__builtin_bitreverse16((uint16_t)code) >> (16 - length));
}

/// Sets the lengths of the shortest codes of at most `limit` bits for symbols that occur so often, and the codes.
/// At least two symbols get a code.
static void makeCodes(const uint32_t *often, unsigned count, unsigned limit, Codes *codes) {
  uint32_t weights[2 * LITERALS];
  uint16_t parents[2 * LITERALS], symbols[LITERALS];
  uint8_t depths[2 * LITERALS];
  unsigned leaves = 0;
  memset(codes->lengths, 0, count);
  // The symbols by their weights. Insertion is fast enough, because many symbols do not occur.
  for (unsigned symbol = 0; symbol < count; symbol++) {
    if (often[symbol] == 0) continue;
    unsigned place = leaves++;
    for (; place > 0 && weights[place - 1] > often[symbol]; place--) {
      weights[place] = weights[place - 1];
      symbols[place] = symbols[place - 1];
    }
    weights[place] = often[symbol];
    symbols[place] = (uint16_t)symbol;
  }
  for (unsigned symbol = 0; leaves < 2; symbol++) {
    if (often[symbol] > 0) continue;
    weights[leaves] = weights[0];
    symbols[leaves++] = (uint16_t)symbol;
  }
  // Huffman's tree: leaves and inner nodes are two queues in the order of their weights.
  unsigned leaf = 0, inner = leaves, next = leaves;
  for (; next < 2 * leaves - 1; next++) {
    weights[next] = 0;
    for (int child = 0; child < 2; child++) {
      const unsigned least =
          leaf < leaves && (inner == next || weights[leaf] <= weights[inner]) ? leaf++ : inner++;
      weights[next] += weights[least];
      parents[least] = (uint16_t)next;
    }
  }
  unsigned numbers[16] = {0};
  depths[next - 1] = 0;
  for (unsigned node = next - 1; node-- > 0;) {
    depths[node] = (uint8_t)(depths[parents[node]] + 1);
    if (node < leaves) numbers[depths[node] < limit ? depths[node] : limit]++;
  }
  // Codes that were too long have taken too much room. Shorter ones become longer until all fit.
  unsigned space = 0;
  for (unsigned length = 1; length <= limit; length++) space += numbers[length] << (limit - length);
  for (; space > 1u << limit; space--) {
    unsigned length = limit - 1;
    while (numbers[length] == 0) length--;
    numbers[length]--;
    numbers[length + 1] += 2;
    numbers[limit]--;
  }
  unsigned place = leaves;
  uint16_t starts[17] = {0};
  for (unsigned length = 1; length <= limit; length++) {
    starts[length + 1] = (uint16_t)((starts[length] + numbers[length]) << 1);
    for (unsigned left = numbers[length]; left > 0; left--) {
      codes->lengths[symbols[--place]] = (uint8_t)length;
    }
  }
  for (unsigned symbol = 0; symbol < count; symbol++) {
    const unsigned length = codes->lengths[symbol];
    codes->codes[symbol] = length == 0 ? 0 : stored(starts[length]++, length);
  }
}

static void makeFixedCodes(Codes *literals, Codes *distances) {
  for (unsigned symbol = 0; symbol < LITERALS + 2; symbol++) {
    const unsigned length = symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8;
    const unsigned code = symbol < 144   ? 0x30 + symbol
                          : symbol < 256 ? 0x190 + symbol - 144
                          : symbol < 280 ? symbol - 256
                                         : 0xC0 + symbol - 280;
    literals->lengths[symbol] = (uint8_t)length;
    literals->codes[symbol] = stored(code, length);
  }
  for (unsigned symbol = 0; symbol < DISTANCES; symbol++) {
    distances->lengths[symbol] = 5;
    distances->codes[symbol] = stored(symbol, 5);
  }
}

/// The lengths of the codes of a block as symbols (RFC 1951, 3.2.7), each with the bits after it.
typedef struct {
  uint8_t symbols[LITERALS + DISTANCES], extras[LITERALS + DISTANCES];
  unsigned used, literalCount, distanceCount, lengthCount;
  Codes codes;
} Head;

static const uint8_t headOrder[LENGTHS] = {
    16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};

static unsigned headExtra(unsigned symbol) {
  return symbol < 16 ? 0 : symbol == 16 ? 2 : symbol == 17 ? 3 : 7;
}

/// Makes the head of a block with codes of its own, and returns its bits.
static unsigned makeHead(Head *head, const Codes *literals, const Codes *distances) {
  head->literalCount = LITERALS;
  while (literals->lengths[head->literalCount - 1] == 0) head->literalCount--;
  head->distanceCount = DISTANCES;
  while (distances->lengths[head->distanceCount - 1] == 0) head->distanceCount--;
  uint8_t lengths[LITERALS + DISTANCES];
  memcpy(lengths, literals->lengths, head->literalCount);
  memcpy(lengths + head->literalCount, distances->lengths, head->distanceCount);
  const unsigned count = head->literalCount + head->distanceCount;
  uint32_t often[LENGTHS] = {0};
  head->used = 0;
  for (unsigned index = 0; index < count;) {
    const uint8_t length = lengths[index];
    unsigned run = 1;
    while (index + run < count && lengths[index + run] == length) run++;
    unsigned symbol = length, taken = 1, extra = 0;
    if (length == 0 && run >= 3) {
      taken = run < 138 ? run : 138;
      symbol = taken < 11 ? 17 : 18;
      extra = taken - (taken < 11 ? 3 : 11);
    } else if (index > 0 && lengths[index - 1] == length && run >= 3) {
      taken = run < 6 ? run : 6;
      symbol = 16;
      extra = taken - 3;
    }
    head->symbols[head->used] = (uint8_t)symbol;
    head->extras[head->used++] = (uint8_t)extra;
    often[symbol]++;
    index += taken;
  }
  makeCodes(often, LENGTHS, 7, &head->codes);
  head->lengthCount = LENGTHS;
  while (head->codes.lengths[headOrder[head->lengthCount - 1]] == 0) head->lengthCount--;
  if (head->lengthCount < 4) head->lengthCount = 4;
  unsigned bits = 14 + 3 * head->lengthCount;
  for (unsigned symbol = 0; symbol < LENGTHS; symbol++) {
    bits += often[symbol] * (head->codes.lengths[symbol] + headExtra(symbol));
  }
  return bits;
}

static void putHead(Output *output, const Head *head) {
  put(output, head->literalCount - 257, 5);
  put(output, head->distanceCount - 1, 5);
  put(output, head->lengthCount - 4, 4);
  for (unsigned place = 0; place < head->lengthCount; place++) {
    put(output, head->codes.lengths[headOrder[place]], 3);
  }
  for (unsigned place = 0; place < head->used; place++) {
    const unsigned symbol = head->symbols[place];
    put(output, head->codes.codes[symbol], head->codes.lengths[symbol]);
    put(output, head->extras[place], headExtra(symbol));
  }
}

/// The bits of all symbols with these codes, without the bits after them, which are equal with all codes.
static uint64_t size(const Matcher *matcher, const Codes *literals, const Codes *distances) {
  uint64_t bits = 0;
  for (unsigned symbol = 0; symbol < LITERALS; symbol++) {
    bits += (uint64_t)matcher->literals[symbol] * literals->lengths[symbol];
  }
  for (unsigned symbol = 0; symbol < DISTANCES; symbol++) {
    bits += (uint64_t)matcher->distances[symbol] * distances->lengths[symbol];
  }
  return bits;
}

static void putSymbols(
    Output *output, const Matcher *matcher, const Codes *literals, const Codes *distances) {
  for (unsigned index = 0; index < matcher->used; index++) {
    const Symbol next = matcher->symbols[index];
    if (next.distance == 0) {
      put(output, literals->codes[next.value], literals->lengths[next.value]);
      continue;
    }
    unsigned extra, symbol = lengthSymbol(next.value, &extra);
    put(output, literals->codes[symbol], literals->lengths[symbol]);
    put(output, (next.value - SHORTEST) & ((1u << extra) - 1), extra);
    symbol = distanceSymbol(next.distance, &extra);
    put(output, distances->codes[symbol], distances->lengths[symbol]);
    put(output, (next.distance - 1u) & ((1u << extra) - 1), extra);
  }
  put(output, literals->codes[END], literals->lengths[END]);
}

static void putStored(Output *output, const uint8_t *bytes, size_t count, bool isLast) {
  do {
    const size_t piece = count < 0xFFFF ? count : 0xFFFF;
    count -= piece;
    put(output, isLast && count == 0, 3);
    fill(output);
    put(output, (uint32_t)piece | ((uint32_t)~piece & 0xFFFF) << 16, 32);
    putBytes(output, bytes, piece);
    bytes += piece;
  } while (count > 0);
}

/// Writes the symbols of a block, in plain form if its `count` bytes are shorter, and empties the list of symbols.
static void putBlock(Output *output, Matcher *matcher, const uint8_t *bytes, size_t count, bool isLast) {
  Codes literals, distances, fixedLiterals, fixedDistances;
  Head head;
  matcher->literals[END]++;
  makeCodes(matcher->literals, LITERALS, 15, &literals);
  makeCodes(matcher->distances, DISTANCES, 15, &distances);
  makeFixedCodes(&fixedLiterals, &fixedDistances);
  const uint64_t own = makeHead(&head, &literals, &distances) + size(matcher, &literals, &distances);
  const uint64_t fixed = size(matcher, &fixedLiterals, &fixedDistances);
  uint64_t extras = 0;
  for (unsigned symbol = 265; symbol < 285; symbol++) {
    extras += (uint64_t)matcher->literals[symbol] * ((symbol - 261) / 4);
  }
  for (unsigned symbol = 4; symbol < DISTANCES; symbol++) {
    extras += (uint64_t)matcher->distances[symbol] * (symbol / 2 - 1);
  }
  const uint64_t shortest = (own < fixed ? own : fixed) + extras;
  if ((uint64_t)count * 8 + 5 * 8 * (count / 0xFFFF + 1) <= shortest) {
    putStored(output, bytes, count, isLast);
  } else if (own < fixed) {
    put(output, isLast | 2 << 1, 3);
    putHead(output, &head);
    putSymbols(output, matcher, &literals, &distances);
  } else {
    put(output, isLast | 1 << 1, 3);
    putSymbols(output, matcher, &fixedLiterals, &fixedDistances);
  }
  matcher->used = 0;
  memset(matcher->literals, 0, sizeof matcher->literals);
  memset(matcher->distances, 0, sizeof matcher->distances);
}

static unsigned hash(const uint8_t *bytes) {
  const uint32_t three = (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16;
  return three * 0x9E3779B1u >> 17;
}

/// Adds a position to the chain of its hash, and returns the place after the position before it, or 0.
static uint32_t enter(Matcher *matcher, const uint8_t *bytes, uint32_t position) {
  uint32_t *const latest = &matcher->latest[hash(bytes + position)];
  const uint32_t before = *latest;
  matcher->before[position % WINDOW] = before;
  *latest = position + 1;
  return before;
}

/// Returns the length of the longest match at a position, if it is longer than `least`, or 0.
static unsigned longest(
    const Matcher *matcher, const uint8_t *bytes, uint32_t position, uint32_t end, uint32_t chain,
    unsigned tries, unsigned least, unsigned *distance) {
  const unsigned most = end - position < LONGEST ? end - position : LONGEST;
  unsigned found = 0;
  const uint8_t *const here = bytes + position;
  for (; chain > 0 && position + 1 - chain <= WINDOW && tries > 0 && least < most; tries--) {
    const uint8_t *const there = bytes + chain - 1;
    if (there[least] == here[least] && there[0] == here[0]) {
      unsigned length = 0;
      while (length < most && there[length] == here[length]) length++;
      if (length > least) {
        found = least = length;
        *distance = (unsigned)(here - there);
      }
    }
    // Positions descend. Entries of positions that are no longer in the window were overwritten.
    const uint32_t next = matcher->before[(chain - 1) % WINDOW];
    if (next >= chain) break;
    chain = next;
  }
  return found >= SHORTEST ? found : 0;
}

static void add(Matcher *matcher, unsigned value, unsigned distance) {
  matcher->symbols[matcher->used++] = (Symbol){(uint16_t)value, (uint16_t)distance};
  unsigned extra;
  matcher->literals[distance == 0 ? value : lengthSymbol(value, &extra)]++;
  if (distance > 0) matcher->distances[distanceSymbol(distance, &extra)]++;
}

/// Compresses up to STRETCH bytes.
static void compress(
    Output *output, Matcher *matcher, const uint8_t *bytes, uint32_t count, int level, bool isLast) {
  // 8 to 128. More find longer matches that are farther away, which take as many bits.
  const unsigned tries = 8u << level / 3;
  memset(matcher, 0, sizeof *matcher);
  uint32_t position = 0, start = 0, waitingLength = 0, waitingDistance = 0;
  // A match waits for one position, where a longer one may begin.
  while (position < count) {
    if (matcher->used == BLOCK) {
      const uint32_t end = waitingLength > 0 ? position - 1 : position;
      putBlock(output, matcher, bytes + start, end - start, false);
      start = end;
    }
    unsigned distance = 0, length = 0;
    if (count - position >= SHORTEST) {
      const uint32_t chain = enter(matcher, bytes, position);
      length = longest(matcher, bytes, position, count, chain, tries,
                       waitingLength > 0 ? waitingLength : SHORTEST - 1, &distance);
      // Three bytes from far away take more bits than three literals.
      if (length == SHORTEST && distance > 4096) length = 0;
    }
    if (waitingLength > 0) {
      if (length == 0) {
        add(matcher, waitingLength, waitingDistance);
        const uint32_t end = position - 1 + waitingLength;
        while (++position < end) {
          if (count - position >= SHORTEST) enter(matcher, bytes, position);
        }
        waitingLength = 0;
        continue;
      }
      add(matcher, bytes[position - 1], 0);
    }
    if (length == 0) {
      add(matcher, bytes[position], 0);
    } else {
      waitingLength = length;
      waitingDistance = distance;
    }
    position++;
  }
  if (waitingLength > 0) add(matcher, waitingLength, waitingDistance);
  putBlock(output, matcher, bytes + start, count - start, isLast);
}

/// Returns the length of a bare stream, or 0 if it does not fit.
static size_t deflatePlain(
    particles_deflater *deflater, const uint8_t *bytes, size_t count, uint8_t *bytesOut, size_t room) {
  Output output = {bytesOut, room, 0, 0, 0};
  if (deflater->level == 0) {
    putStored(&output, bytes, count, true);
  } else {
    do {
      const size_t piece = count < STRETCH ? count : STRETCH;
      compress(&output, deflater->matcher, bytes, (uint32_t)piece, deflater->level, piece == count);
      bytes += piece;
      count -= piece;
    } while (count > 0 && output.size <= room);
    fill(&output);
  }
  return output.size <= room ? output.size : 0;
}

static void putNumber(uint8_t *bytes, uint32_t number, bool isBig) {
  for (unsigned index = 0; index < 4; index++) {
    bytes[index] = (uint8_t)(number >> 8 * (isBig ? 3 - index : index));
  }
}

/// Writes a stream with its head and its checksum.
static size_t wrap(
    particles_deflater *deflater, const uint8_t *bytes, size_t count, particles_wrapping wrapping,
    uint8_t *output, size_t room) {
  const size_t head = wrapping == PARTICLES_ZLIB ? 2 : wrapping == PARTICLES_GZIP ? 10 : 0;
  const size_t tail = wrapping == PARTICLES_ZLIB ? 4 : wrapping == PARTICLES_GZIP ? 8 : 0;
  if (room < head + tail) return 0;
  const size_t size = deflatePlain(deflater, bytes, count, output + head, room - head - tail);
  if (size == 0) return 0;
  const int level = deflater->level;
  if (wrapping == PARTICLES_ZLIB) {
    const unsigned first = 0x7800u | (level < 2 ? 0 : level < 6 ? 1 : level < 8 ? 2 : 3) << 6;
    const unsigned both = first + 31 - first % 31;
    output[0] = (uint8_t)(both >> 8);
    output[1] = (uint8_t)both;
    putNumber(output + head + size, particles_adler32(1, bytes, count), true);
  } else if (wrapping == PARTICLES_GZIP) {
    // The system is unknown.
    memcpy(output, (const uint8_t[10]){0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255}, 10);
    output[8] = level >= 9 ? 2 : level <= 1 ? 4 : 0;
    putNumber(output + head + size, particles_crc32(0, bytes, count, true), false);
    putNumber(output + head + size + 4, (uint32_t)count, false);
  }
  return head + size + tail;
}

size_t particles_deflate(
    particles_deflater *deflater, const uint8_t *bytes, size_t count, particles_wrapping wrapping,
    uint8_t *output, size_t room) {
  return deflater->fast != NULL
             ? fast_deflate(deflater->fast, bytes, count, wrapping, output, room)
             : wrap(deflater, bytes, count, wrapping, output, room);
}

// A block of plain bytes has 5 bytes more, and one of compressed ones is not longer. gzip adds 18 bytes.
size_t particles_deflate_bound(size_t count) { return count + 5 * (count / 5000 + 1) + 18 + 9; }

particles_deflater *particles_deflater_new(int level, bool isPlain) {
  particles_deflater *deflater = level < 0 || level > 12 ? NULL : malloc(sizeof *deflater);
  if (deflater == NULL) return NULL;
  *deflater = (particles_deflater){level, isPlain ? NULL : fast_new(level), NULL};
  if (deflater->fast != NULL || level == 0) return deflater;
  deflater->matcher = malloc(sizeof *deflater->matcher);
  if (deflater->matcher != NULL) return deflater;
  free(deflater);
  return NULL;
}

void particles_deflater_free(particles_deflater *deflater) {
  if (deflater->fast != NULL) fast_free(deflater->fast);
  free(deflater->matcher);
  free(deflater);
}
