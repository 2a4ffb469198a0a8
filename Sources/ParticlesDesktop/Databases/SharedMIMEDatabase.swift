package import ParticlesCore
package import ParticlesTypes

/// The MIME types of a machine: the files that `update-mime-database` generates from the packages of
/// programs (Shared MIME-info Database specification 0.21).
package struct SharedMIMEDatabase: Sendable {
  /// A pattern of file names and its type.
  package struct Glob: Sendable, Hashable {
    /// The MIME type.
    package let type: String
    /// The pattern.
    package let pattern: FileNamePattern

    let glob: GlobPattern
  }

  /// The patterns of one folder, by the ways in which they are looked up.
  struct GlobTable: Sendable {
    /// Patterns without wildcards; of several for one name, the first. Patterns that ignore case are in
    /// lower case.
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

  /// All patterns, those of the folder with the highest precedence first, in the order of the file.
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

  /// Returns whether a type is another one or a subtype of it.
  package func isSubtype(_ type: String, of other: String) -> Bool {
    ancestry(of: type).contains(canonical(other))
      || canonical(other) == Self.unknown && !canonical(type).hasPrefix("inode/")
  }
}
