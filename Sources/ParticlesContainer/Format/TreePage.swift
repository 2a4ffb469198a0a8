package import ParticlesCore

/// A page of the tree: entries in order, each path given by what differs from the one before.
package struct TreePage: Sendable {
  package var firstPath: String
  /// How many entries there are on it.
  package var entries: Int
  /// What the frame will hold.
  package var bytes: [UInt8]
}

extension TreePage {
  /// The entries on one page, whatever their number.
  package static func encode(_ entries: some Sequence<Entry>) -> [UInt8] {
    var writer = TreePageWriter(pageEntries: .max, pageBytes: .max)
    for entry in entries { writer.append(entry) }
    return writer.finish().first?.bytes ?? []
  }

  /// The entries on as many pages as it takes.
  static func pages(of entries: some Sequence<Entry>) -> [TreePage] {
    var writer = TreePageWriter()
    for entry in entries { writer.append(entry) }
    return writer.finish()
  }

  /// The entries of a page by itself; names, order and links are checked.
  /// - Parameter offset: the position of the page in the file, for messages.
  package static func decode(_ payload: [UInt8], at offset: Int, limits: Limits) throws -> [Entry] {
    var reader = TreePageReader(limits: limits)
    var entries: [Entry] = []
    try reader.forEachEntry(of: payload, at: offset) { entries.append($0.entry) }
    return entries
  }
}
