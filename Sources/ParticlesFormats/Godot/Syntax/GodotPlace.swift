internal import ParticlesModel

/// What a particle node refers to: the paths of its material, mesh and image, and its parent.
struct GodotPlace {
  let kind: GodotClass
  /// The position of the parent of the node.
  let above: GodotPosition
  /// The colour that the node is tinted with.
  let tint: Color
  /// The path of the material that is drawn with, and of the mesh in 3D.
  var look: String
  var mesh: String
  /// Width and height of the mesh.
  var meshSize = Vector2(1, 1)
  /// The mesh, if it is not a rectangle.
  var body: String?
  /// The share of the slots that are used.
  var share = 1.0
  /// Whether particles are launched away from the centre only.
  var isRadial = false

  init(_ scene: GodotScene, _ node: GodotNode) {
    (kind, above, tint) = (node.kind, node.above, node.position.ownTint)
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

  /// The path of a property of the material that is drawn with, which in Godot 3 has a prefix in 3D.
  func key(_ mode: String) -> String {
    "\(look)/\(kind.isSpace && kind.generation == .three ? "params_" : "")\(mode)"
  }

  /// The path of the image.
  var image: String { kind.isSpace ? "\(look)/albedo_texture" : "texture" }

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
