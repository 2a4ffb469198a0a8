import ParticlesCore
import ParticlesModel
import ParticlesTestSupport
import Testing

@testable import ParticlesFormats

/// Values of Godot scenes in files that other scenes may share.
@Suite("Godot: shared resources")
struct GodotSharedTests {
  private static func write(
    _ imported: Imported, _ shared: EncodingContext.SharedValues,
    _ change: (inout ParticleSystem) -> Void
  ) throws -> Exported {
    var system = imported.system
    change(&system)
    var context = EncodingContext(
      fileName: "scene.tscn", source: .init(name: "scene.tscn", bytes: imported.source)
    ) { imported.related[$0] ?? imported.images[$0] }
    context.isInPlace = true
    context.sharedValues = shared
    return try ParticleFormat.godot4.export(system, context)
  }

  private static let scene = GodotFilesTests.scene
  private static let project = GodotFilesTests.project

  @Test("a shared value is changed where it is, and nothing else")
  func edited() throws {
    let imported = try GodotFilesTests.decode(Self.scene, Self.project)
    let exported = try Self.write(imported, .edit) {
      $0.emitters[0].launch.spread = 30
      $0.emitters[0].rotation.velocity = 90
    }
    #expect(exported.parts[0].bytes == imported.source)
    #expect(exported.others.keys.sorted() == ["res://mat/spark.tres"])
    let old = try #require(Self.project["res://mat/spark.tres"])
    let new = String(decoding: try #require(exported.others["res://mat/spark.tres"]), as: UTF8.self)
    // The new keys are at the end.
    #expect(new.hasPrefix(old.replacing("spread = 15.0", with: "spread = 30.0")))
    #expect(new.contains("\nangular_velocity_min = 90.0\nangular_velocity_max = 90.0"))
    #expect(!exported.losses.contains { $0.lossLevel > .info }, "\(exported.losses)")
    var project = Self.project
    project["res://mat/spark.tres"] = new
    let again = try GodotFilesTests.decode(Self.scene, project).system.emitters[0]
    #expect(again.launch.spread == 30 && again.rotation.velocity == 90)
  }

  @Test("a copy is in the scene alone")
  func copied() throws {
    let imported = try GodotFilesTests.decode(Self.scene, Self.project)
    let exported = try Self.write(imported, .copy) { $0.emitters[0].launch.spread = 30 }
    #expect(exported.others.isEmpty)
    let text = String(decoding: exported.parts[0].bytes, as: UTF8.self)
    #expect(text.contains("spread = 30.0") && !text.contains("spark.tres"))
    #expect(text.contains("turbulence_enabled = true"))
    let again = try GodotFilesTests.decode(text, Self.project).system.emitters[0]
    #expect(again.launch.spread == 30 && again.launch.speed == .range(200, 300))
    #expect(again.color.opacity.curve.keys.map(\.value) == [1, 0])
  }

  @Test("a value that needs a new resource in the shared file is refused")
  func refused() throws {
    let imported = try GodotFilesTests.decode(Self.scene, Self.project)
    let fault = #expect(throws: Diagnostic.self) {
      try Self.write(imported, .edit) {
        $0.emitters[0].size.width = Track(from: 0, to: 1, curve: .linear)
      }
    }
    #expect(fault?.rule == .fileUnwritable && fault?.hint?.contains("--shared copy") == true)
  }

  @Test("emitters that share a value need the same one")
  func same() throws {
    let scene =
      Self.scene
        + """


        [node name="Other" type="GPUParticles2D" parent="."]
        amount = 5
        process_material = ExtResource("1_m")

        """
    let imported = try GodotFilesTests.decode(scene, Self.project)
    #expect(imported.system.emitters.count == 2)
    let both = try Self.write(imported, .edit) {
      for index in 0..<2 { $0.emitters[index].launch.spread = 30 }
    }
    let text = String(decoding: both.others.values.first ?? [], as: UTF8.self)
    #expect(text.ranges(of: "spread = 30.0").count == 1)
    #expect(throws: Diagnostic.self) {
      try Self.write(imported, .edit) {
        $0.emitters[0].launch.spread = 30
        $0.emitters[1].launch.spread = 31
      }
    }
  }

  @Test(
    "a path in a resource is relative to its folder, and stays in the project",
    arguments: [
      ("../fade.tres", true), ("./fade.tres", true), ("./../mat/../fade.tres", true),
      ("fade.tres", true), ("../../fade.tres", false), ("../../../etc/fade.tres", false),
    ])
  func paths(path: String, isFound: Bool) throws {
    var project = Self.project
    project["res://mat/spark.tres"] = project["res://mat/spark.tres"]?.replacing(
      "path=\"fade.tres\"", with: "path=\"\(path)\"")
    project["res://fade.tres"] = project["res://mat/fade.tres"]
    let imported = try GodotFilesTests.decode(Self.scene, project)
    let keys = imported.system.emitters[0].color.opacity.curve.keys.map(\.value)
    #expect((keys == [1, 0]) == isFound)
    #expect(imported.diagnostics.contains { "\($0)".contains("fade.tres") } == !isFound)
  }
}
