/// A package for the shared MIME database of freedesktop.org, which tells desktops how to recognise
/// files.
///
/// Types of directories are left out: on desktops, every directory is an `inode/directory`.
package struct SharedMIMEInfo: Sendable {
  /// The types.
  package var types: [UniformType]

  /// A package for these types.
  package init(_ types: [UniformType]) {
    self.types = types.filter { !$0.conforms(to: .directory) }
  }

  /// The MIME type of a type on desktops: the declared one, or one made of its identifier.
  package static func name(of type: UniformType) -> String {
    type.sharedMIMEType ?? "application/x-\(type.identifier.caseFolded)"
  }

  /// The XML namespace of type identifiers in a package; the database preserves foreign elements.
  package static let namespace = "urn:x-particles-format:types"

  /// The contents of the file.
  package var text: String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info" \
    xmlns:uti="\(Self.namespace)">
    \(types.map(Self.entry).joined())</mime-info>

    """
  }

  private static func entry(_ type: UniformType) -> String {
    let name = name(of: type)
    var lines: [String] = []
    if let title = type.title { lines.append("<comment>\(title.inXML)</comment>") }
    lines += supertypes(of: type).map { "<sub-class-of type=\"\($0.inXML)\"/>" }
    lines += (type.tags[.mimeType] ?? []).filter { $0 != name && !$0.contains(";") }
      .map { "<alias type=\"\($0.inXML)\"/>" }
    let icon = type.declaration?.iconName ?? name.replacing("/", with: "-")
    lines.append("<icon name=\"\(icon.inXML)\"/>")
    lines += globs(of: type)
    lines += magic(of: type)
    lines.append("<uti:identifier>\(type.identifier.inXML)</uti:identifier>")
    let body = lines.map { "    \($0)\n" }.joined()
    return "  <mime-type type=\"\(name.inXML)\">\n\(body)  </mime-type>\n"
  }

  /// The nearest supertypes with a MIME type, along every path. `public.data` is implied, and
  /// `public.content` has no MIME type.
  private static func supertypes(of type: UniformType) -> [String] {
    var names: [String] = []
    func addNearest(_ type: UniformType) {
      for parent in type.directSupertypes where parent != .data {
        if let name = parent.sharedMIMEType, !name.contains(";") {
          if !names.contains(name) { names.append(name) }
        } else {
          addNearest(parent)
        }
      }
    }
    addNearest(type)
    return names.filter { $0 != Self.name(of: type) }
  }

  private static func globs(of type: UniformType) -> [String] {
    let tags = type.tags
    let names = (tags[.filenameExtension] ?? []) + (tags[.compoundExtension] ?? [])
    let plain = names.map { FileNamePattern("*.\($0.caseFolded)") }
    return (plain + (type.declaration?.globs ?? [])).map { glob in
      let weight = glob.weight == 50 ? "" : " weight=\"\(glob.weight)\""
      let sensitive = glob.isCaseSensitive ? " case-sensitive=\"true\"" : ""
      return "<glob pattern=\"\(glob.pattern.inXML)\"\(weight)\(sensitive)/>"
    }
  }

  /// Patterns grouped by priority.
  private static func magic(of type: UniformType) -> [String] {
    let patterns = type.declaration?.patterns ?? []
    let priorities = Set(patterns.map(\.priority)).sorted(by: >)
    return priorities.flatMap { priority in
      ["<magic priority=\"\(priority)\">"]
        + patterns.filter { $0.priority == priority }.flatMap { match($0, indent: "  ") }
        + ["</magic>"]
    }
  }

  private static func match(_ pattern: ContentPattern, indent: String) -> [String] {
    let end = pattern.offsets.count > 1 ? ":\(pattern.offsets.upperBound)" : ""
    let mask = pattern.mask.map { " mask=\"0x\($0.map(hex).joined())\"" } ?? ""
    let head =
      "\(indent)<match type=\"string\" value=\"\(pattern.bytes.map(character).joined())\""
      + " offset=\"\(pattern.offsets.lowerBound)\(end)\"\(mask)"
    guard !pattern.also.isEmpty else { return [head + "/>"] }
    return [head + ">"] + pattern.also.flatMap { match($0, indent: indent + "  ") }
      + [indent + "</match>"]
  }

  private static func hex(_ byte: UInt8) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16)
  }

  /// A byte in a pattern: letters and digits as they are, others as three octal digits, so that a digit
  /// may follow.
  private static func character(_ byte: UInt8) -> String {
    let scalar = Unicode.Scalar(byte)
    if scalar.isASCII, scalar.properties.isAlphabetic || scalar.properties.numericType != nil {
      return String(Character(scalar))
    }
    let digits = String(byte, radix: 8)
    return "\\" + String(repeating: "0", count: 3 - digits.utf8.count) + digits
  }
}

extension String {
  /// This text escaped for XML text and attribute values. Characters that XML cannot represent are
  /// left out.
  var inXML: String {
    unicodeScalars.reduce(into: "") { text, scalar in
      switch scalar {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\"": text += "&quot;"
      case "\t", "\n", "\r": text += "&#\(scalar.value);"
      case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF: break
      default: text.unicodeScalars.append(scalar)
      }
    }
  }
}
