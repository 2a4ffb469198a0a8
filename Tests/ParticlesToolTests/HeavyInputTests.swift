import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// Effects that ask for much, made by `Tests/heavy_inputs.py` from fixtures of the project, in a process whose memory
/// is limited: copies of emitters, chains of triggers, many images, long curves, long times.
@Suite("Heavy inputs", .needs("sh", "python3")) struct HeavyInputTests {
  private static let inputs = [
    "defold.particlefx", "libgdx.p", "phaser.json", "quarks.json", "godot.tscn", "love.lua",
    "nested.efkproj", "emitters.particles", "chain.particles", "living.particles",
    "images.particles", "image.particles", "curves.particles", "frames.particles",
  ]

  /// Every command that reads an effect, with its own output.
  private static let commands = [
    "info FILE", "validate FILE", "convert -q FILE -o out.particles", "thumbnail FILE out.png",
    "render FILE -o one.png --size 256", "render FILE -o out.webp --size 128",
    "render FILE -o out.gif --size 64 --duration 1", "sheet FILE -o sheet.png --size 64",
    "sheet --contact FILE -o contact.png", "catalog FILE -o out.html",
    "catalog --still-frames FILE -o still.html --size 64", "simulate FILE --frames 30 --seeds 1",
  ]

  /// Kilobytes of memory that a process may map: of address space, so more than it uses.
  private static let most = 600_000

  /// The tool of a release, if there is one, or the tool of the tests.
  private static let tool: String = {
    let release = Repository.path(".build/particles")
    let isThere = (try? Files.status(release))?.kind == .file
    return isThere ? release : Run.built("particles")
  }()

  private static func make(_ name: String, in scratch: Scratch) throws {
    let python = try #require(Run.find("python3"))
    let stem = name.hasSuffix(".particles") ? String(name.dropLast(".particles".count)) : name
    _ = try Run.succeeding(
      python, ["-B", Repository.path("Tests/heavy_inputs.py"), scratch.path, stem])
  }

  /// An input and a command.
  struct Pair: Sendable, CustomStringConvertible {
    let (input, command): (String, String)
    var description: String { command.replacing("FILE", with: input) }
  }

  /// All pairs, commands in another order for each input, so that a sample has each of both.
  private static let pairs = inputs.enumerated().flatMap { number, input in
    commands.indices.map { index in
      Pair(input: input, command: commands[(index + number) % commands.count])
    }
  }

  @Test(
    "a command ends with a result or a message, in 600 MB of address space",
    arguments: Sample.of(pairs, 7))
  func memory(pair: Pair) throws {
    let scratch = try Scratch()
    try Self.make(pair.input, in: scratch)
    let shell = try #require(Run.find("sh"))
    let run = try Run(
      shell, ["-c", "ulimit -v \(Self.most); exec '\(Self.tool)' \(pair)"], in: scratch.path,
      killedAfter: 300)
    // A process that has no memory, or is killed, ends with a signal.
    #expect([0, 1, 2].contains(run.status), "\(run.status) \(run.errors.suffix(400))")
    #expect(run.status == 0 || !run.errors.isEmpty || !run.text.isEmpty)
  }

  @Test("a process that needs more memory than it may have ends with a signal, which is noticed")
  func control() throws {
    let scratch = try Scratch()
    try Self.make("images.particles", in: scratch)
    let shell = try #require(Run.find("sh"))
    let run = try Run(
      shell,
      ["-c", "ulimit -v 150000; exec '\(Self.tool)' thumbnail images.particles out.png"],
      in: scratch.path)
    #expect(![0, 1, 2].contains(run.status))
  }

  @Test("many emitters of an animation are refused before they run, with the limit and the option")
  func refusal() throws {
    let scratch = try Scratch()
    try Self.make("emitters.particles", in: scratch)
    let run = try Run(
      Self.tool, ["render", "emitters.particles", "-o", "out.gif", "--duration", "600"],
      in: scratch.path)
    #expect(run.status == 2 && run.errors.contains("2000 emitters in 18000 frames"))
    #expect(run.errors.contains("limit 'work'") && run.errors.contains("--work"))
  }

  @Test("info shows 50 emitters and ten causes of findings, and all of them with --verbose")
  func info() throws {
    let scratch = try Scratch()
    try Self.make("phaser.json", in: scratch)
    func lines(_ words: String...) throws -> [Substring] {
      let run = try Run(Self.tool, ["info", "phaser.json"] + words, in: scratch.path)
      #expect(run.status == 0)
      return run.text.split(separator: "\n")
    }
    let short = try lines()
    #expect(short.contains("  and 1,950 others (--verbose shows all)"))
    #expect(short.count < 100, "\(short.count)")
    let long = try lines("--verbose")
    #expect(long.count > 2_000 && !long.contains { $0.contains("--verbose shows all") })
    let json = try Run(Self.tool, ["info", "phaser.json", "--json"], in: scratch.path)
    let file = try JSONParser.parse(json.output).object?["files"]?.array?.first?.object
    #expect(file?["emitters"]?.array?.count == 2_000)
  }
}
