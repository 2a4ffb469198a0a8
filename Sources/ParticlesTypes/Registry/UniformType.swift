/// A type of data, by its uniform type identifier, such as `public.png`.
///
/// Works like Apple's `UTType`, on any system, with the declarations of a ``TypeRegistry``. Two types
/// are equal if their identifiers are, without regard to case and to the registry.
public struct UniformType: Sendable {
  /// The origin of a type.
  enum Form: Sendable {
    /// Declared; its node in the graph.
    case declared(Int)
    /// Dynamic: its identifier contains its tags and supertypes.
    case dynamic(DynamicIdentifier)
    /// Undeclared; the supertypes are the ones passed to the initializer.
    case undeclared([String])
  }

  /// The identifier, in the spelling of its declaration.
  public let identifier: String

  let form: Form
  let graph: TypeGraph

  init(identifier: String, form: Form, graph: TypeGraph) {
    self.identifier = identifier
    self.form = form
    self.graph = graph
  }

  init(node: Int, in graph: TypeGraph) {
    let identifier = graph.identifier(node)
    let undeclared =
      graph.isDeclared(node) ? nil : DynamicIdentifier(identifier.caseFolded).map(Form.dynamic)
    self.init(
      identifier: identifier,
      form: graph.isDeclared(node) ? .declared(node) : undeclared ?? .undeclared([]),
      graph: graph)
  }

  /// The declared or dynamic type of an identifier; nil for other identifiers.
  public init?(_ identifier: String, in registry: TypeRegistry = .standard) {
    if let node = registry.graph.node(identifier), registry.graph.isDeclared(node) {
      self.init(node: node, in: registry.graph)
    } else if let dynamic = DynamicIdentifier(identifier.caseFolded) {
      self.init(identifier: identifier.caseFolded, form: .dynamic(dynamic), graph: registry.graph)
    } else {
      return nil
    }
  }

  /// The type of an identifier that the application exports. An undeclared one conforms to `supertype`
  /// and has no tags.
  public init(
    exportedAs identifier: String, conformingTo supertype: UniformType? = nil,
    in registry: TypeRegistry = .standard
  ) {
    let undeclared = UniformType(
      identifier: identifier, form: .undeclared(supertype.map { [$0.identifier] } ?? []),
      graph: registry.graph)
    self = UniformType(identifier, in: registry) ?? undeclared
  }

  /// The type of an identifier that another application exports; otherwise the same as
  /// ``init(exportedAs:conformingTo:in:)``.
  public init(
    importedAs identifier: String, conformingTo supertype: UniformType? = nil,
    in registry: TypeRegistry = .standard
  ) {
    self.init(exportedAs: identifier, conformingTo: supertype, in: registry)
  }

  /// The registry that it was made with.
  public var registry: TypeRegistry { TypeRegistry(graph) }

  // MARK: Properties

  /// Whether the registry has a declaration of it.
  public var isDeclared: Bool { if case .declared = form { true } else { false } }

  /// Whether it is a dynamic type, made from a tag that no declared type has.
  public var isDynamic: Bool { if case .dynamic = form { true } else { false } }

  /// Whether its identifier begins with `public.`: it belongs to no vendor.
  public var isPublic: Bool { identifier.caseFolded.hasPrefix("public.") }

  /// Its effective declaration; nil if there is none.
  public var declaration: TypeDeclaration? {
    if case .declared(let node) = form { graph.declarations[node] } else { nil }
  }

  /// The contents of a dynamic identifier; nil for other types.
  package var dynamicIdentifier: DynamicIdentifier? {
    if case .dynamic(let dynamic) = form { dynamic } else { nil }
  }

  /// The tags of each class, the preferred one first.
  public var tags: [TagClass: [String]] { typeTags.dictionary }

  var typeTags: TypeTags {
    switch form {
    case .declared(let node): graph.declarations[node].tags
    case .dynamic(let dynamic): dynamic.tags
    case .undeclared: TypeTags()
    }
  }

  /// The filename extension of new files of the type; nil if it has none.
  public var preferredFilenameExtension: String? { typeTags[.filenameExtension].first }

  /// The MIME type for messages; nil if it has none.
  public var preferredMIMEType: String? { typeTags[.mimeType].first }

  /// Its MIME type in the shared MIME database of freedesktop.org; nil if it has none.
  public var sharedMIMEType: String? {
    if conforms(to: UniformType("public.directory", in: registry)) { return "inode/directory" }
    return typeTags[.sharedMIMEType].first ?? preferredMIMEType
  }

  /// Its name for users; nil if it has none.
  public var title: String? { declaration?.title }
}

extension UniformType: Hashable {
  /// Whether both have the same identifier.
  public static func == (a: UniformType, b: UniformType) -> Bool {
    TypeIdentifier.areEqual(a.identifier, b.identifier)
  }

  /// Hashes the identifier, without case.
  public func hash(into hasher: inout Hasher) { hasher.combine(identifier.caseFolded) }
}

extension UniformType: CustomStringConvertible {
  /// The identifier.
  public var description: String { identifier }
}

extension TypeRegistry {
  init(_ graph: TypeGraph) { self.graph = graph }
}
