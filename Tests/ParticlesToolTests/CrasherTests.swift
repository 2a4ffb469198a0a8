import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// Effects that once ended a program: every command that reads or draws an effect ends with an exit status of its own.
@Suite("Effects that ended a program")
struct CrasherTests {
  private static let effects: [String] = {
    let folders = [
      "defold", "godot3", "godot4", "libgdx", "phaser", "pixi", "plist", "quarks", "spritekit",
    ]
    return folders.flatMap { folder in
      let path = Repository.path("Fixtures/crashers/\(folder)")
      return ((try? Files.list(path)) ?? []).map { "\(path)/\($0)" }
    }
  }()

  @Test(
    "each command ends without a signal",
    arguments: [
      "info --json", "validate", "convert --to particles -o converted",
      "thumbnail --size 64 -o thumbnails",
      "render --to png --size 64 -o pictures",
      "render --to gif --size 32 --fps 4 --duration 1 -o moving",
      "sheet --size 32 --fps 4 --duration 1 -o sheets/",
      "simulate --frames 20 --seeds 1 -o statistics",
    ])
  func commands(command: String) throws {
    #expect(Self.effects.count > 10)
    let scratch = try Scratch()
    let run = try Run(
      Run.built("particles"), command.split(separator: " ").map(String.init) + Self.effects,
      in: scratch.path)
    #expect([0, 1, 2].contains(run.status), "\(run.status) \(run.errors.suffix(400))")
  }

  @Test("the thumbnail of a curve whose tangent is -1e308 is drawn")
  func tangent() throws {
    let scratch = try Scratch()
    let effect = Repository.path("Fixtures/crashers/defold/tangent-1e308.particlefx")
    _ = try Run.succeeding(
      Run.built("particles"), ["thumbnail", effect, "picture.png"], in: scratch.path)
    #expect(try Files.read("\(scratch.path)/picture.png").starts(with: [0x89, 0x50, 0x4E, 0x47]))
  }
}
