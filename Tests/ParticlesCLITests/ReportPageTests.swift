import ParticlesCore
import ParticlesDocuments
import ParticlesSystem
import ParticlesTestSupport
import Testing

@testable import ParticlesCLI

@Suite("convert --report and catalog")
struct ReportPageTests {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    try Files.makeDirectory(scratch.file("in"))
    for (fixture, name) in [("pex/torch.pex", "torch.pex"), ("plist/snow.plist", "snow <b>.plist")]
    {
      try Files.create(scratch.file("in/\(name)"), Fixture.read("effects/\(fixture)"))
    }
    try Files.create(scratch.file("in/bad.pex"), Array("<particleEmitterConfig><".utf8))
  }

  private func file(_ name: String) -> String { scratch.file(name) }
  private func run(_ words: String...) -> Outcome { Tool.particles.run(list: words) }

  private func text(_ name: String) throws -> String {
    String(decoding: try Files.read(file(name)), as: UTF8.self)
  }

  @Test("the report of a batch is one page: failures, and effects with both pictures")
  func report() throws {
    let words = ["convert", "-r", file("in"), "--to", "spritekit", "-n", "--report"]
    let outcome = Tool.particles.run(list: words + [file("report.html")])
    #expect(outcome.status == .failed)
    #expect(outcome.error.contains("wrote \(file("report.html")): 2 effects, 2 pictures,"))
    let page = try text("report.html")
    #expect(page.contains("2 converted, 1 failed") && page.contains("1 not converted</summary>"))
    #expect(page.contains("snow &lt;b&gt;.plist") && !page.contains("<b>"))
    #expect(page.split(separator: "<article").count == 3)
    #expect(page.split(separator: "data:image/webp;base64,").count == 3)
    #expect(page.contains("The levels are estimates"))
    #expect(try Files.list(scratch.path).sorted() == ["in", "report.html"])
    // The page is not replaced unasked, and is a page.
    #expect(Tool.particles.run(list: words + [file("report.html")]).error.contains("[file/exists]"))
    #expect(Tool.particles.run(list: words + [file("report.txt")]).status == .usage)
    let packages = run("convert", "-r", file("in"), "-o", file("out"), "--report", file("r.html"))
    #expect(packages.status == .usage && packages.error.contains("another format of effects"))
  }

  @Test("with --measure, the effects are sorted by their measured difference")
  func measured() throws {
    let outcome = run(
      "convert", file("in/torch.pex"), file("in/snow <b>.plist"), "--to", "scenekit", "-n",
      "--max-loss", "1", "--report", file("report.html"))
    #expect(outcome.status == .done, "\(outcome.error)")
    let page = try text("report.html")
    let numbers = page.split(separator: "data-difference=\"").dropFirst().compactMap {
      Double($0.prefix { $0 != "\"" })
    }
    #expect(numbers.count == 2 && numbers == numbers.sorted(by: >), "\(numbers)")
    #expect(numbers.allSatisfy { (0...1).contains($0) } && !page.contains("are estimates"))
  }

  @Test("a catalogue shows each effect as a tile, and a file that cannot be read with its error")
  func catalog() throws {
    let outcome = run(
      "catalog", file("in"), "-o", file("page.html"), "--size", "16", "--duration", "0.1")
    #expect(outcome.status == .failed)
    let page = try text("page.html")
    #expect(page.split(separator: "<article class=\"tile\"").count == 4)
    #expect(page.contains("data-filter=\"Starling particle system\""))
    #expect(page.contains("data-filter=\"Cannot be read\"") && page.contains("no picture"))
    let size = try Files.read(file("in/torch.pex")).count
    #expect(page.contains("data-size=\"\(size)\""))
    #expect(!page.contains("data-effect="))
  }

  @Test("a catalogue plays its effects where the player was built, unless frames are asked for")
  func playing() throws {
    let base = ["catalog", file("in"), "-o", file("page.html"), "--size", "16", "-f", "--json"]
    for (options, isPlaying) in [([], true), (["--still-frames"], false), (["--fps", "4"], false)] {
      let outcome = Tool.particles.run(list: base + options)
      let plays = isPlaying && PlayerFiles.built.module != nil
      let page = try text("page.html")
      #expect(outcome.output.contains("\"simulates\": \(plays)"))
      #expect(page.split(separator: "data-effect=").count == (plays ? 3 : 1))
      #expect(page.contains("id=\"player\"") == plays)
      // Where a page could play, one that does not has a reason.
      let note = "this build has no simulation for web pages"
      #expect(outcome.error.contains(note) == (isPlaying && !plays))
    }
  }

  @Test("a catalogue has as many images per second as are asked for, or 15, without equal ones")
  func rate() throws {
    for (options, counts) in [([], 5...15), (["--fps", "4"], 4...4), (["--fps", "60"], 16...60)] {
      _ = Tool.particles.run(
        list: [
          "catalog", file("in"), "-o", file("page.html"), "--size", "16", "-f", "--duration", "1",
        ] + options)
      let pictures = try text("page.html").split(separator: "data:image/webp;base64,").dropFirst()
      #expect(pictures.count == 2)
      for picture in pictures {
        let bytes = try [UInt8](
          base64: String(picture.prefix { $0 != "\"" }), rule: .fileUnreadable)
        let count = bytes.ranges(of: Array("ANMF".utf8)).count
        #expect(counts.contains(count), "\(options): \(count)")
      }
    }
  }
}
