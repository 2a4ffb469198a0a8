internal import ParticlesCore
internal import ParticlesPropertyLists

/// The list of recent documents of the desktop: `recently-used.xbel` (Desktop Bookmark specification), which file
/// choosers show. All bytes that others have written stay.
package struct RecentlyUsed: Sendable {
  /// A bookmark.
  package struct Bookmark: Sendable, Hashable {
    package var path: String
    package var mimeType: String?
    /// When it was visited last, in seconds since 1970.
    package var visited: Double?
    /// The names of the programs that have opened it.
    package var programs: [String]
  }

  /// The name under which this package is a program.
  package static let program = "particles"

  private static let owner = "http://freedesktop.org"
  private static let limits = Limits.standard

  private let path: String

  package init(_ path: String) { self.path = path }

  /// The bookmarks of files, in the order of the file.
  /// - Throws: errors of reading and parsing.
  package func bookmarks() throws -> [Bookmark] {
    guard let root = try open()?.root else { return [] }
    return root.children.compactMap { element in
      guard element.name == "bookmark", let path = element["href"].flatMap(FileURI.path) else {
        return nil
      }
      let metadata = Self.metadata(of: element)
      return Bookmark(
        path: path, mimeType: metadata?.first("mime:mime-type")?["type"],
        visited: (element["visited"] ?? element["modified"]).flatMap(Self.seconds),
        programs: Self.applications(metadata).compactMap { $0["name"] })
    }
  }

  /// Adds a bookmark, or notes that it was visited again.
  package func add(_ document: String, mimeType: String, at seconds: Double) throws {
    let time = Self.text(seconds)
    try edit { root in
      guard let old = Self.bookmark(of: document, in: root) else {
        return [(Self.insertion(in: root), Self.new(document, mimeType, time))]
      }
      var edits = [
        (
          old.span?.tag ?? 0..<0,
          Self.tag(old, ["modified": time, "visited": time], isEmpty: false)
        )
      ]
      let metadata = Self.metadata(of: old)
      let list = metadata?.first("bookmark:applications")
      if let own = Self.applications(metadata).first(where: { $0["name"] == Self.program }),
        let span = own.span
      {
        let count = (own["count"].flatMap { Int($0) } ?? 0) + 1
        edits.append(
          (
            span.tag,
            Self.tag(own, ["modified": time, "count": "\(count)"], isEmpty: span.end.isEmpty)
          ))
      } else if let end = list?.span?.end, !end.isEmpty {
        edits.append((end.lowerBound..<end.lowerBound, "  \(Self.application(time))\n        "))
      } else {
        // A bookmark without programs is written anew.
        return [(old.span?.range ?? 0..<0, Self.new(document, mimeType, time, indented: false))]
      }
      return edits
    }
  }

  /// Gives a bookmark another path.
  package func move(_ document: String, to target: String) throws {
    try edit { root in
      guard let old = Self.bookmark(of: document, in: root), let span = old.span else { return [] }
      return [
        (span.tag, Self.tag(old, ["href": FileURI.reference(target)], isEmpty: span.end.isEmpty))
      ]
    }
  }

  /// Removes bookmarks of documents that no other program has opened.
  package func remove(_ documents: [String]) throws {
    guard !documents.isEmpty else { return }
    try edit { root in
      documents.compactMap { document in
        guard let old = Self.bookmark(of: document, in: root), let span = old.span else {
          return nil
        }
        let programs = Set(Self.applications(Self.metadata(of: old)).compactMap { $0["name"] })
        return programs.isSubset(of: [Self.program]) ? (span.range, "") : nil
      }
    }
  }

  // MARK: The file

  private func open() throws -> (bytes: [UInt8], root: XMLElement)? {
    guard try Files.status(path) != nil else { return nil }
    let bytes = try Files.read(path, limits: Self.limits)
    return (bytes, try XMLParser.parse(bytes, limits: Self.limits))
  }

  private typealias Edit = (range: Range<Int>, text: String)

  /// Changes the file; another program may do so at the same time, so that the change is made again then.
  private func edit(_ body: (XMLElement) throws -> [Edit]) throws {
    for _ in 0..<5 {
      let before = try Files.status(path)?.state
      let file = try open() ?? (Array(Self.empty.utf8), try XMLParser.parse(Array(Self.empty.utf8)))
      guard file.root.name == "xbel", file.root.span != nil else {
        throw Diagnostic(
          .fileUnwritable, at: Location(file: path), "it is no list of bookmarks in UTF-8")
      }
      var bytes = file.bytes
      let edits = try body(file.root)
      guard !edits.isEmpty else { return }
      for edit in edits.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
        bytes.replaceSubrange(edit.range, with: edit.text.utf8)
      }
      // The result must be readable.
      _ = try XMLParser.parse(bytes, limits: Self.limits)
      try Files.makeDirectories(Files.folder(of: path))
      let new = Files.temporaryName(beside: path)
      do {
        try OpenFile(creating: new, mode: 0o600).write(bytes)
        guard try Files.status(path)?.state == before else {
          try Files.removeAll(new)
          continue
        }
        return try Files.rename(new, path)
      } catch {
        try? Files.removeAll(new)
        throw error
      }
    }
    throw Diagnostic(.fileBusy, at: Location(file: path))
  }

  private static let empty = """
    <?xml version="1.0" encoding="UTF-8"?>
    <xbel version="1.0"
          xmlns:bookmark="http://www.freedesktop.org/standards/desktop-bookmarks"
          xmlns:mime="http://www.freedesktop.org/standards/shared-mime-info"
    >
    </xbel>

    """

  private static func bookmark(of document: String, in root: XMLElement) -> XMLElement? {
    root.children.first {
      $0.name == "bookmark" && $0["href"].flatMap(FileURI.path) == document && $0.span != nil
    }
  }

  private static func metadata(of bookmark: XMLElement) -> XMLElement? {
    bookmark.first("info")?.children.first { $0.name == "metadata" && $0["owner"] == owner }
  }

  private static func applications(_ metadata: XMLElement?) -> [XMLElement] {
    metadata?.first("bookmark:applications")?.children.filter { $0.name == "bookmark:application" }
      ?? []
  }

  /// The place for new bookmarks.
  private static func insertion(in root: XMLElement) -> Range<Int> {
    let end = root.span?.end.lowerBound ?? 0
    return end..<end
  }

  private static func new(
    _ document: String, _ mimeType: String, _ time: String, indented isIndented: Bool = true
  ) -> String {
    let href = FileURI.reference(document).escapingMarkup(inside: "\"")
    let type = mimeType.escapingMarkup(inside: "\"")
    return (isIndented ? "  " : "") + """
      <bookmark href="\(href)" added="\(time)" modified="\(time)" visited="\(time)">
          <info>
            <metadata owner="\(owner)">
              <mime:mime-type type="\(type)"/>
              <bookmark:applications>
                \(application(time))
              </bookmark:applications>
            </metadata>
          </info>
        </bookmark>
      """ + (isIndented ? "\n" : "")
  }

  private static func application(_ time: String) -> String {
    "<bookmark:application name=\"\(program)\" exec=\"&apos;\(program) browse %u&apos;\" "
      + "modified=\"\(time)\" count=\"1\"/>"
  }

  /// The start tag of an element with other values of some attributes.
  private static func tag(
    _ element: XMLElement, _ changes: [String: String], isEmpty: Bool
  ) -> String {
    var attributes = element.attributes
    for (name, value) in changes.sorted(by: { $0.key < $1.key }) {
      if let index = attributes.firstIndex(where: { $0.name == name }) {
        attributes[index].value = value
      } else {
        attributes.append(.init(name, value))
      }
    }
    let text = attributes.map { " \($0.name)=\"\($0.value.escapingMarkup(inside: "\""))\"" }
      .joined()
    return "<\(element.name)\(text)\(isEmpty ? "/" : "")>"
  }

  // MARK: Times

  private static func text(_ seconds: Double) -> String {
    let micro = Int(saturating: (seconds - seconds.rounded(.down)) * 1e6)
    let fraction = String(repeating: "0", count: 6 - "\(micro)".utf8.count) + "\(micro)"
    return WallClock.text(seconds, inUTC: true).split(separator: " ").joined(separator: "T")
      + ".\(fraction)Z"
  }

  private static func seconds(_ text: String) -> Double? {
    WallClock.seconds(of: String(text.prefix(19)), inUTC: true)
  }
}

extension XMLElement {
  fileprivate func first(_ name: String) -> XMLElement? { children.first { $0.name == name } }
}
