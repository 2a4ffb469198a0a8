package import ParticlesCore

/// A page of the tree: entries in order, each path given by what differs from the one before.
package enum TreePage {
  package static func encode(_ entries: some Sequence<Entry>) -> [UInt8] {
    var writer = ByteWriter()
    var previous: [UInt8] = []
    var end = 0
    for entry in entries {
      let path = Array(entry.path.utf8)
      writer.frontCoded(path, after: previous)
      previous = path
      writer.byte(entry.kind.code)
      switch entry.kind {
      case .directory: break
      case .file:
        writer.varint(entry.size)
        if entry.size > 0 {
          writer.signedVarint(entry.offset - end)
          end = entry.offset + entry.size
        }
      case .symbolicLink(let destination):
        writer.varint(destination.utf8.count)
        writer.write(destination.utf8)
      }
    }
    return writer.bytes
  }

  /// Cuts entries into pages: a new one begins where one has enough entries, or enough bytes.
  package static func split(_ entries: ArraySlice<Entry>) -> [ArraySlice<Entry>] {
    var pages: [ArraySlice<Entry>] = []
    var start = entries.startIndex
    var bytes = 0
    for (index, entry) in zip(entries.indices, entries) {
      if index - start >= Layout.pageEntries || bytes >= Layout.pageBytes {
        pages.append(entries[start..<index])
        start = index
        bytes = 0
      }
      bytes += entry.path.utf8.count
      if case .symbolicLink(let destination) = entry.kind { bytes += destination.utf8.count }
    }
    if start < entries.endIndex { pages.append(entries[start...]) }
    return pages
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
