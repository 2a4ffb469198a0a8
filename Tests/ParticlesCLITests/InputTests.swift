import ParticlesCLI
import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// One model of inputs for every command that takes documents.
@Suite("Inputs of commands") struct InputTests {
  private let scratch: Scratch

  /// The words of each command, with a place for its inputs and one for its result.
  private static let commands: [(words: [String], result: String?)] = [
    (["info"], nil), (["validate"], nil),
    (["convert", "--to", "scenekit"], "out"),
    (["render", "--to", "png", "--size", "8"], "out"),
    (["thumbnail", "-s", "8"], "out"),
    (["sheet", "--contact", "--size", "16"], "out.png"),
    (["sheet", "--size", "8", "--fps", "2", "--duration", "1"], "out/"),
    (["simulate", "--frames", "2", "--seeds", "1"], "out"),
    (["catalog", "--size", "8", "--fps", "2", "--duration", "1"], "out.html"),
  ]

  init() throws {
    scratch = try Scratch()
    for folder in ["in", "in/sub", "in/left"] { try Files.makeDirectory(scratch.file(folder)) }
    let plist = """
      <plist><dict><key>maxParticles</key><real>2</real><key>particleLifespan</key><real>1</real>
      <key>emitterType</key><real>0</real></dict></plist>
      """
    for name in ["a.plist", "sub/b c.plist", "sub/d\ne.plist", "left/f.plist"] {
      try Files.create(scratch.file("in/\(name)"), Array(plist.utf8))
    }
    try Files.create(scratch.file("in/notes.txt"), Array("text".utf8))
    try Files.create(scratch.file("in/.gitignore"), Array("left/\n".utf8))
  }

  private func run(_ index: Int, _ inputs: String..., more: [String] = []) -> Outcome {
    let (words, result) = Self.commands[index]
    let output = result.map { ["-o", scratch.file($0), "--force"] } ?? []
    let force =
      words[0] == "validate" || words[0] == "info" ? output.filter { $0 != "--force" } : output
    return Tool.particles.run(list: words + inputs.map(scratch.file) + force + more)
  }

  private func written() throws -> [String] {
    func list(_ folder: String, _ prefix: String) throws -> [String] {
      try Files.list(folder).flatMap { name -> [String] in
        let path = Files.joined(folder, name)
        return try Files.status(path)?.kind == .directory
          ? list(path, prefix + name + "/") : [prefix + name]
      }
    }
    return try list(scratch.file("out"), "").sorted()
  }

  @Test("a folder needs --recursive, and the message says so", arguments: 0..<8)
  func folder(_ index: Int) {
    let outcome = run(index, "in")
    #expect(outcome.status > .done && outcome.error.contains("--recursive"), "\(outcome.error)")
  }

  @Test("folders, quoted patterns and filters", arguments: 0..<9)
  func inputs(_ index: Int) throws {
    let found = run(index, "in", more: ["-r", "-v"])
    #expect(found.status == .done, "\(found.error)")
    #expect(found.error.contains("notes.txt") && found.error.contains("in/left"))
    #expect(!found.output.contains("f.plist"))
    #expect(run(index, "in/**/*.plist").status == .done)
    #expect(run(index, "in", more: ["-r", "--include", "b*"]).status == .done)
    #expect(run(index, "in", more: ["-r", "--no-ignore", "--exclude", "sub"]).status == .done)
  }

  @Test("doing nothing is no success", arguments: 0..<9)
  func nothing(_ index: Int) throws {
    let unmatched = run(index, "in/*.nothing")
    #expect(unmatched.status == .failed, "\(unmatched.error)")
    #expect(unmatched.error.contains("no file matches this pattern"), "\(unmatched.error)")
    let ignored = run(index, "in/left", "in", more: ["-r", "--exclude", "*.plist"])
    #expect(ignored.status == .answerNo && ignored.error.contains("--exclude"), "\(ignored.error)")
    try Files.create(scratch.file("in/.ignore"), Array("*\n".utf8))
    let all = run(index, "in", more: ["-r"])
    #expect(all.status == .answerNo && all.error.contains("--no-ignore"), "\(all.error)")
    #expect(try Files.status(scratch.file("out")) == nil)
    #expect(try Files.status(scratch.file("out.html")) == nil)
  }

  @Test("results have the subfolders of their inputs", arguments: [3, 4, 7])
  func subfolders(_ index: Int) throws {
    #expect(run(index, "in", more: ["-r"]).status == .done)
    let kind = index == 7 ? "json" : "png"
    #expect(try written() == ["a.\(kind)", "sub/b c.\(kind)", "sub/d\ne.\(kind)"])
  }

  @Test("--to frames makes the folder that it names") func frames() throws {
    let words = ["--to", "frames", "--size", "8", "--fps", "2", "--duration", "1"]
    let input = scratch.file("in/a.plist")
    let folder = scratch.file("out")
    #expect(Tool.particles.run(list: ["render", input, "-o", folder] + words).status == .done)
    #expect(try written() == ["a-0.png", "a-1.png"])
    let named = Tool.particles.run(list: ["render", input, "-o", folder + "/x.png"] + words)
    #expect(try named.status == .done && written() == ["a-0.png", "a-1.png", "x-0.png", "x-1.png"])
    let new = Tool.particles.run(list: ["render", input, "-o", folder + "/new/y.png"] + words)
    #expect(new.status == .done)
    #expect(try Files.list(folder + "/new").sorted() == ["y-0.png", "y-1.png"])
    // A failure leaves no empty folder.
    let absent = scratch.file("in/absent.plist")
    let failed = Tool.particles.run(list: ["render", absent, "-o", folder + "/no/y.png"] + words)
    #expect(try failed.status == .failed && Files.status(folder + "/no") == nil)
  }

  @Test("results beside the files of a folder, and results that are not searched") func places()
    throws
  {
    let words = ["render", "-r", "--to", "png", "--size", "8", scratch.file("in")]
    #expect(Tool.particles.run(list: words + ["--beside"]).status == .done)
    #expect(try Files.list(scratch.file("in/sub")).contains("b c.png"))
    let inside = ["convert", "-r", scratch.file("in"), "-o", scratch.file("in/out")]
    for _ in 1...2 {
      let outcome = Tool.particles.run(list: inside + ["--force"])
      #expect(outcome.status == .done && outcome.error.contains(" 3 converted"), "\(outcome.error)")
    }
    let only = Tool.particles.run(
      list: [
        "convert", "-r", scratch.file("in"), "-o", scratch.file("in/out"), "--exclude", "*.plist",
      ])
    #expect(only.status == .answerNo)
  }

  @Test("a folder that may not be read is an error, and the others are processed")
  func rights() throws {
    try Files.makeLink(scratch.file("in/loop.pex"), to: "loop.pex")
    let named = run(1, "in", "in/loop.pex", more: ["-r"])
    #expect(named.status == .failed && named.error.contains("4 files"), "\(named.error)")
  }
}
