/// The order of names in lists of files: numbers in them count by their value, and neither case nor accents do.
///
/// `fire.png`, `fire 2.png`, `Fire 10.png` and `fire 20.png` are in this order. A full stop is before all other
/// characters, so names are sorted without their extensions first, as GNOME's file managers do. Names that differ in
/// case, accents or leading zeros only are in the order of their bytes.
package enum NaturalOrder {
  /// A name prepared for comparisons.
  package struct Key: Sendable, Comparable {
    private let folded: [UInt8]
    private let name: String

    package init(_ name: String) {
      self.name = name
      folded = NaturalOrder.folded(name)
    }

    package static func < (a: Key, b: Key) -> Bool {
      let count = min(a.folded.count, b.folded.count)
      let order = a.folded.withUnsafeBytes { first in
        b.folded.withUnsafeBytes { second in compare(first, second, count) }
      }
      if order != 0 { return order < 0 }
      if a.folded.count != b.folded.count { return a.folded.count < b.folded.count }
      return a.name.utf8.lexicographicallyPrecedes(b.name.utf8)
    }

    private static func compare(
      _ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer, _ count: Int
    ) -> Int {
      for index in 0..<count where a[index] != b[index] { return a[index] < b[index] ? -1 : 1 }
      return 0
    }
  }

  /// The bytes that are compared: lower case without accents, and each number as `0`, the count of its digits, and
  /// the digits without leading zeros.
  private static func folded(_ name: String) -> [UInt8] {
    var result: [UInt8] = []
    let bytes = Array((name.utf8.allSatisfy { $0 < 0x80 } ? name : plain(name)).utf8)
    result.reserveCapacity(bytes.count + 4)
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      guard isDigit(byte) else {
        result.append(
          byte == UInt8(ascii: ".")
            ? 1 : (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte + 32 : byte)
        index += 1
        continue
      }
      var start = index
      while index < bytes.count, isDigit(bytes[index]) { index += 1 }
      while start < index - 1, bytes[start] == UInt8(ascii: "0") { start += 1 }
      result += [UInt8(ascii: "0"), UInt8(min(255, index - start))]
      result += bytes[start..<index]
    }
    return result
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  /// A text in lower case, without accents: for searches that find `élan` by `elan`.
  package static func plain(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
    var plain = ""
    for scalar in UnicodeNormalization.decomposed(text.lowercased())
    where !(0x300...0x36F).contains(scalar.value) { plain.unicodeScalars.append(scalar) }
    return plain
  }
}
