internal import ParticlesContainer
internal import ParticlesCore
internal import ParticlesDocuments
public import ParticlesEffects
internal import ParticlesFormats
internal import ParticlesSystem
internal import ParticlesTypes

/// The types of items by their names, and whether a browser can open them.
struct TypeTable {
  /// The type of a name.
  struct Info: Sendable {
    var identifier: String
    var title: String?
    var mimeType: String
    /// Whether it can be opened.
    var isAllowed: Bool
  }

  let registry: TypeRegistry
  private let formats = FormatRegistry.standard
  private let allowedTypes: [UniformType]
  private let allowedExtensions: Set<String>
  private var known: [String: Info] = [:]

  init(_ configuration: BrowserConfiguration, _ own: [BrowserDocumentType] = []) {
    let registry =
      own.isEmpty
      ? formats.types
      : formats.types.adding(
        own.map(\.declaration), owner: BrowserDocumentType.owner)
    self.registry = registry
    var extensions = Set(configuration.allowedExtensions.map { $0.lowercased() })
    var types = configuration.allowedTypes
    if types.isEmpty, extensions.isEmpty {
      types = [
        "public.text", UniformType.particles.identifier, UniformType.particlesPackage.identifier,
      ]
      types += formats.formats.flatMap(\.types).map(\.identifier)
      types += own.map(\.identifier)
      extensions = Set(formats.formats.filter(\.canRead).flatMap(\.extensions))
    }
    allowedTypes = types.map { UniformType(exportedAs: $0, in: registry) }
    allowedExtensions = extensions
  }

  mutating func info(_ name: String, _ kind: ProviderEntry.Kind) -> Info {
    let suffix = Files.pathExtension(of: name)
    let isFolder = kind == .folder || kind == .package
    let key = "\(isFolder ? "/" : ".")\(kind == .package ? "p" : "")\(suffix)"
    // A name may have several suffixes, which only the registry can tell apart.
    let isCompound = name.utf8.count { $0 == UInt8(ascii: ".") } > 1
    if !isCompound, let info = known[key] { return info }
    let info = find(name, suffix, kind)
    if !isCompound { known[key] = info }
    return info
  }

  private func find(_ name: String, _ suffix: String, _ kind: ProviderEntry.Kind) -> Info {
    let type: UniformType
    switch kind {
    case .folder: type = UniformType.folder
    case .package:
      type =
        suffix == "particles" || suffix.isEmpty
        ? .particlesPackage
        : registry.select(fileName: name, kind: .directory).type ?? .particlesPackage
    default: type = registry.select(fileName: name, kind: .file).type ?? .data
    }
    return Info(
      identifier: type.identifier, title: type.title,
      mimeType: type.sharedMIMEType ?? "application/octet-stream",
      isAllowed: kind == .folder || isAllowed(type, suffix, kind))
  }

  private func isAllowed(_ type: UniformType, _ suffix: String, _ kind: ProviderEntry.Kind) -> Bool
  {
    guard kind == .file || kind == .package else { return false }
    return allowedExtensions.contains(suffix) || allowedTypes.contains { type.conforms(to: $0) }
      || kind == .package && allowedTypes.contains(UniformType.particlesPackage)
  }

  /// Whether a type is in a list, or conforms to a type in it.
  func conforms(_ identifier: String, to types: [String]) -> Bool {
    let type = UniformType(exportedAs: identifier, in: registry)
    return types.contains { type.conforms(to: UniformType(exportedAs: $0, in: registry)) }
  }

  func isDeclared(_ identifier: String) -> Bool {
    UniformType(identifier, in: registry)?.isDeclared ?? false
  }

  /// The types that a type conforms to, the nearest first.
  func supertypes(of identifier: String) -> [String] {
    let type = UniformType(exportedAs: identifier, in: registry)
    return type.supertypes.map { ($0.identifier, type.distance(to: $0) ?? 99) }
      .sorted { ($0.1, $0.0) < ($1.1, $1.0) }.map(\.0)
  }

  /// The number of bytes at the beginning of a file that identify most formats.
  private static let beginning = 4096
  /// Files up to this size are read whole, if their beginning is not enough.
  private static let small = 64 << 10

  /// Detects the format of a file by its contents: `particles`, the name of an effect's format, or nil.
  func format(of path: String, named name: String) throws -> String? {
    let file = try OpenFile(readingRegular: path)
    var head = try file.readPiece(Self.beginning)
    if Container.isFlatPackage(head) { return "particles" }
    if let format = formats.formats.first(where: { $0.recognise(head, name) }) {
      return format.name
    }
    guard head.count == Self.beginning, try file.status().size <= Self.small else { return nil }
    head += try file.readToEnd(limits: .standard)
    return formats.formats.first { $0.recognise(head, name) }?.name
  }
}

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
  /// The filename extensions. New documents have the first.
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
  ///   - new: makes the contents of a new document, or nil if the browser creates none.
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
