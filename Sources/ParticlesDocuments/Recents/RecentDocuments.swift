internal import ParticlesCore
internal import ParticlesPropertyLists
internal import ParticlesSystem

/// The documents that were opened last: our own list, and `recently-used.xbel`, the list of the desktop.
public struct RecentDocuments: Sendable {
  /// A document.
  public struct Entry: Sendable, Hashable {
    /// The path.
    public var path: String
    /// The MIME type.
    public var mimeType: String
    /// When it was opened last, in seconds since 1970.
    public var seconds: Double
    /// Whether there is nothing at the path any more, and it was not found in its folder either.
    public var isMissing = false
    /// The identity of the file, which a rename keeps, with the time of its creation.
    var identity: String?
  }

  /// The most documents that are kept.
  public static let most = 100

  /// How long a document that is missing stays in the list, in seconds: 7 days.
  private static let patience = 7 * 86_400.0

  private let stored: StoredState
  private let shared: RecentlyUsed?

  /// The list of an environment: in the store of the user, and `recently-used.xbel`, both below `XDG_DATA_HOME`, or
  /// `~/.local/share`.
  /// - Returns: nil without a home folder.
  public init?(environment: [String: String]) {
    let folders = BaseDirectories(environment: environment)
    guard let data = folders.dataHome else { return nil }
    stored = StoredState(
      "recents", in: UserStore.of(dataFolder: data),
      insteadOf: folders.stateHome.map { Files.joined($0, "particles/recents.json") })
    shared = RecentlyUsed(Files.joined(data, "recently-used.xbel"))
  }

  // MARK: Looking

  /// The documents, the last opened first. Documents that were renamed in their folder have their new paths.
  /// - Throws: errors of reading.
  public func entries() throws -> [Entry] {
    let known = Self.read(try stored.read())
    var entries: [Entry] = []
    var folders: [String: [String: String]] = [:]
    for entry in known {
      let found = Self.found(entry, &folders)
      if found.isMissing, WallClock.seconds - found.seconds > Self.patience { continue }
      entries.append(found)
    }
    if entries != known {
      // Another program may be at it: the list is put in order another time then.
      try? stored.change { _ in Self.json(entries) }
    }
    return entries
  }

  /// Looks for a document: at its path, else under another name in its folder.
  /// - Parameter folders: the names of files by their identities, by folder.
  private static func found(_ entry: Entry, _ folders: inout [String: [String: String]]) -> Entry {
    var entry = entry
    entry.isMissing = false
    if let stamp = FolderListing.stamp(of: entry.path) {
      entry.identity = stamp
      return entry
    }
    let folder = Files.folder(of: entry.path)
    if folders[folder] == nil {
      var names: [String: String] = [:]
      for other in (try? FolderListing(folder))?.entries ?? [] {
        if let identity = other.identity, other.bytes == nil { names[identity] = other.name }
      }
      folders[folder] = names
    }
    let identity = entry.identity?.split(separator: "@").first.map(String.init)
    if let identity, let name = folders[folder]?[identity],
      FolderListing.stamp(of: Files.joined(folder, name)) == entry.identity
    {
      entry.path = Files.joined(folder, name)
    } else {
      entry.isMissing = true
    }
    return entry
  }

  // MARK: Changing

  /// Records in both lists that a document was opened now.
  /// - Throws: errors of writing our own list. The list of the desktop is left alone if it cannot be read or written.
  public func note(_ path: String, mimeType: String) throws {
    let place = (try? Files.resolve(path)) ?? path
    var new = Entry(path: place, mimeType: mimeType, seconds: WallClock.seconds)
    new.identity = FolderListing.stamp(of: place)
    try stored.change { old in
      let others = Self.read(old).filter { $0.path != place }
      return Self.json(Array(([new] + others).prefix(Self.most)))
    }
    try? shared?.add(place, mimeType: mimeType, at: new.seconds)
  }

  /// Notes that a document has another path.
  public func move(_ path: String, to target: String) throws {
    try stored.change { old in
      var entries = Self.read(old)
      guard let index = entries.firstIndex(where: { $0.path == path }) else { return nil }
      entries[index].path = target
      return Self.json(entries)
    }
    try? shared?.move(path, to: target)
  }

  /// Forgets documents, or all if `paths` is nil. The list of the desktop keeps documents that other programs have
  /// opened, too.
  public func forget(_ paths: [String]? = nil) throws {
    var gone: [String] = []
    try stored.change { old in
      let entries = Self.read(old)
      let wanted = paths.map(Set.init)
      gone = entries.map(\.path).filter { wanted?.contains($0) ?? true }
      return Self.json(entries.filter { !gone.contains($0.path) })
    }
    try? shared?.remove(gone)
  }

  // MARK: The file

  private static func read(_ json: JSONValue?) -> [Entry] {
    (json?.object?["documents"]?.array ?? []).compactMap { value in
      guard let object = value.object, let path = object["path"]?.string, path.hasPrefix("/"),
        let seconds = object["opened"]?.double
      else { return nil }
      var entry = Entry(
        path: path, mimeType: object["type"]?.string ?? "application/octet-stream", seconds: seconds
      )
      entry.identity = object["identity"]?.string
      entry.isMissing = object["missing"]?.bool ?? false
      return entry
    }
  }

  private static func json(_ entries: [Entry]) -> JSONValue {
    let documents = entries.map { entry -> JSONValue in
      var object: JSONObject = [
        "path": .string(entry.path), "type": .string(entry.mimeType),
        "opened": .double(entry.seconds),
      ]
      object["identity"] = entry.identity.map(JSONValue.string)
      if entry.isMissing { object["missing"] = .bool(true) }
      return .object(object)
    }
    return ["version": .int(1), "documents": .array(documents)]
  }
}

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
        // A bookmark without programs is replaced.
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

  /// Changes the file. Repeats the change if another program has changed the file meanwhile.
  private func edit(_ body: (XMLElement) throws -> [(range: Range<Int>, text: String)]) throws {
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
