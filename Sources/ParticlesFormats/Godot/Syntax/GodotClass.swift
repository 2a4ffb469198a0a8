/// The class of a particle node.
struct GodotClass: Equatable, Sendable {
  let generation: GodotGeneration
  /// Whether most properties are those of a material.
  let isGPU: Bool
  /// Whether it is 3D.
  let isSpace: Bool
  /// Whether there is a node besides the material.
  var hasNode = true

  static let processes = ["ParticlesMaterial", "ParticleProcessMaterial"]

  init(_ generation: GodotGeneration, isGPU: Bool, isSpace: Bool) {
    (self.generation, self.isGPU, self.isSpace) = (generation, isGPU, isSpace)
  }

  /// The class of this name; nil if it is another node.
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

  /// The properties of a node for the GPU; all others are those of its process material.
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
  /// Godot 4; nil if the class has no such property. A path stays one.
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
