/// A program that opens files.
public struct Handler: Sendable, Hashable {
  /// Its identifier: that of the bundle, or of the desktop entry. Case means nothing.
  public var identifier: String

  /// What people call it.
  public var name: String?

  /// Its version, as numbers between full stops.
  public var version: String?

  /// Creates a handler.
  public init(_ identifier: String, name: String? = nil, version: String? = nil) {
    self.identifier = identifier
    self.name = name
    self.version = version
  }
}

/// What a program says of files that it opens: an entry of `CFBundleDocumentTypes`, or what a
/// desktop entry says of a MIME type.
public struct HandlerClaim: Sendable, Hashable {
  /// The program.
  public var handler: Handler

  /// What the program calls such files.
  public var name: String?

  /// The identifiers of the types. Extensions and other tags that are claimed without a type are
  /// dynamic ones.
  public var types: [String]

  /// What the program does with them.
  public var role: HandlerRole

  /// How it stands to them.
  public var rank: HandlerRank

  /// Whether it holds for these very types only, and not for those that conform to them: so it is
  /// with previews.
  public var isExact: Bool

  /// Where it says so.
  public var source: DeclarationSource

  /// Creates a claim.
  public init(
    by handler: Handler, to types: [String], name: String? = nil, role: HandlerRole = .editor,
    rank: HandlerRank = .default, isExact: Bool = false, source: DeclarationSource
  ) {
    self.handler = handler
    self.name = name
    self.types = types
    self.role = role
    self.rank = rank
    self.isExact = isExact
    self.source = source
  }
}

/// What a person has decided: this program opens these files.
public struct HandlerChoice: Sendable, Hashable {
  /// What it holds for.
  public enum Scope: Sendable, Hashable {
    /// One file, by its path.
    case file(String)
    /// All files of a type, by its identifier, and of types that conform to it.
    case type(String)
  }

  /// What it holds for.
  public var scope: Scope

  /// The identifier of the program.
  public var handler: String

  /// Creates a choice.
  public init(_ scope: Scope, handler: String) {
    self.scope = scope
    self.handler = handler
  }
}
