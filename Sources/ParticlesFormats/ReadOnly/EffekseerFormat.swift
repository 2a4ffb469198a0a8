internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesPlatform
internal import ParticlesPropertyLists

// Projects of Effekseer: a tree of nodes, each of which generates instances. Times are in frames of a
// sixtieth of a second, y points up, angles are in degrees, colours from 0 to 255.

enum EffekseerFormat {
  static let table = SourceTable<SourceNode>(
    rows: generation + motion + look,
    sources: [
      ("doc", "Effekseer's reference of parameters, 1.7"),
      ("src", "Effekseer 1.7, `EffekseerCore/Data`, `Binary/Exporter.cs` and `IO/EfkEfc.cs`, read"),
    ])

  /// The frames of a second.
  private static let frames = 60.0

  private static let generation: [SourceRow<SourceNode>] = [
    SourceRow(
      ["Root", "Children", "Node"], "emitters",
      "each node is an emitter. The nodes below it start for each of its particles", from: "doc"),
    SourceRow(["Name"], "name of the emitter", from: "doc"),
    SourceRow(
      [
        "CommonValues", "MaxGeneration", "Value", "Infinite", "GenerationTime",
        "GenerationTimeOffset",
      ],
      "emission.rate, emission.total, timing.delay",
      "exact: one particle in each time of generation, up to the number. With a time of 0, a burst",
      from: "doc", decode: { decodeGeneration($0, &$1) }),
    SourceRow(
      ["Life", "Center", "Max", "Min", "DrawnAs"], "lifetime", "exact, in frames", from: "doc",
      decode: { node, emitter in
        emitter.lifetime = value(node.at("CommonValues", "Life"), 100, times: 1 / frames)
        node["CommonValues"]?.pass("RemoveWhenLifeIsExtinct")
      }),
    SourceRow(
      ["LocationEffectType", "RotationEffectType", "ScaleEffectType"], "space",
      "2 follows the parent, others are world", from: "doc",
      decode: { node, emitter in
        let type = node["CommonValues"]?.number("LocationEffectType", 2) ?? 2
        emitter.space = type == 2 ? .parent : .world
        node["CommonValues"]?.pass("RotationEffectType", "ScaleEffectType", "ScalingEffectType")
      }),
  ]

  private static let motion: [SourceRow<SourceNode>] = [
    SourceRow(
      ["LocationValues", "Type", "Fixed", "PVA", "Location", "Velocity", "Acceleration"],
      "shape, launch, forces: gravity",
      "exact: fixed, and position, velocity and acceleration. Random velocities are a cone",
      from: "doc", decode: { decodeLocation($0, &$1) }),
    SourceRow(
      ["GenerationLocationValues", "Point", "Sphere", "Circle", "Radius"], "shape",
      "point. Approximated: sphere and circle. Others are reported", from: "doc",
      decode: { decodeGenerationLocation($0, &$1) }),
    SourceRow(
      ["LocationAbsValues", "Gravity"], "forces: gravity", "exact, attraction is reported",
      from: "doc",
      decode: { decodeAbsolute($0, &$1) }),
    SourceRow(
      ["RotationValues", "Rotation"], "rotation",
      "about z: fixed, and angle, velocity and acceleration",
      from: "doc", decode: { decodeRotation($0, &$1) }),
    SourceRow(
      ["ScalingValues", "Scale", "Easing", "Start", "End", "SinglePVA", "SingleEasing"], "size",
      "fixed, size and its velocity, easing as a line", from: "doc",
      decode: { decodeScaling($0, &$1) }),
  ]

  private static let look: [SourceRow<SourceNode>] = [
    SourceRow(
      ["RendererCommonValues", "ColorTexture"], "sprites", "the whole image", from: "doc"),
    SourceRow(
      ["AlphaBlend"], "render.blend.mode", "replace, alpha, add, subtract, multiply", from: "doc",
      decode: { node, emitter in
        let modes: [BlendMode] = [.replace, .alpha, .add, .subtract, .multiply]
        let place = Int(saturating: node["RendererCommonValues"]?.number("AlphaBlend", 1) ?? 1)
        emitter.render.blend = Emitter.Blend(modes.indices.contains(place) ? modes[place] : .alpha)
      }),
    SourceRow(
      ["FadeInType", "FadeIn", "FadeOutType", "FadeOut", "Frame"], "color.opacity",
      "exact for a constant lifetime, else for its mean", from: "doc",
      decode: { decodeFade($0, &$1) }),
    SourceRow(
      [
        "DrawingValues", "Sprite", "ColorAll", "ColorAll_Fixed", "ColorAll_Random",
        "ColorAll_Easing", "R", "G", "B", "A",
      ], "color.base", "fixed, random, easing as a line. Other renderers are reported", from: "doc",
      decode: { decodeDrawing($0, &$1) }),
    SourceRow(
      ["IsRendered"], "color.opacity, enabled",
      "false: the node is invisible and starts the nodes below. Off if no node below is rendered",
      from: "src", decode: { if !$0.flag("IsRendered", true) { hide(&$1) } }),
  ]

  // MARK: - Values

  /// A number, or a centre with a maximum and a minimum.
  private static func value(_ node: SourceNode?, _ standard: Double, times factor: Double = 1)
    -> Value
  {
    guard let node else { return .constant((standard * factor).rounded) }
    if node.text != nil { return .constant(((node.number ?? standard) * factor).rounded) }
    let center = node.number("Center", standard)
    let (low, high) = (node.number("Min", center), node.number("Max", center))
    node.pass("DrawnAs", "Amplitude", "DynamicEquationMax", "DynamicEquationMin")
    guard low != high else { return .constant((low * factor).rounded) }
    let ends = [(low * factor).rounded, (high * factor).rounded].sorted()
    return .range(ends[0], ends[1])
  }

  private static func vector(_ node: SourceNode?, _ standard: Double = 0, times factor: Double = 1)
    -> [Value]
  {
    node?.pass("DrawnAs")
    return ["X", "Y", "Z"].map { value(node?[$0], standard, times: factor) }
  }

  private static func constants(_ node: SourceNode?, _ standard: Double = 0) -> Vector {
    let numbers = vector(node, standard).map { $0.mean }
    return Vector(numbers[0], numbers[1], numbers[2])
  }

  private static func type(of node: SourceNode?) -> Int {
    Int(saturating: node?.number("Type") ?? 0)
  }

  // MARK: - Rows

  private static func decodeGeneration(_ node: SourceNode, _ emitter: inout Emitter) {
    let common = node["CommonValues"]
    let most = common?["MaxGeneration"]
    let isEndless = most?.flag("Infinite") ?? false
    let total = most?.text != nil ? most?.number ?? 1 : most?.number("Value", 1) ?? 1
    let time = value(common?["GenerationTime"], 1)
    emitter.timing.delay = value(common?["GenerationTimeOffset"], 0, times: 1 / frames)
    if time.mean > 0 {
      emitter.emission.rate = .constant((frames / time.mean).rounded)
      if !time.isNumber {
        common?.note(
          .approximated, "GenerationTime", "random times between particles become their mean")
      }
    } else if !isEndless {
      emitter.emission.bursts = [Burst(count: .constant(max(total, 0)))]
    }
    if !isEndless, emitter.emission.bursts.isEmpty {
      emitter.emission.total = Int(saturating: min(max(total, 0), 1e9))
    }
  }

  private static func decodeLocation(_ node: SourceNode, _ emitter: inout Emitter) {
    emitter.launch.direction = Direction(.none)
    guard let location = node["LocationValues"] else { return }
    defer {
      location.pass("Fixed", "PVA", "Easing", "LocationFCurve", "NurbsCurve", "ViewOffset")
    }
    switch type(of: location) {
    case 0:
      emitter.shape.transform.translation = constants(location.at("Fixed", "Location"))
    case 1:
      let place = vector(location.at("PVA", "Location"))
      let width = place.map { 2 * $0.spread.half }
      if width != [0, 0, 0] {
        emitter.shape = .box(Vector(width[0], width[1], width[2]))
      }
      emitter.shape.transform.translation = Vector(place[0].mean, place[1].mean, place[2].mean)
      decodeVelocity(location, &emitter)
      let force = vector(location.at("PVA", "Acceleration"), times: frames * frames)
      addGravity(force, to: &emitter, location)
    default:
      location.note(
        .uninterpreted, "Type", "motion by easing and curves", found: "\(type(of: location))")
    }
  }

  private static func decodeVelocity(_ location: SourceNode, _ emitter: inout Emitter) {
    let velocity = vector(location.at("PVA", "Velocity"), times: frames)
    let mean = velocity.map { $0.mean }
    let half = velocity.map { $0.spread.half }
    let speed = length(mean)
    let deviation = length(half)
    guard speed > 0 || deviation > 0 else { return }
    emitter.launch.direction =
      speed > 0 ? Direction(vector: Vector(mean[0], mean[1], mean[2])) : Direction(.random)
    if deviation == 0 {
      emitter.launch.speed = .constant(speed.rounded)
      return
    }
    emitter.launch.spread = speed > 0 ? min(Angle.direction(speed, deviation) ?? 90, 180) : 0
    emitter.launch.speed = .constant(
      (speed * speed + deviation * deviation / 3).squareRoot().rounded)
    location.note(
      .approximated, "PVA", "velocities that are random on each axis become a cone of directions")
  }

  private static func length(_ numbers: [Double]) -> Double {
    numbers.reduce(0) { $0 + $1 * $1 }.squareRoot()
  }

  private static func addGravity(_ force: [Value], to emitter: inout Emitter, _ node: SourceNode) {
    let vector = Vector(force[0].mean.rounded, force[1].mean.rounded, force[2].mean.rounded)
    if vector != .zero { emitter.forces.append(.gravity(vector)) }
    if force.contains(where: { !$0.isNumber }) {
      node.note(.approximated, "random accelerations become their mean")
    }
  }

  private static func decodeGenerationLocation(_ node: SourceNode, _ emitter: inout Emitter) {
    guard let location = node["GenerationLocationValues"] else { return }
    defer { location.pass("Point", "Sphere", "Model", "Circle", "Line", "EffectsRotation") }
    let center = emitter.shape.transform.translation
    var shape = emitter.shape
    switch type(of: location) {
    case 0:
      let place = vector(location.at("Point", "Location"))
      guard place.contains(where: { $0 != 0 }) else { return }
      shape = Shape(.box)
      let width = place.map { 2 * $0.spread.half }
      shape.size = Vector(width[0], width[1], width[2])
      shape.transform.translation = Vector(
        center.x + place[0].mean, center.y + place[1].mean, center.z + place[2].mean)
    case 1:
      let radius = value(location.at("Sphere", "Radius"), 0)
      shape = Shape(.sphere)
      (shape.radius, shape.placement) = (radius.mean.magnitude, .surface)
      shape.transform.translation = center
      location.note(.approximated, "Sphere", "angles on the sphere are random")
    case 3:
      let radius = value(location.at("Circle", "Radius"), 0).mean.magnitude
      shape = Shape(.ellipse)
      (shape.radii, shape.placement) = (Vector2(radius, radius), .edge)
      shape.transform.translation = center
      location.note(.approximated, "Circle", "angles on the circle are random, about z")
    default:
      location.note(
        .uninterpreted, "Type", "models and lines as shapes", found: "\(type(of: location))")
    }
    emitter.shape = shape
  }

  private static func decodeAbsolute(_ node: SourceNode, _ emitter: inout Emitter) {
    guard let absolute = node["LocationAbsValues"] else { return }
    defer { absolute.pass("Gravity", "AttractiveForce", "None") }
    switch type(of: absolute) {
    case 0: break
    case 1:
      addGravity(
        vector(absolute["Gravity"], times: frames * frames), to: &emitter, absolute)
    default:
      absolute.note(.uninterpreted, "Type", "attraction to a point", found: "\(type(of: absolute))")
    }
  }

  private static func decodeRotation(_ node: SourceNode, _ emitter: inout Emitter) {
    guard let rotation = node["RotationValues"] else { return }
    defer { rotation.pass("Fixed", "PVA", "Easing", "AxisPVA", "AxisEasing", "RotationFCurve") }
    var others: [Value] = []
    switch type(of: rotation) {
    case 0:
      let angles = vector(rotation.at("Fixed", "Rotation"))
      emitter.rotation.angle = Track(angles[2])
      others = Array(angles.prefix(2))
    case 1:
      let angles = vector(rotation.at("PVA", "Rotation"))
      let speeds = vector(rotation.at("PVA", "Velocity"), times: frames)
      let accelerations = vector(rotation.at("PVA", "Acceleration"), times: frames * frames)
      (emitter.rotation.angle, emitter.rotation.velocity) = (Track(angles[2]), Track(speeds[2]))
      emitter.rotation.acceleration = accelerations[2]
      others = [angles, speeds, accelerations].flatMap { $0.prefix(2) }
    default:
      rotation.note(
        .uninterpreted, "Type", "rotation by easing, axes and curves",
        found: "\(type(of: rotation))")
    }
    if others.contains(where: { $0 != 0 }) {
      rotation.note(.uninterpreted, "rotation about x and y")
    }
  }

  private static func decodeScaling(_ node: SourceNode, _ emitter: inout Emitter) {
    // A sprite is one unit wide.
    emitter.size.aspect = .ratio(1)
    guard let scaling = node["ScalingValues"] else { return }
    defer {
      scaling.pass("Fixed", "PVA", "Easing", "SinglePVA", "SingleEasing", "FCurve", "SingleFCurve")
    }
    func set(_ x: Track, _ y: Track) {
      emitter.size.width = x
      if x != y { emitter.size.height = y }
    }
    switch type(of: scaling) {
    case 0:
      let scale = vector(scaling.at("Fixed", "Scale"), 1)
      set(Track(scale[0]), Track(scale[1]))
    case 1:
      let scale = vector(scaling.at("PVA", "Scale"), 1)
      let speed = vector(scaling.at("PVA", "Velocity"), times: frames)
      set(Track(from: scale[0], rate: speed[0]), Track(from: scale[1], rate: speed[1]))
      let more = vector(scaling.at("PVA", "Acceleration"))
      if more.contains(where: { $0 != 0 }) {
        scaling.note(.uninterpreted, "PVA", "growth that accelerates")
      }
    case 2:
      let start = vector(scaling.at("Easing", "Start"), 1)
      let end = vector(scaling.at("Easing", "End"), 1)
      set(Track(from: start[0], to: end[0]), Track(from: start[1], to: end[1]))
      scaling.note(.approximated, "Easing", "easing becomes a straight line")
    case 3:
      let scale = value(scaling.at("SinglePVA", "Scale"), 1)
      let speed = value(scaling.at("SinglePVA", "Velocity"), 0, times: frames)
      emitter.size.width = Track(from: scale, rate: speed)
    case 4:
      emitter.size.width = Track(
        from: value(scaling.at("SingleEasing", "Start"), 1),
        to: value(scaling.at("SingleEasing", "End"), 1))
      scaling.note(.approximated, "SingleEasing", "easing becomes a straight line")
    default:
      scaling.note(.uninterpreted, "Type", "sizes by curves", found: "\(type(of: scaling))")
    }
  }

  private static func decodeFade(_ node: SourceNode, _ emitter: inout Emitter) {
    guard let common = node["RendererCommonValues"] else { return }
    let life = emitter.lifetime.mean
    func share(_ key: String) -> Double {
      let isUsed = common.number("\(key)Type") == 1 || common.flag("\(key)Type")
      let seconds = isUsed ? (common[key]?.number("Frame", 1) ?? 1) / frames : 0
      common[key]?.passAll()
      return life > 0 ? min(max(seconds / life, 0), 1) : 0
    }
    let (fadeIn, fadeOut) = (share("FadeIn"), share("FadeOut"))
    guard fadeIn > 0 || fadeOut > 0 else { return }
    var keys: [(time: Double, value: Double)] = []
    if fadeIn > 0 { keys += [(0, 0)] }
    keys.append((min(fadeIn, 1 - fadeOut).rounded, 1))
    if fadeIn < 1 - fadeOut { keys.append(((1 - fadeOut).rounded, 1)) }
    if fadeOut > 0 { keys.append((1, 0)) }
    emitter.color.opacity = Track(from: 0, to: 1, curve: Curve(through: keys))
  }

  private static func decodeDrawing(_ node: SourceNode, _ emitter: inout Emitter) {
    guard let drawing = node["DrawingValues"] else { return }
    let renderers = ["none", "", "sprite", "ribbon", "ring", "model", "track"]
    let type = Int(saturating: drawing.number("Type", 2))
    if type == 0 { hide(&emitter) }
    if type != 2 {
      let name = renderers.indices.contains(type) ? renderers[type] : "\(type)"
      if type != 0 { drawing.note(.uninterpreted, "Type", "drawn as sprites", found: name) }
      return drawing.passAll()
    }
    let sprite = drawing["Sprite"]
    for place in [drawing, sprite].compactMap({ $0 }) where place["ColorAll"] != nil {
      emitter.color.base = color(place)
    }
    drawing.pass("Ribbon", "Ring", "Model", "Track")
    drawing.pass("ColorAll_Fixed", "ColorAll_Random", "ColorAll_Easing", "ColorAll_FCurve")
    sprite?.pass("ColorAll_Fixed", "ColorAll_Random", "ColorAll_Easing", "ColorAll_FCurve")
  }

  /// Makes particles invisible. Some blend modes draw without regard to opacity.
  private static func hide(_ emitter: inout Emitter) {
    (emitter.color.opacity, emitter.render.blend) = (0, Emitter.Blend(.alpha))
  }

  private static func color(_ place: SourceNode) -> ColorTrack {
    func channels(_ node: SourceNode?) -> ColorValue {
      let values = ["R", "G", "B", "A"].map { value(node?[$0], 255, times: 1 / 255) }
      let least = Color(values.map { $0.bounds.lower })
      let most = Color(values.map { $0.bounds.upper })
      node?.pass("DrawnAs", "ColorSpace", "GradationLength")
      return least == most ? .constant(least) : .range(least, most)
    }
    // Version 1.7 and later have one element. Before, there were several with longer names.
    let whole = place["ColorAll"].flatMap { $0.text == nil ? $0 : nil }
    let (values, prefix) = (whole ?? place, whole == nil ? "ColorAll_" : "")
    defer { whole?.pass("Fixed", "Random", "Easing", "FCurve") }
    switch Int(saturating: whole?.number("Type") ?? place.number("ColorAll")) {
    case 0: return ColorTrack(channels(values["\(prefix)Fixed"]))
    case 1: return ColorTrack(channels(values["\(prefix)Random"]))
    case 2:
      let easing = values["\(prefix)Easing"]
      values.note(.approximated, "\(prefix)Easing", "easing becomes a straight line")
      return ColorTrack(from: channels(easing?["Start"]), to: channels(easing?["End"]))
    default:
      place.note(.uninterpreted, "ColorAll", "colours by curves and gradients")
      whole?.passAll()
      return ColorTrack()
    }
  }
}

/// Reads the tree of nodes of a project of Effekseer.
private struct EffekseerImport {
  private static let levels = 16

  var system = ParticleSystem()
  var images: ImportedImages

  mutating func add(_ node: SourceNode, depth: Int) throws(Failure) -> Int {
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
      || self["Children"]?.all("Node").contains(where: { $0.isAnyRendered }) ?? false
  }
}

extension EffekseerFormat {
  static func decode(_ bytes: [UInt8], _ context: DecodingContext) throws(Failure) -> Imported {
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
    var result = EffekseerImport(images: ImportedImages(context: context, report: report.add))
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

/// The project in a file of Effekseer: XML, or the chunk `EDIT` of a container, with an equal tree
/// in binary form.
///
/// A container begins with `EFKE` and a version. Each chunk has a name of four letters, its length
/// and its bytes. The chunk is compressed with zlib and consists of two tables, of names and of
/// texts, and the elements, each with indices in them.
enum EffekseerSyntax {
  static let signature = Array("EFKE".utf8)

  static func project(
    _ bytes: [UInt8], limits: Limits, reporting report: @escaping (Diagnostic) -> Void
  ) throws(Failure) -> XMLElement {
    guard bytes.starts(with: signature) else {
      return try XMLParser.parse(bytes, limits: limits, reporting: report)
    }
    var reader = ByteReader(bytes, rule: .emitterRoot)
    try reader.seek(to: 8)
    while !reader.isAtEnd {
      let name = try reader.read(4)
      let count = Int(try reader.u32())
      let chunk = try reader.read(count)
      guard Array(name) == Array("EDIT".utf8) else { continue }
      var tree = EffekseerTree(
        try Zlib.inflate(Array(chunk), limit: limits.fileBytes, rule: .emitterRoot),
        most: limits.objects)
      return try tree.root()
    }
    throw Diagnostic(
      .emitterRoot, expected: "a chunk EDIT", found: "a container without one",
      hint: "save the project in Effekseer as .efkproj or .efkefc")
  }
}

private struct EffekseerTree {
  private var reader: ByteReader
  private var names: [Int: String] = [:]
  private var texts: [Int: String] = [:]
  private let most: Int
  private var count = 0

  init(_ bytes: [UInt8], most: Int) {
    reader = ByteReader(bytes, rule: .emitterRoot)
    self.most = most
  }

  mutating func root() throws(Failure) -> XMLElement {
    names = try table()
    texts = try table()
    let roots = try elements(depth: 0)
    guard let root = roots.first, roots.count == 1 else {
      throw Diagnostic(.emitterRoot, expected: "one root element", found: "\(roots.count)")
    }
    return root
  }

  private mutating func half() throws(Failure) -> Int {
    let (low, high) = (try reader.byte(), try reader.byte())
    return Int(low) | Int(high) << 8
  }

  private mutating func table() throws(Failure) -> [Int: String] {
    var table: [Int: String] = [:]
    for _ in 0..<(try half()) {
      let length = try half()
      let text = String(decoding: try reader.read(length), as: UTF8.self)
      table[try half()] = text
    }
    return table
  }

  private mutating func elements(depth: Int) throws(Failure) -> [XMLElement] {
    guard depth < 64 else {
      throw Diagnostic(.emitterRoot, expected: "elements nested up to 64 levels", found: "more")
    }
    var elements: [XMLElement] = []
    for _ in 0..<(try half()) {
      count += 1
      guard count <= most else {
        throw Diagnostic(.emitterRoot, expected: "up to \(most) elements", found: "more")
      }
      let key = try half()
      guard let name = names[key] else {
        throw Diagnostic(.emitterRoot, expected: "the index of a name", found: "\(key)")
      }
      var element = XMLElement(name)
      if try reader.u32() != 0 { element.text = texts[try half()] ?? "" }
      if try reader.u32() != 0 { element.children = try self.elements(depth: depth + 1) }
      elements.append(element)
    }
    return elements
  }
}
