package import ParticlesCore
internal import ParticlesPropertyLists

extension TypesFile {
  /// Reads the file at a path: a property list (binary or XML), the property list of a bundle, a
  /// `types.json`, or a desktop entry. The contents decide which one it is.
  /// - Throws: a ``ParticlesCore/Diagnostic`` if the file is none of them, or cannot be read.
  package init(contentsOf path: String, limits: Limits = .standard) throws {
    let file = try Self.file(at: path)
    // Opening a named pipe waits until another program writes into it.
    if let status = try Files.status(file), status.kind != .file {
      throw Diagnostic(
        .fileUnreadable, at: Location(file: file), expected: "a file",
        found: status.special.map { "a \($0.rawValue)" } ?? "another kind of item")
    }
    try self.init(Files.read(file, limits: limits), path: file, limits: limits)
  }

  /// Reads the bytes of such a file.
  package init(_ bytes: [UInt8], path: String, limits: Limits = .standard) throws {
    self = try locating(Location(file: path)) {
      let text = bytes.drop { $0 <= 0x20 }
      if text.first == UInt8(ascii: "[") || text.first == UInt8(ascii: "#") {
        guard let text = String(validating: bytes, as: UTF8.self) else {
          throw Diagnostic(.typesStructure, expected: "UTF-8")
        }
        return TypesFile(
          desktopEntry: text, identifier: Files.lastComponent(of: path), path: path)
      }
      if Self.isOldStyle(text) {
        throw Diagnostic(
          .typesStructure, expected: "a property list in XML or binary form",
          found: "an old-style (OpenStep) property list",
          hint: "convert it: plutil -convert xml1 \(Files.lastComponent(of: path))")
      }
      if text.first == UInt8(ascii: "{") {
        return try TypesFile(
          json: JSONParser.parse(bytes, limits: limits), path: path, limits: limits)
      }
      return try TypesFile(propertyListBytes: bytes, path: path, limits: limits)
    }
  }

  private init(propertyListBytes bytes: [UInt8], path: String, limits: Limits) throws {
    var duplicates: [Diagnostic] = []
    let list = try PropertyListValue(decoding: bytes, limits: limits) { key in
      guard duplicates.count < Self.duplicatesKept else { return }
      let place = key.place.map { " at \($0.description)" } ?? ""
      duplicates.append(
        Diagnostic(
          .typesDuplicate, at: key.place.map { .offset($0.offset) } ?? .unknown,
          "the key '\(key.text.excerpt)' occurs again\(place); the last value is used"))
    }
    self = try TypesFile(propertyList: list.json, path: path, limits: limits)
    original = list
    hasComments = !bytes.starts(with: BinaryPropertyList.signature) && bytes.contains("<!--")
    faults = duplicates + faults
  }

  /// The greatest number of duplicate keys that are reported.
  private static let duplicatesKept = 100

  /// Whether a text is an old-style property list: `{ key = value; }`, also after comments, or
  /// `"key" = "value";` without braces.
  private static func isOldStyle(_ text: ArraySlice<UInt8>) -> Bool {
    var rest = skippingComments(text)
    guard rest.first != UInt8(ascii: "<"), !rest.starts(with: BinaryPropertyList.signature) else {
      return false
    }
    let hasBrace = rest.first == UInt8(ascii: "{")
    if hasBrace { rest = skippingComments(rest.dropFirst()) }
    if rest.first == UInt8(ascii: "\"") {
      rest = rest.dropFirst().drop { $0 != UInt8(ascii: "\"") }.dropFirst()
    } else {
      let word = rest.prefix { isWordCharacter($0) }
      guard !word.isEmpty else { return false }
      rest = rest.dropFirst(word.count)
    }
    return skippingComments(rest).first == UInt8(ascii: "=")
  }

  private static func isWordCharacter(_ byte: UInt8) -> Bool {
    switch Unicode.Scalar(byte) {
    case "a"..."z", "A"..."Z", "0"..."9", "_", "$", ".", "-", "/", ":": true
    default: false
    }
  }

  /// The rest of a text after white space, `// …` and `/* … */`.
  private static func skippingComments(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var rest = text.drop { $0 <= 0x20 }
    while rest.starts(with: "//".utf8) || rest.starts(with: "/*".utf8) {
      if rest.starts(with: "//".utf8) {
        rest = rest.drop { $0 != 0x0A && $0 != 0x0D }
      } else {
        rest = rest.dropFirst(2)
        while !rest.isEmpty, !rest.starts(with: "*/".utf8) { rest = rest.dropFirst() }
        rest = rest.dropFirst(2)
      }
      rest = rest.drop { $0 <= 0x20 }
    }
    return rest
  }

  /// The path of the property list of a bundle; the path itself if it is not a directory.
  static func file(at path: String) throws -> String {
    guard try Files.status(path)?.kind == .directory else { return path }
    let places = ["Contents/Info.plist", "Info.plist"].map { Files.joined(path, $0) }
    guard let place = try places.first(where: { try Files.status($0) != nil }) else {
      throw Diagnostic(
        .fileNotFound, at: Location(file: path),
        expected: "a bundle with Contents/Info.plist or Info.plist")
    }
    return place
  }
}
