/// A program that opens files.
package struct Handler: Sendable, Hashable {
  /// Its identifier: that of the bundle, or of the desktop entry. Case means nothing.
  package var identifier: String

  /// What people call it.
  package var name: String?

  /// Its version, as numbers between full stops.
  package var version: String?

  /// Creates a handler.
  package init(_ identifier: String, name: String? = nil, version: String? = nil) {
    self.identifier = identifier
    self.name = name
    self.version = version
  }
}

/// What a program says of files that it opens: an entry of `CFBundleDocumentTypes`, or what a
/// desktop entry says of a MIME type.
package struct HandlerClaim: Sendable, Hashable {
  /// The program.
  package var handler: Handler

  /// What the program calls such files.
  package var name: String?

  /// The identifiers of the types. Extensions and other tags that are claimed without a type are
  /// dynamic ones.
  package var types: [String]

  /// What the program does with them.
  package var role: HandlerRole

  /// How it stands to them.
  package var rank: HandlerRank

  /// Whether it holds for these very types only, and not for those that conform to them: so it is
  /// with previews.
  package var isExact: Bool

  /// Where it says so.
  package var source: DeclarationSource

  /// Creates a claim.
  package init(
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
package struct HandlerChoice: Sendable, Hashable {
  /// What it holds for.
  package enum Scope: Sendable, Hashable {
    /// One file, by its path.
    case file(String)
    /// All files of a type, by its identifier, and of types that conform to it.
    case type(String)
  }

  /// What it holds for.
  package var scope: Scope

  /// The identifier of the program.
  package var handler: String

  /// Creates a choice.
  package init(_ scope: Scope, handler: String) {
    self.scope = scope
    self.handler = handler
  }
}
