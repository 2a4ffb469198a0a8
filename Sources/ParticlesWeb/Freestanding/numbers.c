// Functions on numbers that the Swift library asks the C library for.

#include <stddef.h>
#include <stdint.h>

static uint64_t bits(double x) {
  union { double number; uint64_t bits; } both = {x};
  return both.bits;
}

static double number(uint64_t bits) {
  union { uint64_t bits; double number; } both = {bits};
  return both.number;
}

// To the nearest whole number, ties away from zero.
double round(double x) {
  double size = __builtin_fabs(x), whole = __builtin_trunc(size);
  if (size - whole >= 0.5) whole += 1;
  return __builtin_copysign(whole, x);
}

float roundf(float x) {
  float size = __builtin_fabsf(x), whole = __builtin_truncf(size);
  if (size - whole >= 0.5f) whole += 1;
  return __builtin_copysignf(whole, x);
}

// The remainder of a division whose quotient is cut to a whole number: exact, by long division.
double fmod(double x, double y) {
  double size = __builtin_fabs(x), divisor = __builtin_fabs(y);
  if (!(size < __builtin_inf()) || !(divisor > 0)) return __builtin_nan("");
  if (size < divisor || divisor == __builtin_inf()) return x;
  // Both as whole numbers with an exponent.
  uint64_t a = bits(size), b = bits(divisor);
  int ea = (int)(a >> 52), eb = (int)(b >> 52);
  uint64_t mask = ((uint64_t)1 << 52) - 1;
  a = ea ? (a & mask) | ((uint64_t)1 << 52) : a;
  b = eb ? (b & mask) | ((uint64_t)1 << 52) : b;
  if (!ea) ea = 1;
  if (!eb) eb = 1;
  for (a %= b; ea > eb && a; ea--) a = (a << 1) % b;
  if (!a) return __builtin_copysign(0, x);
  while (a < ((uint64_t)1 << 52) && eb > 1) a <<= 1, eb--;
  uint64_t result = a < ((uint64_t)1 << 52) ? a : (a & mask) | ((uint64_t)eb << 52);
  return __builtin_copysign(number(result), x);
}

// The remainder of a division whose quotient is the nearest whole number, ties to even: exact.
double remainder(double x, double y) {
  double size = __builtin_fabs(x), divisor = __builtin_fabs(y);
  if (!(size < __builtin_inf()) || !(divisor > 0)) return __builtin_nan("");
  if (divisor < 0x1p1023) size = fmod(size, divisor + divisor);
  // Less than two divisors are left. Half of a very small divisor would be rounded.
  int isSmall = divisor < 0x1p-1021;
  double half = isSmall ? divisor : divisor * 0.5;
  if ((isSmall ? size + size : size) > half) {
    size -= divisor;
    if ((isSmall ? size + size : size) >= half) size -= divisor;
  }
  return number(bits(size) ^ (bits(x) & (uint64_t)1 << 63));
}

typedef struct { uint64_t low, high; } wide;

// The product of two numbers of 128 bits, for which there is no instruction.
void __multi3(wide *result, uint64_t aLow, uint64_t aHigh, uint64_t bLow, uint64_t bHigh) {
  uint64_t a0 = (uint32_t)aLow, a1 = aLow >> 32, b0 = (uint32_t)bLow, b1 = bLow >> 32;
  uint64_t low = a0 * b0, mixed = a1 * b0 + (low >> 32), other = a0 * b1 + (uint32_t)mixed;
  result->low = other << 32 | (uint32_t)low;
  result->high = a1 * b1 + (mixed >> 32) + (other >> 32) + aLow * bHigh + aHigh * bLow;
}

// Seeds of hash tables. A page has its memory to itself, so these need not be secret.
void arc4random_buf(void *start, size_t count) {
  unsigned char *bytes = start;
  for (size_t i = 0; i < count; i++) bytes[i] = (unsigned char)(i * 167 + 13);
}

// A whole number of many digits, the lowest word first.
enum { MOST_WORDS = 640 };

typedef struct {
  int count;
  uint32_t words[MOST_WORDS];
} whole;

static void multiply(whole *x, uint32_t factor, uint32_t carry) {
  for (int i = 0; i < x->count; i++) {
    uint64_t product = (uint64_t)x->words[i] * factor + carry;
    x->words[i] = (uint32_t)product;
    carry = (uint32_t)(product >> 32);
  }
  if (carry && x->count < MOST_WORDS) x->words[x->count++] = carry;
}

// Returns whether there is a remainder.
static int divide(whole *x, uint32_t divisor) {
  uint64_t rest = 0;
  for (int i = x->count - 1; i >= 0; i--) {
    rest = rest << 32 | x->words[i];
    x->words[i] = (uint32_t)(rest / divisor);
    rest %= divisor;
  }
  while (x->count && !x->words[x->count - 1]) x->count--;
  return rest != 0;
}

static int length(const whole *x) {
  return x->count ? 32 * x->count - __builtin_clz(x->words[x->count - 1]) : 0;
}

// The double next to x · 2^exponent, ties to even. With `more`, the number is a little greater.
static double nearest(const whole *x, int exponent, int more) {
  int count = length(x);
  if (!count) return 0;
  // The unit in the last place is at least the smallest double.
  int unit = count - 53 + exponent;
  if (unit < -1074) unit = -1074;
  int cut = unit - exponent;
  uint64_t value = 0;
  int half = 0;
  for (int i = 0; i < count; i++) {
    int bit = x->words[i / 32] >> i % 32 & 1;
    if (i >= cut) value |= (uint64_t)bit << (i - cut);
    else if (i == cut - 1) half = bit;
    else more |= bit;
  }
  if (half && (more || value & 1)) value++;
  if (value >> 53) value >>= 1, unit++;
  if (!(value >> 52)) return number(value);
  if (unit > 971) return __builtin_inf();
  return number((uint64_t)(unit + 1075) << 52 | (value & (((uint64_t)1 << 52) - 1)));
}

// The double next to a decimal number of any length.
// Returns the end of the number, or NULL if there is none.
const char *_swift_stdlib_strtod_clocale(const char *text, double *result) {
  static whole x;
  const char *next = text;
  int isNegative = *next == '-', digits = 0, exponent = 0, more = 0;
  if (*next == '-' || *next == '+') next++;
  x.count = 0;
  int isFraction = 0;
  for (;; next++) {
    if (*next == '.' && !isFraction) {
      isFraction = 1;
      continue;
    }
    if (*next < '0' || *next > '9') break;
    digits++;
    // Digits behind the eight-hundredth decide between two doubles only by not being 0.
    if (length(&x) < 2700) {
      multiply(&x, 10, 0);
      uint32_t digit = (uint32_t)(*next - '0');
      for (int i = 0; digit && i < MOST_WORDS; i++) {
        if (i == x.count) x.words[x.count++] = 0;
        uint64_t sum = (uint64_t)x.words[i] + digit;
        x.words[i] = (uint32_t)sum;
        digit = (uint32_t)(sum >> 32);
      }
      exponent -= isFraction;
    } else {
      more |= *next != '0';
      exponent += !isFraction;
    }
  }
  if (!digits) return NULL;
  if (*next == 'e' || *next == 'E') {
    const char *after = next + 1;
    int isBelow = *after == '-', power = 0;
    if (*after == '-' || *after == '+') after++;
    if (*after >= '0' && *after <= '9') {
      for (; *after >= '0' && *after <= '9'; after++)
        if (power < 100000) power = power * 10 + (*after - '0');
      exponent += isBelow ? -power : power;
      next = after;
    }
  }
  double value = 0;
  if (x.count) {
    int bitsOfValue = length(&x);
    if (exponent > 400) {
      value = __builtin_inf();
    } else if (exponent < -1300) {
      value = 0;
    } else if (exponent >= 0) {
      for (int i = 0; i < exponent; i++) multiply(&x, 5, 0);
      value = nearest(&x, exponent, more);
    } else {
      // Room for 64 bits of the quotient, and then some, in front of a division by 5 for each digit.
      int shift = -exponent * 7 / 3 + 96 - bitsOfValue;
      int words = shift > 0 ? shift / 32 + 1 : 0;
      if (x.count + words > MOST_WORDS) words = MOST_WORDS - x.count;
      for (int i = x.count - 1; i >= 0; i--) x.words[i + words] = x.words[i];
      for (int i = 0; i < words; i++) x.words[i] = 0;
      x.count += words;
      for (int i = 0; i > exponent; i--) more |= divide(&x, 5);
      value = nearest(&x, exponent - 32 * words, more);
    }
  }
  *result = isNegative ? -value : value;
  return next;
}
