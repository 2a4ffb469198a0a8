internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesPropertyLists

// Curves and gradients. Both are resources with lists of points.

extension GodotGeneration {
  /// The interpolations and colour spaces of gradients, by their numbers. Godot 3 has the first only.
  static let modes: [Interpolation] = [.linear, .step, .cubic]
  static let spaces: [MixingSpace] = [.srgb, .linear, .oklab]
}

extension Curve {
  /// The curve of a list of points. Each has a place, the slopes before and after it, and the
  /// numbers 1 for slopes of the lines to its neighbours. Nil if a point is damaged.
  init?(godot points: [GodotValue]) {
    var keys: [(key: CurveKey, isLeftLinear: Bool, isRightLinear: Bool)] = []
    for start in stride(from: 0, to: points.count - 4, by: 5) {
      guard let point = points[start].components, point.count == 2,
        let rest = Array(points[start + 1...start + 4]).numbers
      else { return nil }
      let key = CurveKey(
        point[0].tidy, point[1].tidy, inSlope: rest[0].tidy, outSlope: rest[1].tidy)
      keys.append((key, rest[2] == 1, rest[3] == 1))
    }
    guard !keys.isEmpty else {
      self = .constant(0)
      return
    }
    keys.sort { $0.key.time < $1.key.time }
    if zip(keys, keys.dropFirst()).allSatisfy({ $0.isRightLinear && $1.isLeftLinear }) {
      self = Curve(keys.map { CurveKey($0.key.time, $0.key.value) })
      return
    }
    self = Curve(keys.map { $0.key }, .cubic)
    for index in keys.indices {
      if keys[index].isLeftLinear, index > 0 { self.keys[index].inSlope = chord(index - 1) }
      if keys[index].isRightLinear, index + 1 < keys.count {
        self.keys[index].outSlope = chord(index)
      }
    }
  }

  /// The properties of a resource with this curve, whose keys are from 0 to 1 and at different times.
  func properties(_ generation: GodotGeneration) -> [(key: String, value: GodotValue)] {
    var points: [GodotValue] = []
    for (index, key) in keys.enumerated() {
      let (isLeftLinear, isRightLinear) = (isLinear(after: index - 1), isLinear(after: index))
      points += [
        .call("Vector2", numbers: [key.time, key.value]),
        .number(isLeftLinear ? chord(index - 1) : inSlope(index)),
        .number(isRightLinear ? chord(index) : outSlope(index)),
        .integer(isLeftLinear ? 1 : 0), .integer(isRightLinear ? 1 : 0),
      ]
    }
    let (range, data) = (keyRange ?? .unit, ("_data", GodotValue.array(points)))
    if generation == .three {
      return (range.lower < 0 ? [("min_value", .number(range.lower))] : [])
        + (range.upper > 1 ? [("max_value", .number(range.upper))] : []) + [data]
    }
    let limits = [min(range.lower, 0), max(range.upper, 1), 0, 1]
    let isWide = range.lower < 0 || range.upper > 1
    return (isWide ? [("_limits", .array(limits.map(GodotValue.number)))] : [])
      + [data, ("point_count", .integer(keys.count))]
  }

  /// Whether there is a line from this key to the next.
  private func isLinear(after index: Int) -> Bool {
    keys.indices.contains(index) && (keys[index].interpolation ?? interpolation) == .linear
  }
}

extension Gradient {
  /// The keys of a list of times and a list of channels, with four channels for each time.
  static func keys(_ offsets: [Double], _ channels: [Double]) -> [GradientKey] {
    zip(offsets, offsets.indices).filter { 4 * $1 + 3 < channels.count }
      .map { GradientKey($0, Color(Array(channels[4 * $1...4 * $1 + 3]))) }
      .sorted { $0.time < $1.time }
  }

  /// The properties of a resource with this gradient, whose keys are from 0 to 1.
  func properties(_ generation: GodotGeneration) -> [(key: String, value: GodotValue)] {
    func number<Choice: Equatable>(_ choice: Choice, of choices: [Choice]) -> GodotValue {
      .integer(choices.firstIndex(of: choice) ?? 0)
    }
    var properties: [(key: String, value: GodotValue)] = []
    if interpolation != .linear {
      properties.append(
        ("interpolation_mode", number(interpolation, of: GodotGeneration.modes)))
    }
    if space != .srgb {
      properties.append(
        ("interpolation_color_space", number(space, of: GodotGeneration.spaces)))
    }
    properties.append(("offsets", .list(keys.map { $0.time }, generation)))
    properties.append(("colors", .list(keys.map { $0.color }, generation)))
    return properties
  }
}

/// The class of a particle node.
struct GodotClass: Equatable, Sendable {
  let generation: GodotGeneration
  /// Whether most properties are in a material.
  let isGPU: Bool
  /// Whether it is 3D.
  let isSpace: Bool
  /// Whether there is a node besides the material.
  var hasNode = true

  static let processes = ["ParticlesMaterial", "ParticleProcessMaterial"]

  init(_ generation: GodotGeneration, isGPU: Bool, isSpace: Bool) {
    (self.generation, self.isGPU, self.isSpace) = (generation, isGPU, isSpace)
  }

  /// The class of this name. Nil if it is another node.
  init?(_ name: String, _ generation: GodotGeneration) {
    switch name {
    case "CPUParticles2D": self.init(generation, isGPU: false, isSpace: false)
    case "CPUParticles", "CPUParticles3D": self.init(generation, isGPU: false, isSpace: true)
    case "Particles2D", "GPUParticles2D": self.init(generation, isGPU: true, isSpace: false)
    case "Particles", "GPUParticles3D": self.init(generation, isGPU: true, isSpace: true)
    default: return nil
    }
  }

  /// A material without a node.
  static func material(_ generation: GodotGeneration, isSpace: Bool) -> GodotClass {
    var kind = GodotClass(generation, isGPU: true, isSpace: isSpace)
    kind.hasNode = false
    return kind
  }

  var name: String {
    switch (generation, isGPU) {
    case (.three, false): isSpace ? "CPUParticles" : "CPUParticles2D"
    case (.three, true): isSpace ? "Particles" : "Particles2D"
    case (.four, false): isSpace ? "CPUParticles3D" : "CPUParticles2D"
    case (.four, true): isSpace ? "GPUParticles3D" : "GPUParticles2D"
    }
  }
}

// Names and defaults of properties, which differ between classes and generations.

extension GodotClass {
  /// −1 if y points down in the file.
  var y: Double { isSpace ? 1 : -1 }

  /// The properties of a node for the GPU. All others are in its process material.
  static let nodeKeys: Set<String> = [
    "emitting", "amount", "amount_ratio", "lifetime", "one_shot", "preprocess", "speed_scale",
    "explosiveness", "randomness", "fixed_fps", "fract_delta", "interpolate", "local_coords",
    "draw_order", "texture", "visibility_rect", "visibility_aabb", "position", "rotation", "scale",
    "transform", "z_index", "visible", "use_fixed_seed", "seed", "draw_pass_1", "mesh", "material",
  ]

  /// Properties of process materials of Godot 4 only.
  private static let materialKeys = [
    "alpha_curve", "emission_shape_offset", "emission_shape_scale", "radial_velocity",
    "directional_velocity", "turbulence_",
  ]

  /// The path of a property of the node or its process material, named as in nodes for the CPU of
  /// Godot 4. Nil if the class has no such property. A path stays one.
  func path(_ key: String) -> String? {
    if key.contains("/") { return hasNode || key.hasPrefix("process_material/") ? key : nil }
    if Self.nodeKeys.contains(key) { return hasNode ? key : nil }
    var key = key
    let isNew = generation == .four
    if !isNew, key == "color_initial_ramp" { return nil }
    if Self.materialKeys.contains(where: key.hasPrefix), !isGPU || !isNew { return nil }
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

/// A text file that an effect is read from: the scene itself, or a file that it refers to.
struct GodotFile {
  let text: GodotText
  /// Its path in the project, such as `res://fire.tres`. Nil for the scene itself, whose path is not known.
  let path: String?
  /// The number of its first section. Sections are counted through all files.
  let first: Int
  /// The index of the file that referred to it first. Nil for the scene itself.
  let above: Int?
  /// The sections of its own resources, and of resources in other files, by their identifiers.
  private(set) var subResources: [String: Int] = [:]
  private(set) var externals: [String: Int] = [:]
  /// The section of the main resource. Nil for a scene.
  private(set) var resource: Int?

  init(_ text: GodotText, path: String? = nil, first: Int = 0, above: Int? = nil) {
    (self.text, self.path, self.first, self.above) = (text, path, first, above)
    for (index, section) in text.sections.enumerated() {
      switch section.tag {
      case "sub_resource": if let id = section.id { subResources[id] = first + index }
      case "ext_resource": if let id = section.id { externals[id] = first + index }
      case "resource": resource = first + index
      default: break
      }
    }
  }

  /// The path in the project for a path relative to this file. A path that leaves the project is
  /// not changed, and is never found.
  func absolute(_ other: String) -> String {
    guard !other.contains("://"), !other.hasPrefix("/"), let path, path.hasPrefix("res://") else {
      return other
    }
    var steps = path.dropFirst("res://".count).split(separator: "/").dropLast().map(String.init)
    for step in other.split(separator: "/", omittingEmptySubsequences: false) {
      switch step {
      case ".": continue
      case "..":
        guard steps.popLast() != nil else { return "res://" + other }
      default: steps.append(String(step))
      }
    }
    return "res://" + steps.joined(separator: "/")
  }

  /// Whether a path belongs to a resource, not to an image.
  static func isResource(_ path: String) -> Bool {
    let endings = [".tres", ".res", ".material", ".mesh"]
    let path = path.lowercased()
    return endings.contains { path.hasSuffix($0) }
  }
}

/// Why a resource in another file is not read.
struct GodotFileFault: Error {
  /// The fault of the file, as the end of a sentence: "is not found".
  let reason: String
  let hint: String
  /// Whether there is no such file.
  var isMissing = false

  static let missing = GodotFileFault(
    reason: "is not found",
    hint: "open the scene where it is in its project, or make the resource unique in Godot",
    isMissing: true)

  static func cycle(_ paths: [String]) -> GodotFileFault {
    GodotFileFault(
      reason: "refers to itself: \(paths.map { $0.excerpt }.joined(separator: ", then "))",
      hint: "remove one of the references")
  }

  static let binary = GodotFileFault(
    reason: "is binary", hint: "save it as text in Godot: .tscn for a scene, .tres for a resource")
}

/// An empty scene for an effect, which its values are merged into.
struct GodotTemplate {
  private let generation: GodotGeneration
  private let system: ParticleSystem
  private let fileName: String

  init(_ generation: GodotGeneration, _ system: ParticleSystem, fileName: String) {
    (self.generation, self.system, self.fileName) = (generation, system, fileName)
  }

  private var isSpace: Bool { system.asset.dimension == .space }

  private var header: String { "format=\(generation == .three ? 2 : 3)" }

  var text: String {
    if Files.pathExtension(of: fileName) == "tres", system.emitters.count == 1 {
      let type = GodotClass.processes[generation == .three ? 0 : 1]
      let flag = generation == .three ? "flag_disable_z" : "particle_flag_disable_z"
      return "[gd_resource type=\"\(type)\" \(header)]\n\n[resource]\n"
        + (isSpace ? "" : "\(flag) = true\n")
    }
    let root = isSpace ? generation == .three ? "Spatial" : "Node3D" : "Node2D"
    let name = Self.nodeName(Files.stem(of: fileName), "Particles")
    var taken: Set<String> = []
    var text = "[gd_scene \(header)]\n\n"
    for index in system.emitters.indices where isSpace { text += resources(index + 1, index + 1) }
    text += "[node name=\(TextEscapes.godot.quoted(name)) type=\"\(root)\"]\n"
    for index in system.emitters.indices { text += node(index, index + 1, &taken) }
    return text
  }

  /// A scene with as many particle nodes as the effect has emitters. New nodes are appended, and
  /// nodes whose name is missing are removed. Nil if that is not possible.
  func fitted(_ scene: GodotScene) -> [UInt8]? {
    let names = system.emitters.map { $0.name }
    guard scene.emitters.allSatisfy({ $0.section != nil }) else { return nil }
    if names.count > scene.emitters.count {
      return appended(to: scene, from: scene.emitters.count)
    }
    var edits = TextEdits(scene.file.bytes)
    let sections = scene.file.sections
    var next = 0
    for node in scene.emitters {
      if next < names.count, node.name == names[next] {
        next += 1
      } else if node.file != nil {
        return nil
      } else if let index = node.section {
        let end =
          index + 1 < sections.count ? sections[index + 1].header.lowerBound : sections[index].end
        edits.replace(sections[index].header.lowerBound..<end, with: [])
      }
    }
    return next == names.count ? edits.bytes : nil
  }

  /// A scene with nodes for more emitters at its end.
  private func appended(to scene: GodotScene, from first: Int) -> [UInt8] {
    let file = scene.file
    let ids = file.sections.filter { $0.tag == "sub_resource" }.compactMap { $0.id }
    let start = min(ids.compactMap { Int($0) }.max() ?? 0, 1 << 30)
    var edits = TextEdits(file.bytes)
    var taken = Set(file.sections.compactMap { $0.text("name") })
    let place = file.sections.first { $0.tag == "node" }?.header.lowerBound ?? file.bytes.count
    // Connections of signals come last.
    let last = file.sections.last { $0.tag == "node" }?.end ?? file.bytes.count
    var nodes = ""
    for index in system.emitters.indices where index >= first {
      let number = start / 2 + index + 1
      if isSpace { edits.insert(Array(resources(number, number).utf8), at: place) }
      nodes += "\n" + node(index, number, &taken)
    }
    while nodes.last == "\n" { nodes.removeLast() }
    edits.insert(Array(nodes.utf8), at: last)
    return edits.bytes
  }

  private func reference(_ kind: String, _ number: Int) -> String {
    generation == .three
      ? "SubResource( \(2 * number - (kind == "QuadMesh" ? 0 : 1)) )"
      : "SubResource(\"\(kind)_\(number)\")"
  }

  /// The mesh of 3D particles, and its material.
  private func resources(_ material: Int, _ mesh: Int) -> String {
    let isThree = generation == .three
    let type = isThree ? "SpatialMaterial" : "StandardMaterial3D"
    let ids =
      isThree
      ? ("\(2 * material - 1)", "\(2 * mesh)")
      : ("\"\(type)_\(material)\"", "\"QuadMesh_\(mesh)\"")
    let look =
      isThree
      ? "flags_transparent = true\nflags_unshaded = true\nvertex_color_use_as_albedo = true\nparams_billboard_mode = 3\n"
      : "transparency = 1\nshading_mode = 0\nvertex_color_use_as_albedo = true\nbillboard_mode = 3\n"
    return "[sub_resource type=\"\(type)\" id=\(ids.0)]\n\(look)"
      + "particles_anim_h_frames = 1\nparticles_anim_v_frames = 1\nparticles_anim_loop = false\n\n"
      + "[sub_resource type=\"QuadMesh\" id=\(ids.1)]\nmaterial = \(reference(type, material))\n\n"
  }

  private func node(_ index: Int, _ number: Int, _ taken: inout Set<String>) -> String {
    let kind = GodotClass(generation, isGPU: false, isSpace: isSpace)
    let base = Self.nodeName(system.emitters[index].name, "Particles")
    var (name, count) = (base, 1)
    while !taken.insert(name).inserted {
      count += 1
      name = "\(base)\(count)"
    }
    let mesh = isSpace ? "mesh = \(reference("QuadMesh", number))\n" : ""
    return
      "\n[node name=\(TextEscapes.godot.quoted(name)) type=\"\(kind.name)\" parent=\".\"]\n\(mesh)"
  }

  /// A name without the characters that Godot does not accept in names of nodes.
  private static func nodeName(_ name: String, _ standard: String) -> String {
    let scalars = name.unicodeScalars.filter {
      !".:@/\"%\\".unicodeScalars.contains($0)
    }
    let text = String(String.UnicodeScalarView(scalars)).trimmed
    return text.isEmpty ? standard : text
  }
}
