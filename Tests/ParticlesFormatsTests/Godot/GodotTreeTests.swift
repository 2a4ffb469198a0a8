import ParticlesCore
import ParticlesModel
import ParticlesTestSupport
import Testing

@testable import ParticlesFormats

/// The tree of nodes of Godot: what parents do, and scenes that instance or inherit others.
@Suite("Godot: tree of nodes")
struct GodotTreeTests {
  private static func decode(_ scene: String, _ project: [String: String]) throws -> Imported {
    try GodotFilesTests.decode(scene, project)
  }

  private static func scene(_ nodes: String, _ files: [String] = []) -> String {
    let lines = files.enumerated().map {
      "[ext_resource type=\"PackedScene\" path=\"res://\($1).tscn\" id=\"\($0 + 1)\"]\n"
    }
    return "[gd_scene format=3]\n\n" + lines.joined() + "\n" + nodes
  }

  // MARK: Parents

  @Test(
    "colours of parents are multiplied, and those of one node alone",
    arguments: [
      ("modulate = Color(1, 0, 0.5, 0.5)", "", Color(1, 0, 0.5, 0.5)),
      ("self_modulate = Color(1, 0, 0, 1)", "", .white),
      (
        "modulate = Color(1, 0.5, 1, 1)", "modulate = Color(0.5, 0.5, 1, 1)", Color(0.5, 0.25, 1, 1)
      ),
      ("", "self_modulate = Color(0.5, 1, 1, 1)", Color(0.5, 1, 1, 1)),
      ("modulate = Color(0.5, 1, 1, 1)", "top_level = true", .white),
      ("modulate = Color(2, 1, 1, 1)", "", Color(2, 1, 1, 1)), ("modulate = 5", "", .white),
    ] as [(String, String, Color)])
  func tint(parent: String, own: String, expected: Color) throws {
    let imported = try Self.decode(
      Self.scene(
        """
        [node name="Root" type="Node2D"]
        \(parent)

        [node name="P" type="CPUParticles2D" parent="."]
        \(own)
        """), [:])
    #expect(imported.system.emitters[0].color.base.from == .constant(expected))
    #expect(imported.system.emitters[0].enabled)
  }

  @Test("a plain node ends what parents do, but not a layer that is hidden")
  func breaks() throws {
    func emitter(_ type: String, _ lines: String = "") throws -> Emitter {
      try Self.decode(
        Self.scene(
          """
          [node name="Root" type="Node2D"]
          position = Vector2(10, 0)
          visible = false
          modulate = Color(0, 0, 0, 1)
          [node name="Between" type="\(type)" parent="."]
          \(lines)
          [node name="P" type="CPUParticles2D" parent="Between"]
          """), [:]
      ).system.emitters[0]
    }
    let (plain, layer) = (try emitter("Node"), try emitter("CanvasLayer", "visible = false"))
    #expect(plain.enabled && plain.color.base.from == .white)
    #expect(plain.transform.translation.x == 0 && !layer.enabled)
    let inside = try emitter("Node2D")
    #expect(!inside.enabled && inside.transform.translation.x == 10)
  }

  @Test("a colour under a tint is written without it; a hidden node is shown")
  func written() throws {
    let text = Self.scene(
      """
      [node name="Root" type="Node2D"]
      modulate = Color(0.5, 1, 1, 1)

      [node name="P" type="CPUParticles2D" parent="."]
      visible = false
      color = Color(1, 1, 1, 1)
      """)
    let imported = try Self.decode(text, [:])
    var system = imported.system
    #expect(!system.emitters[0].enabled)
    #expect(try GodotFilesTests.write(system, imported, inPlace: true).text == text)
    system.emitters[0].enabled = true
    system.emitters[0].color.base.from = .constant(Color(0.25, 0.5, 1, 1))
    let written = try GodotFilesTests.write(system, imported, inPlace: true).text
    #expect(written.contains("color = Color(0.5, 0.5, 1, 1)") && written.contains("visible = true"))
    #expect(try Self.decode(written, [:]).system.emitters == system.emitters)
  }

  // MARK: Scenes in scenes

  private static let torch = scene(
    """
    [node name="Torch" type="Node2D"]
    position = Vector2(1, 2)

    [node name="Fire" type="CPUParticles2D" parent="."]
    amount = 20
    lifetime = 2.0

    [node name="Glow" type="Sprite2D" parent="."]
    """)

  @Test("emitters of instances have their places, and what the scene changes of them")
  func instances() throws {
    let level = Self.scene(
      """
      [node name="Level" type="Node2D"]
      modulate = Color(1, 0, 0, 1)

      [node name="A" parent="." instance=ExtResource("1")]

      [node name="B" parent="." instance=ExtResource("1")]
      position = Vector2(100, 0)
      scale = Vector2(2, 2)

      [node name="Fire" parent="B" index="0"]
      amount = 5

      [node name="Own" type="CPUParticles2D" parent="B/Fire"]

      [editable path="B"]
      """, ["torch"])
    let imported = try Self.decode(level, ["res://torch.tscn": Self.torch])
    let emitters = imported.system.emitters
    #expect(emitters.map(\.name) == ["Fire", "Fire", "Own"])
    #expect(emitters.map(\.transform.translation.x) == [1, 100, 100])
    #expect(emitters.map(\.transform.scale.x) == [1, 2, 2])
    #expect(emitters.map(\.emission.maxAlive) == [20, 5, 8])
    #expect(emitters.map { $0.lifetime.mean } == [2, 2, 1])
    #expect(emitters.allSatisfy { $0.color.base.from == .constant(Color(1, 0, 0, 1)) })
    #expect(imported.related.keys.sorted() == ["Source/project/torch.tscn"])
    // The scene alone has one.
    #expect(try Self.decode(level, [:]).system.emitters.map(\.name) == ["Own"])
  }

  @Test("a scene that inherits another one has its emitters, and those of its base")
  func inherited() throws {
    func child(_ name: String, amount: Int) -> String {
      Self.scene(
        """
        [node name="\(name)" instance=ExtResource("1")]

        [node name="Fire" parent="." index="0"]
        amount = \(amount)

        [node name="More" type="GPUParticles2D" parent="."]
        """, [name == "Third" ? "second" : "torch"])
    }
    let project = ["res://torch.tscn": Self.torch, "res://second.tscn": child("Second", amount: 6)]
    let imported = try Self.decode(child("Third", amount: 7), project)
    #expect(imported.system.emitters.map(\.name) == ["Fire", "More", "More"])
    #expect(imported.system.emitters[0].emission.maxAlive == 7)
    #expect(imported.system.emitters[0].lifetime == 2)
    #expect(imported.system.emitters[0].transform.translation == Vector(1, -2, 0))
  }

  @Test("values of other scenes are not written; they become a new scene elsewhere")
  func writing() throws {
    let level = Self.scene(
      """
      [node name="Level" type="Node2D"]

      [node name="A" parent="." instance=ExtResource("1")]

      [node name="Own" type="CPUParticles2D" parent="."]
      """, ["torch"])
    let imported = try Self.decode(level, ["res://torch.tscn": Self.torch])
    var system = imported.system
    system.emitters[1].timing.speed = 3
    let own = try GodotFilesTests.write(system, imported, inPlace: true)
    #expect(own.text.hasPrefix(level) && own.text.contains("speed_scale = 3.0"))
    #expect(own.text.utf8.count < level.utf8.count + 24)
    for change: (inout ParticleSystem) -> Void in [
      { $0.emitters[0].timing.speed = 3 }, { $0.emitters.remove(at: 0) },
    ] {
      var system = imported.system
      change(&system)
      let fault = #expect(throws: Diagnostic.self) {
        try GodotFilesTests.write(system, imported, inPlace: true)
      }
      #expect(fault?.rule == .fileUnwritable)
    }
    let copy = try GodotFilesTests.write(system, imported, inPlace: false)
    #expect(!copy.text.contains("instance") && copy.losses.contains { $0.loss?.path == "emitters" })
    let again = try Self.decode(copy.text, [:]).system
    #expect(again.emitters.map(\.emission) == system.emitters.map(\.emission))
    #expect(again.emitters.map(\.transform) == system.emitters.map(\.transform))
  }

  // MARK: Bad input

  private static func link(_ other: String, count: Int = 1) -> String {
    let nodes = (0..<count).map {
      "[node name=\"N\($0)\" parent=\".\" instance=ExtResource(\"1\")]\n"
    }
    return scene(
      "[node name=\"Root\" type=\"CPUParticles2D\"]\n\n" + nodes.joined(separator: "\n"), [other])
  }

  @Test("scenes that instance each other, or themselves, end with a finding")
  func cycles() throws {
    let pair = try Self.decode(
      Self.link("b", count: 2), ["res://b.tscn": Self.link("c"), "res://c.tscn": Self.link("b")])
    #expect(pair.system.emitters.count == 5)
    #expect(pair.diagnostics.contains { $0.message.contains("refers to itself") })
    let own = try Self.decode(Self.link("a"), ["res://a.tscn": Self.link("a")])
    #expect(own.system.emitters.count == 1)
    #expect(own.diagnostics.contains { $0.message.contains("refers to itself") })
  }

  @Test("scenes that multiply are bounded")
  func multiplied() throws {
    var project: [String: String] = [:]
    for level in 0..<30 { project["res://s\(level).tscn"] = Self.link("s\(level + 1)", count: 2) }
    var limits = Limits.standard
    limits.objects = 20_000
    let fault = #expect(throws: Diagnostic.self) {
      try GodotFilesTests.decode(Self.link("s0"), project, limits: limits)
    }
    #expect(fault?.rule == .limit)
    limits.objects = 1_000_000
    limits.nesting = 10
    for level in 0..<30 { project["res://s\(level).tscn"] = Self.link("s\(level + 1)") }
    let deep = #expect(throws: Diagnostic.self) {
      try GodotFilesTests.decode(Self.link("s0"), project, limits: limits)
    }
    #expect(deep?.message.contains("scenes in scenes") == true)
  }

  @Test("a scene with torn instances opens with what it has")
  func torn() throws {
    for text in [
      "", "RSRC", "[gd_scene format=2]\n", "[gd_scene format=3]\n[node name=\"",
      "[gd_resource format=3]\n",
    ] {
      let imported = try Self.decode(Self.link("b"), ["res://b.tscn": text])
      #expect(imported.system.emitters.count == 1, "\(text)")
      #expect(imported.diagnostics.contains { $0.rule == .uninterpreted }, "\(text)")
    }
  }
}
