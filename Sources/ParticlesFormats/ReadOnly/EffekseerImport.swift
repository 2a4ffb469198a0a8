internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesPropertyLists

/// Reads the tree of nodes of a project of Effekseer.
private struct EffekseerImport {
  private static let levels = 16

  var system = ParticleSystem()
  var images: ImportedImages
  let context: DecodingContext

  mutating func add(_ node: SourceNode, depth: Int) throws -> Int {
    let index = system.emitters.count
    guard index < 1000 else {
      throw Diagnostic(
        .emitterRoot, at: .key(node.path), expected: "up to 1000 nodes", found: "more")
    }
    var emitter = Emitter(name: node["Name"]?.text ?? "node \(index + 1)")
    system.emitters.append(emitter)
    try EffekseerFormat.table.decode(node, into: &emitter)
    emitter.enabled = node.isAnyRendered
    if let texture = node.at("RendererCommonValues", "ColorTexture"), let path = texture.text,
      let image = try images.add([path], at: texture.path, to: &system)
    {
      emitter.sprites = [images.index(of: Sprite(image: image.index), in: &system)]
    }
    for child in node["Children"]?.all("Node") ?? [] {
      guard depth < Self.levels else {
        child.passAll()
        child.note(.uninterpreted, "nodes nested deeper than \(Self.levels)")
        continue
      }
      var trigger = Trigger(.birth, emitter: try add(child, depth: depth + 1))
      trigger.inherit = [.position]
      emitter.triggers.append(trigger)
    }
    system.emitters[index] = emitter
    return index
  }
}

extension SourceNode {
  /// Whether a node or one below it is rendered. Effekseer exports no others.
  fileprivate var isAnyRendered: Bool {
    flag("IsRendered", true)
      || self["Children"]?.all("Node").contains(where: \.isAnyRendered) ?? false
  }
}

extension EffekseerFormat {
  static func decode(_ bytes: [UInt8], _ context: DecodingContext) throws -> Imported {
    let report = SourceReport()
    let xml = try EffekseerSyntax.project(bytes, limits: context.limits, reporting: report.add)
    guard xml.name == "EffekseerProject" else {
      throw Diagnostic(
        .emitterRoot, expected: "<EffekseerProject>", found: "<\(xml.name.excerpt)>")
    }
    let project = SourceNode(xml, report)
    let nodes = project.at("Root", "Children")?.all("Node") ?? []
    guard !nodes.isEmpty else {
      throw Diagnostic(
        .emitterRoot, at: .key("Root.Children"), expected: "at least one <Node>", found: "none")
    }
    var result = EffekseerImport(
      images: ImportedImages(context: context, report: report.add), context: context)
    result.system.asset.name = Files.stem(of: context.fileName)
    (result.system.asset.dimension, result.system.asset.unit) = (.space, .unit)
    for node in nodes { _ = try result.add(node, depth: 0) }
    if context.keepsSource {
      project["Root"]?.pass("Name", "IsRendered")
      project.pass(
        "ToolVersion", "Version", "StartFrame", "EndFrame", "IsLoop", "Behavior", "Dynamic")
      project.pass("Recording", "Options", "ProceduralModel", "Culling", "Global", "LOD")
      project.reportRest()
      result.system.keepSource(bytes, of: "effekseer", context, bag: .object(JSONObject()))
    }
    return Imported(
      system: result.system, images: result.images.files, sourceName: context.fileName,
      source: bytes, diagnostics: report.diagnostics)
  }
}

extension ParticleFormat {
  /// Projects of Effekseer: `.efkproj`, and `.efkefc`, which holds one. They are only read.
  public static let effekseer = ParticleFormat(
    reading: "effekseer", title: "Effekseer project", extensions: ["efkproj", "efkefc"],
    EffekseerFormat.table, decimalCommas: .elements,
    recognise: { bytes, _ in
      bytes.starts(with: EffekseerSyntax.signature)
        || Array(bytes.prefix(4096)).asASCII.contains("<EffekseerProject")
    }, decode: EffekseerFormat.decode
  ).declaring(.effekseer)
}
