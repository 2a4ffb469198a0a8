internal import ParticlesCore

/// A pattern for paths, as git and ripgrep read them: `*`, `?`, `[a-z]`, `**` and `\`.
///
/// - `*` matches any text, `?` one character, and brackets one of a set; none of them matches a slash.
/// - `**` as a whole component matches any number of folders; at the end, everything inside a folder.
///   Anywhere else it is the same as `*`.
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

  /// Whether any component has a special character.
  let isLiteral: Bool

  /// Reads a pattern; its components are separated by slashes.
  init(_ text: String) {
    components = Self.split(Self.name(text)).map(Self.component)
    isLiteral = components.allSatisfy { if case .literal = $0 { true } else { false } }
  }

  private init(_ components: [Component]) {
    self.components = components
    isLiteral = false
  }

  /// The name as scalars.
  static func name(_ text: String) -> Name { text.unicodeScalars.map(\.value) }

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

  /// Splits at slashes. One slash at the beginning has no meaning here; further empty components match
  /// nothing. A backslash before a slash has no effect.
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

  /// Reads a set after its opening bracket; nil if it has no end or names an unknown class.
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
          guard let members = Self.classes[Self.text(rest[(rest.startIndex + 1)..<(end - 1)])]
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

  /// A character, or the one after a backslash.
  private static func member(_ character: UInt32, _ rest: inout ArraySlice<UInt32>) -> UInt32? {
    character == value("\\") ? rest.popFirst() : character
  }

  private static func text(_ name: ArraySlice<UInt32>) -> String {
    String(String.UnicodeScalarView(name.compactMap(Unicode.Scalar.init)))
  }

  /// The classes of POSIX, for ASCII.
  private static let classes: [String: [ClosedRange<UInt32>]] = [
    "alnum": [48...57, 65...90, 97...122], "alpha": [65...90, 97...122], "blank": [9...9, 32...32],
    "cntrl": [0...31, 127...127], "digit": [48...57], "graph": [33...126], "lower": [97...122],
    "print": [32...126], "punct": [33...47, 58...64, 91...96, 123...126],
    "space": [9...13, 32...32], "upper": [65...90], "xdigit": [48...57, 65...70, 97...102],
  ]
}
