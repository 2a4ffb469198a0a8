import ParticlesCLI
import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesFormats
import ParticlesModel
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// Numbers in reports, and the thresholds that decide about the status.
@Suite("Counts and thresholds of reports")
struct ReportCountTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func run(_ words: String...) -> Outcome { Tool.particles.run(list: words) }
  private func file(_ name: String) -> String { scratch.file(name) }

  private func package(_ change: (inout Emitter) -> Void = { _ in }) throws -> [UInt8] {
    var emitter = Emitter(name: "Fire")
    emitter.emission.rate = 10
    change(&emitter)
    return try EffectPackage(ParticleSystem(name: "Fire", emitters: [emitter]), images: [:])
      .container.encoded()
  }

  private func create(_ name: String, _ bytes: [UInt8]) throws {
    try Files.makeDirectories(Files.folder(of: file(name)))
    try Files.create(file(name), bytes)
  }

  /// Sound packages, and ones that end early.
  private func fill(_ folder: String, sound: Int, damaged: Int) throws {
    let bytes = try package()
    for number in 0..<sound { try create("\(folder)/s\(number).particles", bytes) }
    for number in 0..<damaged { try create("\(folder)/d\(number).particles", bytes.dropLast(20)) }
  }

  private func lines(_ text: String, with part: String) -> Int {
    text.split(separator: "\n").count { $0.contains(part) }
  }

  @Test(
    "of files that fail, 20 are named, and the others are counted",
    arguments: [1, 19, 20, 21, 22, 33])
  func failures(count: Int) throws {
    try fill("in", sound: 1, damaged: count)
    let words = ["convert", "-r", file("in"), "--to", "zip", "-o", file("out/")]
    let result = Tool.particles.run(list: words)
    #expect(result.status == .failed)
    let named = lines(result.error + result.output, with: "in/d")
    #expect(named == min(count, 20), "\(result.error)")
    let rest = count - 20
    #expect(
      result.error.contains("more files failed") == (rest > 0), "\(result.error)")
    if rest > 0 {
      #expect(result.error.contains("\(rest) more files failed; --verbose names them"))
    }
    let all = Tool.particles.run(list: words + ["--verbose"])
    #expect(lines(all.error + all.output, with: "in/d") >= count)
    #expect(!all.error.contains("more files failed"))
  }

  @Test(
    "the summary of a conversion has a number for each outcome",
    arguments: [(0, 1), (1, 0), (2, 3), (3, 12)])
  func summary(sound: Int, damaged: Int) throws {
    try fill("in", sound: sound, damaged: damaged)
    try create("in/notes.txt", Array("text".utf8))
    let words = ["convert", "-r", file("in"), "--to", "zip", "-o", file("out/")]
    let result = Tool.particles.run(list: words)
    #expect(result.status == (damaged > 0 ? .failed : .done))
    #expect(result.error.contains("\(sound) converted"), "\(result.error)")
    #expect(result.error.contains(", \(damaged) failed") == (damaged > 0))
    #expect(result.error.contains("failed") == (damaged > 0))
    // Again: files that were converted are skipped.
    let again = Tool.particles.run(list: words + ["--skip-existing", "--json"])
    let summary = try JSONParser.parse(Array(again.output.utf8)).object?["summary"]?.object
    #expect(summary?["failed"] == .int(damaged) && summary?["skipped"] == .int(sound))
    #expect(summary?["converted"] == .int(0) && summary?["refused"] == .int(0))
  }

  @Test("the number of pictures that cannot be drawn is that of the files", arguments: [1, 2])
  func catalog(damaged: Int) throws {
    try fill("in", sound: 2, damaged: damaged)
    let result = run("catalog", "-r", file("in"), "-o", file("out.html"))
    #expect(result.status == .failed)
    #expect(lines(result.error, with: "in/d") == damaged, "\(result.error)")
  }

  // MARK: Losses

  /// A package that libGDX and SceneKit show a little differently.
  private func makeLossy() throws {
    try create(
      "fire.particles",
      package {
        $0.launch.speed = 100
        $0.launch.spread = 20
        $0.lifetime = 2
      })
  }

  private func convert(_ words: [String], to output: String = "out.scnp") -> ExitStatus {
    Tool.particles.run(
      list: ["convert", file("fire.particles"), "-o", file(output), "--force"] + words
    ).status
  }

  @Test("a result without losses is within every threshold, 0 among them")
  func lossless() throws {
    try create("fire.particles", package())
    for word in ["0", "0.0", "1e-300", "1", "info", "low", "medium", "high"] {
      for more in [[], ["--strict"], ["--measure"], ["--measure", "--strict"]] {
        let words = ["--max-loss", word] + more
        #expect(convert(words, to: "out.zip") == .done, "\(words)")
        #expect(try Files.status(file("out.zip")) != nil)
        try Files.removeAll(file("out.zip"))
      }
    }
    for more in [[], ["--strict"], ["--measure"]] {
      #expect(convert(more + ["--max-loss", "0", "-n"], to: "out.zip") == .done)
    }
  }

  @Test("a threshold includes the difference that is measured")
  func inclusive() throws {
    try makeLossy()
    let result = Tool.particles.run(
      list: ["convert", file("fire.particles"), "-o", file("out.scnp"), "--measure", "--json"])
    let document = try JSONParser.parse(Array(result.output.utf8)).object?["files"]?.array?.first
    let difference = try #require(
      document?.object?["difference"]?.object?["difference"]?.double)
    #expect(difference > 0.001 && difference < 0.9)
    // The report has rounded digits. Halving finds the threshold.
    var (low, high) = (0.0, 1.0)
    for _ in 0..<40 {
      let middle = (low + high) / 2
      if convert(["--max-loss", "\(middle)"]) == .done { high = middle } else { low = middle }
    }
    #expect((high - difference).magnitude < 0.01)
    #expect(convert(["--max-loss", "\(high)"]) == .done)
    #expect(convert(["--max-loss", "0"]) == .answerNo && convert(["--max-loss", "1"]) == .done)
    // A refused result is not written.
    try Files.removeAll(file("out.scnp"))
    #expect(convert(["--max-loss", "0", "--strict"]) == .answerNo)
    #expect(try Files.status(file("out.scnp")) == nil)
    #expect(convert(["--max-loss", "1", "--strict"]) == .done)
  }

  @Test("a level includes itself")
  func levels() throws {
    try makeLossy()
    let worst = Tool.particles.run(
      list: ["convert", file("fire.particles"), "--to", "scenekit", "-n", "--json"])
    let counts = try JSONParser.parse(Array(worst.output.utf8)).object?["worst"]?.object
    let levels = ["info", "low", "medium", "high"]
    let level = try #require(levels.firstIndex { counts?[$0] == .int(1) })
    #expect(level > 0)
    for (index, name) in levels.enumerated() {
      #expect(convert(["--max-loss", name]) == (index >= level ? .done : .answerNo), "\(name)")
    }
  }

  @Test(
    "what is no level and no number from 0 to 1 is refused",
    arguments: [
      "-0.1", "1.0000001", "2", "nan", "inf", "0,5", "LOW", " low", "low ", "none",
    ])
  func wrong(word: String) throws {
    try makeLossy()
    #expect(convert(["--max-loss", word]) == .usage, "\(word)")
    #expect(try Files.status(file("out.scnp")) == nil)
  }

  // MARK: Names

  @Test(
    "an extension is compared as a whole: neither with a space at its end nor with more behind it",
    arguments: [
      "a.particles ", "a. particles", "a.particle", "a.particlesx",
    ])
  func extensions(name: String) throws {
    try create("fire.particles", package())
    let result = run("new", file(name))
    #expect(result.status == .usage, "\(name): \(result.error)")
    #expect(try Files.status(file(name)) == nil)
  }

  @Test("an extension in capital letters is the same")
  func capitals() throws {
    #expect(run("new", file("a.PARTICLES")).status == .done)
    #expect(run("convert", file("a.PARTICLES"), "-o", file("b.ZIP")).status == .done)
    #expect(run("validate", file("b.ZIP")).status == .done)
  }
}
