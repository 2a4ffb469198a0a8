/// Figures as the table shows them: three significant digits and a unit.
enum Text {
  /// `value` with three significant digits; digits before the decimal point are never cut.
  static func significant(_ value: Double) -> String {
    Decimal.fixed(value, value.magnitude < 10 ? 2 : value.magnitude < 100 ? 1 : 0)
  }

  /// `value` with as few digits as possible, at most two after the decimal point.
  static func plain(_ value: Double) -> String {
    var text = Decimal.fixed(value, 2)
    while text.hasSuffix("0") { text.removeLast() }
    if text.hasSuffix(".") { text.removeLast() }
    return text
  }

  /// A time in seconds.
  static func time(_ seconds: Double) -> String {
    switch seconds {
    case ..<0.9995e-6: "\(plainOrSignificant(seconds * 1e9)) ns"
    case ..<0.9995e-3: "\(plainOrSignificant(seconds * 1e6)) µs"
    case ..<0.9995: "\(plainOrSignificant(seconds * 1e3)) ms"
    default: "\(significant(seconds)) s"
    }
  }

  /// A number of bytes.
  static func bytes(_ count: Int) -> String {
    switch count {
    case ..<1_000: "\(count) B"
    case ..<1_000_000: "\(significant(Double(count) / 1e3)) kB"
    default: "\(significant(Double(count) / 1e6)) MB"
    }
  }

  /// An amount of memory in binary units.
  static func memory(_ count: Int) -> String { Decimal.fixed(Double(count) / 0x1p20, 1) + " MiB" }

  /// A whole number without decimals; any other number with three significant digits.
  private static func plainOrSignificant(_ value: Double) -> String {
    value == value.rounded() ? Decimal.fixed(value, 0) : significant(value)
  }
}

/// Text in columns, two spaces apart, each as wide as its widest cell.
struct TextTable {
  /// The columns that are aligned to the right.
  let right: Set<Int>
  private var rows: [[String]] = []

  init(right: Set<Int>) { self.right = right }

  mutating func add(_ cells: [String]) { rows.append(cells) }

  /// The rows, each ending in a line feed. No line ends in a space.
  var text: String {
    let columns = 0..<(rows.map(\.count).max() ?? 0)
    let widths = columns.map { column in
      rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
    }
    return rows.reduce(into: "") { text, row in
      let cells = row.enumerated().map { column, cell in
        let blanks = String(repeating: " ", count: widths[column] - cell.count)
        return right.contains(column) ? blanks + cell : cell + blanks
      }
      var line = cells.joined(separator: "  ")
      while line.last == " " { line.removeLast() }
      text += line + "\n"
    }
  }
}
