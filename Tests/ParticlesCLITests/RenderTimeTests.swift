import ParticlesCLI
import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

@Suite("Times and paths of particles render") struct RenderTimeTests {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    for name in ["snow", "sparks"] {
      _ = run("new", scratch.file("\(name).particles"), "-t", name, "-q")
    }
  }

  private func run(_ words: String...) -> Outcome { Tool.particles.run(list: words) }

  /// The row of `--json` of an animation of 8 pixels.
  private func row(_ name: String, _ words: String...) throws -> JSONObject {
    let outcome = Tool.particles.run(
      list: [
        "render", scratch.file("\(name).particles"), "-o", scratch.file("out.gif"), "--size", "8",
        "--fps", "5", "--json", "-f",
      ] + words)
    #expect(outcome.status == .done, "\(outcome.error)")
    let document = try JSONValue(parsing: Array(outcome.output.utf8))
    let files = document.object?["files"]?.array ?? []
    return try #require(files.first?.object)
  }

  @Test("what was chosen for an endless effect is in the JSON, and options choose otherwise")
  func choices() throws {
    let chosen = try row("snow")
    #expect(
      chosen["loop"]?.string == "seamless" && chosen["plays"]?.double == 0
        && chosen["pause"]?.double == 0)
    #expect((chosen["warmup"]?.double ?? 0) > 1)
    let other = try row("snow", "--loop", "once", "--pause", "2", "--duration", "1", "--at", "0")
    #expect(
      other["loop"]?.string == "once" && other["plays"]?.double == 1 && other["pause"]?.double == 2)
    #expect(
      other["seconds"]?.double == 3 && other["warmup"]?.double == 0 && other["frames"]?.double == 5)
  }

  @Test("the files play once or for ever, as it was chosen", arguments: ["gif", "apng", "webp"])
  func plays(format: String) throws {
    let path = scratch.file("out.\(format)")
    for (loop, plays) in [("once", UInt8(1)), ("seamless", 0)] {
      let outcome = Tool.particles.run(
        list: [
          "render", scratch.file("snow.particles"), "-o", path, "--to", format, "--size", "8",
          "--fps", "5", "--duration", "1", "--loop", loop, "-f",
        ])
      #expect(outcome.status == .done, "\(outcome.error)")
      let bytes = try Files.read(path)
      func after(_ name: String) -> ArraySlice<UInt8>? {
        bytes.firstRange(of: Array(name.utf8)).map { bytes[$0.upperBound...] }
      }
      switch format {
      // A GIF without a number of repetitions is played once.
      case "gif": #expect((after("NETSCAPE2.0") == nil) == (plays == 1))
      // The number of images is before the number of plays.
      case "apng": #expect(after("acTL")?.dropFirst(4).prefix(4) == [0, 0, 0, plays])
      // The size of the part and a colour are before it.
      default: #expect(after("ANIM")?.dropFirst(8).prefix(2) == [plays, 0])
      }
    }
  }

  @Test("effects move along a form, points or a file")
  func moving() throws {
    try Files.create(scratch.file("way.txt"), Array("0 0 0\n1 50 0\n1.6 50 20\n".utf8))
    for (path, frames) in [
      ("line", 5), ("circle", 5), ("0,0 10,0", 5), (scratch.file("way.txt"), 8),
    ] {
      let words = frames == 5 ? ["--duration", "1"] : []
      let outcome = Tool.particles.run(
        list: [
          "render", scratch.file("sparks.particles"), "-o", scratch.file("m.gif"), "--size", "8",
          "--fps", "5", "--json", "-f", "--move", path,
        ] + words)
      #expect(
        outcome.status == .done && outcome.output.contains("\"frames\": \(frames)"), "\(path)")
    }
  }

  @Test("paths that are none, and transparent MP4, are errors with a next step")
  func faults() throws {
    try Files.create(scratch.file("bad.txt"), Array("0 0 0\n1 x 0\n".utf8))
    let file = scratch.file("sparks.particles")
    for (words, text) in [
      (["--move", "square"], "'square' is neither a path nor a file"),
      (["--move", scratch.file("bad.txt")], "bad.txt:2:1:"),
      (["--move", "1,1 1,1"], "at least 2 different points"),
      (["--to", "mp4", "--background", "transparent"], "MP4 videos are not transparent"),
    ] {
      let outcome = Tool.particles.run(
        list: ["render", file, "-o", scratch.file("no.gif"), "--size", "8"] + words)
      #expect(outcome.status != .done && outcome.error.contains(text), "\(outcome.error)")
      #expect(outcome.error.contains("hint") || outcome.error.contains("use "))
    }
    #expect(try Files.status(scratch.file("no.gif")) == nil)
  }
}
