internal import ParticlesCore

/// One of the folders that the trash consists of, with `files`, `info` and `directorysizes` in it.
struct TrashFolder {
  let path: String
  /// The topmost folder of the volume, from which paths are relative; nil for the trash of the home folder.
  let top: String?
  /// Whether this value has made it.
  private(set) var isNew = false

  var files: String { Files.joined(path, "files") }
  var infos: String { Files.joined(path, "info") }

  func info(_ name: String) -> String { Files.joined(infos, "\(name).trashinfo") }

  private var sizes: String { Files.joined(path, "directorysizes") }

  /// - Parameter top: the topmost folder; nil to find it by the path.
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

  /// The item of a name; nil if it or its description is missing.
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
  /// The folder for something at a place: that of the home folder if it is on the same file system, else one at the
  /// top of its volume.
  func folder(for place: String, on device: UInt64) throws -> TrashFolder {
    if let home, Self.device(around: home) == device {
      var folder = TrashFolder(home, top: nil, in: self)
      try folder.make()
      return folder
    }
    let top = Self.top(of: Files.folder(of: place), device)
    for (path, isShared) in places(at: top) {
      // The folder of the administrator must not let others remove what is in it, nor lead elsewhere.
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

  /// All folders that exist.
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
