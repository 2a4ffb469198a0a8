internal import ParticlesCore

/// The files of a project of Unity by the identifiers that their `.meta` files state.
///
/// Symbolic links, hidden entries and the folder `Library` are skipped. At most 100,000 entries are read, breadth first, down to 16
/// levels.
struct UnityFiles: Sendable {
  private var paths: [String: String] = [:]

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

  init(below root: String, limits: Limits) {
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
        if kind == .directory, depth < min(Self.depth, limits.depth), !Self.skipped.contains(name) {
          waiting.append((Files.joined(path, name), depth + 1))
        }
        guard kind == .file, name.hasSuffix(".meta"), known.contains(String(name.dropLast(5)))
        else { continue }
        add(Files.joined(path, name), limits)
      }
    }
  }

  private mutating func add(_ path: String, _ limits: Limits) {
    guard let bytes = try? Files.read(path, limits: limits) else { return }
    let lines = String(decoding: bytes.prefix(1024), as: UTF8.self).split(
      whereSeparator: \.isNewline)
    guard let line = lines.first(where: { $0.hasPrefix("guid: ") }) else { return }
    let guid = line.dropFirst(6).lowercased()
    guard Self.guid(in: Self.mark + guid) != nil, paths[guid] == nil else { return }
    paths[guid] = String(path.dropLast(5))
  }

  /// Returns the path of a file; nil if there is none.
  func path(of guid: String) -> String? {
    guard let path = paths[guid], (try? Files.status(path))?.kind == .file else { return nil }
    return path
  }
}
