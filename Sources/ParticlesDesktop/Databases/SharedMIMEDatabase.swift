package import ParticlesCore
package import ParticlesTypes

/// The MIME types of a machine: the files that `update-mime-database` generates from the packages
/// of programs (Shared MIME-info Database specification 0.21).
package struct SharedMIMEDatabase: Sendable {
  /// A pattern of file names and its type.
  package struct Glob: Sendable, Hashable {
    /// The MIME type.
    package let type: String
    /// The pattern.
    package let pattern: FileNamePattern

    let glob: GlobPattern
    var length: Int { pattern.pattern.utf8.count }
  }

  /// All patterns, those of the folder with the highest precedence first, in the order of the file.
  package private(set) var globs: [Glob] = []

  /// Canonical MIME types by their aliases.
  package private(set) var aliases: [String: String] = [:]

  /// Declared supertypes by type.
  package private(set) var supertypes: [String: [String]] = [:]

  /// Content patterns and their types, the highest priority first.
  package private(set) var patterns: [(type: String, pattern: ContentPattern)] = []

  private var literals: [String: [Int]] = [:]
  private var extensions: [String: [Int]] = [:]
  private var others: [Int] = []

  /// Creates an empty database.
  package init() {}

  /// Reads the folders `mime` of some data folders.
  /// - Parameters:
  ///   - folders: data folders, such as `/usr/share`, the highest precedence first.
  ///   - limits: limits for reading each file.
  /// - Throws: an error if a file cannot be read or exceeds ``ParticlesCore/Rule/limit``. A missing
  ///   file or folder is not an error.
  package init(folders: [String], limits: Limits = .standard) throws {
    var hidden: Set<String> = []
    for folder in folders.map({ Files.joined($0, "mime") }) {
      try readGlobs(Self.lines(of: folder, "globs2", limits), &hidden)
      for line in try Self.lines(of: folder, "aliases", limits) {
        let words = line.split(separator: " ").map(String.init)
        if words.count == 2, aliases[words[0]] == nil { aliases[words[0]] = words[1] }
      }
      for line in try Self.lines(of: folder, "subclasses", limits) {
        let words = line.split(separator: " ").map(String.init)
        if words.count == 2 { supertypes[words[0], default: []].append(words[1]) }
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
    indexGlobs()
  }

  // MARK: Reading

  /// `__NOGLOBS__` discards the patterns of a type from folders of lower precedence.
  private mutating func readGlobs(_ lines: [Substring], _ hidden: inout Set<String>) {
    var hiddenHere: Set<String> = []
    for line in lines where line.first != "#" {
      let fields = line.split(separator: ":", maxSplits: 3, omittingEmptySubsequences: false)
      guard fields.count >= 3, let weight = Int(fields[0]), !fields[2].isEmpty else { continue }
      let type = String(fields[1])
      if hidden.contains(type) { continue }
      guard fields[2] != "__NOGLOBS__" else {
        hiddenHere.insert(type)
        continue
      }
      let flags = fields.count > 3 ? fields[3].split(separator: ",") : []
      globs.append(
        Glob(
          type: type,
          pattern: FileNamePattern(
            String(fields[2]), weight: weight, isCaseSensitive: flags.contains("cs")),
          glob: GlobPattern(String(fields[2]))))
    }
    hidden.formUnion(hiddenHere)
  }

  private mutating func indexGlobs() {
    for (index, glob) in globs.enumerated() {
      if glob.glob.isLiteral {
        literals[glob.pattern.pattern.caseFolded, default: []].append(index)
      } else if let name = glob.glob.fileExtension {
        extensions[name.caseFolded, default: []].append(index)
      } else {
        others.append(index)
      }
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

// MARK: - Names

extension SharedMIMEDatabase {
  /// Returns the best patterns that match a name: a literal name before patterns, then the highest
  /// weight, then the longest pattern.
  package func globs(forFileName name: String) -> [Glob] {
    let folded = name.caseFolded
    func fits(_ glob: Glob) -> Bool {
      glob.pattern.isCaseSensitive ? glob.glob.matches(name) : glob.glob.matches(folded)
    }
    var matches = literals[folded, default: []].map { globs[$0] }.filter(fits)
    if matches.isEmpty {
      for dot in folded.indices where folded[dot] == "." {
        let ending = String(folded[folded.index(after: dot)...])
        matches += extensions[ending, default: []].map { globs[$0] }.filter(fits)
      }
      matches += others.map { globs[$0] }.filter(fits)
    }
    let weight = matches.map(\.pattern.weight).max()
    let heaviest = matches.filter { $0.pattern.weight == weight }
    let length = heaviest.map(\.length).max()
    var seen: Set<String> = []
    return heaviest.filter { $0.length == length && seen.insert($0.type).inserted }
  }

  /// Returns the type of a file.
  /// - Parameters:
  ///   - name: the name, without folders.
  ///   - head: the first bytes of the file; nil if they were not read.
  package func type(forFileName name: String, head: [UInt8]? = nil) -> String {
    let named = globs(forFileName: name).map(\.type)
    guard named.count != 1 else { return named[0] }
    guard let head else { return named.first ?? Self.unknown }
    let told = type(forContents: head)
    // Of several types by name, the contents choose one that is their type or a subtype of it.
    return named.first { isSubtype($0, of: told) } ?? named.first ?? told
  }

  /// Returns the type of contents, without a name.
  package func type(forContents head: [UInt8]) -> String {
    if let match = patterns.first(where: { $0.pattern.matches(head) }) { return match.type }
    let isText = head.prefix(128).allSatisfy { $0 >= 0x20 || [0x09, 0x0A, 0x0D].contains($0) }
    return isText ? Self.text : Self.unknown
  }

  /// The type of unknown contents.
  package static let unknown = "application/octet-stream"

  private static let text = "text/plain"
}

// MARK: - Types

extension SharedMIMEDatabase {
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
  package func ancestry(of type: String) -> [String] {
    var types = [canonical(type)]
    var seen = Set(types)
    var next = 0
    while next < types.count {
      for parent in parents(of: types[next]).map(canonical) where seen.insert(parent).inserted {
        types.append(parent)
      }
      next += 1
    }
    return types
  }

  /// Returns whether a type is another one or a subtype of it.
  package func isSubtype(_ type: String, of other: String) -> Bool {
    ancestry(of: type).contains(canonical(other))
  }
}
