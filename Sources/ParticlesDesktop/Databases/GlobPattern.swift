internal import ParticlesCore

/// A pattern of file names: `*` matches any sequence, `?` one byte, `[a-z]` one byte of a set.
///
/// Bytes are compared, not characters, as in the shared MIME database.
package struct GlobPattern: Sendable, Hashable {
  private enum Element: Sendable, Hashable {
    case byte(UInt8)
    case any
    case one
    case of([ClosedRange<UInt8>], isNegated: Bool)
  }

  private let elements: [Element]

  /// The source of the pattern.
  package let text: String

  /// Parses a pattern. A `[` without a `]` is literal.
  package init(_ text: String) {
    self.text = text
    var elements: [Element] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "*"): if elements.last != .any { elements.append(.any) }
      case UInt8(ascii: "?"): elements.append(.one)
      case UInt8(ascii: "["): elements.append(Self.set(&rest) ?? .byte(byte))
      default: elements.append(.byte(byte))
      }
    }
    self.elements = elements
  }

  private static func set(_ rest: inout ArraySlice<UInt8>) -> Element? {
    let marks: [UInt8] = [UInt8(ascii: "!"), UInt8(ascii: "^")]
    let isNegated = rest.first.map(marks.contains) ?? false
    let body = isNegated ? rest.dropFirst() : rest
    // A closing bracket at the beginning is a member of the set.
    guard let end = body.dropFirst().firstIndex(of: UInt8(ascii: "]")) else { return nil }
    rest = body[(end + 1)...]
    var characters = body[..<end]
    var ranges: [ClosedRange<UInt8>] = []
    while let low = characters.popFirst() {
      if characters.count >= 2, characters.first == UInt8(ascii: "-") {
        let high = characters[characters.startIndex + 1]
        characters = characters.dropFirst(2)
        if low <= high { ranges.append(low...high) }
      } else {
        ranges.append(low...low)
      }
    }
    return .of(ranges, isNegated: isNegated)
  }

  /// Whether the pattern has no wildcards.
  package var isLiteral: Bool {
    elements.allSatisfy { if case .byte = $0 { true } else { false } }
  }

  /// The text after the star of a pattern of a star and literal text, otherwise nil.
  var suffix: String? {
    guard elements.first == .any, elements.count > 1,
      elements.dropFirst().allSatisfy({ if case .byte = $0 { true } else { false } })
    else { return nil }
    return String(text.drop { $0 == "*" })
  }

  /// The extension of a pattern of the form `*.extension`, otherwise nil.
  package var fileExtension: String? {
    guard elements.first == .any, elements.dropFirst().first == .byte(UInt8(ascii: ".")),
      elements.dropFirst(2).allSatisfy({ if case .byte = $0 { true } else { false } })
    else { return nil }
    let name = String(text.drop { $0 == "*" }.dropFirst())
    return name.isEmpty ? nil : name
  }

  /// Returns whether a name matches. The time is at most proportional to the product of both
  /// lengths.
  package func matches(_ name: String) -> Bool {
    Wildcards.match(elements, Array(name.utf8), many: .any, fits: Self.fits)
  }

  private static func fits(_ element: Element, _ byte: UInt8) -> Bool {
    switch element {
    case .byte(let expected): expected == byte
    case .one: true
    case .any: false
    case .of(let ranges, let isNegated): ranges.contains { $0.contains(byte) } != isNegated
    }
  }
}
