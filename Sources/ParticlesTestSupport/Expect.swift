package import ParticlesCore
package import Testing

/// Expects `body` to throw a diagnostic of this rule, and returns it.
@discardableResult
package func expectThrows<Result>(
  _ rule: Rule, _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () throws -> Result
) -> Diagnostic? {
  do {
    _ = try body()
    Issue.record("nothing was thrown instead of \(rule.code)", sourceLocation: sourceLocation)
  } catch let diagnostic as Diagnostic {
    #expect(diagnostic.rule == rule, comment, sourceLocation: sourceLocation)
    return diagnostic
  } catch {
    Issue.record("\(error) was thrown instead of \(rule.code)", sourceLocation: sourceLocation)
  }
  return nil
}

/// Patterns of file names.
package enum Glob {
  /// A name that a pattern matches.
  package static func example(of pattern: String) -> String {
    var name = ""
    var rest = Substring(pattern)
    while let character = rest.popFirst() {
      switch character {
      case "*": name += "x"
      case "[":
        if let first = rest.first { name.append(first) }
        rest = rest.drop { $0 != "]" }.dropFirst()
      default: name.append(character)
      }
    }
    return name
  }
}

extension String {
  /// The bytes of a text in base 85, decoded as the pages do: by the place of a letter among the printable characters
  /// that mean nothing in a page.
  public var bytesOfBase85: [UInt8] {
    let letters = (33...126 as ClosedRange<UInt8>).filter { !"\"&'<>\\`{}".utf8.contains($0) }
    var (bytes, digits) = ([UInt8](), utf8.map { UInt64(letters.firstIndex(of: $0) ?? 0) }[...])
    while !digits.isEmpty {
      let count = Swift.min(5, digits.count)
      let group = digits.prefix(5) + Array(repeating: 84, count: 5 - count)
      let value = group.reduce(0) { $0 * 85 + $1 }
      bytes += (0..<(count - 1)).map { UInt8(truncatingIfNeeded: value >> UInt64(24 - 8 * $0)) }
      digits = digits.dropFirst(count)
    }
    return bytes
  }
}
