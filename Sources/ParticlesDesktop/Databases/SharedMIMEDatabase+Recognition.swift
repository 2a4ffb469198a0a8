package import ParticlesCore
internal import ParticlesTypes

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

    /// The MIME type.
    package let type: String
    /// The rule.
    package let basis: Basis
  }

  /// The number of bytes at the beginning of a file that decide.
  package static let headSize = 4096

  /// Returns the type of an item on disk.
  /// - Parameters:
  ///   - name: the name, without folders.
  ///   - status: its status; a symbolic link that leads nowhere is an item of its own.
  ///   - head: reads the first ``headSize`` bytes; called only for a file whose name does not decide.
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

  /// Returns the first pattern without wildcards that equals a name. One that requires its case ends
  /// the search for those that ignore case.
  private func literal(_ name: String, isCaseSensitive: Bool) -> Glob? {
    for table in tables {
      guard let glob = table.literals[name] else { continue }
      return isCaseSensitive || !glob.pattern.isCaseSensitive ? glob : nil
    }
    return nil
  }

  /// Keeps one pattern for each type, with the highest weight. The last pattern takes the place of one
  /// that is removed, as in GLib, since the order decides between equal weights.
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
