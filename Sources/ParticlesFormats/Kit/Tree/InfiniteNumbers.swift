internal import ParticlesCore
internal import ParticlesPropertyLists

/// The numbers of a file that are infinite, not a number, or too large for a double. Rows use the
/// default in their place.
struct InfiniteNumbers {
  private(set) var found: [(path: String, value: JSONValue)] = []
  private let mayBeText: Bool

  /// - Parameter mayBeText: whether the syntax has such numbers as words, such as `inf`; texts are not
  ///   looked at otherwise: `1e9999` is a colour.
  init(in root: JSONValue, mayBeText: Bool) {
    self.mayBeText = mayBeText
    // Paths are long, and nearly no file has such a number.
    if contains(root) { collect(root, "") }
  }

  private func contains(_ value: JSONValue) -> Bool {
    switch value {
    case .object(let object): object.members.contains { contains($0.value) }
    case .array(let elements): elements.contains(where: contains)
    case .number(let number): number.mayBeInfinite && number.double == nil
    case .string(let text): mayBeText && text.isInfiniteNumber
    default: false
    }
  }

  private mutating func collect(_ value: JSONValue, _ path: String) {
    switch value {
    case .object(let object):
      for member in object.members where member.key != "name" {
        collect(member.value, path.isEmpty ? member.key : "\(path).\(member.key)")
      }
    case .array(let elements):
      for (index, element) in elements.enumerated() { collect(element, "\(path)[\(index)]") }
    default: if contains(value) { found.append((path, value)) }
    }
  }

  /// Findings for the numbers that no row has reported.
  /// - Parameter findings: those of the rows.
  func findings(besides findings: [Diagnostic]) -> [Diagnostic] {
    guard !found.isEmpty else { return [] }
    let known = findings.filter { $0.rule == .emitterValue }.map {
      (path: Self.plain($0.location.position?.description ?? ""), text: $0.found)
    }
    let rest = found.filter { path, value in
      let plain = Self.plain(path)
      return !known.contains {
        $0.text == value.shortExcerpt && ($0.path.hasSuffix(plain) || plain.hasSuffix($0.path))
      }
    }
    var result = rest.prefix(Self.most).map { path, value in
      Diagnostic(
        .emitterValue, at: .key(path.excerpt), expected: "a finite number",
        found: value.shortExcerpt)
    }
    if rest.count > Self.most {
      result.append(
        Diagnostic(
          .emitterValue, "numbers that are not listed", expected: "finite numbers",
          found: "\(rest.count - Self.most)"))
    }
    return result
  }

  private static let most = 100

  /// A path without indices: rows may name an element.
  private static func plain(_ path: String) -> String {
    var depth = 0
    return String(
      path.filter { character in
        if character == "[" { depth += 1 }
        defer { if character == "]" { depth -= 1 } }
        return depth == 0
      })
  }
}

extension JSONNumber {
  /// Whether the text is long, or has an exponent; all others are below the greatest double.
  fileprivate var mayBeInfinite: Bool {
    text.utf8.count > 300 || text.utf8.contains { $0 | 0x20 == UInt8(ascii: "e") }
  }
}

extension String {
  /// Whether this is the text of a number that is not finite.
  fileprivate var isInfiniteNumber: Bool {
    let isShort = utf8.count <= 400 && utf8.contains { "eEnN".utf8.contains($0) }
    return isShort && Double(trimmed)?.isFinite == false
  }
}
