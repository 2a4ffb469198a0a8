/// Up to 256 different colours with their numbers: a hash table of fixed size.
package struct ExactColors {
  private static let bits = 10
  /// A colour in each place, 0 for none; colours are opaque and so never 0.
  private var table = [UInt32](repeating: 0, count: 1 << bits)
  private var numbers = [UInt16](repeating: 0, count: 1 << bits)

  /// The colours in the order in which they were added.
  private(set) var colors: [UInt32] = []

  /// Whether there were more colours than fit.
  package private(set) var isOverfull = false

  /// Creates an empty set.
  package init() {}

  init(_ colors: [UInt32]) {
    for color in colors { insert(color) }
  }

  /// Returns the place of a colour in the table, or the free place for it.
  @inline(__always)
  private func place(of color: UInt32) -> Int {
    var place = Int((color &* 0x9E37_79B1) >> UInt32(32 - Self.bits))
    while table[place] != color, table[place] != 0 { place = (place + 1) & ((1 << Self.bits) - 1) }
    return place
  }

  /// Adds a colour, unless 256 others are there.
  package mutating func insert(_ color: UInt32) {
    guard !isOverfull else { return }
    let place = place(of: color)
    guard table[place] == 0 else { return }
    guard colors.count < 256 else {
      isOverfull = true
      return
    }
    table[place] = color
    numbers[place] = UInt16(colors.count)
    colors.append(color)
  }

  /// Returns the number of a colour, or nil if it was not added.
  @inline(__always)
  func number(of color: UInt32) -> Int? {
    let place = place(of: color)
    return table[place] == color ? Int(numbers[place]) : nil
  }
}
