/// A type of data, by its uniform type identifier, such as `public.png`.
///
/// Works like Apple's `UTType`, on any system, with the declarations of a ``TypeRegistry``. Two types
/// are equal if their identifiers are, without regard to case and to the registry.
public struct UniformType: Sendable {
  /// The origin of a type.
  enum Form: Sendable {
    /// A declared type, with its node in the graph.
    case declared(Int)
    /// Dynamic: its identifier contains its tags and supertypes.
    case dynamic(DynamicIdentifier)
    /// An undeclared type, with the supertypes that were passed to the initializer.
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

  /// The declared or dynamic type of an identifier, or nil for any other identifier.
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

  /// The type of an identifier that another application exports. Works like
  /// ``init(exportedAs:conformingTo:in:)``.
  public init(
    importedAs identifier: String, conformingTo supertype: UniformType? = nil,
    in registry: TypeRegistry = .standard
  ) {
    self.init(exportedAs: identifier, conformingTo: supertype, in: registry)
  }

  /// The registry that it was made with.
  public var registry: TypeRegistry { TypeRegistry(graph) }

  /// Whether the registry has its declaration.
  public var isDeclared: Bool { if case .declared = form { true } else { false } }

  /// Whether it is a dynamic type, made from a tag that no declared type has.
  public var isDynamic: Bool { if case .dynamic = form { true } else { false } }

  /// Whether its identifier begins with `public.`: it belongs to no vendor.
  public var isPublic: Bool { identifier.caseFolded.hasPrefix("public.") }

  /// Its effective declaration, or nil if there is none.
  public var declaration: TypeDeclaration? {
    if case .declared(let node) = form { graph.declarations[node] } else { nil }
  }

  /// The contents of a dynamic identifier, or nil for other types.
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

  /// The filename extension of new files of the type, or nil if it has none.
  public var preferredFilenameExtension: String? { typeTags[.filenameExtension].first }

  /// The MIME type for messages, or nil if it has none.
  public var preferredMIMEType: String? { typeTags[.mimeType].first }

  /// Its MIME type in the shared MIME database of freedesktop.org, or nil if it has none.
  public var sharedMIMEType: String? {
    if conforms(to: UniformType("public.directory", in: registry)) { return "inode/directory" }
    return typeTags[.sharedMIMEType].first ?? preferredMIMEType
  }

  /// Its name for users, or nil if it has none.
  public var title: String? { declaration?.title }
}

extension UniformType: Hashable {
  /// Whether both have one identifier, compared without case.
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

extension UniformType {
  /// Whether it is `other`, or conforms to it directly or through other types.
  public func conforms(to other: UniformType) -> Bool {
    if case .declared(let node) = form, case .declared(let ancestor) = other.form,
      graph === other.graph
    {
      return graph.ancestors.contains(ancestor, in: node)
    }
    return self == other || reaches(other.identifier)
  }

  /// Whether it conforms to `other`. False for nil.
  func conforms(to other: UniformType?) -> Bool { other.map(conforms) ?? false }

  /// Whether it conforms to `other` and differs from it.
  public func isSubtype(of other: UniformType) -> Bool { self != other && conforms(to: other) }

  /// Whether `other` conforms to it and differs from it.
  public func isSupertype(of other: UniformType) -> Bool { other.isSubtype(of: self) }

  /// All types that it conforms to, declared or not, without itself.
  public var supertypes: Set<UniformType> {
    var supertypes: Set<UniformType> = []
    for parent in directSupertypes {
      supertypes.insert(parent)
      guard let node = graph.node(parent.identifier) else { continue }
      for ancestor in graph.ancestors.bits(of: node) {
        supertypes.insert(UniformType(node: ancestor, in: graph))
      }
    }
    supertypes.remove(self)
    return supertypes
  }

  /// The supertypes in its declaration, in that order, without any that would close a circle.
  public var directSupertypes: [UniformType] {
    switch form {
    case .declared(let node): graph.parents[node].map { UniformType(node: $0, in: graph) }
    case .dynamic(let dynamic): dynamic.supertypes.map(named)
    case .undeclared(let names): names.map(named)
    }
  }

  /// The length of the shortest path of conformances to `other`: 0 for the type itself, nil if it does
  /// not conform.
  public func distance(to other: UniformType) -> Int? {
    var seen: Set<UniformType> = [self]
    var (level, distance) = ([self], 0)
    while !level.isEmpty {
      if level.contains(other) { return distance }
      level = level.flatMap { $0.directSupertypes }.filter { seen.insert($0).inserted }
      distance += 1
    }
    return nil
  }

  private func named(_ identifier: String) -> UniformType {
    graph.node(identifier).map { UniformType(node: $0, in: graph) }
      ?? UniformType(identifier: identifier, form: .undeclared([]), graph: graph)
  }

  private func reaches(_ identifier: String) -> Bool {
    let target = graph.node(identifier)
    return switch form {
    case .declared(let node): target.map { graph.ancestors.contains($0, in: node) } ?? false
    case .dynamic(let dynamic): reaches(identifier, target, from: dynamic.supertypes)
    case .undeclared(let names): reaches(identifier, target, from: names)
    }
  }

  private func reaches(_ identifier: String, _ target: Int?, from names: [String]) -> Bool {
    names.contains { name in
      if TypeIdentifier.areEqual(name, identifier) { return true }
      guard let node = graph.node(name), let target else { return false }
      return graph.ancestors.contains(target, in: node)
    }
  }

  /// The type of files with an extension.
  ///
  /// A dynamic type if no declared type has the extension, or nil if the extension is not valid.
  /// - Parameters:
  ///   - filenameExtension: the extension without its full stop, in upper or lower case.
  ///   - supertype: the type that it has to conform to. The default is any data. Pass ``package`` to
  ///     find packages.
  ///   - registry: the declared types.
  public init?(
    filenameExtension: String, conformingTo supertype: UniformType = .data,
    in registry: TypeRegistry = .standard
  ) {
    self.init(
      tag: filenameExtension, tagClass: .filenameExtension, conformingTo: supertype, in: registry)
  }

  /// The type with a MIME type, or a dynamic type if no declared type has it.
  public init?(
    mimeType: String, conformingTo supertype: UniformType = .data,
    in registry: TypeRegistry = .standard
  ) {
    self.init(tag: mimeType, tagClass: .mimeType, conformingTo: supertype, in: registry)
  }

  /// The type with a tag: the best declared type, or a dynamic type. Nil if the tag is not valid.
  public init?(
    tag: String, tagClass: TagClass, conformingTo supertype: UniformType?,
    in registry: TypeRegistry = .standard
  ) {
    if let claims = registry.graph.claims(tag, tagClass), claims.others.isEmpty {
      // The common case: there is nothing to rank.
      let type = UniformType(node: claims.first.node, in: registry.graph)
      if supertype == nil || type.conforms(to: supertype) {
        self = type
        return
      }
    }
    let selection = registry.select(tag: tag, tagClass: tagClass, conformingTo: supertype)
    guard let type = selection.type else { return nil }
    self = type
  }

  /// All declared types that have a tag and conform to `supertype`, best first. If there are none,
  /// one dynamic type.
  public static func types(
    tag: String, tagClass: TagClass, conformingTo supertype: UniformType?,
    in registry: TypeRegistry = .standard
  ) -> [UniformType] {
    let selection = registry.select(tag: tag, tagClass: tagClass, conformingTo: supertype)
    let declared = selection.candidates.map { $0.type }
    return declared.isEmpty ? selection.type.map { [$0] } ?? [] : declared
  }

  /// Whether both types are equal, or both are dynamic and the tags of one include the tags of the second.
  public func isCompatible(with other: UniformType) -> Bool {
    guard let mine = dynamicIdentifier, let theirs = other.dynamicIdentifier else {
      return self == other
    }
    return mine.isCompatible(with: theirs)
  }

  func hasTags(of dynamic: DynamicIdentifier) -> Bool {
    dynamic.tags.entries.allSatisfy { entry in
      let tags = typeTags[entry.tagClass].map(entry.tagClass.folded)
      return entry.values.allSatisfy { tags.contains(entry.tagClass.folded($0)) }
    }
  }
}

// Constants for common types. A test checks that the table declares all constants.

extension UniformType {
  /// The base of everything in a file system.
  public static let item = bundled("public.item")
  /// The base of all files.
  public static let data = bundled("public.data")
  /// The base of all directories: folders and packages.
  public static let directory = bundled("public.directory")
  /// A directory that users browse.
  public static let folder = bundled("public.folder")
  /// A directory that users see as one file.
  public static let package = bundled("com.apple.package")
  /// A directory with a defined layout.
  public static let bundle = bundled("com.apple.bundle")
  /// The base of all documents.
  public static let content = bundled("public.content")
  /// Documents of mixed contents.
  public static let compositeContent = bundled("public.composite-content")
  /// All text, with markup or without.
  public static let text = bundled("public.text")
  /// Text without markup.
  public static let plainText = bundled("public.plain-text")
  /// Text without markup in UTF-8.
  public static let utf8PlainText = bundled("public.utf8-plain-text")
  /// Comma-separated values.
  public static var commaSeparatedText: UniformType {
    bundled("public.comma-separated-values-text")
  }
  /// Source code of any language.
  public static let sourceCode = bundled("public.source-code")
  /// Swift.
  public static let swiftSource = bundled("public.swift-source")
  /// Python.
  public static let pythonScript = bundled("public.python-script")
  /// JSON.
  public static let json = bundled("public.json")
  /// YAML.
  public static let yaml = bundled("public.yaml")
  /// XML.
  public static let xml = bundled("public.xml")
  /// HTML.
  public static let html = bundled("public.html")
  /// Rich text.
  public static let rtf = bundled("public.rtf")
  /// A property list in any format.
  public static let propertyList = bundled("com.apple.property-list")
  /// A property list in XML.
  public static let xmlPropertyList = bundled("com.apple.xml-property-list")
  /// A property list in binary form.
  public static let binaryPropertyList = bundled("com.apple.binary-property-list")
  /// All images.
  public static let image = bundled("public.image")
  /// PNG.
  public static let png = bundled("public.png")
  /// JPEG.
  public static let jpeg = bundled("public.jpeg")
  /// GIF.
  public static let gif = bundled("com.compuserve.gif")
  /// TIFF.
  public static let tiff = bundled("public.tiff")
  /// Windows bitmaps.
  public static let bmp = bundled("com.microsoft.bmp")
  /// WebP.
  public static let webP = bundled("org.webmproject.webp")
  /// SVG.
  public static let svg = bundled("public.svg-image")
  /// HEIC.
  public static let heic = bundled("public.heic")
  /// OpenEXR.
  public static let exr = bundled("com.ilm.openexr-image")
  /// PDF.
  public static let pdf = bundled("com.adobe.pdf")
  /// Video with or without sound.
  public static let movie = bundled("public.movie")
  /// Video without sound.
  public static let video = bundled("public.video")
  /// Audio.
  public static let audio = bundled("public.audio")
  /// Archives of files.
  public static let archive = bundled("public.archive")
  /// ZIP.
  public static let zip = bundled("public.zip-archive")
  /// A file compressed with gzip.
  public static let gzip = bundled("org.gnu.gnu-zip-archive")
  /// Tar.
  public static let tarArchive = bundled("public.tar-archive")
  /// Programs and scripts that can be run.
  public static let executable = bundled("public.executable")
  /// An application.
  public static let applicationBundle = bundled("com.apple.application-bundle")
  /// Three-dimensional models and scenes.
  public static let threeDContent = bundled("public.3d-content")
  /// A scene of SceneKit.
  public static let sceneKitScene = bundled("com.apple.scenekit.scene")
  /// A scene in one file of Universal Scene Description.
  public static let usdz = bundled("com.pixar.universal-scene-description-mobile")
  /// The Particles format as one file.
  public static let particles = bundled("org.particles-format.particles")
  /// The Particles format as a directory.
  public static var particlesPackage: UniformType {
    bundled("org.particles-format.particles-package")
  }

  private static func bundled(_ identifier: String) -> UniformType {
    UniformType(exportedAs: identifier)
  }
}
