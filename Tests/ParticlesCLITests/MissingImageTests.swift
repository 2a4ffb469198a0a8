import Foundation
import ParticlesCLI
import ParticlesCore
import ParticlesImages
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// Images that a file names and that are not beside it.
@Suite("Missing images") struct MissingImageTests {
  private let scratch: Scratch
  private static let plist = """
    <plist><dict><key>maxParticles</key><real>10</real><key>particleLifespan</key><real>1</real>
    <key>emitterType</key><real>0</real><key>textureFileName</key><string>spark.png</string></dict></plist>
    """

  init() throws {
    scratch = try Scratch()
    for folder in ["in", "in/textures", "art", "art/deep", "art/deep/spark.imageset"] {
      try Files.makeDirectory(scratch.file(folder))
    }
    try Files.create(scratch.file("in/a.plist"), Array(Self.plist.utf8))
  }

  private func run(_ words: String...) -> (status: ExitStatus, text: String) {
    run(list: words)
  }

  private func run(list words: [String]) -> (status: ExitStatus, text: String) {
    let result = Tool.particles.run(list: words)
    return (result.status, result.output + result.error)
  }

  @Test("info and validate list what is missing and the folders that were searched")
  func searched() throws {
    for command in ["info", "validate"] {
      let result = run(command, scratch.file("in/a.plist"), "--images", scratch.file("art"))
      #expect(result.status == .done)
      for part in [
        "spark.png", scratch.file("in"), scratch.file("in/textures"),
        "\(scratch.file("art")) and its subfolders",
      ] { #expect(result.text.contains(part), "\(command): \(result.text)") }
      // A folder that does not exist is not listed.
      #expect(!result.text.contains(scratch.file("in/images")), "\(command)")
    }
    let json = run("info", "--json", scratch.file("in/a.plist"))
    #expect(json.text.contains("\"missing\"") && json.text.contains(scratch.file("in/textures")))
  }

  @Test("a picture that lacks a value which cannot be read comes with a warning")
  func infiniteValue() throws {
    let text = Self.plist.replacingOccurrences(of: "<real>10</real>", with: "<real>inf</real>")
    try Files.create(scratch.file("in/infinite.plist"), Array(text.utf8))
    let file = scratch.file("in/infinite.plist")
    let commands = [
      ["render", file, "-o", scratch.file("a.png"), "--size", "8"],
      ["sheet", file, "-o", scratch.file("sheet.png"), "--size", "8"],
      ["sheet", "--contact", file, "-o", scratch.file("contact.png"), "--size", "16"],
      ["thumbnail", file, scratch.file("b.png"), "-s", "8"],
      ["catalog", file, "-o", scratch.file("c.html"), "--size", "8"],
      ["simulate", file, "-o", scratch.file("d.json"), "--frames", "2"],
    ]
    for command in commands {
      let result = run(list: command)
      #expect(result.status == .done)
      for part in ["infinite.plist:", "'inf'", "[emitter/value]"] {
        #expect(result.text.contains(part), "\(command[0]): \(result.text)")
      }
    }
    let page = String(decoding: try Files.read(scratch.file("c.html")), as: UTF8.self)
    #expect(page.contains("(maxParticles"))
  }

  @Test("an image set in a subfolder of --images is found")
  func imageSets() throws {
    let set = scratch.file("art/deep/spark.imageset")
    let image = try PNG.encode(Bitmap(width: 2, height: 2) { _, _ in (1, 1, 1, 1) })
    try Files.create(Files.joined(set, "any.png"), image)
    try Files.create(
      Files.joined(set, "Contents.json"),
      Array(#"{"images": [{"filename": "any.png", "scale": "1x"}]}"#.utf8))
    let result = run("info", scratch.file("in/a.plist"), "--images", scratch.file("art"))
    #expect(!result.text.contains("not found") && result.text.contains("2 × 2"), "\(result.text)")
  }

  @Test(
    "the name survives a conversion to every format, and nothing is substituted",
    arguments: ["pex", "json", "sks", "scnp", "plist"])
  func names(kind: String) throws {
    let output = scratch.file("out.\(kind)")
    // Several formats have files of the kind json.
    let target = kind == "json" ? ["--to", "particle-designer"] : []
    let result = run(list: ["convert", scratch.file("in/a.plist"), "-o", output] + target)
    #expect(result.status == .done, "\(result.text)")
    let again = run("info", output)
    #expect(again.text.contains("spark.png") && again.text.contains("missing"), "\(again.text)")
    let bytes = try Files.read(output)
    #expect(!bytes.containsImage, "\(kind)")
  }
}

extension [UInt8] {
  /// Whether the bytes hold base64 of gzip, or a PNG.
  fileprivate var containsImage: Bool {
    let text = String(decoding: self, as: UTF8.self)
    return text.contains("H4sI") || text.contains("IHDR")
  }
}
