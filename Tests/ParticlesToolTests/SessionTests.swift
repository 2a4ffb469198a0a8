import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// Programs with open documents that are killed.
@Suite("Sessions that are killed")
struct SessionTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// A session of the real program with a document, in a folder of its own.
  fileprivate struct Stage {
    var folder: String
    var isText: Bool
    var inPlace: Bool

    var document: String { "\(folder)/\(isText ? "a.txt" : "a.particles")" }
    var data: String { "\(folder)/data" }

    init(_ folder: String, form: Container.Form?, inPlace: Bool) throws {
      (self.folder, isText, self.inPlace) = (folder, form == nil, inPlace)
      try Files.makeDirectory(folder)
      let old = Array("state 0\n".utf8)
      if let form {
        let root = try FileNode(directoryWithFileNodes: [
          "state": FileNode(regularFileWithContents: old),
          "rest": FileNode(regularFileWithContents: SampleTree.noise(3000, seed: 1)),
        ])
        try Container(root: root).write(to: document, as: form)
      } else {
        try Files.create(document, old)
      }
    }

    var injection: FaultInjection {
      FaultInjection(
        Run.built("ParticlesSaveProbe"),
        ["session", document, data, inPlace ? "place" : "journal", "2"], in: folder)
    }

    /// The state of contents.
    private func state(_ contents: FileNode) throws -> Int {
      let node = isText ? contents : try #require(contents["state"])
      let text = String(decoding: try #require(try node.regularFileContents()), as: UTF8.self)
      return try #require(Int(text.dropFirst(6).dropLast()), "\(text)")
    }

    /// The state that the next program offers.
    func offered() async throws -> Int {
      var configuration = DocumentConfiguration(dataFolder: data)
      configuration.autosave = .off
      configuration.isWatching = false
      let document = Document<FileTree>(path: document, configuration: configuration)
      try await document.open()
      let left = try await document.recoverable()
      #expect(left.count <= 1 && (left.isEmpty || !inPlace))
      if let entry = left.first { try await document.recover(entry) }
      let state = try state(try await document.content.root)
      if !left.isEmpty {
        // The program is killed again before it saves, and nothing is lost.
        #expect(try await document.recoverable() == left)
        if inPlace || !isText {
          try await document.save()
          #expect(try await document.recoverable().isEmpty)
        }
      }
      try await document.close(discarding: true)
      return state
    }
  }

  /// The forms of documents, nil for a text.
  private static let forms: [(Container.Form?, Bool)] = [
    (nil, true), (.flat, true), (.directory, true), (nil, false), (.flat, false),
  ]

  @Test(
    "killed at any system call: the next program offers the last state that was saved",
    .enabled(
      if: FaultInjection.obstacle == nil,
      "\(FaultInjection.obstacle ?? ""): what is left of killed sessions is not tested"),
    arguments: forms)
  func killed(form: Container.Form?, inPlace: Bool) async throws {
    func stage(_ name: String) throws -> Stage {
      try Stage(scratch.file(name), form: form, inPlace: inPlace)
    }
    let points = try stage("points").injection.points()
    #expect(try await Stage.last(of: stage("whole")) == 2)
    var seen: Set<Int> = []
    var count = 0
    for first in points {
      for point in first.times {
        let stage = try stage("\(point)")
        guard let (run, _) = try stage.injection.run(.death, at: point) else { break }
        let acknowledged = run.text.split(separator: "\n").compactMap { Int($0) }.last ?? 0
        let offered = try await stage.offered()
        #expect(
          offered == acknowledged || offered == acknowledged + 1,
          "\(point): \(run.text)")
        seen.insert(offered)
        count += 1
        try Files.removeAll(stage.folder)
      }
    }
    // Of a sample of the calls, none may be between the first state and the second.
    #expect(seen == [0, 1, 2] || !Sample.isWhole && seen.isSuperset(of: [0, 2]))
    #expect(count >= 8)
  }

  @Test("processes that edit one document and are killed at random lose no acknowledged edit")
  func shared() async throws {
    let path = scratch.file("a.particles")
    try Container(root: .emptyDirectory).write(to: path, as: .flat)
    // Until each has lost some processes and saved some edits, or longer: PARTICLES_SHARED_SECONDS=60.
    let seconds = Double(Run.variable("PARTICLES_SHARED_SECONDS") ?? "") ?? (Sample.isWhole ? 4 : 0)
    let (deadline, end) = (Deadline(seconds: seconds), Deadline(seconds: seconds + 200))
    let data = scratch.file("data")
    let acknowledged = try await withThrowingTaskGroup(of: [String].self) { group in
      for writer in 0..<2 {
        group.addTask {
          var lines: [String] = []
          var random = SeededGenerator(seed: UInt64(writer))
          var round = 0
          var longest = 400
          // On a busy machine a process needs longer to begin.
          while !deadline.isOver || lines.count < 20 && !end.isOver {
            round += 1
            let milliseconds = Int.random(in: 30...longest, using: &random)
            let run = try Run(
              Run.built("ParticlesSaveProbe"),
              ["share", path, data, "w\(writer)-\(round)", "1000"],
              killedAfter: Double(milliseconds) / 1000)
            #expect(run.status != 2, "\(run.text)")
            if run.text.isEmpty { longest += longest / 2 }
            lines += run.text.split(separator: "\n").map(String.init)
          }
          return lines
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    let root = try Container(contentsOf: path).root
    let missing = acknowledged.filter { root[$0] == nil }
    #expect(missing.isEmpty, "\(missing.prefix(5)) of \(acknowledged.count)")
    #expect(acknowledged.count > 20)
    #expect(Set(acknowledged.map { $0.prefix(2) }).count == 2)
    #expect(try Container(contentsOf: path).verify().allSatisfy { $0.rule == .torn })
  }
}

extension SessionTests.Stage {
  /// The state after a run that nobody kills.
  fileprivate static func last(of stage: SessionTests.Stage) async throws -> Int {
    let run = try Run.succeeding(
      stage.injection.program, stage.injection.arguments, in: stage.folder)
    #expect(run.text == "1\n2\n")
    return try await stage.offered()
  }
}

/// The example applications.
@Suite("Examples")
struct ExampleTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  @Test("the text editor: typing, undo, versions, a new name")
  func text() throws {
    let path = scratch.file("notes.txt")
    let script = """
      type one
      type two
      replace two/three
      undo
      undo
      undo
      redo
      save
      rename story
      status
      quit

      """
    let run = try Run(Run.built("ExampleTextEditor"), [path], input: Array(script.utf8))
    #expect(run.status == 0, "\(run.errors)")
    // Events are reported at any time.
    let lines = run.text.split(separator: "\n").filter { !$0.hasPrefix("the text is at") }
    #expect(
      lines.map { "\($0)\n" }.joined() == """
        undid Replace
        undid Typing
        nothing to undo
        redid Typing
        \(scratch.file("story.txt")) open

        """)
    #expect(try Files.read(scratch.file("story.txt")) == Array("one\ntwo\n".utf8))
    #expect(try Files.list(scratch.path) == ["story.txt"])
  }

  @Test("the effect editor: edits, a group, and edits that can be undone by the tool")
  func effect() throws {
    let path = scratch.file("fire.particles")
    try #require(EffectTemplate.named("fire")).package().container.write(to: path, as: .flat)
    let script = """
      # a comment
      emitters[0].emission.rate=120
      emitters[0].emission.rate=130
      group Warmer
      emitters[*].size.width*=1.2
      asset.author=Me
      end
      seed=5
      undo
      emitters[0].emission.rte=1
      """
    try Files.create(scratch.file("script.txt"), Array(script.utf8))
    let run = try Run(
      Run.built("ExampleEffectEditor"), [path, scratch.file("script.txt")],
      environment: ["XDG_DATA_HOME": scratch.file("data")])
    #expect(run.status == 1)
    #expect(run.text.contains("emitters[0].emission.rte=1: "))
    #expect(run.text.hasSuffix("2 edits can be undone\n"))
    let editor = try EffectEditor(EffectPackage(Container(contentsOf: path)))
    #expect(try editor.value("emitters[0].emission.rate") == .int(130))
    #expect(try editor.value("asset.author") == .string("Me"))
    #expect(try editor.value("seed") != .int(5))
    let undo = try Run(
      Run.built("particles"), ["undo", path], environment: ["XDG_DATA_HOME": scratch.file("data")])
    #expect(undo.errors == "undid Warmer\n")
  }
}
