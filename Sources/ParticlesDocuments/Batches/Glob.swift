internal import ParticlesCore
internal import ParticlesSystem

/// A pattern for paths, as git and ripgrep read them: `*`, `?`, `[a-z]`, `**` and `\`.
///
/// - `*` matches any text, `?` one character, and brackets one of a set. None matches a slash.
/// - `**` as a whole component matches any number of folders. At the end, it matches everything inside a folder.
///   Anywhere else it means `*`.
/// - `\` takes the next character literally.
/// - A set is `[abc]`, `[a-z]`, `[[:digit:]]`, or, with `!` or `^` in front, all other characters. A set that does not
///   end matches nothing.
///
/// The time for a match is bounded by the product of the lengths of pattern and path.
struct Glob: Sendable, Hashable {
  /// A name as Unicode scalars, so that `?` is one character.
  typealias Name = [UInt32]

  /// A part of a component.
  private enum Token: Hashable, Sendable {
    case literal(UInt32)
    case one
    case many
    case set(CharacterRanges)
    /// A set without an end, or a backslash at the end.
    case never
  }

  private enum Component: Hashable, Sendable {
    case anyFolders
    case name([Token])
    case literal(Name)
  }

  private let components: [Component]

  /// Reads a pattern. Its components are separated by slashes.
  init(_ text: String) {
    components = Self.split(Self.name(text)).map(Self.component)
  }

  private init(_ components: [Component]) { self.components = components }

  /// The name as scalars.
  static func name(_ text: String) -> Name { text.unicodeScalars.map(\.value) }

  static func text(_ name: some Sequence<UInt32>) -> String {
    String(String.UnicodeScalarView(name.compactMap(Unicode.Scalar.init)))
  }

  /// The number of components before the first with a special character, and their text without escapes.
  var literalPrefix: [String] {
    components.prefix { if case .literal = $0 { true } else { false } }.compactMap {
      guard case .literal(let name) = $0 else { return nil }
      return String(String.UnicodeScalarView(name.compactMap(Unicode.Scalar.init)))
    }
  }

  /// The pattern without its first components.
  func dropping(first count: Int) -> Glob { Glob(Array(components.dropFirst(count))) }

  // MARK: Matching

  /// Whether the pattern matches a whole path, given as its components.
  func matches(_ path: some RandomAccessCollection<Name>) -> Bool {
    reaches(Array(path)).contains(components.count)
  }

  /// Whether the pattern may match something in the folder with this path.
  func mayMatch(inside path: some RandomAccessCollection<Name>) -> Bool {
    reaches(Array(path)).contains { $0 < components.count }
  }

  /// The numbers of components that can match the whole path. A final `**` needs one name at least.
  private func reaches(_ path: [Name]) -> Set<Int> {
    var states = closure(of: [0])
    for name in path {
      var next: Set<Int> = []
      for state in states where state < components.count {
        switch components[state] {
        case .anyFolders:
          next.insert(state)
          if state + 1 == components.count { next.insert(state + 1) }
        case .literal(let literal): if literal == name { next.insert(state + 1) }
        case .name(let tokens): if Self.matches(tokens, name) { next.insert(state + 1) }
        }
      }
      states = closure(of: next)
      if states.isEmpty { break }
    }
    return states
  }

  /// `**` before another component may match no folder.
  private func closure(of states: Set<Int>) -> Set<Int> {
    var states = states
    for state in states.sorted() {
      var state = state
      while state + 1 < components.count, components[state] == .anyFolders {
        state += 1
        states.insert(state)
      }
    }
    return states
  }

  private static func matches(_ tokens: [Token], _ name: Name) -> Bool {
    Wildcards.match(tokens, name, many: .many, fits: accepts)
  }

  private static func accepts(_ token: Token, _ character: UInt32) -> Bool {
    switch token {
    case .literal(let literal): literal == character
    case .one: true
    case .set(let set): set.contains(character)
    case .many, .never: false
    }
  }

  // MARK: Reading

  /// Splits at slashes. One slash at the beginning has no meaning here. Further empty components match nothing. A
  /// backslash before a slash has no effect.
  private static func split(_ text: Name) -> [Name] {
    var parts: [Name] = [[]]
    var rest = text[...]
    if rest.first == scalar("/") { rest.removeFirst() }
    while let character = rest.popFirst() {
      let isEscape = character == scalar("\\")
      if character == scalar("/") || isEscape && rest.first == scalar("/") {
        if isEscape { rest.removeFirst() }
        parts.append([])
      } else {
        parts[parts.count - 1].append(character)
        if isEscape, let next = rest.popFirst() { parts[parts.count - 1].append(next) }
      }
    }
    return parts
  }

  private static func scalar(_ text: Unicode.Scalar) -> UInt32 { text.value }

  private static func component(_ text: Name) -> Component {
    if text == [scalar("*"), scalar("*")] { return .anyFolders }
    if text.isEmpty { return .name([.never]) }
    var tokens: [Token] = []
    var rest = text[...]
    while let character = rest.popFirst() {
      switch Unicode.Scalar(character) {
      case "*":
        if tokens.last != .many { tokens.append(.many) }
      case "?": tokens.append(.one)
      case "\\": tokens.append(rest.popFirst().map(Token.literal) ?? .never)
      case "[": tokens.append(CharacterRanges(&rest).map(Token.set) ?? .never)
      default: tokens.append(.literal(character))
      }
    }
    let literals = tokens.compactMap { if case .literal(let value) = $0 { value } else { nil } }
    return literals.count == tokens.count ? .literal(literals) : .name(tokens)
  }
}

/// A set of characters in brackets.
struct CharacterRanges: Sendable, Hashable {
  private var ranges: [ClosedRange<UInt32>] = []
  private var isInverted = false

  func contains(_ character: UInt32) -> Bool {
    ranges.contains { $0.contains(character) } != isInverted
  }

  /// Reads a set after its opening bracket. Nil if it has no end or names an unknown class.
  init?(_ rest: inout ArraySlice<UInt32>) {
    if let first = rest.first, first == Self.value("!") || first == Self.value("^") {
      isInverted = true
      rest.removeFirst()
    }
    var isFirst = true
    var previous: UInt32?
    while let character = rest.popFirst() {
      if character == Self.value("]"), !isFirst { return }
      isFirst = false
      if character == Self.value("["), rest.first == Self.value(":") {
        guard let end = rest.firstIndex(of: Self.value("]")) else { return nil }
        if end > rest.startIndex + 1, rest[end - 1] == Self.value(":") {
          guard let members = Self.classes[Glob.text(rest[(rest.startIndex + 1)..<(end - 1)])]
          else { return nil }
          ranges += members
          rest = rest[(end + 1)...]
          previous = nil
          continue
        }
      }
      if character == Self.value("-"), let low = previous, let next = rest.first,
        next != Self.value("]")
      {
        guard let high = Self.member(rest.removeFirst(), &rest) else { return nil }
        if low <= high { ranges.append(low...high) }
        previous = nil
        continue
      }
      guard let member = Self.member(character, &rest) else { return nil }
      ranges.append(member...member)
      previous = member
    }
    return nil
  }

  private static func value(_ scalar: Unicode.Scalar) -> UInt32 { scalar.value }

  /// A character, or the character after a backslash.
  private static func member(_ character: UInt32, _ rest: inout ArraySlice<UInt32>) -> UInt32? {
    character == value("\\") ? rest.popFirst() : character
  }

  /// The classes of POSIX, for ASCII.
  private static let classes: [String: [ClosedRange<UInt32>]] = [
    "alnum": [48...57, 65...90, 97...122], "alpha": [65...90, 97...122], "blank": [9...9, 32...32],
    "cntrl": [0...31, 127...127], "digit": [48...57], "graph": [33...126], "lower": [97...122],
    "print": [32...126], "punct": [33...47, 58...64, 91...96, 123...126],
    "space": [9...13, 32...32], "upper": [65...90], "xdigit": [48...57, 65...70, 97...102],
  ]
}

/// The rules of an ignore file, such as `.gitignore`, read as git does.
///
/// A line is a pattern. Empty lines and lines that begin with `#` have no effect. Spaces at the end count only after
/// a backslash. `!` in front includes again what an earlier pattern ignores. A slash at the end limits the pattern to
/// folders. With another slash, the pattern is relative to the folder of the file. Without, it matches names in all
/// folders below. The last pattern that matches decides.
struct IgnoreFile: Sendable {
  /// A pattern with its flags.
  struct Pattern: Sendable, Hashable {
    private let glob: Glob
    private let isForName: Bool
    private let isForFolders: Bool
    /// Whether matching paths are included again.
    let isNegated: Bool

    /// Reads a line without its end. Nil if it has no effect.
    init?(line: some StringProtocol) {
      guard line.unicodeScalars.first != "#" else { return nil }
      var text = Self.trimmed(line)
      let isNegated = text.first == "!"
      if isNegated { text.removeFirst() }
      self.init(text, isNegated: isNegated)
    }

    /// Reads a pattern of the command line, in which every character counts. Nil if it has no effect.
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

  /// Whether a path below the folder of the file is ignored, or nil if no pattern matches.
  func verdict(on path: [Glob.Name], isFolder: Bool) -> Bool? {
    let inside = path[depth...]
    return patterns.last { $0.matches(inside, isFolder: isFolder) }.map { !$0.isNegated }
  }
}

/// The ignore files of a folder and of the folders around it.
///
/// As in ripgrep, `.ignore` takes precedence over `.gitignore`. For each name, the nearest folder wins. Rules of git
/// end at the root of a repository, where `.git/info/exclude` comes last.
final class IgnoreLevel: Sendable {
  private let outer: IgnoreLevel?
  private let ignore: IgnoreFile?
  private let gitignore: IgnoreFile?
  private let exclude: IgnoreFile?
  private let isRepository: Bool

  private init(
    _ outer: IgnoreLevel?, _ ignore: IgnoreFile?, _ gitignore: IgnoreFile?, _ exclude: IgnoreFile?,
    _ isRepository: Bool
  ) {
    self.outer = outer
    self.ignore = ignore
    self.gitignore = gitignore
    self.exclude = exclude
    self.isRepository = isRepository
  }

  // MARK: Reading

  /// Reads the ignore files of the folders around one. Outside of a repository, only `.ignore` counts there.
  /// - Parameters:
  ///   - folder: the absolute path of the folder.
  ///   - problems: gets a warning for each file that cannot be read.
  static func around(_ folder: String, problems: inout [Diagnostic]) -> IgnoreLevel? {
    var folders: [String] = []
    var next = folder
    while Files.folder(of: next) != next {
      next = Files.folder(of: next)
      folders.insert(next, at: 0)
    }
    let repository = (folders + [folder]).lastIndex(where: isRepository)
    var level: IgnoreLevel?
    for (depth, path) in folders.enumerated() {
      level = of(
        path, names: nil, depth: depth, in: level,
        readingGit: repository.map { depth >= $0 } ?? false, problems: &problems)
    }
    return level
  }

  /// Reads the ignore files of a folder. Returns the outer level if there are none.
  /// - Parameters:
  ///   - folder: the path of the folder.
  ///   - names: the names in it, or nil if unknown.
  ///   - depth: the number of components of the folder in paths for ``verdict(on:isFolder:)``.
  ///   - outer: the level of the folder around it.
  ///   - readsGit: whether `.gitignore` counts.
  ///   - problems: gets a warning for each file that cannot be read.
  static func of(
    _ folder: String, names: [String]?, depth: Int, in outer: IgnoreLevel?,
    readingGit readsGit: Bool = true, problems: inout [Diagnostic]
  ) -> IgnoreLevel? {
    func read(_ name: String) -> IgnoreFile? {
      let path = Files.joined(folder, name)
      do {
        guard try Files.status(path)?.kind == .file else { return nil }
        return IgnoreFile(try Files.read(path), at: path, depth: depth)
      } catch {
        var warning =
          error as? Diagnostic ?? Diagnostic(.fileUnreadable, at: Location(file: path), "\(error)")
        warning.severity = .warning
        problems.append(warning)
        return nil
      }
    }
    func has(_ name: String) -> Bool { names?.contains(name) ?? true }
    let ignore = has(".ignore") ? read(".ignore") : nil
    let gitignore = readsGit && has(".gitignore") ? read(".gitignore") : nil
    let isRepository = readsGit && has(".git") && isRepository(folder)
    let exclude = isRepository ? read(".git/info/exclude") : nil
    guard isRepository || ignore != nil || gitignore != nil else { return outer }
    return IgnoreLevel(outer, ignore, gitignore, exclude, isRepository)
  }

  /// `.git` is a folder, or a file in the working trees and submodules of another repository.
  private static func isRepository(_ folder: String) -> Bool {
    (try? Files.status(Files.joined(folder, ".git"))) != nil
  }

  // MARK: Deciding

  /// The ignore file that decides about a path, and whether it ignores the path. Nil if no pattern matches.
  /// - Parameter path: the components from the root of the file system.
  func verdict(
    on path: [Glob.Name], isFolder: Bool
  ) -> (isIgnored: Bool, file: String)? {
    first(path, isFolder, \.ignore, endingAtRepository: false)
      ?? first(path, isFolder, \.gitignore, endingAtRepository: true)
      ?? first(path, isFolder, \.exclude, endingAtRepository: true)
  }

  private func first(
    _ path: [Glob.Name], _ isFolder: Bool, _ kind: KeyPath<IgnoreLevel, IgnoreFile?>,
    endingAtRepository: Bool
  ) -> (isIgnored: Bool, file: String)? {
    var level: IgnoreLevel? = self
    while let current = level {
      if let file = current[keyPath: kind],
        let isIgnored = file.verdict(on: path, isFolder: isFolder)
      {
        return (isIgnored, file.path)
      }
      if endingAtRepository, current.isRepository { return nil }
      level = current.outer
    }
    return nil
  }
}
