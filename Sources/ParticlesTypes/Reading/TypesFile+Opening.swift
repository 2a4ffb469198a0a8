package import ParticlesCore
internal import ParticlesPropertyLists

extension TypesFile {
  /// Reads the file at a path: a property list (binary or XML), the property list of a bundle, a
  /// `types.json`, or a desktop entry. The contents decide which one it is.
  /// - Throws: a ``ParticlesCore/Diagnostic`` if the file is none of them, or cannot be read.
  package init(contentsOf path: String, limits: Limits = .standard) throws {
    let file = try Self.file(at: path)
    try self.init(Files.read(file, limits: limits), path: file, limits: limits)
  }

  /// Reads the bytes of such a file.
  package init(_ bytes: [UInt8], path: String, limits: Limits = .standard) throws {
    self = try locating(Location(file: path)) {
      let text = bytes.drop { $0 <= 0x20 }
      if text.first == UInt8(ascii: "{") {
        return try TypesFile(
          json: JSONParser.parse(bytes, limits: limits), path: path, limits: limits)
      } else if text.first == UInt8(ascii: "[") || text.first == UInt8(ascii: "#") {
        guard let text = String(validating: bytes, as: UTF8.self) else {
          throw Diagnostic(.typesStructure, expected: "UTF-8")
        }
        return TypesFile(
          desktopEntry: text, identifier: Files.lastComponent(of: path), path: path)
      }
      let list = try PropertyListValue(decoding: bytes, limits: limits)
      return try TypesFile(propertyList: list.json, path: path, limits: limits)
    }
  }

  /// The path of the property list of a bundle; the path itself if it is not a directory.
  private static func file(at path: String) throws -> String {
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
