import ParticlesCore
import ParticlesModel
import ParticlesSystem
import ParticlesTestSupport
import Testing

@testable import ParticlesFormats

/// Scenes of Godot: the meaning of values, refusals, and edits.
struct GodotTests {
  static func decode(_ text: String) throws -> Imported {
    let bytes = Array(text.utf8)
    let format = try FormatRegistry.standard.recognising(bytes, fileName: "x")
    return try format.decode(bytes, DecodingContext(fileName: "scene.tscn"))
  }

  static func emitter(_ text: String) throws -> Emitter {
    try #require(try decode(text).system.emitters.first)
  }

  private static func node(_ lines: String, three: Bool = true) -> String {
    "[gd_scene format=\(three ? 2 : 3)]\n\n[node name=\"P\" type=\"CPUParticles2D\"]\n\(lines)"
  }

  // MARK: Values

  @Test("a process material in another file is a loss of level high")
  func materialElsewhere() throws {
    let imported = try Self.decode(
      """
      [gd_scene format=3]

      [ext_resource type="Material" path="res://mat/spark.tres" id="1_x"]

      [node name="Spark" type="GPUParticles2D"]
      amount = 5
      process_material = ExtResource("1_x")
      """)
    let finding = try #require(imported.diagnostics.first { $0.rule == .uninterpreted })
    #expect(finding.found == "res://mat/spark.tres" && finding.loss?.level == .high)
    #expect(finding.loss?.path == "emitters[0]")
  }

  @Test("an empty node has the standard values of its generation")
  func standards() throws {
    let old = try Self.emitter(Self.node(""))
    #expect(old.emission.maxAlive == 8 && old.emission.rate == 8 && old.space == .local)
    #expect(old.forces == [Self.local(.gravity(Vector(0, -98)))])
    #expect(old.launch.spread == 45 && old.launch.direction.angle == 0)
    let new = try Self.emitter(Self.node("", three: false))
    #expect(new.space == .world && new.forces == [.gravity(Vector(0, -980))])
    #expect(try Self.decode(Self.node("")).system.asset.profile == .godot3)
    #expect(try Self.decode(Self.node("", three: false)).system.asset.profile == .godot4)
  }

  @Test("time before the start counts with the speed of the clock, and is written without it")
  func preprocess() throws {
    let scene = Self.node("preprocess = 2.0\nspeed_scale = 1.5")
    let imported = try Self.decode(scene)
    #expect(imported.system.emitters[0].timing.prewarm == 3)
    let written = try ParticleFormat.godot3.export(
      imported.system, EncodingContext(fileName: "a.tscn"))
    #expect(String(decoding: written.parts[0].bytes, as: UTF8.self).contains("preprocess = 2.0"))
  }

  @Test("directions count from the normals of points, and deviate by the law of the node")
  func directedPoints() throws {
    // In the file y points down. The second axis is the normal's tangent, (y, −x).
    let flat = try Self.emitter(
      Self.node(
        """
        emission_shape = 4
        emission_points = PoolVector2Array( 0, 0, 5, 5 )
        emission_normals = PoolVector2Array( 1, 0, 0, 1 )
        direction = Vector2( 0, 1 )
        """))
    #expect(flat.shape.normals == [Vector(0, 1), Vector(1, 0)])
    #expect(flat.launch.direction.mode == .normal && flat.launch.spreadLaw == nil)
    func space(_ generation: Int) throws -> Emitter {
      let kind = generation == 3 ? "CPUParticles" : "CPUParticles3D"
      return try Self.emitter(
        "[gd_scene format=\(generation - 1)]\n\n[node name=\"P\" type=\"\(kind)\"]\n"
          + "direction = Vector3( 0, 1, 0 )\nspread = 20.0\n")
    }
    #expect(try space(3).launch.spreadLaw == .azimuthElevation)
    #expect(try space(4).launch.spreadLaw == .sideElevation)
  }

  private static func local(_ force: Force) -> Force {
    var force = force
    force.space = .local
    return force
  }

  @Test("Godot 3 randomises by a ratio, in three ways")
  func ratios() throws {
    let emitter = try Self.emitter(
      Self.node(
        """
        initial_velocity = 100.0
        initial_velocity_random = 0.25
        angular_velocity = 90.0
        angular_velocity_random = 1.0
        scale_amount = 2.0
        scale_amount_random = 0.6
        lifetime = 2.0
        lifetime_randomness = 0.5
        """))
    #expect(emitter.launch.speed == .range(75, 100))
    #expect(emitter.rotation.velocity == Track(.range(-90, 90)))
    #expect(emitter.size.width == Track(.range(1.4, 2)))
    #expect(emitter.lifetime == .range(1, 2))
  }

  @Test(
    "every range is written as the same range, in both generations",
    arguments: [(0.0, 0.0), (75, 100), (-5, 5), (-20, -3), (0.25, 4), (-1, 3)])
  func ranges(low: Double, high: Double) throws {
    for law in [GodotRandom.down, .bothWays, .towardsOne] {
      let (value, random) = law.ratio(low, high)
      let bounds = law.range(value, random: random).bounds
      #expect((bounds.lower - low).magnitude < 1e-9 && (bounds.upper - high).magnitude < 1e-9)
    }
  }

  @Test("curves are added in Godot 3 and multiplied in Godot 4")
  func curves() throws {
    let curve = "[ Vector2( 0, 1 ), 0.0, 3.0, 0, 1, Vector2( 1, 4 ), 3.0, 0.0, 1, 0 ]"
    let old = try Self.emitter(
      "[gd_scene format=2]\n[sub_resource type=\"Curve\" id=1]\n_data = \(curve)\n"
        + "[node name=\"P\" type=\"CPUParticles2D\"]\nlinear_accel = 2.0\n"
        + "linear_accel_random = 0.5\nlinear_accel_curve = SubResource( 1 )\n")
    let force = try #require(old.forces.first { $0.kind == .linear })
    #expect(force.strength.to == .range(0.5, 1))
    #expect(force.strength.curve == Curve([CurveKey(0, 3), CurveKey(1, 6)]))
    let new = try Self.emitter(
      "[gd_scene format=3]\n[sub_resource type=\"Curve\" id=\"c\"]\n_data = \(curve)\n"
        + "[node name=\"P\" type=\"CPUParticles2D\"]\nlinear_accel_min = 1.0\n"
        + "linear_accel_max = 2.0\nlinear_accel_curve = SubResource(\"c\")\n")
    let other = try #require(new.forces.first { $0.kind == .linear })
    #expect(other.strength.to == .range(1, 2))
    #expect(other.strength.curve == Curve([CurveKey(0, 1), CurveKey(1, 4)]))
  }

  @Test("the angular velocity of a curve integrates to age times the curve")
  func turning() {
    let curve = Curve(
      [
        CurveKey(0, 1, outSlope: 2), CurveKey(0.4, 3, inSlope: -1, outSlope: 0.5),
        CurveKey(1, 0, inSlope: 2),
      ],
      .cubic)
    let velocity = curve.turning
    var sum = 0.0
    for step in 0..<4000 {
      sum += velocity.value(at: (Double(step) + 0.5) / 4000) / 4000
      guard step % 100 == 99 else { continue }
      let t = Double(step + 1) / 4000
      #expect((sum - t * curve.value(at: t)).magnitude < 1e-4, "\(t)")
    }
    let back = velocity.turned
    for t in stride(from: 0.0, through: 1, by: 0.25) {
      #expect((back.value(at: t) - curve.value(at: t)).magnitude < 0.01, "\(t)")
    }
  }

  @Test("the transforms of all parents are combined")
  func transforms() throws {
    let system = try Self.decode(
      """
      [gd_scene format=3]
      [node name="Root" type="Node2D"]
      position = Vector2(10, 20)
      [node name="Arm" type="Node2D" parent="."]
      position = Vector2(5, 0)
      rotation = 1.5707963
      scale = Vector2(2, 2)
      z_index = 3
      [node name="P" type="CPUParticles2D" parent="Arm"]
      position = Vector2(1, 0)
      z_index = -1
      """
    ).system
    let emitter = try #require(system.emitters.first)
    #expect((emitter.transform.translation.x - 15).magnitude < 1e-5)
    #expect((emitter.transform.translation.y + 22).magnitude < 1e-5)
    #expect((emitter.transform.angle + 90).magnitude < 1e-3)
    #expect((emitter.transform.scale.x - 2).magnitude < 1e-5)
    #expect(emitter.render.order == 2)
  }

  // MARK: Other contents

  @Test(
    "a file without particles is refused by its name",
    arguments: [
      ("[gd_scene format=3]\n[node name=\"a\" type=\"Sprite2D\"]\n", "a scene of 1 Sprite2D"),
      ("[gd_scene format=2]\n", "a scene without nodes"),
      ("[gd_resource type=\"Theme\" format=3]\n[resource]\n", "a resource of type Theme"),
    ])
  func lookAlikes(text: String, found: String) {
    let fault = #expect(throws: Diagnostic.self) { try Self.decode(text) }
    #expect(fault?.rule == .lookAlike && fault?.found == found)
  }

  @Test("a format reads the files of its generation only")
  func otherGeneration() {
    let fault = #expect(throws: Diagnostic.self) {
      try ParticleFormat.godot3.decode(
        Array(Self.node("", three: false).utf8), DecodingContext(fileName: "x"))
    }
    #expect(fault?.rule == .lookAlike && fault?.found == "one of Godot 4")
  }

  @Test(
    "a string or bracket that does not end is an error",
    arguments: ["gravity = Vector2( 0, \nspread = 3\n", "name = \"a\n", "[node name=\"Q\""])
  func openEnd(text: String) {
    let fault = #expect(throws: Diagnostic.self) { try Self.decode(Self.node(text)) }
    #expect(fault?.rule == .emitterSyntax)
  }

  @Test("a value of another type is reported with its node and key")
  func wrongValues() throws {
    let imported = try Self.decode(
      Self.node("amount = \"many\"\ngravity = Vector2( 0 )\nspread = 3\n"))
    let places = imported.diagnostics.filter { $0.rule == .emitterValue }.map { "\($0.location)" }
    #expect(places.contains("P.amount"), "\(places)")
    #expect(places.count == 2, "\(places)")
  }

  @Test("a property that no row has is kept and reported")
  func unknownKeys() throws {
    let imported = try Self.decode(Self.node("amount = 4\nnovelty = Vector2( 1, 2 )\n"))
    #expect(imported.diagnostics.map(\.rule) == [.uninterpreted])
    #expect("\(try #require(imported.diagnostics.first).location)" == "P.novelty")
    let bag = imported.system.emitters[0].extensions[ParticleSystem.sourceExtension]?.object?["bag"]
    #expect(bag?.object?["novelty"] != nil)
  }

  @Test("a large resource that is used often is refused, and not expanded")
  func amplification() throws {
    var limits = Limits()
    limits.objects = 20_000
    let points = Array(repeating: "Vector2(0, 0), 0, 0, 0, 0", count: 500).joined(separator: ", ")
    var text = "[gd_scene format=3]\n[sub_resource type=\"Curve\" id=\"c\"]\n_data = [\(points)]\n"
    for index in 0..<200 {
      text +=
        "[node name=\"P\(index)\" type=\"CPUParticles2D\" parent=\".\"]\n"
        + "angle_curve = SubResource(\"c\")\n"
    }
    let fault = #expect(throws: Diagnostic.self) {
      try ParticleFormat.godot4.decode(
        Array(text.utf8), DecodingContext(fileName: "x", limits: limits))
    }
    #expect(fault?.rule == .limit)
  }

  // MARK: Editing

  private static func edited(_ text: String, _ edit: (inout Emitter) -> Void) throws -> String {
    let imported = try decode(text)
    var system = imported.system
    edit(&system.emitters[0])
    let format = text.contains("format=2") ? ParticleFormat.godot3 : .godot4
    let exported = try format.export(
      system,
      EncodingContext(
        fileName: "scene.tscn", source: .init(name: "scene.tscn", bytes: imported.source)))
    return String(decoding: exported.parts[0].bytes, as: UTF8.self)
  }

  static let shared = """
    [gd_scene format=3]

    [sub_resource type="ParticleProcessMaterial" id="m"]
    spread = 20.0 ; a comment stays

    [node name="A" type="GPUParticles2D"]
    process_material = SubResource("m")
    script = ExtResource("9")

    [node name="B" type="GPUParticles2D" parent="."]
    process_material = SubResource("m")

    [connection signal="x" from="." to="." method="y"]

    """

  @Test("an edit copies a material that another node uses too")
  func sharedMaterials() throws {
    let text = try Self.edited(Self.shared) { $0.launch.spread = 30 }
    let system = try Self.decode(text).system
    #expect(system.emitters.map(\.launch.spread) == [30, 20])
    #expect(text.contains("script = ExtResource(\"9\")") && text.contains("a comment stays"))
    #expect(text.contains("[connection signal=\"x\""))
  }

  @Test("a curve that is no longer used is removed as one line")
  func removedCurves() throws {
    let text =
      "[gd_scene format=3]\n\n[sub_resource type=\"Curve\" id=\"c\"]\n"
      + "_data = [Vector2(0, 1), 0.0, 0.0, 0, 0, Vector2(1, 0), 0.0, 0.0, 0, 0]\npoint_count = 2\n\n"
      + "[node name=\"P\" type=\"CPUParticles2D\"]\nscale_amount_curve = SubResource(\"c\")\n"
    let new = try Self.edited(text) { $0.size.width = 1 }
    #expect(new == text.replacing("scale_amount_curve = SubResource(\"c\")\n", with: ""))
  }

  @Test(
    "the last property of a node is removed while others are added", arguments: ["", " ", "\n"])
  func removedLast(rest: String) throws {
    let text =
      "[gd_scene format=3]\n\n[sub_resource type=\"Gradient\" id=\"g\"]\n"
      + "colors = PackedColorArray(0, 0, 0, 1, 1, 1, 1, 1)\n\n"
      + "[node name=\"P\" type=\"CPUParticles2D\"]\ncolor_ramp = SubResource(\"g\")"
    let new = try Self.edited(text + rest) {
      $0.color.base.gradient = nil
      $0.launch.spread = 30
      $0.timing.prewarm = 2
    }
    let lines = "preprocess = 2.0\nspread = 30.0"
    #expect(new == text.replacing("color_ramp = SubResource(\"g\")", with: lines) + rest)
  }

  @Test("one point of a curve is one line")
  func editedCurves() throws {
    let text = String(
      decoding: try Files.read(Repository.path("Fixtures/effects/godot/torch.tscn")), as: UTF8.self)
    let new = try Self.edited(text) { $0.size.width.curve.keys[1].value = 0.75 }
    #expect(new == text.replacing("Vector2(0.3, 1)", with: "Vector2(0.3, 0.75)"))
  }

  @Test("new emitters become nodes of the scene, and removed ones leave it")
  func counts() throws {
    let imported = try Self.decode(Self.shared)
    let context = EncodingContext(
      fileName: "scene.tscn", source: .init(name: "scene.tscn", bytes: imported.source))
    var system = imported.system
    system.emitters.append(Emitter(name: "C: new"))
    system.emitters[2].emission.rate = 4
    var text = String(
      decoding: try ParticleFormat.godot4.export(system, context).parts[0].bytes, as: UTF8.self)
    #expect(try Self.decode(text).system.emitters.map(\.name) == ["A", "B", "C new"])
    #expect(text.contains("ExtResource(\"9\")") && text.contains("[connection signal"))
    system.emitters = [imported.system.emitters[0]]
    text = String(
      decoding: try ParticleFormat.godot4.export(system, context).parts[0].bytes, as: UTF8.self)
    #expect(try Self.decode(text).system.emitters.map(\.name) == ["A"])
    #expect(text.contains("ExtResource(\"9\")") && text.contains("[connection signal"))
  }

  @Test("a gradient with keys at the same time has none in the scene")
  func jumps() throws {
    let text = try Self.edited(Self.node("")) {
      $0.color.base.gradient = Gradient([
        GradientKey(0, .black), GradientKey(0, .white), GradientKey(0.5, .white),
        GradientKey(0.5, .black),
      ])
    }
    #expect(text.contains("offsets = PoolRealArray( 0, 0.4999, 0.5 )"), "\(text)")
  }

  @Test("a material of its own is read and written", arguments: [2, 3])
  func materials(format: Int) throws {
    let type = format == 2 ? "ParticlesMaterial" : "ParticleProcessMaterial"
    let text =
      "[gd_resource type=\"\(type)\" format=\(format)]\n\n[resource]\nspread = 10.0\n"
      + "gravity = Vector3( 0, 5, 0 )\n"
    let imported = try Self.decode(text)
    #expect(imported.system.asset.dimension == .space)
    #expect(imported.system.emitters[0].launch.spread == 10)
    let new = try Self.edited(text) { $0.launch.spread = 12.5 }
    #expect(new == text.replacing("spread = 10.0", with: "spread = 12.5"))
    let target = format == 2 ? ParticleFormat.godot3 : .godot4
    let exported = try target.export(imported.system, EncodingContext(fileName: "new.tres"))
    let again = String(decoding: exported.parts[0].bytes, as: UTF8.self)
    #expect(again.hasPrefix("[gd_resource type=\"\(type)\""))
    #expect(try Self.decode(again).system.emitters[0].launch.spread == 10)
    #expect(exported.losses.allSatisfy { $0.rule != .changed })
  }

  @Test("a node for the CPU emits as often as its particles die, however short they live")
  func shortLives() throws {
    let text = Self.node("amount = 8\nlifetime = 0.75\nlifetime_randomness = 0.5\n")
    let emitter = try Self.emitter(text)
    #expect(emitter.lifetime == .range(0.375, 0.75))
    let new = try Self.edited(text) {
      ($0.emission.rate, $0.emission.maxAlive) = ($0.emission.rate.scaled(by: 2), 16)
    }
    #expect(new == text.replacing("amount = 8", with: "amount = 16"))
    // As many as before, and the rate follows from them.
    let rate = try Self.emitter(new).emission.rate.mean
    #expect((rate - 2 * emitter.emission.rate.mean).magnitude < 1e-6)
  }

  @Test("a mesh decides how particles face the camera")
  func meshes() throws {
    func losses(_ text: String, _ billboard: Billboard) throws -> [Rule] {
      var system = try Self.decode(text).system
      system.emitters[0].render.billboard = billboard
      let source = EncodingContext.Source(name: "scene.tscn", bytes: Array(text.utf8))
      return try ParticleFormat.godot4.export(
        system, EncodingContext(fileName: "scene.tscn", source: source)
      ).losses.filter { $0.loss?.path == "emitters[0].render.billboard" }.map(\.rule)
    }
    let mesh = """
      [gd_scene format=3]

      [sub_resource type="BoxMesh" id="b"]

      [sub_resource type="ParticleProcessMaterial" id="m"]

      [node name="P" type="GPUParticles3D"]
      process_material = SubResource("m")
      draw_pass_1 = SubResource("b")

      """
    #expect(try Self.emitter(mesh).render.billboard == .mesh)
    #expect(try losses(mesh, .mesh) == [] && losses(mesh, .velocity) == [.lost])
  }

  @Test("scenes with line ends of Windows keep them")
  func lineEnds() throws {
    let text = Self.node("amount = 5\nspread = 10.0\n").replacing("\n", with: "\r\n")
    let new = try Self.edited(text) {
      $0.launch.spread = 20
      $0.timing.prewarm = 1
    }
    #expect(
      new == text.replacing("spread = 10.0", with: "spread = 20.0\r\npreprocess = 1.0"))
  }
}
