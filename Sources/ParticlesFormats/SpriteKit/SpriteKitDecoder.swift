internal import ParticlesCore
internal import ParticlesModel

/// Makes an effect of an archive of SpriteKit: an `SKEmitterNode`, or a scene with some in it.
struct SpriteKitDecoder {
  private let context: DecodingContext
  private let reader: ArchiveReader
  private var system = ParticleSystem()
  private var images: ImportedImages

  init(context: DecodingContext) {
    self.context = context
    let reader = ArchiveReader(limits: context.limits)
    self.reader = reader
    images = ImportedImages(context: context) { reader.report($0) }
  }

  mutating func decode(_ bytes: [UInt8]) throws -> Imported {
    let root = try reader.open(bytes)
    let nodes = try SpriteKitNodes(below: root)
    guard !nodes.emitters.isEmpty else { throw SpriteKitNodes.fault(of: root, nodes) }
    let name = Files.stem(of: context.fileName)
    system.asset.name = name
    system.asset.dimension = .plane
    system.asset.unit = .point
    system.asset.profile = .spriteKit
    for node in nodes.emitters { try addEmitter(node) }
    try readPreview(of: root)
    keepSource(bytes)
    nodes.report()
    return Imported(
      system: system, images: images.files, sourceName: context.fileName, source: bytes,
      diagnostics: reader.diagnostics)
  }

  // MARK: Emitters

  private mutating func addEmitter(_ node: SpriteKitNodes.Node) throws {
    let archived = ArchivedEmitter(format: SpriteKitFamily.spriteKit, object: node.object)
    var emitter = Emitter(
      name: Self.name(
        of: node.object, number: system.emitters.count, isRoot: node.isRoot,
        fileName: context.fileName))
    emitter.transform = node.place.transform
    emitter.render.order = node.order
    if let texture = try archived.texture() {
      emitter.sprites = try texture.addSprite(to: &system, images: &images).map { [$0] } ?? []
    }
    for row in archived.format.table.rows { try row.decode?(archived, &emitter) }
    let bag = try SourceBag.bag(of: node.object, keys: archived.reportRest())
    emitter.extensions[ParticleSystem.sourceExtension] =
      node.isRoot || bag.object?.isEmpty ?? true ? nil : ["format": "spritekit", "bag": bag]
    if node.isRoot { rootBag = bag }
    system.emitters.append(emitter)
  }

  /// The name of an emitter: that of its node, or that of the file, with a number if the file may
  /// have several.
  static func name(
    of node: ArchivedObject? = nil, number: Int, isRoot: Bool, fileName: String
  ) -> String {
    if let name = node?.string("_name"), !name.isEmpty { return name }
    return Files.stem(of: fileName) + (isRoot ? "" : " \(number + 1)")
  }

  // MARK: The document

  private var rootBag: JSONValue = .object(JSONObject())

  /// What the editor, or the scene, shows behind the effect.
  private mutating func readPreview(of root: ArchivedObject) throws {
    if root.isA("SKScene") {
      let color = ["R", "G", "B", "A"].map { root.number("_backgroundColor\($0)", 1) }
      if root.index(of: "_backgroundColorR") != nil {
        system.preview.background = Color(color[0], color[1], color[2], color[3])
      }
      return
    }
    // Older archives have it in the node, newer ones beside it.
    var places = [try root.dictionary("_info")]
    if let beside = root.archive.top.first(where: { $0.key == "_info" }),
      case .dictionary = root.archive.value(at: beside.index)
    {
      places.append(try root.object(at: beside.index, "$top._info"))
    }
    for info in places.compactMap(\.self) {
      guard let color = try info.object("_PB_previewBackgroundColor"),
        let rgba = try ArchivedColor.sRGB(of: color)
      else { continue }
      system.preview.background = Color(rgba[0], rgba[1], rgba[2], rgba[3])
    }
  }

  private mutating func keepSource(_ bytes: [UInt8]) {
    system.extensionsUsed = [ParticleSystem.sourceExtension]
    system.extensions[ParticleSystem.sourceExtension] = [
      "format": "spritekit",
      "file": .string(Imported.sourcePath(of: context.fileName)),
      "sha256": .string(SHA256.digest(bytes).description),
      "bag": rootBag,
    ]
  }
}
