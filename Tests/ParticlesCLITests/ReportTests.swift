import ParticlesCLI
import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// Reports of many documents fit on a screen.
@Suite("Reports of many documents") struct ReportTests {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    try Files.makeDirectory(scratch.file("in"))
  }

  private func run(_ words: String...) -> Outcome { Tool.particles.run(list: words) }
  private var folder: String { scratch.file("in") }

  private func lines(_ outcome: Outcome) -> [String] {
    (outcome.output + outcome.error).split(separator: "\n").map(String.init)
  }

  /// Effects with an image that is missing, and with keys that have no place here.
  private func make(_ count: Int, keys: Int) throws {
    for number in 0..<count {
      let keys = (0..<keys).map { "<key>other\($0)</key><real>1</real>" }.joined()
      let plist = """
        <plist><dict><key>maxParticles</key><real>10</real><key>particleLifespan</key><real>1</real>
        <key>emitterType</key><real>0</real><key>textureFileName</key>
        <string>spark\(number % 3).png</string>\(keys)</dict></plist>
        """
      try Files.create(Files.joined(folder, "e\(number).plist"), Array(plist.utf8))
    }
  }

  @Test("findings are grouped by cause, and everything is there with --verbose and --json")
  func validation() throws {
    try make(30, keys: 4)
    for number in 0..<3 { try Files.create(Files.joined(folder, "broken\(number).pex"), [1, 2]) }
    let outcome = run("validate", "-r", folder)
    let lines = lines(outcome)
    #expect(lines.count < 10, "\(lines)")
    #expect(lines.count { $0.contains("broken") } == 3)
    #expect(lines.contains { $0.contains("30 files  warning: not supported here") })
    #expect(lines.contains { $0.hasPrefix("3 images not found in 30 effects;") })
    #expect(lines.last?.hasPrefix("33 files: 3 errors, 150 warnings") == true, "\(lines)")
    #expect(self.lines(run("validate", "-r", "-v", folder)).count > 150)
    let json = try JSONParser.parse(Array(run("validate", "-r", "--json", folder).output.utf8))
    #expect(json.object?["warnings"] == .int(150))
  }

  @Test("errors of many files are counted, and the first 20 are named") func manyErrors() throws {
    for number in 0..<50 { try Files.create(Files.joined(folder, "broken\(number).pex"), [1, 2]) }
    let lines = lines(run("validate", "-r", folder))
    #expect(lines.count == 22 && lines[20].contains("30 files  error: "), "\(lines)")
    let converted = self.lines(run("convert", "-r", folder, "--to", "scenekit", "-n"))
    #expect(converted.count < 25 && converted.contains { $0.contains("30 more files failed") })
    #expect(converted.count { $0.contains("hint: ") } <= 2)
  }

  @Test("at most ten causes are listed, the heaviest first, and the others are counted")
  func causes() {
    let lines = lines(run("validate", "-r", Repository.path("Fixtures/rules")))
    let groups = lines.filter { $0.hasSuffix("]") && $0.contains(#/^ *[0-9]+ files?  /#) }
    #expect(groups.count == 10, "\(groups)")
    let counts = groups.compactMap { Int($0.drop { $0 == " " }.prefix { $0.isNumber }) }
    #expect(counts == counts.sorted(by: >) && counts[0] > 3)
    #expect(lines.contains { $0.contains(#/^and [0-9]+ findings of [0-9]+ other causes;/#) })
  }

  @Test("few findings of few documents are printed as they are; equal ones once") func few() throws
  {
    try make(1, keys: 3)
    let lines = lines(run("validate", Files.joined(folder, "e0.plist")))
    #expect(lines.count == 3, "\(lines)")
    #expect(lines.contains { $0.contains("3 values: other0, other1, other2 [convert/uninter") })
  }

  @Test("conversions: ten differences, images in a line, the files to look at") func conversion()
    throws
  {
    for template in ["fire", "smoke", "magic", "leaves", "galaxy", "plasma", "snow", "rain"] {
      let path = Files.joined(folder, "\(template).particles")
      _ = run("new", path, "-t", template, "-q")
    }
    try make(12, keys: 4)
    let outcome = run("convert", "-r", folder, "--to", "starling", "-n")
    let lines = lines(outcome)
    #expect(lines.count <= 26, "\(lines)")
    #expect(outcome.error.contains(" with losses that are not measured"), "\(outcome.error)")
    #expect(lines.contains { $0.hasPrefix("3 images not found in 12 effects;") })
    let json = try JSONValue(
      parsing: Array(run("convert", "-r", folder, "--to", "starling", "-n", "--json").output.utf8))
    let different = try #require(json.object?["worst"]?.object?["high"]?.int)
    #expect((1..<20).contains(different))
    #expect(lines.contains { $0.hasPrefix("\(different) files probably look different:") })
    #expect(!outcome.output.contains("Shows:") && outcome.output.contains("Probably "))
    #expect(outcome.error.hasPrefix("20 files: 20 checked; "), "\(outcome.error)")
    #expect(self.lines(run("convert", "-r", folder, "--to", "starling", "-n", "-v")).count > 60)
  }

  @Test("pictures of many effects: images are one line, and so are many results") func pictures()
    throws
  {
    try make(12, keys: 0)
    let outcome = run(
      "render", "-r", folder, "-o", scratch.file("out"), "--to", "png", "--size", "8")
    #expect(outcome.status == .done)
    #expect(lines(outcome).count <= 3, "\(lines(outcome))")
    #expect(outcome.error.contains("12 files: 12 written"))
  }

  @Test("places are those of the user, not of a package in memory") func places() throws {
    let text = """
      <particleEmitterConfig><texture name="a.png"/><maxParticles value="900000"/>
      <particleLifeSpan value="1"/><emitterType value="0"/></particleEmitterConfig>
      """
    try Files.create(Files.joined(folder, "a.png"), [0x89, 0x50, 0x4E, 0x47, 1, 2, 3])
    try Files.create(Files.joined(folder, "a.pex"), Array(text.utf8))
    let outcome = run("validate", "-v", Files.joined(folder, "a.pex"))
    #expect(!outcome.output.contains("document.json") && !outcome.output.contains("Images/"))
    #expect(outcome.output.contains("a.pex: warning: "), "\(outcome.output)")
    #expect(outcome.output.contains("a.png"))
  }
}
