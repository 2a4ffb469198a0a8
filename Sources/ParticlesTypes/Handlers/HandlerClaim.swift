/// A program that opens files.
package struct Handler: Sendable, Hashable {
  /// The identifier of its bundle or desktop entry; compared without case.
  package var identifier: String

  /// Its name for users.
  package var name: String?

  /// Its version: numbers separated by full stops.
  package var version: String?

  /// Creates a handler.
  package init(_ identifier: String, name: String? = nil, version: String? = nil) {
    self.identifier = identifier
    self.name = name
    self.version = version
  }
}

/// The claim of a program to open files: an entry of `CFBundleDocumentTypes`, or the `MimeType` key of
/// a desktop entry.
package struct HandlerClaim: Sendable, Hashable {
  /// The program.
  package var handler: Handler

  /// The program's name for such files.
  package var name: String?

  /// The identifiers of the types. Claimed extensions and other tags are dynamic identifiers.
  package var types: [String]

  /// The role of the program for such files.
  package var role: HandlerRole

  /// Its rank among the programs that open such files.
  package var rank: HandlerRank

  /// Whether the claim excludes subtypes, as the claims of preview extensions do.
  package var isExact: Bool

  /// The name of the `NSDocument` subclass for such files on macOS; nil if there is none.
  package var documentClass: String?

  /// The name of the `UIDocument` subclass for such files on iOS; nil if there is none.
  package var touchDocumentClass: String?

  /// The file that makes the claim.
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

/// A user's choice of a program for files.
package struct HandlerChoice: Sendable, Hashable {
  /// The files that it applies to.
  package enum Scope: Sendable, Hashable {
    /// One file, by its path.
    case file(String)
    /// All files of a type, by its identifier, and of its subtypes.
    case type(String)
  }

  /// The files that it applies to.
  package var scope: Scope

  /// The identifier of the program.
  package var handler: String

  /// Creates a choice.
  package init(_ scope: Scope, handler: String) {
    self.scope = scope
    self.handler = handler
  }
}
