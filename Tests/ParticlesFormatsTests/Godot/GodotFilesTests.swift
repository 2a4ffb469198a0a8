import ParticlesCore
import ParticlesModel
import ParticlesTestSupport
import Testing

@testable import ParticlesFormats

/// Resources of Godot in other files of a project.
@Suite("Godot: other files")
struct GodotFilesTests {
  static let scene = """
    [gd_scene load_steps=3 format=3]

    [ext_resource type="Material" uid="uid://b1" path="res://mat/spark.tres" id="1_m"]
    [ext_resource type="Texture2D" path="res://img/red.png" id="2_t"]

    [node name="Root" type="Node2D"]

    [node name="Spark" type="GPUParticles2D" parent="."]
    amount = 50
    process_material = ExtResource("1_m")
    texture = ExtResource("2_t")
    """

  static let project = [
    "res://mat/spark.tres": """
    [gd_resource type="ParticleProcessMaterial" load_steps=3 format=3 uid="uid://b1"]

    [ext_resource type="Gradient" path="res://mat/ramp.tres" id="1_r"]
    [ext_resource type="CurveTexture" path="fade.tres" id="2_c"]

    [sub_resource type="GradientTexture1D" id="GT_a"]
    gradient = ExtResource("1_r")

    [resource]
    spread = 15.0
    initial_velocity_min = 200.0
    initial_velocity_max = 300.0
    turbulence_enabled = true
    color_ramp = SubResource("GT_a")
    alpha_curve = ExtResource("2_c")
    """,
    "res://mat/ramp.tres": """
    [gd_resource type="Gradient" format=3]

    [resource]
    colors = PackedColorArray(0, 1, 0, 1, 0, 0, 1, 0)
    """,
    "res://mat/fade.tres": """
    [gd_resource type="CurveTexture" format=3]

    [sub_resource type="Curve" id="Curve_a"]
    _data = [Vector2(0, 1), 0.0, -1.0, 0, 1, Vector2(1, 0), -1.0, 0.0, 1, 0]
    point_count = 2

    [resource]
    curve = SubResource("Curve_a")
    """,
  ]

  static func decode(
    _ scene: String, _ project: [String: String], limits: Limits = .standard
  ) throws -> Imported {
    let bytes = Array(scene.utf8)
    let format = try FormatRegistry.standard.recognising(bytes, fileName: "x")
    return try format.decode(
      bytes,
      DecodingContext(fileName: "scene.tscn", limits: limits) { path in
        project[path].map { Array($0.utf8) }
      })
  }

  /// Writes an effect into the scene that it came from.
  static func write(
    _ system: ParticleSystem, _ imported: Imported, inPlace: Bool
  ) throws -> (text: String, losses: [Diagnostic]) {
    var context = EncodingContext(
      fileName: "scene.tscn", source: .init(name: "scene.tscn", bytes: imported.source)
    ) { imported.related[$0] ?? imported.images[$0] }
    context.isInPlace = inPlace
    let exported = try ParticleFormat.godot4.export(system, context)
    return (String(decoding: exported.parts[0].bytes, as: UTF8.self), exported.losses)
  }

  @Test("materials, gradients and curves in other files are read, and files of these")
  func read() throws {
    let imported = try Self.decode(Self.scene, Self.project)
    let emitter = imported.system.emitters[0]
    #expect(emitter.launch.spread == 15 && emitter.launch.speed == .range(200, 300))
    #expect(emitter.color.base.gradient?.keys.first?.color == Color(0, 1, 0, 1))
    #expect(emitter.color.opacity.curve.keys.map(\.value) == [1, 0])
    #expect(!imported.diagnostics.contains { $0.loss?.level == .high })
    #expect(imported.diagnostics.contains { "\($0)".contains("turbulence_enabled") })
    #expect(
      imported.related.keys.sorted() == [
        "Source/project/mat/fade.tres", "Source/project/mat/ramp.tres",
        "Source/project/mat/spark.tres",
      ])
  }

  @Test("without a project nothing is read, and a material is a loss of level high")
  func alone() throws {
    let imported = try Self.decode(Self.scene, [:])
    let finding = try #require(imported.diagnostics.first { $0.loss?.level == .high })
    #expect(finding.found == "res://mat/spark.tres" && finding.message.contains("not found"))
    #expect(imported.related.isEmpty)
  }

  @Test("an edit of a value of the scene keeps everything else")
  func unrelatedEdit() throws {
    let imported = try Self.decode(Self.scene, Self.project)
    var system = imported.system
    #expect(try Self.write(system, imported, inPlace: true).text == Self.scene)
    system.emitters[0].timing.speed = 2
    let written = try Self.write(system, imported, inPlace: true)
    #expect(
      written.text == Self.scene + "\nspeed_scale = 2.0\n"
        || written.text == Self.scene + "\nspeed_scale = 2.0")
    #expect(!written.losses.contains { $0.lossLevel > .info })
  }

  @Test(
    "an edit of a value in another file is refused, and names it",
    arguments: ["spread", "color"])
  func refused(value: String) throws {
    let imported = try Self.decode(Self.scene, Self.project)
    var system = imported.system
    if value == "spread" {
      system.emitters[0].launch.spread = 30
    } else {
      system.emitters[0].color.base.gradient = Gradient([GradientKey(0, .white)])
    }
    let fault = #expect(throws: Diagnostic.self) {
      try Self.write(system, imported, inPlace: true)
    }
    #expect(fault?.rule == .fileUnwritable)
    #expect(fault?.message.contains("res://mat/spark.tres") == true)
  }

  @Test("a file that was not found is not replaced by an edit")
  func notFound() throws {
    let imported = try Self.decode(Self.scene, [:])
    var system = imported.system
    system.emitters[0].launch.spread = 30
    #expect(throws: Diagnostic.self) { try Self.write(system, imported, inPlace: true) }
  }

  @Test("a new scene has the values of the other files, with those that are not read")
  func copied() throws {
    let imported = try Self.decode(Self.scene, Self.project)
    let written = try Self.write(imported.system, imported, inPlace: false)
    #expect(!written.text.contains(".tres") && written.text.contains("red.png"))
    #expect(written.text.contains("turbulence_enabled = true"))
    for path in Self.project.keys {
      #expect(written.losses.contains { $0.message.contains(path) }, "\(path)")
    }
    let again = try Self.decode(written.text, [:])
    #expect(again.system.emitters == imported.system.emitters)
    // Changes are made in the copy.
    var system = imported.system
    system.emitters[0].launch.spread = 30
    let changed = try Self.decode(try Self.write(system, imported, inPlace: false).text, [:])
    #expect(changed.system.emitters == system.emitters)
  }

  @Test("emitters with one material in common do not change each other")
  func shared() throws {
    let second = """

      [node name="Other" type="GPUParticles2D" parent="."]
      process_material = ExtResource("1_m")
      """
    let imported = try Self.decode(Self.scene + "\n" + second, Self.project)
    var system = imported.system
    let plain = try Self.write(system, imported, inPlace: false).text
    #expect(plain.ranges(of: "turbulence_enabled").count == 1)
    system.emitters[1].launch.spread = 30
    let again = try Self.decode(try Self.write(system, imported, inPlace: false).text, [:])
    #expect(again.system.emitters == system.emitters)
  }

  @Test("copies come before the resources that refer to them, as the engine needs it")
  func order() throws {
    let scene = """
      [gd_scene format=3]

      [ext_resource type="Gradient" path="res://mat/ramp.tres" id="1_r"]
      [ext_resource type="Material" path="res://mat/spark.tres" id="1_m"]

      [sub_resource type="GradientTexture1D" id="GT_own"]
      gradient = ExtResource("1_r")

      [sub_resource type="ParticleProcessMaterial" id="PM_own"]
      color_ramp = SubResource("GT_own")

      [node name="Root" type="GPUParticles2D"]
      process_material = SubResource("PM_own")

      [node name="Other" type="GPUParticles2D" parent="."]
      process_material = ExtResource("1_m")
      """
    let imported = try Self.decode(scene, Self.project)
    let written = try Self.write(imported.system, imported, inPlace: false).text
    #expect(try Self.decode(written, [:]).system.emitters == imported.system.emitters)
    #expect(written.ranges(of: "SubResource(").count == 8)
    var known: Set<String> = []
    for line in written.split(separator: "\n") {
      let words = line.split(separator: "\"").map(String.init)
      if line.hasPrefix("[sub_resource") { known.insert(words[words.count - 2]) }
      if line.contains("SubResource(") { #expect(known.contains(words[1]), "\(line)") }
    }
  }

  // MARK: Bad input

  @Test(
    "files that cannot be read are named with the reason",
    arguments: [
      ("", "no text file of Godot"), ("RSRC\u{1}", "binary"), ("RSCC\u{1}", "binary"),
      ("[gd_resource type=\"ParticlesMaterial\" format=2]\n[resource]\n", "Godot 3"),
      ("[gd_resource format=3]\n[resource]\nspread = \"", "cannot be read"),
    ])
  func unreadable(contents: String, reason: String) throws {
    let imported = try Self.decode(Self.scene, ["res://mat/spark.tres": contents])
    let finding = try #require(imported.diagnostics.first { $0.loss?.level == .high })
    #expect(finding.message.contains(reason), "\(finding)")
    #expect(imported.related.isEmpty)
  }

  @Test("files that refer to each other end with a finding")
  func cycles() throws {
    func resource(_ other: String, type: String = "ParticleProcessMaterial") -> String {
      """
      [gd_resource type="\(type)" format=3]
      [ext_resource type="Texture2D" path="\(other)" id="1"]
      [resource]
      color_ramp = ExtResource("1")
      gradient = ExtResource("1")
      spread = 15.0
      """
    }
    let project = [
      "res://mat/spark.tres": resource("res://b.tres"),
      "res://b.tres": resource("res://mat/spark.tres"),
    ]
    let imported = try Self.decode(Self.scene, project)
    #expect(imported.system.emitters[0].launch.spread == 15)
    #expect(
      imported.diagnostics.contains { $0.message.contains("refers to itself") },
      "\(imported.diagnostics)")
    let written = try Self.write(imported.system, imported, inPlace: false)
    #expect(try Self.decode(written.text, [:]).system.emitters == imported.system.emitters)
  }

  @Test("bytes of all files together are bounded")
  func size() throws {
    var limits = Limits.standard
    limits.textBytes = 1500
    var project = Self.project
    project["res://mat/spark.tres"]? += String(repeating: "; comment\n", count: 100)
    let imported = try Self.decode(Self.scene, project, limits: limits)
    let finding = try #require(imported.diagnostics.first { $0.loss?.level == .high })
    #expect(finding.message.contains("at most 1500"), "\(finding)")
  }

  @Test(
    "paths that a package cannot have are not stored",
    arguments: [
      ("res://a/b.tres", "Source/project/a/b.tres"), ("b.tres", "Source/project/b.tres"),
      ("res://../b.tres", nil), ("res:///b.tres", nil),
      ("/art/b.atlas", "Source/project/art/b.atlas"),
      ("user://b.tres", nil),
      ("res://a:b.tres", nil), ("res://a/./b.tres", nil), ("res://", nil),
    ] as [(String, String?)])
  func names(reference: String, path: String?) {
    #expect(Imported.relatedPath(of: reference) == path)
  }
}
