internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesPropertyLists

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

  /// A scene with as many particle nodes as the effect has emitters: new ones are appended, and those
  /// whose name is missing are removed. nil if that is not possible.
  func fitted(_ scene: GodotScene) -> [UInt8]? {
    let names = system.emitters.map(\.name)
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
