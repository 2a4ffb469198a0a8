internal import ParticlesCore

/// Distributes entries in canonical order over pages: a new page begins when the current one has
/// `pageEntries` entries or `pageBytes` bytes.
struct TreePageWriter {
  private let pageEntries: Int
  private let pageBytes: Int
  private var pages: [TreePage] = []

  private var writer = ByteWriter()
  private var firstPath = ""
  private var count = 0
  /// The length of all paths and link targets on the page in bytes.
  private var bytes = 0
  /// The end of the contents of the last non-empty file before on the page.
  private var end = 0
  private var path = SuccessivePath()

  init(pageEntries: Int = Layout.pageEntries, pageBytes: Int = Layout.pageBytes) {
    self.pageEntries = pageEntries
    self.pageBytes = pageBytes
  }

  /// Appends an entry.
  mutating func append(_ entry: Entry) {
    path.replace(from: 0, with: entry.path)
    append(path, entry.kind, size: entry.size, offset: entry.offset)
  }

  /// Appends an entry of another page.
  mutating func append(_ entry: borrowing RawEntry) {
    path.replace(from: 0, with: entry.path)
    append(path, entry.kind, size: entry.size, offset: entry.offset)
  }

  /// Appends an entry whose path was built from the one before.
  mutating func append(_ path: borrowing SuccessivePath, _ kind: Entry.Kind, size: Int, offset: Int)
  {
    if count >= pageEntries || bytes >= pageBytes { closePage() }
    if count == 0 { firstPath = path.text }
    writer.frontCoded(path, isFirst: count == 0)
    writer.byte(kind.code)
    count += 1
    bytes += path.bytes.count
    switch kind {
    case .directory: break
    case .file:
      writer.varint(size)
      if size > 0 {
        writer.signedVarint(offset - end)
        end = offset + size
      }
    case .symbolicLink(let destination):
      writer.varint(destination.utf8.count)
      writer.write(destination.utf8)
      bytes += destination.utf8.count
    }
  }

  /// Closes the last page and returns all pages.
  mutating func finish() -> [TreePage] {
    if count > 0 { closePage() }
    return pages
  }

  private mutating func closePage() {
    pages.append(TreePage(firstPath: firstPath, entries: count, bytes: writer.bytes))
    writer = ByteWriter()
    (count, bytes, end) = (0, 0, 0)
  }
}
