internal import ParticlesCore

/// The rules of an ignore file, such as `.gitignore`, read as git does.
///
/// A line is a pattern. Empty lines and lines that begin with `#` have no effect; spaces at the end count only after a
/// backslash. `!` in front includes again what an earlier pattern ignores. A slash at the end limits the
/// pattern to folders. With another slash, the pattern is relative to the folder of the file;
/// without, it matches names in all folders below. The last pattern that matches decides.
struct IgnoreFile: Sendable {
  /// A pattern with its flags.
  struct Pattern: Sendable, Hashable {
    private let glob: Glob
    private let isForName: Bool
    private let isForFolders: Bool
    /// Whether it includes what it matches.
    let isNegated: Bool

    /// Reads a line without its end; nil if it has no effect.
    init?(line: some StringProtocol) {
      guard line.unicodeScalars.first != "#" else { return nil }
      var text = Self.trimmed(line)
      let isNegated = text.first == "!"
      if isNegated { text.removeFirst() }
      self.init(text, isNegated: isNegated)
    }

    /// Reads a pattern of the command line, in which every character counts; nil if it has no effect.
    init?(glob text: String) { self.init(Array(text.unicodeScalars), isNegated: false) }

    private init?(_ pattern: [Unicode.Scalar], isNegated: Bool) {
      var text = pattern
      self.isNegated = isNegated
      isForFolders = text.last == "/"
      if isForFolders { text.removeLast() }
      guard !text.isEmpty else { return nil }
      isForName = !text.contains("/")
      glob = Glob(String(String.UnicodeScalarView(text)))
    }

    /// Whether it matches a path, given as components relative to the folder of the file.
    func matches(_ path: ArraySlice<Glob.Name>, isFolder: Bool) -> Bool {
      guard isFolder || !isForFolders else { return false }
      return glob.matches(isForName ? path.suffix(1) : path)
    }

    /// Whether it matches a file or package, or a folder that it is in.
    func matches(anyPartOf path: ArraySlice<Glob.Name>, isFolder: Bool) -> Bool {
      path.indices.contains { index in
        matches(path[...index], isFolder: isFolder || index + 1 < path.endIndex)
      }
    }

    /// Without the spaces at the end that no backslash precedes.
    private static func trimmed(_ line: some StringProtocol) -> [Unicode.Scalar] {
      var text: [Unicode.Scalar] = []
      var (end, isEscaped) = (0, false)
      for scalar in line.unicodeScalars {
        text.append(scalar)
        if scalar != " " || isEscaped { end = text.count }
        isEscaped = scalar == "\\" && !isEscaped
      }
      return Array(text.prefix(end))
    }
  }

  /// The path of the file, for messages.
  let path: String

  /// The number of components of its folder.
  private let depth: Int

  private let patterns: [Pattern]

  /// Reads an ignore file. Bytes that are not UTF-8 match nothing.
  /// - Parameter depth: the number of components of its folder in the paths that ``verdict(on:isFolder:)`` gets.
  init(_ bytes: [UInt8], at path: String, depth: Int) {
    self.path = path
    self.depth = depth
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = bytes.starts(with: mark) ? bytes.dropFirst(3) : bytes[...]
    patterns = text.split(separator: UInt8(ascii: "\n")).compactMap { line in
      let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      return Pattern(line: String(decoding: line, as: UTF8.self))
    }
  }

  /// Whether a path below the folder of the file is ignored; nil if no pattern matches.
  func verdict(on path: [Glob.Name], isFolder: Bool) -> Bool? {
    let inside = path[depth...]
    return patterns.last { $0.matches(inside, isFolder: isFolder) }.map { !$0.isNegated }
  }
}
