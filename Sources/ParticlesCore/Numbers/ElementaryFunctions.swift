// Functions that differ between C libraries and processors are computed here, so that a simulation gives identical bits
// everywhere: IEEE 754 operations only, in a fixed order.

/// Sine and cosine of an angle in degrees. The error is below 2⁻⁵⁰ for angles up to 10⁶°.
package func sineAndCosine(degrees: Double) -> (sine: Double, cosine: Double) {
  guard degrees.isFinite else { return (0, 1) }
  let quarter = (degrees / 90).rounded(.toNearestOrEven)
  let x = (degrees - quarter * 90) * (Double.pi / 180)
  // Taylor polynomials. |x| ≤ π/4, so that the next term is below 2⁻⁵⁵.
  let y = x * x
  var sine = 1 / 355_687_428_096_000.0
  sine = sine * y - 1 / 1_307_674_368_000.0
  sine = sine * y + 1 / 6_227_020_800.0
  sine = sine * y - 1 / 39_916_800.0
  sine = sine * y + 1 / 362_880.0
  sine = sine * y - 1 / 5_040.0
  sine = sine * y + 1 / 120.0
  sine = sine * y - 1 / 6.0
  sine = (sine * y + 1) * x
  var cosine = 1 / 20_922_789_888_000.0
  cosine = cosine * y - 1 / 87_178_291_200.0
  cosine = cosine * y + 1 / 479_001_600.0
  cosine = cosine * y - 1 / 3_628_800.0
  cosine = cosine * y + 1 / 40_320.0
  cosine = cosine * y - 1 / 720.0
  cosine = cosine * y + 1 / 24.0
  cosine = cosine * y - 1 / 2.0
  cosine = cosine * y + 1
  // Greater numbers are multiples of 4.
  switch quarter.magnitude < 0x1p60 ? Int64(saturating: quarter) & 3 : 0 {
  case 0: return (sine, cosine)
  case 1: return (cosine, -sine)
  case 2: return (-sine, -cosine)
  default: return (-cosine, sine)
  }
}

/// The sine of an angle in radians.
package func sine(_ angle: Double) -> Double { sineAndCosine(degrees: angle * (180 / .pi)).sine }

/// The cosine of an angle in radians.
package func cosine(_ angle: Double) -> Double {
  sineAndCosine(degrees: angle * (180 / .pi)).cosine
}

/// The angle of a direction in degrees, −180 to 180, 0 for (0, 0). The error is below 2⁻⁴⁰ of a turn.
package func angleInDegrees(_ y: Double, _ x: Double) -> Double {
  let (width, height) = (x.magnitude, y.magnitude)
  guard width.isFinite, height.isFinite, width + height > 0 else { return 0 }
  let isSteep = height > width
  var ratio = isSteep ? width / height : height / width
  // Two halvings of the angle bring the argument below 0.2, where the series is short.
  for _ in 0..<2 { ratio = ratio / (1 + (1 + ratio * ratio).squareRoot()) }
  let square = ratio * ratio
  let sum = oddReciprocals(-square)
  var angle = 4 * ratio * sum * (180 / Double.pi)
  if isSteep { angle = 90 - angle }
  if x < 0 { angle = 180 - angle }
  return y < 0 ? -angle : angle
}

/// 1 + x/3 + x²/5 + … + x¹⁰/21
@inline(__always)
private func oddReciprocals(_ x: Double) -> Double {
  var sum = 1 / 21.0
  sum = sum * x + 1 / 19.0
  sum = sum * x + 1 / 17.0
  sum = sum * x + 1 / 15.0
  sum = sum * x + 1 / 13.0
  sum = sum * x + 1 / 11.0
  sum = sum * x + 1 / 9.0
  sum = sum * x + 1 / 7.0
  sum = sum * x + 1 / 5.0
  sum = sum * x + 1 / 3.0
  return sum * x + 1
}

/// 2 to a power. The relative error is below 2⁻⁴⁸.
package func powerOfTwo(_ exponent: Double) -> Double {
  guard exponent > -1_022 else { return exponent.isNaN ? 1 : 0 }
  guard exponent < 1_023 else { return .greatestFiniteMagnitude }
  let whole = exponent.rounded(.toNearestOrEven)
  let x = (exponent - whole) * 0.693_147_180_559_945_3
  var (sum, index) = (1.0, 14.0)
  while index >= 1 {
    sum = 1 + sum * x / index
    index -= 1
  }
  return Double(sign: .plus, exponent: Int(saturating: whole), significand: 1) * sum
}

/// The logarithm to base 2 of a positive number. The error is below 2⁻⁴⁵.
package func logarithmToBaseTwo(_ number: Double) -> Double {
  guard number > 0, number.isFinite else { return number > 0 ? 1_024 : -1_022 }
  var (exponent, x) = (Double(number.exponent), number.significand)
  if x > 1.414_213_562_373_095_1 { (exponent, x) = (exponent + 1, x / 2) }
  let ratio = (x - 1) / (x + 1)
  let square = ratio * ratio
  let sum = oddReciprocals(square)
  return exponent + 2 * ratio * sum * 1.442_695_040_888_963_4
}

/// Euler's number to a power. The relative error is below 2⁻⁴² for powers from −100 to 100.
package func exponential(_ exponent: Double) -> Double {
  powerOfTwo(exponent * 1.442_695_040_888_963_4)
}

/// The natural logarithm of a positive number. The error is below 2⁻⁴⁵.
package func logarithm(_ number: Double) -> Double {
  logarithmToBaseTwo(number) * 0.693_147_180_559_945_3
}

/// A number of at least 0 to a power.
package func power(_ base: Double, _ exponent: Double) -> Double {
  base <= 0 ? (exponent == 0 ? 1 : 0) : powerOfTwo(exponent * logarithmToBaseTwo(base))
}

/// The cube root. The relative error is below 2⁻⁵¹.
package func cubeRoot(_ number: Double) -> Double {
  guard number != 0, number.isFinite else { return number }
  let size = number.magnitude
  var root = power(size, 1 / 3.0)
  // A step of Newton's method squares the error of the power.
  root -= (root * root * root - size) / (3 * root * root)
  return number < 0 ? -root : root
}
