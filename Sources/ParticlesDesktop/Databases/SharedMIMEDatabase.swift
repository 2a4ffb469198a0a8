package import ParticlesCore
package import ParticlesSystem
package import ParticlesTypes

/// The MIME types of a machine: the files that `update-mime-database` generates from the packages of
/// programs (Shared MIME-info Database specification 0.21).
package struct SharedMIMEDatabase: Sendable {
  /// A pattern of file names and its type.
  package struct Glob: Sendable, Hashable {
    /// The MIME type.
    package let type: String
    package let pattern: FileNamePattern

    let glob: GlobPattern
  }

  /// The patterns of one folder, by the ways in which they are looked up.
  struct GlobTable: Sendable {
    /// Patterns without wildcards. Of several for one name, the first. Patterns that ignore case are in lower case.
    private(set) var literals: [String: Glob] = [:]
    /// Patterns of a star and literal text, by the text.
    private(set) var suffixes: [String: [Glob]] = [:]
    /// Other patterns.
    private(set) var others: [Glob] = []

    mutating func add(_ glob: Glob) {
      if let suffix = glob.glob.suffix {
        suffixes[suffix, default: []].append(glob)
      } else if glob.glob.isLiteral {
        if literals[glob.glob.text] == nil { literals[glob.glob.text] = glob }
      } else {
        others.append(glob)
      }
    }

    /// Returns the patterns with the longest suffix of a name.
    func suffixMatches(_ name: String, isCaseSensitive: Bool) -> [Glob] {
      for start in name.utf8.indices {
        // The middle of a character begins no suffix.
        guard start.samePosition(in: name.unicodeScalars) != nil else { continue }
        let matches = (suffixes[String(name[start...])] ?? []).filter {
          isCaseSensitive || !$0.pattern.isCaseSensitive
        }
        if !matches.isEmpty { return matches }
      }
      return []
    }
  }

  /// All patterns, in the order of the files. The folder with the highest precedence comes first.
  package private(set) var globs: [Glob] = []

  /// The patterns of each folder, the highest precedence first.
  private(set) var tables: [GlobTable] = []

  /// Canonical MIME types by their aliases.
  package private(set) var aliases: [String: String] = [:]

  /// Declared supertypes by type.
  package private(set) var supertypes: [String: [String]] = [:]

  /// Content patterns and their types, the highest priority first.
  package private(set) var patterns: [(type: String, pattern: ContentPattern)] = []

  /// Reads the folders `mime` of some data folders.
  /// - Parameters:
  ///   - folders: data folders, such as `/usr/share`, the highest precedence first.
  ///   - limits: limits for reading each file.
  /// - Throws: an error if a file cannot be read or exceeds ``ParticlesCore/Rule/limit``. A missing
  ///   file or folder is not an error.
  package init(folders: [String], limits: Limits = .standard) throws {
    for folder in folders.map({ Files.joined($0, "mime") }) {
      var table = GlobTable()
      for glob in Self.globs(try Self.lines(of: folder, "globs2", limits)) {
        globs.append(glob)
        table.add(glob)
      }
      tables.append(table)
      for line in try Self.lines(of: folder, "aliases", limits) {
        let words = line.split(separator: " ").map(String.init)
        if words.count == 2, aliases[words[0]] == nil { aliases[words[0]] = words[1] }
      }
      for line in try Self.lines(of: folder, "subclasses", limits) {
        let words = line.split(separator: " ").map(String.init)
        guard words.count == 2, supertypes[words[0]]?.contains(words[1]) != true else { continue }
        supertypes[words[0], default: []].append(words[1])
      }
      if let magic = try Self.bytes(of: folder, "magic", limits) {
        for section in MagicFile(magic).sections {
          patterns += section.patterns.map { (section.type, $0) }
        }
      }
    }
    patterns = patterns.enumerated().sorted {
      ($1.element.pattern.priority, $0.offset) < ($0.element.pattern.priority, $1.offset)
    }.map(\.element)
  }

  // MARK: Reading

  /// The patterns in the lines of `globs2`. `__NOGLOBS__`, which discards the patterns of a type in
  /// other folders, is ignored, as GLib ignores it.
  private static func globs(_ lines: [Substring]) -> [Glob] {
    // A pattern that requires its case is repeated without the flag, for older readers.
    var flagged: Set<Substring> = []
    return lines.compactMap { line in
      let fields = line.split(separator: ":", maxSplits: 3, omittingEmptySubsequences: false)
      guard line.first != "#", fields.count >= 3, let weight = Int(fields[0]), !fields[2].isEmpty,
        fields[2] != "__NOGLOBS__", !flagged.contains(line)
      else { return nil }
      let isCaseSensitive = fields.count > 3 && fields[3].split(separator: ",").contains("cs")
      if isCaseSensitive { flagged.insert(line[..<fields[2].endIndex]) }
      let pattern = FileNamePattern(
        String(fields[2]), weight: weight, isCaseSensitive: isCaseSensitive)
      return Glob(
        type: String(fields[1]), pattern: pattern,
        glob: GlobPattern(isCaseSensitive ? pattern.pattern : pattern.pattern.caseFolded))
    }
  }

  private static func bytes(
    of folder: String, _ name: String, _ limits: Limits
  ) throws -> [UInt8]? {
    let path = Files.joined(folder, name)
    guard try Files.status(path)?.kind == .file else { return nil }
    return try Files.read(path, limits: limits)
  }

  private static func lines(
    of folder: String, _ name: String, _ limits: Limits
  ) throws -> [Substring] {
    String(decoding: try bytes(of: folder, name, limits) ?? [], as: UTF8.self)
      .split(separator: "\n")
  }
}

// MARK: - Types

extension SharedMIMEDatabase {
  /// The type of unknown contents.
  package static let unknown = "application/octet-stream"

  static let text = "text/plain"

  /// Returns the canonical name of a type, which may be an alias.
  package func canonical(_ type: String) -> String {
    aliases[type.caseFolded] ?? type.caseFolded
  }

  /// Returns the direct supertypes of a type, implicit ones included.
  package func parents(of type: String) -> [String] {
    let stated = supertypes[type] ?? []
    if type.hasPrefix("text/"), type != Self.text, !stated.contains(Self.text) {
      return stated + [Self.text]
    }
    let isRoot = type == Self.unknown || type.hasPrefix("inode/")
    return stated.isEmpty && !isRoot ? [Self.unknown] : stated
  }

  /// Returns a type and all its supertypes, the nearest first.
  package func ancestry(of type: String) -> [String] { ancestry(of: type, parents(of:)) }

  /// Returns a type and its declared supertypes, the nearest first. Desktops look for programs along
  /// these, without the implicit supertypes.
  package func declaredAncestry(of type: String) -> [String] {
    ancestry(of: type) { supertypes[$0] ?? [] }
  }

  private func ancestry(of type: String, _ parents: (String) -> [String]) -> [String] {
    var types = [canonical(type)]
    var seen = Set(types)
    var next = 0
    while next < types.count {
      for parent in parents(types[next]).map(canonical) where seen.insert(parent).inserted {
        types.append(parent)
      }
      next += 1
    }
    return types
  }

  /// Returns whether a type is equal to another type or its subtype.
  package func isSubtype(_ type: String, of other: String) -> Bool {
    ancestry(of: type).contains(canonical(other))
      || canonical(other) == Self.unknown && !canonical(type).hasPrefix("inode/")
  }
}

// The type of a file, by the rules of GLib 2.74 (`g_content_type_guess`), which file managers use.

extension SharedMIMEDatabase {
  /// The type of a file, and the rule that decided.
  package struct Recognition: Sendable, Hashable {
    /// The rule that decided.
    package enum Basis: Sendable, Hashable {
      /// The kind of the item on disk.
      case kind
      /// The file is empty.
      case empty
      /// A pattern of file names.
      case pattern(String)
      /// The contents chose among the types of several patterns.
      case patternAndContents(String)
      /// A pattern of contents.
      case contents
      /// The contents are text: they have no control characters.
      case text
      /// No pattern matches.
      case none
    }

    package let type: String
    package let basis: Basis
  }

  /// The number of bytes at the beginning of a file that decide.
  package static let headSize = 4096

  /// Returns the type of an item on disk.
  /// - Parameters:
  ///   - name: the name, without folders.
  ///   - status: its status. A symbolic link that leads nowhere is an item of its own.
  ///   - head: reads the first ``headSize`` bytes. Called only for a file whose name does not decide.
  package func recognise(
    _ name: String, _ status: FileStatus, head: () throws -> [UInt8]
  ) rethrows -> Recognition {
    if let type = Self.type(of: status) { return Recognition(type: type, basis: .kind) }
    if status.size == 0 { return Recognition(type: Self.text, basis: .empty) }
    let byName = globs(forFileName: name)
    if byName.count == 1 { return Self.recognition(byName[0]) }
    return recognise(byName, head: try head())
  }

  /// Returns the type of a name alone.
  package func recognise(fileName name: String) -> Recognition {
    globs(forFileName: name).first.map(Self.recognition)
      ?? Recognition(type: Self.unknown, basis: .none)
  }

  /// Returns the type of contents, without a name.
  package func recognise(contents head: [UInt8]) -> Recognition { sniff(head).recognition }

  private static func recognition(_ glob: Glob) -> Recognition {
    Recognition(type: glob.type, basis: .pattern(glob.pattern.pattern))
  }

  /// The type of an item that is not a regular file.
  private static func type(of status: FileStatus) -> String? {
    switch (status.kind, status.special) {
    case (.file, _): nil
    case (.directory, _): "inode/directory"
    case (.symbolicLink, _): "inode/symlink"
    case (.other, .pipe?): "inode/fifo"
    case (.other, .socket?): "inode/socket"
    case (.other, .characterDevice?): "inode/chardevice"
    case (.other, .blockDevice?): "inode/blockdevice"
    case (.other, nil): unknown
    }
  }

  private func recognise(_ named: [Glob], head: [UInt8]) -> Recognition {
    var (sniffed, priority) = sniff(head)
    // A file without the extension must not be started as a program by its contents.
    if sniffed.type == "application/x-desktop" {
      sniffed = Recognition(type: Self.text, basis: .text)
    }
    guard let first = named.first else { return sniffed }
    if priority >= 80 { return sniffed }
    if sniffed.type != Self.unknown,
      let match = named.first(where: { isSubtype($0.type, of: sniffed.type) })
    {
      return Recognition(type: match.type, basis: .patternAndContents(match.pattern.pattern))
    }
    return Self.recognition(first)
  }

  private func sniff(_ head: [UInt8]) -> (recognition: Recognition, priority: Int) {
    if let match = patterns.first(where: { $0.pattern.matches(head) }) {
      return (Recognition(type: match.type, basis: .contents), match.pattern.priority)
    }
    let type = Self.isText(head) ? Self.text : Self.unknown
    return (Recognition(type: type, basis: type == Self.text ? .text : .none), 0)
  }

  /// Contents are text if the first 128 bytes have no control character but tab, line feed and carriage
  /// return, or if all have none but these, backspace and form feed. Bytes above 127 are allowed.
  private static func isText(_ head: [UInt8]) -> Bool {
    head.prefix(128).allSatisfy { $0 >= 0x20 || [0x09, 0x0A, 0x0D].contains($0) }
      || head.allSatisfy {
        $0 >= 0x20 && $0 != 0x7F || [0x08, 0x09, 0x0A, 0x0C, 0x0D].contains($0)
      }
  }

  // MARK: Names

  /// Returns the patterns that match a name, one for each type, the highest weight first: a literal
  /// name, otherwise the longest suffixes of each folder, otherwise other patterns.
  package func globs(forFileName name: String) -> [Glob] {
    let folded = name.caseFolded
    if let literal = literal(folded, isCaseSensitive: false) ?? literal(name, isCaseSensitive: true)
    {
      return [literal]
    }
    var matches = tables.flatMap { $0.suffixMatches(folded, isCaseSensitive: false) }
    if matches.count < 2 {
      matches += tables.flatMap { $0.suffixMatches(name, isCaseSensitive: true) }
    }
    if matches.isEmpty {
      matches = tables.flatMap { table in
        table.others.filter { $0.glob.matches($0.pattern.isCaseSensitive ? name : folded) }
      }
    }
    matches = Self.withoutDuplicates(matches)
    return matches.enumerated().sorted {
      ($1.element.pattern.weight, $0.offset) < ($0.element.pattern.weight, $1.offset)
    }.map(\.element)
  }

  /// Returns the first pattern without wildcards that equals a name. A pattern that requires its case ends the search
  /// for patterns that ignore case.
  private func literal(_ name: String, isCaseSensitive: Bool) -> Glob? {
    for table in tables {
      guard let glob = table.literals[name] else { continue }
      return isCaseSensitive || !glob.pattern.isCaseSensitive ? glob : nil
    }
    return nil
  }

  /// Keeps one pattern for each type, with the highest weight. The last pattern takes the place of a removed pattern,
  /// as in GLib, since the order decides between equal weights.
  private static func withoutDuplicates(_ matches: [Glob]) -> [Glob] {
    var globs = matches
    var index = 0
    while index < globs.count {
      var other = index + 1
      while other < globs.count {
        if globs[other].type == globs[index].type {
          if globs[other].pattern.weight > globs[index].pattern.weight {
            globs[index] = globs[other]
          }
          globs.swapAt(other, globs.count - 1)
          globs.removeLast()
        } else {
          other += 1
        }
      }
      index += 1
    }
    return globs
  }
}

/// The file `magic` of a shared MIME database: content patterns by type (Shared MIME-info Database
/// specification 0.21, section 2.7).
///
/// The file is binary: lengths of values are two bytes, big-endian, and values may contain line
/// feeds. Parsing stops at the first error.
struct MagicFile {
  /// A type and its content patterns.
  struct Section {
    var type: String
    var patterns: [ContentPattern]
  }

  private(set) var sections: [Section] = []

  private var bytes: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) {
    self.bytes = bytes[...]
    guard consume(Array("MIME-Magic\0\n".utf8)) else { return }
    while let section = section() { sections.append(section) }
  }

  // MARK: Sections

  private mutating func section() -> Section? {
    guard consume([UInt8(ascii: "[")]), let priority = number(), consume([UInt8(ascii: ":")]),
      let end = bytes.firstIndex(of: UInt8(ascii: "]"))
    else { return nil }
    let type = String(decoding: bytes[..<end], as: UTF8.self)
    bytes = bytes[(end + 1)...]
    guard consume([UInt8(ascii: "\n")]) else { return nil }
    var lines: [(level: Int, pattern: ContentPattern)] = []
    while let first = bytes.first, first != UInt8(ascii: "[") {
      guard let line = line(min(max(priority, 0), 100)) else { break }
      lines.append(line)
    }
    var position = 0
    return Section(type: type, patterns: Self.nest(lines, at: 0, &position))
  }

  /// A nested line applies only if the line that it is nested in matches.
  private static func nest(
    _ lines: [(level: Int, pattern: ContentPattern)], at level: Int, _ position: inout Int
  ) -> [ContentPattern] {
    var patterns: [ContentPattern] = []
    while position < lines.count, lines[position].level >= level {
      var pattern = lines[position].pattern
      position += 1
      if level < levels, position < lines.count, lines[position].level > level {
        pattern.also = nest(lines, at: level + 1, &position)
      }
      patterns.append(pattern)
    }
    return patterns
  }

  private static let levels = 32

  // MARK: Lines

  /// `[level]>offset=value[&mask][~word][+range]`
  private mutating func line(_ priority: Int) -> (level: Int, pattern: ContentPattern)? {
    let level = number() ?? 0
    guard consume([UInt8(ascii: ">")]), let offset = number(), consume([UInt8(ascii: "=")]),
      let high = bytes.popFirst(), let low = bytes.popFirst()
    else { return nil }
    let count = Int(high) << 8 | Int(low)
    guard let value = piece(count) else { return nil }
    var mask: [UInt8]?
    if consume([UInt8(ascii: "&")]) {
      guard let piece = piece(count) else { return nil }
      mask = piece
    }
    // GLib ignores the size of words and compares them as big-endian ones.
    if consume([UInt8(ascii: "~")]) { _ = number() }
    var range = 1
    if consume([UInt8(ascii: "+")]) { range = number() ?? 1 }
    // Later versions of the format may add fields here, which this reader skips.
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    bytes = bytes[(end + 1)...]
    let last = offset.addingReportingOverflow(max(range, 1) - 1)
    guard offset >= 0, !last.overflow else { return nil }
    let pattern = ContentPattern(
      value, at: offset...last.partialValue, mask: mask, priority: priority)
    return (level, pattern)
  }

  // MARK: Pieces

  private mutating func consume(_ expected: [UInt8]) -> Bool {
    guard bytes.starts(with: expected) else { return false }
    bytes = bytes.dropFirst(expected.count)
    return true
  }

  private mutating func number() -> Int? {
    let digits = bytes.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard !digits.isEmpty, digits.count < 10 else { return nil }
    bytes = bytes.dropFirst(digits.count)
    return Int(String(decoding: digits, as: UTF8.self))
  }

  private mutating func piece(_ count: Int) -> [UInt8]? {
    guard bytes.count >= count else { return nil }
    defer { bytes = bytes.dropFirst(count) }
    return Array(bytes.prefix(count))
  }
}

/// A pattern of file names: `*` matches any sequence, `?` one byte, `[a-z]` one byte of a set.
///
/// Bytes are compared, not characters, as in the shared MIME database.
package struct GlobPattern: Sendable, Hashable {
  private enum Element: Sendable, Hashable {
    case byte(UInt8)
    case any
    case one
    case of([ClosedRange<UInt8>], isNegated: Bool)
  }

  private let elements: [Element]

  /// The source of the pattern.
  package let text: String

  /// Parses a pattern. A `[` without a `]` is literal.
  package init(_ text: String) {
    self.text = text
    var elements: [Element] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "*"): if elements.last != .any { elements.append(.any) }
      case UInt8(ascii: "?"): elements.append(.one)
      case UInt8(ascii: "["): elements.append(Self.set(&rest) ?? .byte(byte))
      default: elements.append(.byte(byte))
      }
    }
    self.elements = elements
  }

  private static func set(_ rest: inout ArraySlice<UInt8>) -> Element? {
    let marks: [UInt8] = [UInt8(ascii: "!"), UInt8(ascii: "^")]
    let isNegated = rest.first.map(marks.contains) ?? false
    let body = isNegated ? rest.dropFirst() : rest
    // A closing bracket at the beginning is a member of the set.
    guard let end = body.dropFirst().firstIndex(of: UInt8(ascii: "]")) else { return nil }
    rest = body[(end + 1)...]
    var characters = body[..<end]
    var ranges: [ClosedRange<UInt8>] = []
    while let low = characters.popFirst() {
      if characters.count >= 2, characters.first == UInt8(ascii: "-") {
        let high = characters[characters.startIndex + 1]
        characters = characters.dropFirst(2)
        if low <= high { ranges.append(low...high) }
      } else {
        ranges.append(low...low)
      }
    }
    return .of(ranges, isNegated: isNegated)
  }

  /// Whether the pattern has no wildcards.
  package var isLiteral: Bool {
    elements.allSatisfy { if case .byte = $0 { true } else { false } }
  }

  /// The text after the star of a pattern of a star and literal text, otherwise nil.
  var suffix: String? {
    guard elements.first == .any, elements.count > 1,
      elements.dropFirst().allSatisfy({ if case .byte = $0 { true } else { false } })
    else { return nil }
    return String(text.drop { $0 == "*" })
  }

  /// The extension of a pattern of the form `*.extension`, otherwise nil.
  package var fileExtension: String? {
    guard elements.first == .any, elements.dropFirst().first == .byte(UInt8(ascii: ".")),
      elements.dropFirst(2).allSatisfy({ if case .byte = $0 { true } else { false } })
    else { return nil }
    let name = String(text.drop { $0 == "*" }.dropFirst())
    return name.isEmpty ? nil : name
  }

  /// Returns whether a name matches. The time is at most proportional to the product of both
  /// lengths.
  package func matches(_ name: String) -> Bool {
    Wildcards.match(elements, Array(name.utf8), many: .any, fits: Self.fits)
  }

  private static func fits(_ element: Element, _ byte: UInt8) -> Bool {
    switch element {
    case .byte(let expected): expected == byte
    case .one: true
    case .any: false
    case .of(let ranges, let isNegated): ranges.contains { $0.contains(byte) } != isNegated
    }
  }
}
