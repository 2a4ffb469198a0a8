internal import ParticlesCore

/// The paths that loss lines cover. A query takes as many look-ups as the path has steps,
/// independent of the number of paths.
struct PathIndex {
  /// The paths as UTF-8: Unicode-equivalent strings are different paths.
  private let paths: Set<ArraySlice<UInt8>>

  private let moved: MovedSprites?

  private(set) var lookups = 0

  init(_ lines: [Diagnostic]) {
    var (paths, moved): (Set<ArraySlice<UInt8>>, MovedSprites?) = ([], nil)
    // Lines about the same image share one list, which may have a path for each emitter.
    var lists: Set<UnsafeRawPointer> = []
    for loss in lines.lazy.compactMap(\.loss) {
      paths.insert(Array(loss.path.utf8)[...])
      let list = loss.ownPaths.withUnsafeBytes(\.baseAddress)
      if let list, lists.insert(list).inserted {
        for path in loss.ownPaths { paths.insert(Array(path.utf8)[...]) }
      }
      if let more = loss.moved { moved = more.joined(moved) }
    }
    (self.paths, self.moved) = (paths, moved)
  }

  /// Whether a line covers the property at `path`, as ``ParticlesCore/Loss/covers(_:)`` does for
  /// one line.
  mutating func covers(_ path: String) -> Bool {
    let bytes = Array(path.utf8)
    for (end, byte) in bytes.enumerated()
    where byte == UInt8(ascii: ".") || byte == UInt8(ascii: "[") {
      lookups += 1
      if paths.contains(bytes[..<end]) { return true }
    }
    lookups += 1
    return paths.contains(bytes[...]) || moved?.covers(path) ?? false
  }
}
