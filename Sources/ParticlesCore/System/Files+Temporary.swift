/// Temporary names: `.NAME.RANDOM.tmp` for new files and folders, and `.NAME.old-RANDOM.tmp` for a
/// folder that is about to be replaced. A long name is shortened to a prefix and a checksum.
extension Files {
  private static let (digits, aside, end) = (13, "old-", ".tmp")

  /// Returns an unused name in the folder of `path`, for a file that will be renamed to `path`.
  /// - Parameter isAside: whether it is for the old folder at `path`.
  package static func temporaryName(beside path: String, isAside: Bool = false) -> String {
    let random = String(UInt64.random(in: 0...UInt64.max), radix: 36)
    let zeros = String(repeating: "0", count: digits - random.utf8.count)
    let name = temporaryPrefix(path) + (isAside ? aside : "") + zeros + random + end
    return joined(folder(of: path), name)
  }

  /// Returns the paths of all temporary files and folders for `path`, in byte order.
  /// - Parameter reader: the folder, if it is already open.
  package static func temporaries(
    beside path: String, in reader: FolderReader? = nil
  ) throws -> [String] {
    let folder = folder(of: path)
    let prefix = temporaryPrefix(path)
    var names: [String] = []
    try (reader ?? FolderReader(folder)).forEachName { name in
      guard name.starts(with: prefix.utf8), name.suffix(end.utf8.count).elementsEqual(end.utf8)
      else { return }
      var random = name.dropFirst(prefix.utf8.count).dropLast(end.utf8.count)
      if random.starts(with: aside.utf8) { random.removeFirst(aside.utf8.count) }
      guard random.count == digits, random.allSatisfy(isDigit) else { return }
      names.append(joined(folder, String(decoding: name, as: UTF8.self)))
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Returns the paths of the temporary files and folders of all documents in a folder.
  static func temporaries(in folder: String) throws -> [String] {
    var names: [String] = []
    try FolderReader(folder).forEachName { name in
      guard name.first == UInt8(ascii: "."), name.suffix(end.utf8.count).elementsEqual(end.utf8)
      else { return }
      let rest = name.dropLast(end.utf8.count)
      let random = rest.suffix(digits)
      let before = rest.dropLast(digits).last
      guard random.allSatisfy(isDigit), rest.count > digits + 2,
        before == UInt8(ascii: ".") || before == UInt8(ascii: "-")
      else { return }
      names.append(joined(folder, String(decoding: name, as: UTF8.self)))
    }
    return names
  }

  /// Whether a temporary file or folder is one for `path`.
  static func isTemporary(_ temporary: String, of path: String) -> Bool {
    lastComponent(of: temporary).utf8.starts(with: temporaryPrefix(path).utf8)
  }

  /// Whether a temporary name is that of an old folder that is being replaced.
  package static func isAside(_ temporary: String) -> Bool {
    temporary.utf8.dropLast(digits + end.utf8.count).suffix(aside.utf8.count)
      .elementsEqual(aside.utf8)
  }

  /// Short enough for a valid file name wherever the name of the file itself is valid.
  private static func temporaryPrefix(_ path: String) -> String {
    let name = lastComponent(of: path)
    let start = String(name.unicodeScalars.prefix(40))
    if start.utf8.count == name.utf8.count { return ".\(name)." }
    // The checksum distinguishes documents whose names have the same prefix.
    return ".\(start)~\(String(CRC32.checksum(name.utf8), radix: 36))."
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
    default: false
    }
  }
}
