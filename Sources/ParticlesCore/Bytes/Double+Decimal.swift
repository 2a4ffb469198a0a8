extension Double {
  /// This number without the digits that arithmetic leaves behind the twelfth decimal; unchanged if
  /// that does not make it shorter.
  package var rounded: Double {
    let short = (self * 1e12).rounded() / 1e12
    guard short.isFinite, short.description.count + 5 < description.count else { return self }
    return short
  }

  /// The shortest decimal number that is the same 32-bit float, if this is a float with more digits
  /// than that needs; numbers below 1e-30 become 0.
  package var tidy: Double {
    guard magnitude > 1e-30 else { return 0 }
    let float = Float(self)
    guard (Double(float) - self).magnitude <= 1e-15 * magnitude, description.utf8.count > 14 else {
      return self
    }
    return Double(float.description) ?? self
  }
}
