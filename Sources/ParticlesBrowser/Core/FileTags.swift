internal import ParticlesCore

/// The tags of files: the extended attribute that KDE and others use, names separated by commas.
enum FileTags {
  static let attribute = "user.xdg.tags"

  static func read(_ path: String) -> [String] {
    guard let bytes = Files.attribute(attribute, of: path) else { return [] }
    return String(decoding: bytes, as: UTF8.self).split(separator: ",").map {
      String($0.drop { $0 == " " })
    }.filter { !$0.isEmpty }
  }

  /// - Throws: ``ParticlesCore/Rule/name`` for a tag with a comma; errors of writing.
  static func write(_ tags: [String], to path: String) throws {
    for tag in tags
    where tag.isEmpty || tag.contains(",") || tag.unicodeScalars.contains(where: \.isControl) {
      throw Diagnostic(
        .name, "the tag '\(tag)'", expected: "a text without commas", hint: "choose another tag")
    }
    try Files.setAttribute(attribute, of: path, to: Array(tags.joined(separator: ",").utf8))
  }
}
