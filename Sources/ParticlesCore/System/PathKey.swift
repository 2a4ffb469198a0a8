/// A path as the key of a set or dictionary: equal if all bytes are.
///
/// Strings are equal, too, if they differ in the normalisation of their characters only; on Linux these are paths of two files.
package struct PathKey: Hashable, Comparable, Sendable {
  /// The path.
  package let path: String

  package init(_ path: String) { self.path = path }

  package static func == (a: PathKey, b: PathKey) -> Bool { a.path.utf8.elementsEqual(b.path.utf8) }

  /// In the order of the bytes.
  package static func < (a: PathKey, b: PathKey) -> Bool {
    a.path.utf8.lexicographicallyPrecedes(b.path.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    var path = path
    path.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }

  /// Whether the path is that of something in a folder.
  /// - Parameter folder: a path in the same form, without a slash at its end unless it is the root.
  package func isInside(_ folder: String) -> Bool {
    let start = folder == "/" ? 0 : folder.utf8.count
    guard path.utf8.count > start + 1 else { return false }
    // Most paths of a list end here.
    let slash = path.utf8.index(path.utf8.startIndex, offsetBy: start)
    return path.utf8[slash] == UInt8(ascii: "/") && path.utf8.starts(with: folder.utf8)
  }

  /// The part of the path below a folder; nil if it is not inside.
  package func below(_ folder: String) -> String? {
    guard isInside(folder) else { return nil }
    return String(
      decoding: path.utf8.dropFirst(folder == "/" ? 1 : folder.utf8.count + 1), as: UTF8.self)
  }
}
