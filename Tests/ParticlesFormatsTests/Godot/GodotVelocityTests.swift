import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesModel
import ParticlesSimulation
import Testing

@testable import ParticlesFormats

/// Velocities of Godot 4 that do not accumulate, and what its hue does.
@Suite("Godot: velocities and hue")
struct GodotVelocityTests {
  private static func material(_ properties: String, resources: String = "") -> String {
    """
    [gd_scene load_steps=2 format=3]

    \(resources)
    [sub_resource type="ParticleProcessMaterial" id="M"]
    particle_flag_disable_z = true
    gravity = Vector3(0, 0, 0)
    \(properties)

    [node name="P" type="GPUParticles2D"]
    amount = 60
    process_material = SubResource("M")

    """
  }

  private static func imported(_ properties: String, resources: String = "") throws -> Imported {
    try GodotFilesTests.decode(material(properties, resources: resources), [:])
  }

  @Test("a radial velocity alone is a launch to all sides from a point, at its speed")
  func radial() throws {
    let imported = try Self.imported(
      "radial_velocity_min = 40.0\nradial_velocity_max = 60.0\nlinear_accel_min = 9.0\nlinear_accel_max = 9.0"
    )
    let emitter = imported.system.emitters[0]
    #expect(emitter.launch.speed == .range(40, 60) && emitter.launch.direction.mode == .random)
    #expect(emitter.forces.isEmpty && emitter.motion.speed == nil)
    #expect(!imported.diagnostics.contains { $0.severity >= .warning })
    let simulation = Simulation(imported.system)
    simulation.advance(by: 0.9)
    let look = Appearance()
    simulation.appearance(ofEmitter: 0, into: look)
    #expect(look.count > 40)
    for particle in 0..<look.count {
      let place = SIMD2(Double(look.x[particle]), Double(look.y[particle]))
      let velocity = SIMD2(Double(look.velocityX[particle]), Double(look.velocityY[particle]))
      let speed = (velocity * velocity).sum().squareRoot()
      let distance = (place * place).sum().squareRoot()
      #expect(39.9...60.1 ~= speed)
      // Away from the point.
      #expect(((place * velocity).sum() - speed * distance).magnitude < 1e-2)
    }
  }

  @Test(
    "from a shape it leads away from its centre, with its curve; beside another velocity it is not read"
  )
  func shapes() throws {
    let curve = """
      [sub_resource type="Curve" id="C"]
      _data = [Vector2(0, 1), 0.0, 0.0, 0, 0, Vector2(1, 0), 0.0, 0.0, 0, 0]
      point_count = 2

      [sub_resource type="CurveTexture" id="CT"]
      curve = SubResource("C")

      """
    let box = try Self.imported(
      """
      emission_shape = 3
      emission_box_extents = Vector3(10, 20, 1)
      radial_velocity_min = -30.0
      radial_velocity_max = -30.0
      radial_velocity_curve = SubResource("CT")
      """, resources: curve)
    let emitter = box.system.emitters[0]
    #expect(emitter.launch.direction.mode == .normal && emitter.launch.speed == -30)
    #expect(emitter.motion.speed?.curve.keys.map(\.value) == [1, 0])
    #expect(box.diagnostics.contains { $0.rule == .approximated && "\($0)".contains("centre") })
    let both = try Self.imported(
      "initial_velocity_min = 9.0\ninitial_velocity_max = 9.0\nradial_velocity_min = 5.0\nradial_velocity_max = 7.0"
    )
    #expect(both.system.emitters[0].launch.speed == 9)
    let finding = both.diagnostics.first { $0.rule == .uninterpreted }
    #expect(finding?.found == "6 on average", "\(both.diagnostics)")
  }

  @Test("an edited radial velocity is written as one")
  func written() throws {
    let imported = try Self.imported("radial_velocity_min = 40.0\nradial_velocity_max = 60.0")
    var system = imported.system
    system.emitters[0].launch.speed = .range(80, 90)
    let text = try GodotFilesTests.write(system, imported, inPlace: true).text
    let old = String(decoding: imported.source, as: UTF8.self)
    #expect(text == old.replacing("40.0", with: "80.0").replacing("60.0", with: "90.0"))
  }

  @Test("a directional velocity is a drift along its curves; without one there is none")
  func directional() throws {
    let curves = """
      [sub_resource type="Curve" id="X"]
      _data = [Vector2(0, 0), 0.0, 0.0, 0, 0, Vector2(1, 1), 0.0, 0.0, 0, 0]
      point_count = 2

      [sub_resource type="Curve" id="Y"]
      _data = [Vector2(0, 1), 0.0, 0.0, 0, 0, Vector2(1, 1), 0.0, 0.0, 0, 0]
      point_count = 2

      [sub_resource type="CurveXYZTexture" id="D"]
      curve_x = SubResource("X")
      curve_y = SubResource("Y")

      """
    let speed = "directional_velocity_min = 20.0\ndirectional_velocity_max = 40.0"
    let imported = try Self.imported(
      speed + "\ndirectional_velocity_curve = SubResource(\"D\")", resources: curves)
    let drift = imported.system.emitters[0].motion.drift
    #expect(drift.x.to == 30 && drift.y.to == -30 && drift.z == 0)
    #expect(drift.x.curve.keys.map(\.value) == [0, 1])
    #expect(imported.diagnostics.map(\.rule) == [.approximated], "\(imported.diagnostics)")
    #expect(try Self.imported(speed).system.emitters[0].motion.drift == .zero)
  }

  @Test(
    "hues are those of the engine when they come back",
    arguments: [(0.2, 0.0), (-0.1, 0.1), (0, 0.3), (0.004, 0.05), (-1, 1), (-0.123456, 0.9)])
  func hue(least: Double, most: Double) throws {
    let (low, high) = (min(least, most), max(least, most))
    let source = Self.material(
      "color = Color(0.2, 0.6, 0.9, 1)\nhue_variation_min = \(low)\nhue_variation_max = \(high)")
    let imported = try GodotFilesTests.decode(source, [:])
    let exported = try ParticleFormat.godot4.export(
      imported.system, EncodingContext(fileName: "new.tscn"))
    let text = String(decoding: exported.parts[0].bytes, as: UTF8.self)
    #expect(!text.contains("color_initial_ramp"))
    let again = try GodotFilesTests.decode(text, [:]).system.emitters[0].color
    let color = imported.system.emitters[0].color
    let places = stride(from: 0.0, through: 1, by: 0.25)
    func shown(_ tint: Emitter.Tint) -> [[Double]] {
      guard case .gradient(let pick) = tint.base.from else { return [] }
      return places.map { pick.gradient.color(at: $0).channels }
    }
    #expect(shown(again).count == 5)
    #expect(zip(shown(again).joined(), shown(color).joined()).allSatisfy { abs($0 - $1) < 1e-6 })
  }

  @Test("a hue with a coloured ramp is a warning with the greatest difference")
  func colouredRamp() throws {
    let ramp = """
      [sub_resource type="Gradient" id="G"]
      colors = PackedColorArray(1, 0, 0, 1, 0, 0, 1, 1)

      [sub_resource type="GradientTexture1D" id="GT"]
      gradient = SubResource("G")

      """
    let imported = try Self.imported(
      "color_ramp = SubResource(\"GT\")\nhue_variation_min = -0.3\nhue_variation_max = 0.3",
      resources: ramp)
    let finding = try #require(imported.diagnostics.first { $0.rule == .approximated })
    #expect(finding.severity == .warning && finding.detail?.contains("up to 0.") == true)
    // The engine turns the ramp of the written file again.
    let package = try imported.package()
    let format = ParticleFormat.godot3
    let exported = try package.exported(as: format, fileName: "new.tscn")
    #expect(exported.losses.allSatisfy { $0.rule != .changed }, "\(exported.losses)")
    let text = String(decoding: exported.parts[0].bytes, as: UTF8.self)
    #expect(text.contains("PoolColorArray( 1, 0, 0, 1, 0, 0, 1, 1 )"), "\(text)")
  }

  @Test(
    "nodes for the GPU show the region of an atlas in Godot 4, and the whole image in Godot 3",
    arguments: [3, 4])
  func region(generation: Int) throws {
    let node = generation == 3 ? "Particles2D" : "GPUParticles2D"
    let text = """
      [gd_scene load_steps=3 format=\(generation == 3 ? 2 : 3)]

      [ext_resource path="res://a.png" type="Texture" id=\(generation == 3 ? "1" : "\"1\"")]

      [sub_resource type="AtlasTexture" id=\(generation == 3 ? "2" : "\"2\"")]
      atlas = ExtResource(\(generation == 3 ? " 1 " : "\"1\""))
      region = Rect2(1, 2, 3, 4)

      [node name="P" type="\(node)"]
      amount = 5
      texture = SubResource(\(generation == 3 ? " 2 " : "\"2\""))

      """
    let imported = try GodotFilesTests.decode(text, [:])
    let region = imported.system.sprites.first?.region
    #expect((region == nil) == (generation == 3))
    #expect(imported.diagnostics.contains { $0.rule == .ignoredKey } == (generation == 3))
  }
}
