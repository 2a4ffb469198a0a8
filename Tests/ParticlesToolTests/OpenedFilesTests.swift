import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// How many files the real program opens for one conversion.
@Suite(
  "Opened files",
  .enabled(if: FaultInjection.obstacle == nil, "\(FaultInjection.obstacle ?? "")"))
struct OpenedFilesTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// Without what the dynamic linker and the start of the process open.
  private static let startup = 3

  @Test(
    "a conversion opens at most ten files, and one for each image",
    arguments: [
      "scenekit/ember.scnp", "spritekit/sparks.sks", "cocos2d/ember.plist", "cocos2d/ring.plist",
      "particle-designer/ember.json", "starling/ember.pex",
    ],
    [("particles", "particles"), ("sks", "spritekit"), ("plist", "cocos2d"), ("scnp", "scenekit")])
  func opened(fixture: String, target: (kind: String, name: String)) throws {
    for hasImage in [false, true] {
      let folder = scratch.file("\(hasImage)")
      try Files.makeDirectory(folder)
      try Files.makeDirectory("\(folder)/textures")
      let input = "\(folder)/\(Files.lastComponent(of: fixture))"
      try Files.create(input, Files.read(Repository.path("Fixtures/\(fixture)")))
      if hasImage {
        try Files.create(
          "\(folder)/ember.png", Files.read(Repository.path("Fixtures/scenekit/ember.png")))
      }
      let log = scratch.file("log")
      let output = scratch.file("\(hasImage)-out.\(target.kind)")
      let run = try Run(
        try #require(Run.find("strace")),
        [
          "-f", "-o", log, "-e", "trace=open,openat", Run.built("particles"), "convert", input,
          "-o", output, "--to", target.name,
        ], in: scratch.path)
      #expect(run.status == 0, "\(run.errors)")
      let lines = String(decoding: try Files.read(log), as: UTF8.self).split(separator: "\n")
      let opened = lines.filter { $0.contains("\"\(scratch.path)") }
      #expect(opened.count <= 10 - Self.startup + (hasImage ? 1 : 0), "\(opened)")
      #expect(opened.allSatisfy { !$0.contains("ENOENT") }, "\(opened)")
    }
  }
}
