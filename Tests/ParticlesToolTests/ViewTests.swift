import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

@Suite("particles view")
struct ViewTests {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    try Files.create(scratch.file("torch.pex"), Fixture.read("effects/pex/torch.pex"))
    try Files.makeDirectory(scratch.file("bin"))
  }

  /// Installs a browser that notes the addresses it opens.
  private func makeBrowser(status: Int = 0) throws {
    let note = scratch.file("opened")
    try Files.create(
      scratch.file("bin/xdg-open"),
      Array("#!/bin/sh\necho \"$1\" >> '\(note)'\nexit \(status)\n".utf8),
      executable: true)
  }

  private func view(_ words: String...) throws -> Run {
    try Run(
      Run.built("particles"), ["view", "--still-frames", "--size", "16"] + words, in: scratch.path,
      environment: ["PATH": scratch.file("bin") + ":/bin", "XDG_CACHE_HOME": scratch.file("cache")])
  }

  private func opened() throws -> [String] {
    String(decoding: try Files.read(scratch.file("opened")), as: UTF8.self)
      .split(separator: "\n").map(String.init)
  }

  @Test("the page of an effect is opened, and the same page when it is shown again", .needs("sh"))
  func opens() throws {
    try makeBrowser()
    let run = try view("torch.pex")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try view("torch.pex").status == 0)
    let pages = try opened()
    #expect(pages.count == 2 && pages[0] == pages[1] && run.text == pages[0] + "\n")
    let page = String(decoding: try Files.read(pages[0]), as: UTF8.self)
    #expect(page.contains("<title>torch</title>") && page.contains("Starling particle system"))
    #expect(page.contains("\"type\":\"image/webp\""))
    #expect(pages[0].hasPrefix(scratch.file("cache/particles/pages/")))
    // Only the user may look into the folder.
    let mode = try Run.succeeding(
      #require(Run.find("stat")), ["-c", "%a", scratch.file("cache/particles/pages")])
    #expect(mode.text == "700\n")
  }

  @Test("values that could not be read are reported, and the page is shown")
  func unreadValues() throws {
    let text = String(decoding: try Fixture.read("effects/pex/torch.pex"), as: UTF8.self)
    let infinite = text.replacing("<speed value=\"110\"/>", with: "<speed value=\"inf\"/>")
    try Files.create(scratch.file("infinite.pex"), Array(infinite.utf8))
    for options in [[], ["--still-frames", "--size", "16"]] {
      let run = try Run(
        Run.built("particles"), ["view", "--no-open", "infinite.pex"] + options, in: scratch.path,
        environment: ["XDG_CACHE_HOME": scratch.file("cache")])
      #expect(run.status == 0 && run.text.hasSuffix(".html\n"))
      for part in ["infinite.pex:", "'inf'", "[emitter/value]"] {
        #expect(run.errors.contains(part), "\(run.errors)")
      }
    }
  }

  @Test("a file that cannot be read has a page with the error", .needs("sh"))
  func damaged() throws {
    try makeBrowser()
    try Files.create(scratch.file("bad.pex"), Array("<particleEmitterConfig><".utf8))
    let run = try view("bad.pex", "torch.pex")
    #expect(run.status == 2 && run.errors.contains("bad.pex"))
    let pages = try opened()
    #expect(pages.count == 2)
    let page = String(decoding: try Files.read(pages[0]), as: UTF8.self)
    #expect(page.contains("class=\"problems\"") && page.contains("no picture"))
  }

  @Test("without a browser, the message names the page", .needs("sh"))
  func noBrowser() throws {
    // /bin may have the program of this machine.
    try makeBrowser(status: 3)
    let run = try view("torch.pex")
    #expect(run.status == 2 && run.errors.contains("xdg-open started no browser"))
    #expect(run.errors.contains("hint: open the page in a browser: \(try opened()[0])"))
    let missing = try Run(
      Run.built("particles"), ["view", "--still-frames", "--size", "16", "torch.pex"],
      in: scratch.path,
      environment: ["PATH": scratch.file("empty"), "XDG_CACHE_HOME": scratch.file("cache")])
    #expect(missing.status == 2 && missing.errors.contains("xdg-utils"), "\(missing.errors)")
  }

  @Test("only the last pages are kept")
  func bounded() throws {
    let pages = scratch.file("cache/particles/pages")
    try Files.makeDirectories(pages)
    for number in 0..<40 { try Files.create(Files.joined(pages, "\(number).html"), []) }
    #expect(try view("--no-open", "torch.pex").status == 0)
    #expect(try Files.list(pages).count == 32)
  }
}
