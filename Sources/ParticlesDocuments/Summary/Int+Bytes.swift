internal import ParticlesCore

extension Int {
  /// Formats a number of bytes: `940 B`, `1.9 kB`, `12 MB`; units are powers of 1000.
  package var bytesText: String {
    guard self >= 1000 else { return "\(self) B" }
    var (value, unit) = (Double(self) / 1000, 0)
    while value >= 999.5, unit < 3 { (value, unit) = (value / 1000, unit + 1) }
    let tenths = Int(saturating: (value * 10).rounded())
    let number =
      value < 9.95 ? "\(tenths / 10).\(tenths % 10)" : "\(Int(saturating: value.rounded()))"
    return "\(number) \(["kB", "MB", "GB", "TB"][unit])"
  }

  /// Formats a count with commas between thousands: `1,950`.
  package var grouped: String {
    let digits = String(magnitude)
    var text = self < 0 ? "-" : ""
    for (place, digit) in digits.enumerated() {
      if place > 0, (digits.utf8.count - place) % 3 == 0 { text += "," }
      text.append(digit)
    }
    return text
  }
}
