/// What somebody says of a type: its identifier, what it conforms to, its tags.
///
/// Several sources may declare the same type; a ``TypeRegistry`` decides whose word counts.
public struct TypeDeclaration: Sendable, Hashable {
  /// With which authority it is said.
  public enum Kind: String, Sendable, CaseIterable {
    /// By the application that owns the type.
    case exported
    /// By an application that uses the type of another one, in case that one is not there.
    case imported
    /// By the system.
    case system
  }

  /// The identifier, as it is to be shown.
  public var identifier: String

  /// With which authority it is said.
  public var kind: Kind

  /// Who says it.
  public var source: DeclarationSource

  /// The identifiers of the types that it conforms to directly.
  public var supertypes: [String]

  /// The tags, the preferred one of each class first.
  public var tags: TypeTags

  /// What people call it, such as "Particles document".
  public var title: String?

  /// Where more about it can be read.
  public var referenceURL: String?

  /// The version of the declaration or of the type, as its owner counts.
  public var version: String?

  /// The name of its icon.
  public var iconName: String?

  /// Whether it stands for nearly everything, so that to open it is to say nothing.
  public var isWildcard: Bool

  /// What files of the type begin with. One that matches is enough.
  public var patterns: [ContentPattern]

  /// Names of files of the type, besides those that its extensions say.
  public var globs: [FileNamePattern]

  /// Creates a declaration.
  public init(
    _ identifier: String, _ kind: Kind = .exported, source: DeclarationSource,
    conformingTo supertypes: [String] = [], tags: TypeTags = [:], title: String? = nil,
    referenceURL: String? = nil, version: String? = nil, iconName: String? = nil,
    isWildcard: Bool = false, patterns: [ContentPattern] = [],
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
    self.isWildcard = isWildcard
    self.patterns = patterns
    self.globs = globs
  }
}

/// Names of files, as shared MIME databases describe them.
public struct FileNamePattern: Sendable, Hashable {
  /// The name, with `*`, `?` and `[…]` for what may vary.
  public var pattern: String

  /// How much it means that a name matches: from 0 to 100, ordinarily 50.
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

/// Where declarations and claims come from.
public struct DeclarationSource: Sendable, Hashable {
  /// What it is.
  public enum Kind: String, Sendable, CaseIterable {
    /// The table in this library.
    case bundled
    /// The property list of an application or of an extension of one.
    case application
    /// A file of types in JSON.
    case document
    /// The databases of a desktop: shared MIME types, desktop entries.
    case desktop
  }

  /// What it is.
  public var kind: Kind

  /// Who speaks: the identifier of the bundle or of the desktop entry.
  public var owner: String

  /// The file that it was read from.
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
