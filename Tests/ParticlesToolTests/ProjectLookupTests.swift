import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// What the real program looks at to find the project of a file.
@Suite(
  "Lookup of projects",
  .enabled(if: FaultInjection.obstacle == nil, "\(FaultInjection.obstacle ?? "")"))
struct ProjectLookupTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private static let scene = """
    [gd_scene load_steps=3 format=3]

    [ext_resource type="Texture2D" path="res://art/a.png" id="1"]
    [ext_resource type="Texture2D" path="res://art/gone.png" id="2"]

    [node name="P" type="CPUParticles2D"]
    texture = ExtResource("1")

    [node name="Q" type="CPUParticles2D"]
    texture = ExtResource("2")

    """

  /// The system calls of `info` for a scene: calls that read a folder, and all calls about files.
  private func calls(
    in folder: String, _ file: String, of contents: String
  ) throws -> (reads: Int, all: Int) {
    let path = "\(folder)/fx/\(file)"
    try Files.create(path, Array(contents.utf8))
    let log = scratch.file("log")
    let run = try Run(
      try #require(Run.find("strace")),
      ["-f", "-o", log, "-e", "trace=%file,getdents64", Run.built("particles"), "info", path],
      in: scratch.path)
    #expect(run.status == 0, "\(run.errors)")
    let lines = String(decoding: try Files.read(log), as: UTF8.self).split(separator: "\n")
    return (lines.count { $0.contains("getdents64(") }, lines.count)
  }

  @Test(
    "files above an effect are not looked at, however many there are",
    arguments: ["project.godot", "game.project", nil])
  func filesAbove(root: String?) throws {
    let effect = """
      emitters {
        id: "a"
        mode: PLAY_MODE_LOOP
        space: EMISSION_SPACE_WORLD
        tile_source: "/art/all.atlas"
        animation: "a"
        type: EMITTER_TYPE_CIRCLE
      }

      """
    let isDefold = root == "game.project"
    let (file, contents) = isDefold ? ("a.particlefx", effect) : ("a.tscn", Self.scene)
    let counts = try [10, 2_000].map { count in
      let folder = scratch.file("\(count)")
      for name in ["", "/fx", "/art"] { try Files.makeDirectory(folder + name) }
      if let root { try Files.create("\(folder)/\(root)", []) }
      for number in 0..<count { try Files.create("\(folder)/\(number).txt", []) }
      return try calls(in: folder, file, of: contents)
    }
    #expect(counts[0] == counts[1], "\(counts)")
    // The folder of the effect is listed once, for names in other cases.
    #expect(counts[1].reads <= 6 && counts[1].all < 400, "\(counts)")
  }
}
