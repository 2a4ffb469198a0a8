internal import ParticlesCore

/// A package for the shared MIME database of freedesktop.org, which tells desktops how to recognise
/// files.
///
/// Types of directories are left out: on desktops, every directory is an `inode/directory`.
package struct SharedMIMEInfo: Sendable {
  package var types: [UniformType]

  /// Returns a title in other languages, by their codes.
  private let translations: @Sendable (String) -> [String: String]

  /// Creates a package for the types that have a name on desktops, without types of directories.
  /// - Parameters:
  ///   - types: the types.
  ///   - translations: returns a title in other languages, by their codes. The default is none.
  package init(
    _ types: [UniformType],
    translations: @escaping @Sendable (String) -> [String: String] = { _ in [:] }
  ) {
    self.types = types.filter { !$0.conforms(to: .directory) && Self.name(of: $0) != nil }
    self.translations = translations
  }

  /// Returns the MIME type of a type on desktops: the declared one, otherwise one made of its
  /// identifier. Nil for dynamic types and types of the system that have no valid MIME type, since no
  /// file on a desktop has a type of such a name.
  package static func name(of type: UniformType) -> String? {
    if let name = type.sharedMIMEType.map(withoutParameters), isValid(name) { return name }
    guard !type.isDynamic, type.declaration?.kind != .system else { return nil }
    let name = "application/x-\(type.identifier.caseFolded)"
    return isValid(name) ? name : nil
  }

  /// Returns whether a text is the name of a MIME type (RFC 6838, section 4.2) that desktops accept:
  /// in a registered or experimental tree, without parameters.
  package static func isValid(_ name: String) -> Bool {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, trees.contains(String(parts[0]).caseFolded) else { return false }
    return parts.allSatisfy { part in
      let bytes = Array(part.utf8)
      guard let first = bytes.first, bytes.count <= 127, isAlphanumeric(first) else { return false }
      return bytes.allSatisfy { isAlphanumeric($0) || "!#$&-^_.+".utf8.contains($0) }
    }
  }

  private static let trees: Set<String> = [
    "application", "audio", "chemical", "font", "image", "inode", "message", "model", "multipart",
    "text", "video", "x-content", "x-epoc",
  ]

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"):
      true
    default: false
    }
  }

  private static func withoutParameters(_ name: String) -> String {
    String(name.prefix { $0 != ";" && $0 != " " })
  }

  /// The XML namespace of type identifiers in a package. The database preserves foreign elements.
  package static let namespace = "urn:x-particles-format:types"

  /// The contents of the file.
  package var text: String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info" \
    xmlns:uti="\(Self.namespace)">
    \(types.compactMap(entry).joined())</mime-info>

    """
  }

  private func entry(_ type: UniformType) -> String? {
    guard let name = Self.name(of: type) else { return nil }
    var lines: [String] = []
    if let title = type.title {
      lines.append("<comment>\(title.inXML)</comment>")
      for (language, text) in translations(title).sorted(by: { $0.key < $1.key }) {
        lines.append("<comment xml:lang=\"\(language.inXML)\">\(text.inXML)</comment>")
      }
    }
    lines += Self.supertypes(of: type).map { "<sub-class-of type=\"\($0.inXML)\"/>" }
    lines += (type.tags[.mimeType] ?? []).filter { $0 != name && Self.isValid($0) }
      .map { "<alias type=\"\($0.inXML)\"/>" }
    let icon = type.declaration?.iconName ?? name.replacing("/", with: "-")
    lines.append("<icon name=\"\(icon.inXML)\"/>")
    lines += Self.globs(of: type)
    lines += Self.magic(of: type)
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
        if let name = parent.sharedMIMEType, isValid(name) {
          if !names.contains(name) { names.append(name) }
        } else {
          addNearest(parent)
        }
      }
    }
    addNearest(type)
    return names.filter { $0 != Self.name(of: type) }
  }

  /// An extension of a supertype is left out: a pattern for it would take all files of the supertype,
  /// such as all property lists. The contents decide.
  private static func globs(of type: UniformType) -> [String] {
    let tags = type.tags
    let names = (tags[.filenameExtension] ?? []) + (tags[.compoundExtension] ?? [])
    let inherited = Set(
      type.supertypes.flatMap { $0.tags[.filenameExtension] ?? [] }.map { $0.caseFolded })
    let plain = names.map { $0.caseFolded }.filter { !inherited.contains($0) }
      .map { FileNamePattern("*.\($0)") }
    return (plain + (type.declaration?.globs ?? [])).map { glob in
      let weight = glob.weight == 50 ? "" : " weight=\"\(glob.weight)\""
      let sensitive = glob.isCaseSensitive ? " case-sensitive=\"true\"" : ""
      return "<glob pattern=\"\(glob.pattern.inXML)\"\(weight)\(sensitive)/>"
    }
  }

  /// Patterns grouped by priority.
  private static func magic(of type: UniformType) -> [String] {
    let patterns = type.declaration?.patterns ?? []
    let priorities = Set(patterns.map { $0.priority }).sorted(by: >)
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
  /// This text escaped for XML text and attribute values.
  var inXML: String { escapingMarkup(inside: "\"") }
}
