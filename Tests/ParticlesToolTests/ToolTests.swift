import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// The real program, a few times: what only a process has.
@Suite("The tool as a process")
struct ToolTests {
  private let tool = Run.built("particles")
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func run(_ arguments: String..., input: [UInt8] = []) throws -> Run {
    try Run(tool, arguments, input: input, in: scratch.path)
  }

  @Test("statuses and streams")
  func statuses() throws {
    let version = try run("--version")
    #expect(version.status == 0 && version.text.hasPrefix("particles ") && version.errors.isEmpty)
    let usage = try run("convrt")
    #expect(usage.status == 64 && usage.text.isEmpty && usage.errors.contains("convert"))
    let missing = try run("info", "nothing.particles")
    #expect(missing.status == 2 && missing.text.isEmpty)
    #expect(missing.errors.hasPrefix("particles: nothing.particles: error: no such file"))
    let fault = Repository.path("Fixtures/rules/container/checksum-block.particles")
    let invalid = try run("validate", fault)
    #expect(invalid.status == 1 && invalid.text.contains("[container/checksum]"))
  }

  @Test("bytes pass through standard input and output unharmed")
  func streams() throws {
    let package = try run("new", "-", "--template", "sparks")
    #expect(package.status == 0)
    let image = try run("extract", "-", "Images/spark.png", input: package.output)
    #expect(image.status == 0 && image.output.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    let converted = try run("convert", "-", "-o", "-", input: package.output)
    #expect(converted.output == package.output)
  }

  @Test("a hyphen is standard input, also where a file has this name")
  func hyphen() throws {
    try Files.create(scratch.file("-"), try run("new", "-", "--template", "snow").output)
    let package = try run("new", "-", "--template", "sparks").output
    for words in [["list", "-"], ["extract", "-", "document.json"]] {
      let streamed = try Run(tool, words, input: package, in: scratch.path)
      let named = try Run(tool, words.map { $0 == "-" ? "./-" : $0 }, in: scratch.path)
      #expect(streamed.status == 0 && named.status == 0)
      #expect(streamed.text.contains("park") && named.text.contains("lake"), "\(words)")
      #expect(!streamed.text.contains("lake"))
    }
  }

  @Test("a document is edited in place; what does not fit changes no byte")
  func edit() throws {
    #expect(try run("new", "a.particles", "--template", "snow").status == 0)
    let path = scratch.file("a.particles")
    #expect(try run("edit", "a.particles", "emitters[Near].emission.rate=12").status == 0)
    let before = try Files.read(path)
    let document = try run("extract", "a.particles", "document.json").text
    #expect(document.contains("\"emission\": {\"rate\": 12},\n"))
    for change in ["emitters[0].sprites[0]=99", "emitters[0].lifetime=long", "emiters=1"] {
      let refused = try run("edit", "a.particles", change)
      #expect(refused.status == 2 || refused.status == 64)
      #expect(refused.text.isEmpty && !refused.errors.isEmpty)
    }
    #expect(try Files.read(path) == before)
    let piped = try run("edit", "-", "--unset", "emitters[Near].emission", "-o", "-", input: before)
    #expect(piped.status == 0)
    #expect(
      try run("extract", "-", "document.json", input: piped.output).text
        == document.replacing("      \"emission\": {\"rate\": 12},\n", with: ""))
    let listed = try run("edit", "--list", "seed")
    #expect(listed.text.hasPrefix("seed\n    integer; default 0\n"))
  }

  @Test("a reader that leaves is no error", .needs("sh"))
  func brokenPipe() throws {
    let shell = try #require(Run.find("sh"))
    let run = try Run(
      shell, ["-c", "{ '\(tool)' help --manual; echo $? >&2; } | head -n 1"], in: scratch.path)
    #expect(run.errors == "0\n")
  }

  @Test("a full disk is an error, and leaves nothing", .needs("sh"))
  func fullDisk() throws {
    let shell = try #require(Run.find("sh"))
    let run = try Run(shell, ["-c", "'\(tool)' new - > /dev/full"], in: scratch.path)
    #expect(run.status == 2 && run.errors.contains("[file/unwritable]"))
  }

  @Test("a file that may not grow so large is an error, too", .needs("sh"))
  func fileSizeLimit() throws {
    let shell = try #require(Run.find("sh"))
    let sources = Repository.path("Sources/ParticlesCore")
    #expect(try run("new", "a.particles").status == 0)
    let old = try Files.read(scratch.file("a.particles"))
    let script = "ulimit -f 8; '\(tool)' pack '\(sources)' -o a.particles --force"
    let run = try Run(shell, ["-c", script], in: scratch.path)
    #expect(run.status == 2 && run.errors.hasPrefix("particles: a.particles: error: "))
    #expect(try Files.list(scratch.path) == ["a.particles"])
    #expect(try Files.read(scratch.file("a.particles")) == old)
  }

  @Test("names that would drive a terminal are shown as escapes")
  func escapes() throws {
    let run = try run("info", "\u{1B}[2J")
    #expect(run.status == 2 && !run.errors.contains("\u{1B}") && run.errors.contains("\\u{1b}"))
  }
}
