internal import ParticlesCore
internal import ParticlesImages
internal import ParticlesModel

/// Scenes of Godot with particle nodes, and process materials as files of their own.
///
/// Rows name properties as nodes for the CPU in Godot 4 do. A property of another class or generation is
/// found by its path from the node: `process_material/scale_curve/curve/_data`.
struct GodotFamily: EmitterFormat {
  typealias Reader = GodotReader
  typealias Field = GodotValue
  typealias Surroundings = GodotPlace

  static let three = GodotFamily(.three, .godot3)
  static let four = GodotFamily(.four, .godot4)

  let generation: GodotGeneration
  var name: String { "godot\(generation.rawValue)" }
  let engine = "Godot"
  let randomness = Randomness.full
  let table: MappingTable<GodotFamily>

  private init(_ generation: GodotGeneration, _ profile: Profile) {
    self.generation = generation
    table = MappingTable(
      unit: .pixel, profile: profile, exact: [.multi], approximated: [.frame2D], Self.rows)
  }

  func real(_ number: Double) -> GodotValue {
    .real(((number.isNaN ? 0 : min(max(number, -1e14), 1e14)) + 0).rounded)
  }

  func integer(_ number: Int) -> GodotValue { .integer(number) }

  func flag(_ flag: Bool) -> GodotValue { .flag(flag) }

  func adapt(_ writer: inout EmitterWriter<GodotFamily>) {
    writer.endAtTotal()
    writer.placeShape()
    writer.placeNormals()
    if !writer.isAligned { writer.releaseAlignment() }
  }
}

/// The context of rows for an emitter that is written: the class of its node, and what they find there.
struct GodotPlace {
  let kind: GodotClass
  /// The position of the parent of the node.
  let above: GodotPosition
  /// The path of the material that is drawn with, and of the mesh in 3D.
  var look: String
  var mesh: String
  /// Width and height of the mesh.
  var meshSize = Vector2(1, 1)
  /// The mesh, if it is not a rectangle.
  var body: String?
  /// The share of the slots that are used.
  var share = 1.0

  init(_ scene: GodotScene, _ node: GodotNode) {
    (kind, above) = (node.kind, node.above)
    mesh = kind.isGPU ? "draw_pass_1" : "mesh"
    look = kind.isSpace ? "\(mesh)/material" : "material"
    if let mesh = scene.resolve("\(mesh)/size", from: node)?.section { readMesh(scene, mesh) }
    guard let section = node.section else { return }
    if kind.isSpace, scene.value("material_override", in: section) != nil {
      look = "material_override"
    }
    if kind.isGPU, kind.generation == .four,
      let share = scene.value("amount_ratio", in: section)?.number, 0.0001...1 ~= share
    {
      self.share = share
    }
  }

  /// Reads the size of the mesh, and what it is.
  private mutating func readMesh(_ scene: GodotScene, _ section: Int) {
    func number(_ key: String, _ standard: Double) -> Double {
      let number = scene.value(key, in: section)?.number ?? standard
      return 1e-6..<1e6 ~= number ? number : standard
    }
    let type = scene.type(of: section)
    if ["SphereMesh", "CapsuleMesh", "CylinderMesh"].contains(type) {
      let radius = number("radius", number("top_radius", 0.5))
      meshSize = Vector2(2 * radius, number("height", type == "SphereMesh" ? 1 : 2))
    }
    let size = scene.value("size", in: section)?.components ?? []
    if size.count >= 2, size.allSatisfy({ 1e-6..<1e6 ~= $0 }) {
      meshSize = Vector2(size[0], size[1])
    }
    if type != "QuadMesh" { body = type }
  }
}

extension GodotClass {
  /// −1 if y points down in the file.
  var y: Double { isSpace ? 1 : -1 }

  /// How directions deviate by the spread.
  var spreadLaw: SpreadLaw {
    isSpace ? generation == .three ? .azimuthElevation : .sideElevation : .planar
  }

  /// The properties of a node for the GPU; all others are those of its process material.
  static let nodeKeys: Set<String> = [
    "emitting", "amount", "amount_ratio", "lifetime", "one_shot", "preprocess", "speed_scale",
    "explosiveness", "randomness", "fixed_fps", "fract_delta", "interpolate", "local_coords",
    "draw_order", "texture", "visibility_rect", "visibility_aabb", "position", "rotation", "scale",
    "transform", "z_index", "visible", "use_fixed_seed", "seed", "draw_pass_1", "mesh", "material",
  ]

  /// Properties of process materials of Godot 4 only.
  private static let materialKeys = [
    "alpha_curve", "emission_shape_offset", "emission_shape_scale",
  ]

  /// The path of a property of the node or its process material, named as in nodes for the CPU of
  /// Godot 4; nil if the class has no such property. A path stays one.
  func path(_ key: String) -> String? {
    if key.contains("/") { return hasNode || key.hasPrefix("process_material/") ? key : nil }
    if Self.nodeKeys.contains(key) { return hasNode ? key : nil }
    var key = key
    let isNew = generation == .four
    if !isNew, key == "color_initial_ramp" { return nil }
    if Self.materialKeys.contains(key), !isGPU || !isNew { return nil }
    if !isNew, key.hasPrefix("particle_flag_") { key.removeFirst("particle_".count) }
    if key == "emission_box_extents", !isGPU, !isSpace { return "emission_rect_extents" }
    if isGPU, key.hasPrefix("scale_amount") { key = "scale" + key.dropFirst("scale_amount".count) }
    return isGPU ? "process_material/\(key)" : key
  }

  /// The path of the gradient of a property.
  func gradientPath(_ key: String) -> String? {
    path(key).map { isGPU ? "\($0)/gradient" : $0 }
  }

  /// The path of the curve of a property.
  func curvePath(_ key: String) -> String? { path(key).map { isGPU ? "\($0)/curve" : $0 } }

  /// The type of a resource that has to be made at a path.
  func type(at path: String) -> String {
    let steps = path.split(separator: "/")
    let isTexture = steps.count > 1 && steps[0] == "process_material" && steps.count == 2
    switch steps.last {
    case "process_material"?: return Self.processes[generation == .three ? 0 : 1]
    case "mesh"?, "draw_pass_1"?: return "QuadMesh"
    case "material"? where isSpace:
      return generation == .three ? "SpatialMaterial" : "StandardMaterial3D"
    case "material"?: return "CanvasItemMaterial"
    case "texture"?, "albedo_texture"?: return "AtlasTexture"
    case "curve"?: return "Curve"
    case "gradient"?: return "Gradient"
    case let key? where key.hasSuffix("ramp"):
      guard isTexture else { return "Gradient" }
      return generation == .three ? "GradientTexture" : "GradientTexture1D"
    default: return isTexture ? "CurveTexture" : "Curve"
    }
  }

  /// The standard value of a property whose standard differs between classes.
  func standard(_ key: String) -> Double {
    switch key {
    case "fixed_fps": isGPU && generation == .four ? 30 : 0
    case "draw_order": isGPU && generation == .four && !isSpace ? 1 : 0
    case "gravity.y": isSpace || isGPU ? -9.8 : generation == .three ? 98 : 980
    default: 0
    }
  }
}

extension ParticleFormat {
  /// Scenes and process materials of Godot 3.
  public static let godot3 = godot(.three, title: "Godot 3 particles").declaring(.godot3)

  /// Scenes and process materials of Godot 4.
  public static let godot4 = godot(.four, title: "Godot 4 particles").declaring(.godot4)

  private static func godot(_ family: GodotFamily, title: String) -> ParticleFormat {
    var capabilities = family.table.capabilities
    capabilities.unitInSpace = .meter
    var format = ParticleFormat(
      name: family.name, title: title, extensions: ["tscn", "tres"],
      recognise: { bytes, _ in
        guard bytes.beginsWithText("[gd_scene") || bytes.beginsWithText("[gd_resource") else {
          return false
        }
        let header = Array(bytes.prefix { $0 != UInt8(ascii: "]") }.prefix(1024))
        let isFour = (3...9).contains { header.contains("format=\($0)") }
        return isFour == (family.generation == .four)
      },
      capabilities: capabilities,
      decode: { try GodotDecoder(family: family, context: $1).open($0).imported },
      encode: { try GodotEncoder(family, $0, $1).encode() })
    format.table = { (family.table.keys, family.table.markdown) }
    return format
  }
}
