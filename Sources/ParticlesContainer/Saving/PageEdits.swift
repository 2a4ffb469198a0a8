internal import ParticlesCore

/// The pages of a tree after changes; pages without changes are kept.
struct PageEdits {
  /// A page of the new tree.
  enum Page {
    case kept(Root.Page)
    case new(TreePage)
  }

  private(set) var pages: [Page] = []

  /// - Parameters:
  ///   - written: new and changed entries in canonical order, with their places in the stream.
  ///   - removed: removed paths, each with everything below it.
  init(_ reader: ContainerReader, written: [Entry], removed: [String]) throws {
    var written = written[...]
    let old = reader.root.pages
    guard !old.isEmpty else {
      pages = TreePage.pages(of: written).map(Page.new)
      return
    }
    for (index, page) in old.enumerated() {
      // Entries before the first page go to the first page, others to the page that precedes them.
      let next = index + 1 < old.count ? old[index + 1].firstPath : nil
      let end =
        next.map { next in
          written.firstIndex { !EntryPath.precedes($0.path.utf8, next.utf8) } ?? written.endIndex
        } ?? written.endIndex
      let edits = written[..<end]
      written = written[end...]
      let isTouched =
        !edits.isEmpty
        || removed.contains { Self.touches($0, from: page.firstPath, before: next) }
      guard isTouched else {
        pages.append(.kept(page))
        continue
      }
      pages += try Self.pages(of: reader, index, edits, removed).map(Page.new)
    }
  }

  /// Whether a path or anything below it may be on a page that begins with `first`.
  private static func touches(_ path: String, from first: String, before next: String?) -> Bool {
    // The entries below a path follow it without a gap.
    let startsBeforeNext = next.map { EntryPath.precedes(path.utf8, $0.utf8) } ?? true
    let endsBehindFirst =
      !EntryPath.precedes(path.utf8, first.utf8) || first.utf8.starts(with: "\(path)/".utf8)
    return startsBeforeNext && endsBehindFirst
  }

  /// Returns a page after changes; more if it has become too large, none if it is empty.
  private static func pages(
    of reader: ContainerReader, _ index: Int, _ edits: ArraySlice<Entry>, _ removed: [String]
  ) throws -> [TreePage] {
    let gone = Set(removed)
    var writer = TreePageWriter()
    var edits = edits
    var next = edits.first.map { Array($0.path.utf8) }
    func appendEdit() {
      writer.append(edits.removeFirst())
      next = edits.first.map { Array($0.path.utf8) }
    }
    try reader.forEachEntry(ofPage: index) { entry in
      while let path = next, EntryPath.precedes(path, entry.path) { appendEdit() }
      if let next, next.elementsEqual(entry.path) {
        appendEdit()
      } else if gone.isEmpty || !isGone(entry.pathText, gone) {
        writer.append(entry)
      }
    }
    while next != nil { appendEdit() }
    return writer.finish()
  }

  /// Whether the path or a directory that it is in was removed.
  private static func isGone(_ path: String, _ gone: Set<String>) -> Bool {
    var path = path[...]
    while !path.isEmpty {
      if gone.contains(String(path)) { return true }
      path = EntryPath.parent(of: String(path))
    }
    return false
  }
}
