package import ParticlesCore

/// A page of the tree: entries in order, with front-coded paths.
package struct TreePage: Sendable {
  package var firstPath: String
  /// The number of entries on the page.
  package var entries: Int
  /// The payload of the frame.
  package var bytes: [UInt8]
}

extension TreePage {
  /// Encodes entries as one page of any size.
  package static func encode(_ entries: some Sequence<Entry>) -> [UInt8] {
    var writer = TreePageWriter(pageEntries: .max, pageBytes: .max)
    for entry in entries { writer.append(entry) }
    return writer.finish().first?.bytes ?? []
  }

  /// Encodes entries as pages of canonical size.
  static func pages(of entries: some Sequence<Entry>) -> [TreePage] {
    var writer = TreePageWriter()
    for entry in entries { writer.append(entry) }
    return writer.finish()
  }

  /// Decodes one page and checks names, order and links.
  /// - Parameter offset: the position of the page in the file, for messages.
  package static func decode(
    _ payload: some Collection<UInt8>, at offset: Int, limits: Limits
  ) throws -> [Entry] {
    var reader = TreePageReader(limits: limits)
    var entries: [Entry] = []
    try reader.forEachEntry(of: payload, at: offset) { entries.append($0.entry) }
    return entries
  }
}
