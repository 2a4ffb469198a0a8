/// The declaration of a type: its identifier, supertypes and tags.
///
/// Several sources may declare the same type; a ``TypeRegistry`` decides which declaration is
/// effective.
public struct TypeDeclaration: Sendable, Hashable {
  /// The relation of the declaring source to the type.
  public enum Kind: String, Sendable, CaseIterable {
    /// Declared by the application that owns the type.
    case exported
    /// Declared by an application that uses the type of another one, in case that one is not installed.
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

  /// The path of a template for new documents, relative to the declaring file; nil if there is none.
  public var templatePath: String?

  /// Whether it is a wildcard: nearly everything conforms to it, so a claim on it is weak.
  public var isWildcard: Bool

  /// Byte patterns of its files; one match is enough.
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

  /// The path of the file; nil if there is none.
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
