import ParticlesDocuments
import ParticlesCLI
import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesFormats
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// Files of kinds that are not read: the tool names the kind first, and then the next step.
@Suite("Files of other kinds") struct ForeignFileTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func file(_ name: String) -> String { scratch.file(name) }

  private func run(_ words: String...) -> Outcome { Tool.particles.run(list: words) }

  private func make(_ name: String, _ text: String) throws -> String {
    try Files.create(file(name), Array(text.utf8))
    return file(name)
  }

  private static let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n"

  @Test(
    "two lines: kind and next step", arguments: ["info", "validate", "convert"])
  func twoLines(command: String) throws {
    try Files.create(file("photo.plist"), Fixture.read("rules/convert/foreign-picture.plist"))
    try Files.create(file("Fire.prefab"), Fixture.read("rules/convert/foreign.prefab"))
    let files = [
      ("photo.plist", "a JPEG picture", "rename it to photo.jpg, and open the effect"),
      ("Fire.prefab", "a Unity prefab", "it has no particle system of its own"),
      ("zero.plist", "empty (0 bytes)", "fetch it again"),
      ("lfs.pex", "a Git LFS pointer", "git lfs pull"),
    ]
    _ = try make("zero.plist", "")
    _ = try make("lfs.pex", Self.pointer)
    for (name, kind, step) in files {
      let words = [command, file(name)] + (command == "convert" ? ["-o", file("x.pex")] : [])
      let outcome = Tool.particles.run(list: words)
      let text = outcome.output + outcome.error
      #expect(outcome.status > .done)
      let fault = "\(file(name)): error: \(kind), not an effect that can be read [convert/foreign]"
      #expect(text.contains(fault), "\(text)")
      #expect(text.contains("  hint: ") && text.contains(step), "\(text)")
      #expect(!text.contains("damaged") && !text.contains("ZIP archive"), "\(text)")
    }
  }

  @Test("the formats that are read are listed with --verbose only")
  func formats() throws {
    for path in [try make("a.plist", ""), try make("b.txt", "hello")] {
      let short = run("info", path).error
      let long = run("info", path, "--verbose").error
      #expect(!short.contains("Effekseer") && long.contains("formats that are read: ZIP archive"))
      #expect(long.contains("Effekseer") && !long.contains("RealityKit"))
    }
    let unknown = run("info", file("b.txt")).error
    #expect(unknown.contains("the format is not recognised [convert/unknown-format]"))
    #expect(unknown.contains("the file may be damaged"))
  }

  @Test("archives of other programs, and archives without an effect")
  func archives() throws {
    func pack(_ name: String, _ paths: String...) throws -> String {
      var root = try FileNode(directoryWithFileNodes: [:])
      for path in paths {
        try root.setFileNode(FileNode(regularFileWithContents: [1]), at: path)
      }
      _ = try ParticleFormat.zip.pack(root, to: file(name))
      return file(name)
    }
    let bedrock = run("info", try pack("a.mcpack", "manifest.json", "particles/fire.json"))
    #expect(bedrock.error.contains("an archive of Minecraft Bedrock, not an effect"))
    #expect(run("info", try pack("b.c3p", "project.c3proj")).error.contains("of Construct"))
    let plain = run("info", try pack("c.zip", "fire.plist", "smoke.plist"))
    #expect(plain.error.contains("(found a ZIP archive) [document/missing]"))
    #expect(plain.error.contains("hint: use --recursive to process the effects in it"))
    // It stays a tree of files.
    #expect(run("list", file("a.mcpack")).output.contains("particles/fire.json"))
    #expect(run("convert", file("a.mcpack"), "-o", file("a.tar")).status == .done)
  }

  @Test("in a folder, other kinds are passed over, but not effects whose contents are elsewhere")
  func folder() throws {
    try Files.makeDirectory(file("in"))
    _ = run("new", file("in/a.particles"), "-q")
    _ = try make("in/page.pex", "<svg/>")
    #expect(run("validate", "-r", file("in")).status == .done)
    _ = try make("in/lfs.pex", Self.pointer)
    let outcome = run("validate", "-r", file("in"))
    #expect(outcome.status > .done && (outcome.output + outcome.error).contains("git lfs pull"))
  }

  @Test("commands for packages name the kind, too")
  func packages() throws {
    let path = try make("a.gif", "GIF89a")
    let error = run("list", path).error
    #expect(error.contains("[container/signature]") && error.contains("found a GIF picture"))
    #expect(error.contains("hint: open the effect that shows it"))
  }

  @Test("a scene of Godot 2 is refused by its name, also with --from")
  func godot2() throws {
    let node = "[node name=\"a\" type=\"Particles2D\"]\nconfig/amount = 25\n"
    let path = try make("a.tscn", "[gd_scene format=1]\n\n\(node)")
    for words in [["info", path], ["info", path, "--from", "godot3"]] {
      let outcome = Tool.particles.run(list: words)
      #expect(outcome.status == .failed && outcome.error.contains("a scene of Godot 2, not an"))
    }
  }
}
