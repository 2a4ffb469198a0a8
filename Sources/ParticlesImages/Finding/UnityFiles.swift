internal import ParticlesCore

/// The files of a project of Unity by the identifiers that their `.meta` files state.
///
/// Symbolic links, hidden entries and the folder `Library` are skipped. At most 100,000 entries are read, breadth first, down to 16
/// levels.
struct UnityFiles: Sendable {
  private var paths: [String: String] = [:]
  /// The names of files that are gone.
  private var missing: [String: String] = [:]

  private static let (depth, entries) = (16, 100_000)
  static let mark = "guid:"
  /// Folders with files that Unity derives, and with settings of a user.
  private static let skipped: Set<String> = ["Library", "Logs", "Temp", "obj", "UserSettings"]

  /// The identifier in a reference; nil for a reference of another kind.
  static func guid(in reference: String) -> String? {
    guard reference.hasPrefix(mark) else { return nil }
    let guid = reference.dropFirst(mark.count)
    let isHexadecimal = guid.utf8.allSatisfy {
      (0x30...0x39).contains($0) || (0x61...0x66).contains($0)
    }
    return guid.utf8.count == 32 && isHexadecimal ? String(guid) : nil
  }

  /// - Parameter isDeep: whether folders below it are looked at, too.
  init(below root: String, isDeep: Bool = true, limits: Limits) {
    let deepest = isDeep ? min(Self.depth, limits.depth) : 0
    var waiting = [(path: root, depth: 0)][...]
    var rest = min(Self.entries, limits.entries)
    while let (path, depth) = waiting.popFirst() {
      guard let reader = try? FolderReader(path, followingLinks: depth == 0),
        let names = try? reader.names(passingOver: { _ in })
      else { continue }
      let known = Set(names)
      for name in names where !name.hasPrefix(".") {
        guard rest > 0 else { return }
        rest -= 1
        let kind = (try? reader.status(name))?.kind
        if kind == .directory, depth < deepest, !Self.skipped.contains(name) {
          waiting.append((Files.joined(path, name), depth + 1))
        }
        guard kind == .file, name.hasSuffix(".meta") else { continue }
        add(
          Files.joined(path, name), isThere: known.contains(String(name.dropLast(5))), limits)
      }
    }
  }

  private mutating func add(_ path: String, isThere: Bool, _ limits: Limits) {
    guard let bytes = try? Files.read(path, limits: limits), let guid = Self.guid(ofMeta: bytes)
    else { return }
    let file = String(path.dropLast(5))
    if isThere {
      paths[guid] = paths[guid] ?? file
    } else {
      missing[guid] = missing[guid] ?? Files.lastComponent(of: file)
    }
  }

  /// The identifier that a `.meta` file states; nil for another file.
  static func guid(ofMeta bytes: [UInt8]) -> String? {
    let lines = String(decoding: bytes.prefix(1024), as: UTF8.self).split(
      whereSeparator: \.isNewline)
    guard let line = lines.first(where: { $0.hasPrefix("guid: ") }) else { return nil }
    return guid(in: mark + line.dropFirst(6).lowercased())
  }

  /// Returns the name of a file, which may be gone, if its `.meta` file is there.
  func name(of guid: String) -> String? {
    paths[guid].map(Files.lastComponent) ?? missing[guid]
  }

  /// Returns the path of a file; nil if there is none.
  func path(of guid: String) -> String? {
    guard let path = paths[guid], (try? Files.status(path))?.kind == .file else { return nil }
    return path
  }
}
