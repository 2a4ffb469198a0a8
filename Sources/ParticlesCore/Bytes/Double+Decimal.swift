extension Double {
  /// This number rounded to twelve decimals, which removes rounding errors of arithmetic; unchanged if
  /// that does not make its text at least five digits shorter.
  package var rounded: Double {
    let short = (self * 1e12).rounded() / 1e12
    guard short != self, short.isFinite,
      short.description.utf8.count + 5 < description.utf8.count
    else { return self }
    return short
  }

  /// The shortest decimal number that rounds to the same 32-bit float, if this number is a float with
  /// a longer text. Returned unchanged otherwise.
  package var tidy: Double {
    guard magnitude > 1e-30 else { return 0 }
    let float = Float(self)
    guard (Double(float) - self).magnitude <= 1e-15 * magnitude, description.utf8.count > 14 else {
      return self
    }
    return Double(float.description) ?? self
  }
}
