internal import ParticlesCore

/// JSON. Comments, as in JavaScript, are read over and kept. Of equal keys of an object the last counts.
struct JSONTree: NestedSyntax {
  /// The text that is edited: without members whose key occurs again.
  let text: [UInt8]
  let root: TextNode
  let findings: [Diagnostic]
  private let original: [UInt8]

  init(decoding bytes: [UInt8], limits: Limits) throws {
    var plain = Self.withoutComments(bytes)
    var edited = bytes
    original = bytes
    let unique = try Self.unique(plain, limits: limits)
    if !unique.superseded.isEmpty {
      for place in bytes.indices where unique.text[place] != plain[place] {
        edited[place] = unique.text[place]
      }
      plain = unique.text
    }
    findings = unique.superseded.findings
    text = edited
    var scanner = try TextScanner(plain, limits: limits)
    Self.skipSpace(&scanner)
    root = Self.node(unique.value, &scanner)
  }

  /// The text without members whose key occurs again, its value, and those members.
  private static func unique(_ plain: [UInt8], limits: Limits) throws -> (
    text: [UInt8], value: JSONValue, superseded: [JSONParser.Superseded]
  ) {
    do {
      return (plain, try JSONParser.parse(plain, limits: limits), [])
    } catch {
      guard JSONParser.isOfRepeatedKey(error) else { throw error }
      let (text, superseded) = try JSONParser.withoutRepeatedKeys(plain, limits: limits)
      return (text, try JSONParser.parse(text, limits: limits), superseded)
    }
  }

  func replacing(with value: JSONValue) -> [UInt8] {
    guard value != self.value else { return original }
    var edits = TextEdits(text)
    edit(root, to: value, &edits)
    return edits.bytes
  }

  /// The text with spaces in place of comments and of a byte order mark.
  private static func withoutComments(_ bytes: [UInt8]) -> [UInt8] {
    var plain = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { for place in 0..<3 { plain[place] = 0x20 } }
    guard bytes.contains(UInt8(ascii: "/")) else { return plain }
    var (place, isText) = (0, false)
    while place < plain.count {
      switch plain[place] {
      case UInt8(ascii: "\\") where isText: place += 1
      case UInt8(ascii: "\""): isText.toggle()
      case UInt8(ascii: "/") where !isText && place + 1 < plain.count:
        let isLine = plain[place + 1] == UInt8(ascii: "/")
        guard isLine || plain[place + 1] == UInt8(ascii: "*") else { break }
        var end = place + 2
        while end < plain.count {
          if isLine, plain[end] == 0x0A { break }
          if !isLine, plain[end] == UInt8(ascii: "/"), end > place + 2,
            plain[end - 1] == UInt8(ascii: "*")
          {
            end += 1
            break
          }
          end += 1
        }
        for index in place..<end where plain[index] != 0x0A && plain[index] != 0x0D {
          plain[index] = 0x20
        }
        place = end - 1
      default: break
      }
      place += 1
    }
    return plain
  }

  /// The ranges of a value, which is known to be there.
  private static func node(_ value: JSONValue, _ scanner: inout TextScanner) -> TextNode {
    let start = scanner.position
    var children: [TextNode.Child] = []
    switch value {
    case .object(let object):
      scanner.position += 1
      for member in object.members {
        skipSpace(&scanner)
        let key = scanner.position
        skipString(&scanner)
        skipSpace(&scanner)
        scanner.position += 1
        skipSpace(&scanner)
        let node = node(member.value, &scanner)
        children.append(.init(key: member.key, span: key..<scanner.position, node: node))
        skipSpace(&scanner)
        _ = scanner.accept(",")
      }
      skipSpace(&scanner)
      scanner.position += 1
    case .array(let elements):
      scanner.position += 1
      for element in elements {
        skipSpace(&scanner)
        let node = node(element, &scanner)
        children.append(.init(key: nil, span: node.range, node: node))
        skipSpace(&scanner)
        _ = scanner.accept(",")
      }
      skipSpace(&scanner)
      scanner.position += 1
    case .string: skipString(&scanner)
    default:
      _ = scanner.take { $0 > 0x20 && !",]}".utf8.contains($0) }
    }
    return TextNode(range: start..<scanner.position, value: value, children: children)
  }

  private static func skipSpace(_ scanner: inout TextScanner) {
    _ = scanner.take(while: TextEdits.isSpace)
  }

  private static func skipString(_ scanner: inout TextScanner) {
    scanner.position += 1
    while let byte = scanner.next, byte != UInt8(ascii: "\"") {
      scanner.position += byte == UInt8(ascii: "\\") ? 2 : 1
    }
    scanner.position += 1
  }

  static let separator: String? = ","
  static let encoding = "json"
  static let decimalCommas: DecimalCommas.Syntax? = .json

  static func text(of value: JSONValue, indent: String?) -> String {
    indent.map { value.text(indent: $0) } ?? value.line
  }

  static func member(_ key: String?, _ value: JSONValue, indent: String?) -> String {
    let text = text(of: value, indent: indent)
    return key.map { "\(JSONValue.string($0).line): \(text)" } ?? text
  }

  static func bytes(of value: JSONValue) -> [UInt8] { Array(value.text.utf8) }
}

extension [JSONParser.Superseded] {
  /// A finding for each key, up to a hundred.
  var findings: [Diagnostic] {
    let most = 100
    var findings = prefix(most).map {
      Diagnostic(
        .emitterRepeatedKey, at: .offset($0.range.lowerBound), found: "'\($0.key.excerpt)'")
    }
    if count > most {
      findings.add(.emitterRepeatedKey, "keys that are not listed", found: "\(count - most)")
    }
    return findings
  }
}
