internal import ParticlesContainer
internal import ParticlesCore
public import ParticlesDocuments
internal import ParticlesTypes

/// A type of documents of an application, as a value: the browser lists, creates, opens and picks them.
///
///     let type = BrowserDocumentType(
///       Recipe.self, identifier: "com.example.recipe", title: "Recipe", extensions: ["recipe"],
///       new: { Recipe() }, text: { $0.lines.joined(separator: "\n") })
///     let browser = try Browser(providers: [provider], documentTypes: [type])
public struct BrowserDocumentType: Sendable {
  /// The identifier, in reverse-DNS form, which becomes a declared type.
  public let identifier: String
  /// The name for users.
  public let title: String
  /// The filename extensions, the first one that of new documents.
  public let extensions: [String]
  /// The identifiers of the types that it conforms to.
  public let supertypes: [String]

  let open:
    @Sendable (DocumentRegistry, String, DocumentConfiguration) async throws -> any OpenDocument
  let text: @Sendable (any OpenDocument) async throws -> String
  let write: (@Sendable (_ path: String) throws -> Void)?

  /// Creates a type.
  /// - Parameters:
  ///   - content: the type of the contents.
  ///   - identifier: the identifier.
  ///   - title: the name for users.
  ///   - extensions: the filename extensions, at least one.
  ///   - supertypes: the types that it conforms to.
  ///   - new: makes the contents of a new document; nil if none are created.
  ///   - text: the contents as a front end shows them.
  public init<Content: DocumentContent>(
    _ content: Content.Type, identifier: String, title: String, extensions: [String],
    conformingTo supertypes: [String] = ["public.data", "public.content"],
    new: (@Sendable () -> Content)? = nil, text: @escaping @Sendable (Content) -> String
  ) {
    (self.identifier, self.title, self.extensions) = (identifier, title, extensions)
    self.supertypes = supertypes
    open = { registry, path, configuration in
      try await registry.document(Content.self, at: path, configuration: configuration)
    }
    self.text = { document in
      guard let document = document as? Document<Content> else {
        throw Diagnostic(.fileClosed, at: Location(file: document.path))
      }
      return text(try await document.content)
    }
    guard let new else {
      write = nil
      return
    }
    write = { path in
      let contents = try new().contents()
      _ = try PathStorage(path).write(contents, replacing: nil, StorageOptions())
    }
  }

  /// The application: its types come before others with their extensions.
  static let owner = "application"

  var declaration: TypeDeclaration {
    TypeDeclaration(
      identifier, .exported, source: DeclarationSource(.application, owner: Self.owner),
      conformingTo: supertypes, tags: [.filenameExtension: extensions], title: title)
  }
}
