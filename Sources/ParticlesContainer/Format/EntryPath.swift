package import ParticlesCore

/// The rules for names and paths in a package. `Spec/container.md#names` states them.
package enum EntryPath {
  /// The most bytes of a name.
  package static let nameLimit = 255
  /// The most bytes of a path.
  package static let pathLimit = 4096

  private static let slash = UInt8(ascii: "/")

  /// Throws unless every rule for a path is kept by its bytes.
  /// - Parameter start: what stands before is known to be part of a path that keeps them.
  package static func check(
    _ path: [UInt8], from start: Int = 0, limits: Limits,
    at location: @autoclosure () -> Location = .unknown
  ) throws {
    // Names that were not checked yet begin behind the last slash before `start`.
    var first = min(start, path.count)
    while first > 0, path[first - 1] != slash { first -= 1 }
    var isPlain = path.count <= pathLimit
    var nameStart = first
    for index in first..<path.count {
      let byte = path[index]
      if byte == slash {
        isPlain = isPlain && isPlainName(path, nameStart..<index)
        nameStart = index + 1
      } else if byte < 0x20 || byte >= 0x7F || byte == UInt8(ascii: "\\") {
        isPlain = false
      }
    }
    isPlain = isPlain && isPlainName(path, nameStart..<path.count)
    // Most paths are plain; the others, sound or not, are looked at in full. A short one cannot
    // have too many components.
    if !isPlain || path.count >= 2 * limits.depth {
      _ = try validated(path, limits: limits, at: location())
    }
  }

  private static func isPlainName(_ path: [UInt8], _ name: Range<Int>) -> Bool {
    guard !name.isEmpty, name.count <= nameLimit else { return false }
    return path[name.lowerBound] != UInt8(ascii: ".") || name.count > 2
  }

  /// The path as text, if every rule for a path is kept.
  package static func validated(
    _ path: [UInt8], limits: Limits, at location: @autoclosure () -> Location
  ) throws -> String {
    func fault(_ expected: String) -> Diagnostic {
      let shown = String(decoding: path.prefix(300), as: UTF8.self)
      return Diagnostic(.name, at: location(), "'\(shown)'", expected: expected)
    }
    guard let text = String(validating: path, as: UTF8.self) else { throw fault("UTF-8") }
    guard path.count <= pathLimit else { throw fault("at most \(pathLimit) bytes") }
    var depth = 0
    for component in path.split(separator: slash, omittingEmptySubsequences: false) {
      depth += 1
      if let expected = expectation(for: component) { throw fault(expected) }
    }
    try limits.check(depth, \.depth, "components of a path", at: location())
    if path.contains(where: { $0 >= 0x80 }) {
      guard !text.unicodeScalars.contains(where: \.isControl) else {
        throw fault("no control characters")
      }
      guard UnicodeForms.isComposed(text) else { throw fault("Unicode normalisation form C") }
    }
    return text
  }

  /// Throws unless `name` may stand in a directory of a package.
  package static func check(name: String) throws {
    let bytes = Array(name.utf8)
    guard !bytes.contains(slash) else {
      throw Diagnostic(.name, "'\(name)'", expected: "no slash")
    }
    try check(bytes, limits: .standard)
  }

  /// What is wrong with a name, judged by its bytes alone.
  private static func expectation(for name: ArraySlice<UInt8>) -> String? {
    if name.isEmpty { return "no empty component" }
    if name.count > nameLimit { return "components of at most \(nameLimit) bytes" }
    if name.elementsEqual([0x2E]) || name.elementsEqual([0x2E, 0x2E]) {
      return "no '.' or '..' component"
    }
    for byte in name {
      if byte < 0x20 || byte == 0x7F { return "no control characters" }
      if byte == UInt8(ascii: "\\") { return "no backslash" }
    }
    return nil
  }

  /// Whether `a` stands before `b`: bytes in ascending order, the slash before all others, so that
  /// a directory is followed by all that is in it.
  package static func precedes(_ a: some Sequence<UInt8>, _ b: some Sequence<UInt8>) -> Bool {
    a.lexicographicallyPrecedes(b) { rank($0) < rank($1) }
  }

  static func rank(_ byte: UInt8) -> UInt8 { byte == slash ? 0 : byte }

  /// Throws if a link at `path` leads out of the package: if it is absolute, or climbs above the
  /// root on its way.
  package static func check(link destination: String, from path: String) throws {
    func fault(_ expected: String) -> Diagnostic {
      Diagnostic(.link, at: .entry(path), expected: expected, found: "'\(destination)'")
    }
    guard !destination.isEmpty, destination.utf8.count <= pathLimit else {
      throw fault("1 to \(pathLimit) bytes")
    }
    guard destination.utf8.first != slash else { throw fault("a relative path") }
    guard !destination.unicodeScalars.contains(where: \.isControl), !destination.contains("\\")
    else { throw fault("no control characters and no backslash") }
    var depth = path.utf8.count { $0 == slash }
    for component in destination.split(separator: "/") {
      if component == ".." { depth -= 1 } else if component != "." { depth += 1 }
      guard depth >= 0 else { throw fault("a path inside the package") }
    }
  }

  /// The path without its last component; empty for a child of the root.
  package static func parent(of path: String) -> Substring {
    path.utf8.lastIndex(of: slash).map { path[..<$0] } ?? ""
  }

  /// The last component of a path.
  package static func name(of path: String) -> Substring {
    path.utf8.lastIndex(of: slash).map { path[path.utf8.index(after: $0)...] } ?? path[...]
  }
}
