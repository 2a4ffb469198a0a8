/// The declaration of a type: its identifier, supertypes and tags.
///
/// Several sources may declare one type. A ``TypeRegistry`` decides which declaration is effective.
public struct TypeDeclaration: Sendable, Hashable {
  /// The relation of the declaring source to the type.
  public enum Kind: String, Sendable, CaseIterable {
    /// Declared by the application that owns the type.
    case exported
    /// Declared by an application that uses another application's type, in case the owner is not installed.
    case imported
    /// Declared by the system.
    case system
  }

  /// The identifier in the spelling for display.
  public var identifier: String

  /// The relation of the declaring source to the type.
  public var kind: Kind

  /// The declaring source.
  public var source: DeclarationSource

  /// The identifiers of its direct supertypes.
  public var supertypes: [String]

  /// The tags, the preferred one of each class first.
  public var tags: TypeTags

  /// Its name for users, such as "Particles document".
  public var title: String?

  /// The URL of its documentation.
  public var referenceURL: String?

  /// The version of the declaration, in the owner's numbering.
  public var version: String?

  /// The name of its icon.
  public var iconName: String?

  /// The path of a template for new documents, relative to the declaring file, or nil if there is none.
  public var templatePath: String?

  /// Whether it is a wildcard: nearly everything conforms to it, so a claim on it is weak.
  public var isWildcard: Bool

  /// Byte patterns of its files. One match is enough.
  public var patterns: [ContentPattern]

  /// Patterns of file names, in addition to the extensions.
  public var globs: [FileNamePattern]

  /// Creates a declaration.
  public init(
    _ identifier: String, _ kind: Kind = .exported, source: DeclarationSource,
    conformingTo supertypes: [String] = [], tags: TypeTags = [:], title: String? = nil,
    referenceURL: String? = nil, version: String? = nil, iconName: String? = nil,
    templatePath: String? = nil, isWildcard: Bool = false, patterns: [ContentPattern] = [],
    globs: [FileNamePattern] = []
  ) {
    self.identifier = identifier
    self.kind = kind
    self.source = source
    self.supertypes = supertypes
    self.tags = tags
    self.title = title
    self.referenceURL = referenceURL
    self.version = version
    self.iconName = iconName
    self.templatePath = templatePath
    self.isWildcard = isWildcard
    self.patterns = patterns
    self.globs = globs
  }
}

/// A pattern of file names, as in shared MIME databases.
public struct FileNamePattern: Sendable, Hashable {
  /// The pattern, with the wildcards `*`, `?` and `[…]`.
  public var pattern: String

  /// The weight of a match: 0 to 100, 50 by default.
  public var weight: Int

  /// Whether case matters.
  public var isCaseSensitive: Bool

  /// Creates a pattern.
  public init(_ pattern: String, weight: Int = 50, isCaseSensitive: Bool = false) {
    self.pattern = pattern
    self.weight = weight
    self.isCaseSensitive = isCaseSensitive
  }
}

/// The source of declarations and claims.
public struct DeclarationSource: Sendable, Hashable {
  /// The kind of a source.
  public enum Kind: String, Sendable, CaseIterable {
    /// The table in this library.
    case bundled
    /// The property list of an application or extension.
    case application
    /// A file of types in JSON.
    case document
    /// The databases of a desktop: shared MIME types and desktop entries.
    case desktop
  }

  /// The kind of the source.
  public var kind: Kind

  /// The identifier of the bundle or desktop entry.
  public var owner: String

  /// The path of the file, or nil if there is none.
  public var path: String?

  /// Creates a source.
  public init(_ kind: Kind, owner: String, path: String? = nil) {
    self.kind = kind
    self.owner = owner
    self.path = path
  }

  /// The system's types in this library.
  public static let system = DeclarationSource(.bundled, owner: "system")

  /// The types of this project.
  public static let particles = DeclarationSource(.bundled, owner: "org.particles-format")
}

/// A byte pattern that recognises files of a type.
public struct ContentPattern: Sendable, Hashable {
  /// The offsets from the beginning of the file at which the bytes may begin.
  public var offsets: ClosedRange<Int>

  /// The bytes.
  public var bytes: [UInt8]

  /// The bits to compare, as long as ``bytes``. Nil compares all bits.
  public var mask: [UInt8]?

  /// Further patterns. If there are any, at least one must match, too.
  public var also: [ContentPattern]

  /// The priority of a match: 0 to 100, 50 by default.
  public var priority: Int

  /// Creates a pattern.
  public init(
    _ bytes: [UInt8], at offsets: ClosedRange<Int> = 0...0, mask: [UInt8]? = nil,
    also: [ContentPattern] = [], priority: Int = 50
  ) {
    self.bytes = bytes
    self.offsets = offsets
    self.mask = mask
    self.also = also
    self.priority = priority
  }

  /// The number of bytes from the beginning of the file that the pattern covers.
  public var reach: Int {
    max(offsets.upperBound + bytes.count, also.map { $0.reach }.max() ?? 0)
  }

  /// Whether the first bytes of a file match.
  public func matches(_ head: some RandomAccessCollection<UInt8>) -> Bool {
    guard !bytes.isEmpty, head.count >= bytes.count, offsets.lowerBound >= 0 else { return false }
    let last = min(offsets.upperBound, head.count - bytes.count)
    guard offsets.lowerBound <= last else { return false }
    return (offsets.lowerBound...last).contains { matches(at: $0, in: head) }
      && (also.isEmpty || also.contains { $0.matches(head) })
  }

  private func matches(at offset: Int, in head: some RandomAccessCollection<UInt8>) -> Bool {
    let piece = head.dropFirst(offset).prefix(bytes.count)
    guard let mask, mask.count == bytes.count else { return piece.elementsEqual(bytes) }
    return zip(piece, zip(bytes, mask)).allSatisfy { $0 & $1.1 == $1.0 & $1.1 }
  }
}

extension ContentPattern {
  /// A pattern of keyed archives in binary property lists, whose first key names the archiver.
  /// - Parameters:
  ///   - className: the name of a class in the first 4096 bytes, or nil for archives of any objects.
  ///   - priority: the priority of a match.
  package static func keyedArchive(of className: String? = nil, priority: Int = 50)
    -> ContentPattern
  {
    let names = className.map { [ContentPattern.text($0, at: 8)] } ?? []
    let archiver = ContentPattern(Array("$archiver".utf8), at: 8...512, also: names)
    return ContentPattern(Array("bplist00".utf8), also: [archiver], priority: priority)
  }

  /// A pattern of text anywhere in the first 4096 bytes, from an offset on.
  package static func text(
    _ text: String, at start: Int = 0, also: [ContentPattern] = [], priority: Int = 50
  ) -> ContentPattern {
    ContentPattern(
      Array(text.utf8), at: start...4096 - text.utf8.count, also: also, priority: priority)
  }
}
