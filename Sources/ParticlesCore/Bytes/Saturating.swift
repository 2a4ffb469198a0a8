extension Int {
  /// A size or a position that a file states. Greater numbers than an integer has become the greatest one. Where it has 32
  /// bits, as in pages, this is 2³⁰: no file is as long there, and sums with other sizes do not overflow.
  package init(size: some FixedWidthInteger) {
    self.init(clamping: size)
    if Self.bitWidth < 64 { self = Swift.min(self, 1 << 30) }
  }
}

extension FixedWidthInteger {
  /// Creates the integer part of a number. Numbers beyond the range become its nearest end, NaN becomes 0.
  ///
  /// The initialisers of the standard library end the program where a number is beyond the range. Numbers come from
  /// files, so that no module uses them: a test looks for their checks in the objects of all modules. In C, the function
  /// of this kind is `saturated` in `FunctionKernels.h`.
  ///
  /// It is a part of its callers also where the compiler would call it: loops over pixels make several integers of each.
  @inlinable @inline(__always)
  package init(saturating number: Double) {
    let exponent = Int(truncatingIfNeeded: number.exponentBitPattern)
    // The exponents of 2^64 and of greater numbers, infinities and NaN.
    if exponent >= 1087 {
      self = number.isNaN ? 0 : number < 0 ? .min : .max
      return
    }
    // The whole part of the significand (53 bits). Subnormal numbers shift all bits out.
    let magnitude = (number.significandBitPattern | 1 << 52) >> (1075 - exponent)
    if number >= 0 {
      self.init(clamping: magnitude)
    } else {
      self.init(clamping: magnitude < 1 << 63 ? -Int64(truncatingIfNeeded: magnitude) : .min)
    }
  }

  /// Creates the integer part of a number. Numbers beyond the range become its nearest end, NaN becomes 0.
  @inlinable
  package init(saturating number: Float) { self.init(saturating: Double(number)) }
}
