import ParticlesCore
import ParticlesModel
import ParticlesTestSupport
import Testing

@testable import ParticlesFormats

/// Turbulence of process materials of Godot 4.
@Suite("Godot: turbulence")
struct GodotTurbulenceTests {
  private static func scene(_ properties: String, gravity: String = "0, 0, 0") -> String {
    """
    [gd_scene load_steps=4 format=3]

    [sub_resource type="Curve" id="C"]
    _data = [Vector2(0, 0), 0.0, 0.0, 0, 0, Vector2(1, 1), 0.0, 0.0, 0, 0]
    point_count = 2

    [sub_resource type="CurveTexture" id="CT"]
    curve = SubResource("C")

    [sub_resource type="ParticleProcessMaterial" id="M"]
    particle_flag_disable_z = true
    initial_velocity_min = 40.0
    initial_velocity_max = 60.0
    gravity = Vector3(\(gravity))
    \(properties)

    [node name="P" type="GPUParticles2D"]
    amount = 60
    lifetime = 2.0
    process_material = SubResource("M")

    """
  }

  private static func imported(_ properties: String, gravity: String = "0, 0, 0") throws -> Imported
  {
    try GodotFilesTests.decode(scene(properties, gravity: gravity), [:])
  }

  @Test(
    "it is noise: the share of the speed in a step, features of the scale, and the speed of change")
  func read() throws {
    let imported = try Self.imported(
      """
      turbulence_enabled = true
      turbulence_noise_scale = 0.625
      turbulence_noise_speed = Vector3(0, 3, 0)
      turbulence_noise_speed_random = 4.0
      turbulence_influence_min = 0.1
      turbulence_influence_max = 0.3
      """)
    let force = try #require(imported.system.emitters[0].forces.first)
    // A mean of 50 pixels per second, and 30 steps in a second.
    #expect(force.kind == .noise && force.strength == Track(.range(150, 450)))
    // The frequency is 4 · (1 − 0.0625^¼) features for each pixel.
    #expect(force.scale == 0.5 && force.speed == 5 && force.target == .velocity)
    #expect(imported.diagnostics.map(\.rule) == [.approximated], "\(imported.diagnostics)")
  }

  @Test("it is not read if it is switched off, has no influence, or nothing moves")
  func without() throws {
    for properties in [
      "turbulence_enabled = false", "turbulence_noise_scale = 2.0",
      "turbulence_enabled = true\nturbulence_influence_min = 0.0\nturbulence_influence_max = 0.0",
    ] {
      let imported = try Self.imported(properties)
      #expect(imported.system.emitters[0].forces.isEmpty && imported.diagnostics.isEmpty)
    }
    let still = try Self.imported(
      "turbulence_enabled = true\ninitial_velocity_min = 0.0\ninitial_velocity_max = 0.0")
    #expect(still.system.emitters[0].forces.isEmpty)
    #expect(still.diagnostics.map(\.rule) == [.dead], "\(still.diagnostics)")
    // Gravity gives a speed of 98 · 2 / 2.
    let falling = try Self.imported(
      "turbulence_enabled = true\ninitial_velocity_min = 0.0\ninitial_velocity_max = 0.0",
      gravity: "0, 98, 0")
    #expect(falling.system.emitters[0].forces.last?.strength == 294)
  }

  @Test("a curve over life is the course of the strength, and a displacement is reported")
  func curve() throws {
    let imported = try Self.imported(
      """
      turbulence_enabled = true
      turbulence_influence_over_life = SubResource("CT")
      turbulence_initial_displacement_min = 2.0
      turbulence_initial_displacement_max = 2.0
      """)
    let force = try #require(imported.system.emitters[0].forces.first)
    #expect(force.strength.to == 150 && force.strength.curve.keys.map(\.value) == [0, 1])
    #expect(imported.diagnostics.map(\.rule) == [.approximated, .uninterpreted])
  }

  @Test("it comes back unchanged, and an edited strength is an edited influence")
  func written() throws {
    let source = Self.scene(
      "turbulence_enabled = true\nturbulence_influence_min = 0.1\nturbulence_influence_max = 0.3")
    let imported = try GodotFilesTests.decode(source, [:])
    var system = imported.system
    #expect(try GodotFilesTests.write(system, imported, inPlace: true).text == source)
    system.emitters[0].forces[0].strength = Track(.range(300, 600))
    let text = try GodotFilesTests.write(system, imported, inPlace: true).text
    #expect(
      text
        == source.replacing("influence_min = 0.1", with: "influence_min = 0.2")
        .replacing("influence_max = 0.3", with: "influence_max = 0.4"))
    system.emitters[0].forces = []
    let without = try GodotFilesTests.write(system, imported, inPlace: true).text
    #expect(try GodotFilesTests.decode(without, [:]).system.emitters[0].forces.isEmpty)
  }

  @Test("nodes for the CPU have none: noise is lost")
  func lost() throws {
    let imported = try Self.imported("turbulence_enabled = true")
    let exported = try ParticleFormat.godot4.export(
      imported.system, EncodingContext(fileName: "new.tscn"))
    let line = exported.losses.first { $0.loss?.feature == "noise" }
    #expect(line?.rule == .lost)
    #expect(!String(decoding: exported.parts[0].bytes, as: UTF8.self).contains("turbulence"))
  }
}

/// Scenes that were cut off.
@Suite("Godot: torn scenes")
struct GodotTornTests {
  private static let scene = """
    [gd_scene load_steps=2 format=3]

    [ext_resource type="Texture2D" path="res://a.png" id="1"]

    [sub_resource type="Gradient" id="G"]
    colors = PackedColorArray(1, 0, 0, 1, 0, 0, 1, 1)

    [node name="P" type="CPUParticles2D"]
    amount = 12
    texture = ExtResource("1")
    color_ramp = SubResource("G")
    direction = Vector2(0, -1)

    """

  @Test(
    "a file that ends within a line is an error",
    arguments: [
      "am", "amount", "amount ", "amount =", "amount = ", "texture = ExtResource(",
      "texture = ExtResource(\"1", "texture = ExtResource(\"1\"", "[node name=\"Q\"", "[",
      "direction = Vector2(0, -1",
    ])
  func withinLines(end: String) throws {
    let fault = #expect(throws: Diagnostic.self) {
      try GodotFilesTests.decode(Self.scene + end, [:])
    }
    #expect(fault?.rule == .emitterSyntax, "\(fault as Any)")
    // Comments, and lines that are whole, are no cut.
    for line in ["; comm", "lifetime = 2.0", "lifetime = 2.0\n\n"] {
      #expect(throws: Never.self) { try GodotFilesTests.decode(Self.scene + line, [:]) }
    }
  }

  @Test("a reference to a resource that the file lost is a warning by its name")
  func lostReferences() throws {
    let cut = Self.scene.replacing(
      "[sub_resource type=\"Gradient\" id=\"G\"]\ncolors = PackedColorArray(1, 0, 0, 1, 0, 0, 1, 1)\n",
      with: ""
    ).replacing("[ext_resource type=\"Texture2D\" path=\"res://a.png\" id=\"1\"]\n", with: "")
    let imported = try GodotFilesTests.decode(cut, [:])
    let found = imported.diagnostics.filter { $0.rule == .emitterValue && $0.severity >= .warning }
    #expect(
      Set(found.compactMap(\.found)) == ["ExtResource(\"1\")", "SubResource(\"G\")"],
      "\(imported.diagnostics)")
    #expect(found.allSatisfy { "\($0)".contains("P.") && "\($0)".contains("no such resource") })
    let instance = try GodotFilesTests.decode(
      Self.scene + "\n[node name=\"I\" parent=\".\" instance=ExtResource(\"9\")]\n", [:])
    #expect(
      instance.diagnostics.filter { $0.rule == .emitterValue }.map(\.found) == [
        "ExtResource(\"9\")"
      ])
    let whole = try GodotFilesTests.decode(Self.scene, [:])
    #expect(!whole.diagnostics.contains { $0.rule == .emitterValue })
  }
}
