/// A type of data, by its uniform type identifier, such as `public.png`.
///
/// Works like Apple's `UTType`, on any system, and asks the ``TypeRegistry`` that it is told to
/// ask. Two types are the same if their identifiers are, whatever registry they come from; case
/// means nothing.
public struct UniformType: Sendable {
  /// What is known of a type.
  enum Form: Sendable {
    /// Somebody declares it.
    case declared(Int)
    /// Its identifier says all there is to say.
    case dynamic(DynamicIdentifier)
    /// Nobody declares it; these are the types that it conforms to according to whoever made it.
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
    let isDeclared = graph.isDeclared(node)
    self.init(
      identifier: graph.identifier(node), form: isDeclared ? .declared(node) : .undeclared([]),
      graph: graph)
  }

  /// A type that is declared, or a dynamic one; nil for other identifiers.
  public init?(_ identifier: String, in registry: TypeRegistry = .standard) {
    if let node = registry.graph.node(identifier), registry.graph.isDeclared(node) {
      self.init(node: node, in: registry.graph)
    } else if let dynamic = DynamicIdentifier(identifier.caseFolded) {
      self.init(identifier: identifier.caseFolded, form: .dynamic(dynamic), graph: registry.graph)
    } else {
      return nil
    }
  }

  /// A type that an application owns: as it is declared, or, where nobody declares it, one that
  /// conforms to `supertype` and has no tags.
  public init(
    exportedAs identifier: String, conformingTo supertype: UniformType? = nil,
    in registry: TypeRegistry = .standard
  ) {
    let undeclared = UniformType(
      identifier: identifier, form: .undeclared(supertype.map { [$0.identifier] } ?? []),
      graph: registry.graph)
    self = UniformType(identifier, in: registry) ?? undeclared
  }

  /// A type that belongs to somebody else; the same as ``init(exportedAs:conformingTo:in:)``.
  public init(
    importedAs identifier: String, conformingTo supertype: UniformType? = nil,
    in registry: TypeRegistry = .standard
  ) {
    self.init(exportedAs: identifier, conformingTo: supertype, in: registry)
  }

  /// The registry that it was asked from.
  public var registry: TypeRegistry { TypeRegistry(graph) }

  // MARK: What it is

  /// Whether somebody declares it.
  public var isDeclared: Bool { if case .declared = form { true } else { false } }

  /// Whether it is made up from a tag that nobody declares.
  public var isDynamic: Bool { if case .dynamic = form { true } else { false } }

  /// Whether it belongs to the public, that is, to no vendor.
  public var isPublic: Bool { identifier.caseFolded.hasPrefix("public.") }

  /// The declaration that counts, if there is one.
  public var declaration: TypeDeclaration? {
    if case .declared(let node) = form { graph.declarations[node] } else { nil }
  }

  /// What a dynamic identifier says.
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

  /// The filename extension that new files of the type get.
  public var preferredFilenameExtension: String? { typeTags[.filenameExtension].first }

  /// The MIME type that it is sent as.
  public var preferredMIMEType: String? { typeTags[.mimeType].first }

  /// What desktops that follow freedesktop.org call it; nil if they have no word for it.
  public var sharedMIMEType: String? {
    if conforms(to: UniformType("public.directory", in: registry)) { return "inode/directory" }
    return typeTags[.sharedMIMEType].first ?? preferredMIMEType
  }

  /// What people call it.
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
