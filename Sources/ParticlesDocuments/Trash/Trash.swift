public import ParticlesCore
internal import ParticlesSystem

/// The trash of the user (freedesktop.org Trash specification 1.0): the trash of the home folder, and the trash
/// folders of other volumes. Desktop programs and this library see each other's items.
public struct Trash: Sendable {
  /// A file or folder in the trash.
  public struct Item: Sendable, Hashable {
    /// The path that it has in the trash.
    public var path: String
    /// The path of its description.
    public var info: String
    /// The path that it had before, or nil if its description is damaged.
    public var original: String?
    /// When it was removed, in seconds since 1970. Nil if unknown.
    public var seconds: Double?
    /// The fault of its description, or nil.
    public var problem: Diagnostic?
  }

  /// The folder of the trash of the home folder, or nil without a home folder.
  let home: String?
  let user: UInt32
  /// The topmost folders of file systems.
  let tops: @Sendable () -> [String]

  /// The trash of an environment: below `XDG_DATA_HOME`, or `~/.local/share`.
  public init(environment: [String: String]) {
    self.init(
      home: BaseDirectories(environment: environment).dataHome.map { Files.joined($0, "Trash") },
      user: RunningProcess.user, tops: { MountPoint.all().map(\.path) })
  }

  /// The trash in these folders, for tests.
  package init(home: String?, user: UInt32, tops: @escaping @Sendable () -> [String]) {
    (self.home, self.user, self.tops) = (home, user, tops)
  }

  // MARK: Putting

  /// Moves a file, folder or symbolic link to the trash of its volume.
  /// - Returns: the item in the trash.
  /// - Throws: ``ParticlesCore/Rule/fileNotFound``. ``ParticlesCore/Rule/fileUnwritable`` if its folder cannot be
  ///   written, or if its volume has no trash and none can be made. The file stays in place then.
  public func put(_ path: String) throws -> Item {
    guard let status = try Files.status(path, followingLinks: false) else {
      throw Diagnostic(.fileNotFound, at: Location(file: path))
    }
    let place = Files.joined(
      try Files.resolve(Files.folder(of: path)), Files.lastComponent(of: path))
    let folder = try folder(for: place, on: status.state.identity.device)
    do {
      return try put(place, status, into: folder)
    } catch {
      folder.leave()
      throw (error as? Diagnostic)?.naming(path, insteadOf: [place]) ?? error
    }
  }

  private func put(
    _ place: String, _ status: FileStatus, into folder: TrashFolder
  ) throws -> Item {
    for inner in [folder.path, folder.files, folder.infos] {
      guard !"\(inner)/".hasPrefix("\(place)/") else {
        throw Diagnostic(.fileUnwritable, at: Location(file: place), "the trash is in it")
      }
    }
    guard !place.hasPrefix("\(folder.path)/") else {
      throw Diagnostic(.fileUnwritable, at: Location(file: place), "it is in the trash already")
    }
    let seconds = WallClock.seconds
    let size = status.kind == .directory ? try Self.size(of: place) : nil
    let text = """
      [Trash Info]
      Path=\(FileURI.encoded(folder.stated(place)))
      DeletionDate=\(Self.text(seconds))

      """
    var number = 1
    while true {
      let name = Self.name(Files.lastComponent(of: place), number)
      let (info, file) = (folder.info(name), Files.joined(folder.files, name))
      number += 1
      do {
        // The name belongs to the program that creates this file.
        let description = try OpenFile(creating: info, mode: 0o600)
        do {
          try description.write(Array(text.utf8))
        } catch {
          try? Files.removeAll(info)
          throw (error as? Diagnostic)?.naming(place, insteadOf: [info]) ?? error
        }
      } catch let fault as Diagnostic where fault.rule == .fileExists {
        continue
      }
      do {
        try Files.renameExclusively(place, file)
      } catch {
        try? Files.removeAll(info)
        guard (error as? Diagnostic)?.rule == .fileExists else {
          throw (error as? Diagnostic)?.naming(place, insteadOf: [file]) ?? error
        }
        continue
      }
      if let size { folder.noteSize(size, of: name) }
      return Item(path: file, info: info, original: place, seconds: seconds)
    }
  }

  /// The name for the trash, short enough for its description. A number is added to a name that is in use.
  private static func name(_ name: String, _ number: Int) -> String {
    let kind =
      Files.pathExtension(of: name).isEmpty
      ? "" : "." + (name.split(separator: ".").last.map(String.init) ?? "")
    let most = 255 - ".trashinfo".utf8.count - 8
    var stem = String(name.dropLast(kind.count))
    let ending = kind.utf8.count > 64 ? "" : kind
    while stem.utf8.count + ending.utf8.count > most { stem.unicodeScalars.removeLast() }
    return number == 1 ? stem + ending : "\(stem).\(number)\(ending)"
  }

  private static func text(_ seconds: Double) -> String {
    WallClock.text(seconds).split(separator: " ").joined(separator: "T")
  }

  /// The bytes of the files in a folder.
  private static func size(of path: String) throws -> Int {
    var (size, waiting) = (0, [path])
    while let folder = waiting.popLast() {
      try FolderReader(folder, followingLinks: false).forEachEntry { entry in
        guard let status = entry.status else { return }
        switch status.kind {
        case .directory:
          if let name = String(validating: entry.name, as: UTF8.self) {
            waiting.append(Files.joined(folder, name))
          }
        default: size += status.size
        }
      }
    }
    return size
  }

  // MARK: Looking, restoring and deleting

  /// The items in the trash of all volumes, the newest first.
  public func items() -> [Item] {
    folders().flatMap { $0.items() }.sorted {
      ($0.seconds ?? 0, $0.path) > ($1.seconds ?? 0, $1.path)
    }
  }

  /// The item at a path in the trash, or nil if there is none.
  public func item(at path: String) -> Item? {
    let files = Files.folder(of: path)
    guard Files.lastComponent(of: files) == "files" else { return nil }
    return TrashFolder(Files.folder(of: files), top: nil, in: self)
      .item(Files.lastComponent(of: path))
  }

  /// Whether a path names an item in a trash folder, or something inside such an item.
  package static func holds(_ path: String) -> Bool {
    var place = path
    while true {
      let files = Files.folder(of: place)
      guard files != place, !files.isEmpty, files != "/" else { return false }
      if Files.lastComponent(of: files) == "files" {
        let name = Files.lastComponent(of: place)
        let info = Files.joined(Files.folder(of: files), "info/\(name).trashinfo")
        if ((try? Files.status(info)) ?? nil) != nil { return true }
      }
      place = files
    }
  }

  /// Moves an item back to its original path, or to another path. Missing folders are created.
  /// - Parameters:
  ///   - item: the item.
  ///   - target: the path, or nil for the original path. A number is added to a name that is in use.
  /// - Returns: the new path of the item.
  /// - Throws: ``ParticlesCore/Rule/fileNotFound`` if the item is not in the trash any more, or its original path is
  ///   unknown. Others of the family `file`. The item stays in the trash then.
  public func restore(_ item: Item, to target: String? = nil) throws -> String {
    guard var path = target ?? item.original else {
      throw Diagnostic(
        .fileNotFound, at: Location(file: item.path), "its original path is not known",
        hint: "restore it to a folder")
    }
    try Files.makeDirectories(Files.folder(of: path))
    while true {
      do {
        try Self.move(item.path, path)
        break
      } catch let fault as Diagnostic where fault.rule == .fileExists {
        path = try DocumentNames.free(beside: path)
      }
    }
    forget(item)
    return path
  }

  /// Moves something out of the trash. A symbolic link has the text that it had: it was relative to the old place.
  private static func move(_ path: String, _ target: String) throws {
    guard try Files.status(path, followingLinks: false)?.kind == .symbolicLink else {
      return try Files.moveExclusively(path, target)
    }
    try Files.makeLink(target, to: Files.destination(ofLink: path))
    try Files.removeAll(path)
  }

  /// Deletes an item for good.
  /// - Throws: errors of deleting. Its description stays then.
  public func delete(_ item: Item) throws {
    try Files.removeAll(item.path)
    forget(item)
  }

  private func forget(_ item: Item) {
    try? Files.removeAll(item.info)
    let folder = TrashFolder(Files.folder(of: Files.folder(of: item.path)), top: nil, in: self)
    folder.noteSize(nil, of: Files.lastComponent(of: item.path))
  }
}

/// One of the folders that the trash consists of, with `files`, `info` and `directorysizes` in it.
struct TrashFolder {
  let path: String
  /// The topmost folder of the volume, from which paths are relative. Nil for the trash of the home folder.
  let top: String?
  /// Whether this value has created the folder.
  private(set) var isNew = false

  var files: String { Files.joined(path, "files") }
  var infos: String { Files.joined(path, "info") }

  func info(_ name: String) -> String { Files.joined(infos, "\(name).trashinfo") }

  private var sizes: String { Files.joined(path, "directorysizes") }

  /// - Parameter top: the topmost folder, or nil to find it by the path.
  init(_ path: String, top: String?, in trash: Trash) {
    self.path = path
    let name = Files.lastComponent(of: path)
    if let top {
      self.top = top
    } else if name == ".Trash-\(trash.user)" {
      self.top = Files.folder(of: path)
    } else if name == "\(trash.user)", Files.lastComponent(of: Files.folder(of: path)) == ".Trash" {
      self.top = Files.folder(of: Files.folder(of: path))
    } else {
      self.top = nil
    }
  }

  /// Creates the folders, which only the user may enter.
  mutating func make() throws {
    isNew = try Files.status(path, followingLinks: false) == nil
    do {
      for folder in [files, infos] { try Files.makeDirectories(folder) }
    } catch {
      leave()
      throw error
    }
  }

  /// Removes the folders if they were made for something that could not be moved into them.
  func leave() {
    guard isNew else { return }
    for folder in [infos, files, path] { try? Files.removeEmptyDirectory(folder) }
  }

  /// The text of a path in a description: relative to the volume.
  func stated(_ place: String) -> String {
    guard let top else { return place }
    guard Self.isInside(place, top) else { return place }
    return String(place.dropFirst(top == "/" ? 1 : top.count + 1))
  }

  // MARK: Items

  func items() -> [Trash.Item] {
    let names = (try? Files.list(infos, passingOver: { _ in })) ?? []
    return names.compactMap { name in
      guard name.hasSuffix(".trashinfo") else { return nil }
      return item(String(name.dropLast(".trashinfo".count)))
    }
  }

  /// The item of a name, or nil if it or its description is missing.
  func item(_ name: String) -> Trash.Item? {
    let (file, info) = (Files.joined(files, name), info(name))
    guard (try? Files.status(file, followingLinks: false)) ?? nil != nil,
      (try? Files.status(info, followingLinks: false))??.kind == .file
    else { return nil }
    var item = Trash.Item(path: file, info: info)
    let bytes = (try? Files.read(info)) ?? []
    // The first line of a key counts, as the specification demands.
    var seen: Set<Substring> = []
    for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
      let parts = line.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, seen.insert(parts[0]).inserted else { continue }
      if parts[0] == "Path" { item.original = original(parts[1]) }
      if parts[0] == "DeletionDate" { item.seconds = WallClock.seconds(of: String(parts[1])) }
    }
    if item.original == nil {
      item.problem = Diagnostic(
        .fileUnreadable, at: Location(file: info), "the description of the item is damaged",
        hint: "restore it to a folder")
    }
    return item
  }

  private func original(_ text: Substring) -> String? {
    guard let path = FileURI.decoded(text), !path.isEmpty else { return nil }
    guard let top else { return path.hasPrefix("/") ? path : nil }
    // Nothing outside the volume: a description on it may have been written by anybody.
    let whole = path.hasPrefix("/") ? path : Files.joined(top, path)
    guard Self.isInside(whole, top), !path.split(separator: "/").contains(".."),
      let folder = try? Files.resolve(Self.existing(Files.folder(of: whole))),
      let root = try? Files.resolve(top), folder == root || Self.isInside(folder, root)
    else { return nil }
    return whole
  }

  private static func isInside(_ path: String, _ folder: String) -> Bool {
    path.hasPrefix(folder == "/" ? "/" : "\(folder)/")
  }

  /// The nearest folder around a path, or the path itself, that exists.
  private static func existing(_ path: String) -> String {
    var path = path
    while path != "/", (try? Files.status(path, followingLinks: false)) ?? nil == nil {
      path = Files.folder(of: path)
    }
    return path
  }

  // MARK: Sizes of folders

  /// Notes the size of a folder, or that it is gone. The file is a cache: errors do not count.
  func noteSize(_ size: Int?, of name: String) {
    let key = FileURI.encoded(name)
    let old = (try? Files.read(sizes)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    if size == nil, old.isEmpty { return }
    var lines = old.split(separator: "\n").map(String.init).filter { line in
      let parts = line.split(separator: " ", maxSplits: 2)
      guard parts.count == 3, parts[2] != key, let name = FileURI.decoded(parts[2]) else {
        return false
      }
      return (try? Files.status(Files.joined(files, name), followingLinks: false)) ?? nil != nil
    }
    if let size, let modified = (try? Files.status(info(name)))??.state.modified {
      lines.append("\(size) \(Int(saturating: modified)) \(key)")
    }
    let new = Files.temporaryName(beside: sizes)
    do {
      try Files.create(new, Array(lines.map { "\($0)\n" }.joined().utf8))
      try Files.rename(new, sizes)
    } catch {
      try? Files.removeAll(new)
    }
  }
}

extension Trash {
  /// The trash folder for a file: the trash of the home folder if both are on one file system, else a trash at the
  /// top of its volume.
  func folder(for place: String, on device: UInt64) throws -> TrashFolder {
    if let home, Self.device(around: home) == device {
      var folder = TrashFolder(home, top: nil, in: self)
      try folder.make()
      return folder
    }
    let top = Self.top(of: Files.folder(of: place), device)
    for (path, isShared) in places(at: top) {
      // The folder of the administrator must not let others remove its items, nor be a link.
      if isShared, !Self.isSafe(Files.folder(of: path)) { continue }
      var folder = TrashFolder(path, top: top, in: self)
      if let status = try? Files.status(path, followingLinks: false),
        status.kind != .directory || status.owner.user != user
      {
        continue
      }
      if (try? folder.make()) != nil { return folder }
    }
    throw Diagnostic(
      .fileUnwritable, at: Location(file: place),
      "the volume '\(top)' has no trash, and none can be made",
      hint: "delete it for good")
  }

  func folders() -> [TrashFolder] {
    var found: [TrashFolder] = []
    if let home { found.append(TrashFolder(home, top: nil, in: self)) }
    var seen: Set<String> = []
    for top in tops() where seen.insert(top).inserted {
      for (path, isShared) in places(at: top) {
        if isShared, !Self.isSafe(Files.folder(of: path)) { continue }
        guard let status = try? Files.status(path, followingLinks: false),
          status.kind == .directory, status.owner.user == user
        else { continue }
        found.append(TrashFolder(path, top: top, in: self))
      }
    }
    return found.filter { (try? Files.status($0.infos))??.kind == .directory }
  }

  private func places(at top: String) -> [(path: String, isShared: Bool)] {
    [
      (Files.joined(Files.joined(top, ".Trash"), "\(user)"), true),
      (Files.joined(top, ".Trash-\(user)"), false),
    ]
  }

  /// Whether a shared folder for trash has the sticky bit and is no symbolic link, as the specification demands.
  private static func isSafe(_ path: String) -> Bool {
    guard let status = try? Files.status(path, followingLinks: false) else { return false }
    return status.kind == .directory && status.mode & 0o1000 != 0
  }

  /// The file system that a path is on, or will be on.
  private static func device(around path: String) -> UInt64? {
    var path = path
    while true {
      if let status = (try? Files.status(path)) ?? nil { return status.state.identity.device }
      let parent = Files.folder(of: path)
      guard parent != path else { return nil }
      path = parent
    }
  }

  /// The topmost folder of the file system that a folder is on.
  private static func top(of folder: String, _ device: UInt64) -> String {
    var top = folder
    while top != "/" {
      let parent = Files.folder(of: top)
      guard (try? Files.status(parent))??.state.identity.device == device else { return top }
      top = parent
    }
    return top
  }
}
