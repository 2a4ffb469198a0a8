package import ParticlesCore
internal import ParticlesSystem

/// The entries of a folder, found in one pass: names, kinds, sizes and dates. No file is read.
///
/// A folder that is a package is one document, not a folder. An entry that cannot be read has a problem, and does not
/// end the listing.
package struct FolderListing: Sendable {
  /// The kinds of entries.
  package enum Kind: String, Sendable {
    /// A regular file.
    case file
    /// A folder that is browsed.
    case folder
    /// A folder that is one document: with the extension `particles`, or with a `document.json`.
    case package
    /// A symbolic link that leads nowhere.
    case link
    /// A pipe, socket or device.
    case special
  }

  /// An entry.
  package struct Entry: Sendable, Hashable {
    /// The name, with `\xFF` for each byte that is not UTF-8.
    package var name: String
    /// The bytes of a name that is not UTF-8, else nil.
    package var bytes: [UInt8]?
    /// The kind. For a symbolic link, the kind of its target.
    package var kind: Kind
    package var isLink = false
    /// The size of a file in bytes, else nil.
    package var size: Int?
    /// When it was changed, in seconds since 1970. Nil if it cannot be read.
    package var modified: Double?
    /// The identity, which a rename keeps. A symbolic link has its own identity. Nil if it cannot be read.
    package var identity: String?
    /// Why the entry cannot be used, judged by its name and status. Nil if it can.
    package var problem: Diagnostic?
  }

  /// The entries, in the order of the file system. Temporary files of this package are not among them.
  package private(set) var entries: [Entry] = []
  /// Whether entries can be added and removed.
  package let isWritable: Bool

  /// Lists a folder.
  /// - Throws: ``ParticlesCore/Rule/fileNotFound`` and others of the family `file`.
  package init(_ path: String) throws {
    isWritable = Files.canCreate(in: path)
    let reader = try FolderReader(path)
    var found: [Entry] = []
    try reader.forEachEntry { entry in
      guard !Self.isTemporary(entry.name[...]) else { return }
      found.append(Self.entry(entry, in: path))
    }
    entries = found
  }

  /// The entry at a path, or nil if there is none.
  /// - Throws: read errors of the family `file`.
  package static func entry(at path: String) throws -> Entry? {
    guard let status = try Files.status(path, followingLinks: false) else { return nil }
    let target = status.kind == .symbolicLink ? try? Files.status(path) : nil
    let entry = FolderReader.Entry(
      name: Array(Files.lastComponent(of: path).utf8), status: status, target: target)
    return Self.entry(entry, in: Files.folder(of: path))
  }

  private static func entry(_ found: FolderReader.Entry, in folder: String) -> Entry {
    let valid = String(validating: found.name, as: UTF8.self)
    var entry = Entry(name: valid ?? found.name.escapingInvalidUTF8, kind: .special)
    let path = Files.joined(folder, entry.name)
    if valid == nil {
      entry.bytes = found.name
      entry.problem = Diagnostic(
        .name, at: Location(file: path), expected: "UTF-8", hint: "give it another name")
    }
    guard let status = found.status else {
      entry.problem = entry.problem ?? Diagnostic(.fileUnreadable, at: Location(file: path))
      return entry
    }
    entry.isLink = status.kind == .symbolicLink
    entry.identity = status.state.identity.description
    let shown = entry.isLink ? found.target : status
    entry.modified = (shown ?? status).state.modified
    switch shown?.kind {
    case .file:
      entry.kind = .file
      entry.size = shown?.size
    case .directory: entry.kind = isPackage(path) ? .package : .folder
    case .other:
      let what = shown?.special?.rawValue ?? "special file"
      entry.problem =
        entry.problem ?? Diagnostic(.fileUnreadable, at: Location(file: path), "a \(what)")
    case .symbolicLink, nil:
      entry.kind = .link
      entry.problem =
        entry.problem
        ?? Diagnostic(.fileNotFound, at: Location(file: path), "the link leads nowhere")
    }
    return entry
  }

  /// The identity of a file with the time of its creation, where that is known: file systems give the number of a
  /// deleted file to a new one. Nil if there is nothing at the path.
  package static func stamp(of path: String) -> String? {
    guard let status = (try? Files.status(path, followingLinks: false)) ?? nil else { return nil }
    let identity = status.state.identity.description
    return Files.birth(of: path).map { "\(identity)@\($0)" } ?? identity
  }

  package static func isPackage(_ folder: String) -> Bool {
    ((try? DocumentSet.isPlainFolder(folder)) ?? true) == false
  }

  /// Whether a name has the form that programs use for temporary files, or for the locks of documents.
  package static func isTemporary(_ name: String) -> Bool { isTemporary(Array(name.utf8)[...]) }

  private static func isTemporary(_ name: ArraySlice<UInt8>) -> Bool {
    name.starts(with: ".goutputstream-".utf8) || name.starts(with: ".~lock.".utf8)
      || name.first == UInt8(ascii: ".") && name.suffix(4).elementsEqual(".tmp".utf8)
  }
}

/// A mounted file system.
package struct MountPoint: Sendable, Hashable {
  /// The path of its topmost folder.
  package var path: String
  /// The type, such as `ext4`.
  package var type: String
  /// The device, or another source.
  package var source: String
  package var isReadOnly: Bool

  /// The types that hold no files of users, or may wait without end.
  private static let others: Set = [
    "proc", "sysfs", "cgroup", "cgroup2", "devpts", "devtmpfs", "mqueue", "debugfs", "tracefs",
    "securityfs", "pstore", "bpf", "configfs", "fusectl", "hugetlbfs", "autofs", "rpc_pipefs",
    "binfmt_misc", "nsfs", "efivarfs", "ramfs", "squashfs",
  ]

  /// The mounted file systems that can hold files of users, from `/proc/self/mountinfo`, if there is one.
  package static func all() -> [MountPoint] {
    let bytes = try? OpenFile(reading: "/proc/self/mountinfo").readToEnd(limits: .standard)
    return read(bytes.map { String(decoding: $0, as: UTF8.self) } ?? "")
  }

  package static func read(_ text: String) -> [MountPoint] {
    var points: [MountPoint] = []
    for line in text.split(separator: "\n") {
      let fields = line.split(separator: " ")
      guard fields.count > 6, let dash = fields.firstIndex(of: "-"), dash + 2 < fields.count else {
        continue
      }
      let type = String(fields[dash + 1])
      guard !others.contains(type) else { continue }
      points.append(
        MountPoint(
          path: unescaped(fields[4]), type: type, source: unescaped(fields[dash + 2]),
          isReadOnly: fields[5].split(separator: ",").contains("ro")))
    }
    return points
  }

  /// Volumes that a user attaches: below `/media`, `/run/media` and `/mnt`.
  package var isVolume: Bool {
    ["/media/", "/run/media/", "/mnt/"].contains { path.hasPrefix($0) }
  }

  /// Decodes octal escapes of white space and backslashes.
  private static func unescaped(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      let digits = String(decoding: rest.prefix(3), as: UTF8.self)
      if byte == UInt8(ascii: "\\"), digits.utf8.count == 3, let value = UInt8(digits, radix: 8) {
        bytes.append(value)
        rest = rest.dropFirst(3)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// Calls a closure when a file system is mounted or unmounted anywhere, by `/proc/self/mountinfo`.
package final class MountWatch: Sendable {
  private let watch: FolderWatch

  /// Begins to watch.
  /// - Parameters:
  ///   - seconds: the time between reads of the file, each under a millisecond. Default: 1.
  ///   - change: called on the thread of all watches. It must not wait.
  /// - Throws: ``ParticlesCore/Rule/fileUnreadable`` if the system has no descriptors or threads left.
  package init(every seconds: Double = 1, _ change: @escaping @Sendable () -> Void) throws {
    let last = Lock(MountPoint.all())
    watch = try FolderWatch([], polling: true, every: seconds) {
      let now = MountPoint.all()
      let isOther = last.withLock { last in
        defer { last = now }
        return last != now
      }
      if isOther { change() }
    }
  }
}
