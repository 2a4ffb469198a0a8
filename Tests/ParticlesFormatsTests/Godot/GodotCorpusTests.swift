import Foundation
import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesFormats
import ParticlesImages
import ParticlesModel
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// Over scenes of Godot 3 and 4, from the corpus and from the project.
struct GodotCorpusTests {
  static let files = Corpus.sample("godot", "tscn", 12)

  static func load(_ path: String) throws -> (imported: Imported, format: ParticleFormat) {
    let bytes = try Files.read(path)
    let format = try FormatRegistry.standard.recognising(bytes, fileName: "x")
    let name = Files.lastComponent(of: path)
    return (try format.decode(bytes, DecodingContext(fileName: name)), format)
  }

  @Test("every scene is imported as a valid document, and comes back byte by byte")
  func everyFileComesBack() throws {
    var rules: [String: Int] = [:]
    var emitters = 0
    for path in Self.files {
      let (imported, format) = try Self.load(path)
      let system = imported.system
      emitters += system.emitters.count
      for finding in imported.diagnostics { rules[finding.rule.code, default: 0] += 1 }
      #expect(imported.diagnostics.allSatisfy { $0.severity < .error }, "\(path)")
      let faults = system.diagnostics().filter { $0.severity >= .warning }
      #expect(faults.isEmpty, "\(path): \(faults)")
      #expect(try ParticleSystem(decoding: system.encoded()) == system)
      let name = Files.lastComponent(of: path)
      let same = try imported.package().exported(as: format, fileName: name)
      #expect(same.losses.allSatisfy { $0.rule == .missingImage }, "\(path): \(same.losses)")
      #expect(same.parts.map(\.bytes) == [imported.source], "\(path)")
    }
    let list = rules.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    print(
      "godot: \(Self.files.count) scenes, \(emitters) emitters, \(list.joined(separator: ", "))")
    #expect(Corpus.published("godot", "tscn").count == (Corpus.isPresent ? 66 : 0))
    #expect(rules.allSatisfy { $0.value <= Self.findings[$0.key, default: 0] }, "\(list)")
  }

  /// How often each rule is broken by the corpus.
  static let findings = [
    "convert/missing-image": 71, "convert/uninterpreted": 143, "convert/approximated": 30,
    "convert/assumed": 40,
  ]

  @Test("scenes of the project import without any finding", arguments: Corpus.own("godot", "tscn"))
  func ownScenes(path: String) throws {
    #expect(try Self.load(path).imported.diagnostics.isEmpty)
  }

  @Test("one changed value is one changed line, or one more")
  func editsChangeTheirLinesOnly() throws {
    var count = 0
    for path in Self.files {
      let (imported, format) = try Self.load(path)
      for edit in Self.edits {
        var package = try imported.package()
        var system = imported.system
        edit(&system.emitters[system.emitters.count - 1])
        try package.setSystem(system)
        let edited = try package.exported(as: format, fileName: Files.lastComponent(of: path))
        #expect(edited.losses.allSatisfy { $0.rule == .missingImage }, "\(path): \(edited.losses)")
        let lines = edited.parts[0].bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
          .difference(
            from: imported.source.split(separator: 0x0A, omittingEmptySubsequences: false))
        // `preprocess` counts in seconds before `speed_scale`, so that both lines change.
        let (before, after) = (imported.system.emitters.last, system.emitters.last)
        let isBoth = before?.timing.speed != after?.timing.speed && after?.timing.prewarm ?? 0 > 0
        let most = isBoth ? 2 : 1
        #expect(
          lines.insertions.count == most && lines.removals.count <= most, "\(path): \(lines)")
        count += 1
      }
    }
    print("godot: \(count) edits, one line each")
  }

  /// Changes of one property of a node.
  private static let edits: [@Sendable (inout Emitter) -> Void] = [
    { $0.timing.prewarm += 0.25 },
    { $0.timing.speed += 0.5 },
    { $0.emission.jitter = $0.emission.jitter == 0.5 ? 0.25 : 0.5 },
    {
      $0.space = $0.space == .local ? .world : .local
      for index in $0.forces.indices {
        $0.forces[index].space = $0.space == .local ? .local : .world
      }
    },
    { $0.timing.loop.toggle() },
  ]

  @Test("the report covers every difference of what is written")
  func nothingChangesInSilence() throws {
    let folders = [
      ("pex", "pex"), ("scnp", "scnp"), ("godot", "tscn"),
    ]
    for (folder, kind) in folders {
      for path in Corpus.sample(folder, kind) {
        let (imported, source) = try Self.load(path)
        let package = try imported.package()
        for target in [ParticleFormat.godot3, .godot4] where target.name != source.name {
          let exported = try package.exported(as: target, fileName: "out.tscn")
          let silent = exported.losses.filter { $0.rule == .changed }
          #expect(silent.isEmpty, "\(path) → \(target.name): \(silent)")
        }
      }
    }
  }

  static let python: String? = {
    let local = Repository.path(".build/python/bin/python3")
    guard let python = Run.optional("python3") else { return nil }
    return [local, python].first {
      (try? Run($0, ["-c", "import godot_parser"]))?.status == 0
    }
  }()

  @Test(
    "an independent reader finds the same values in every scene",
    .enabled(if: python != nil, "no Python with godot_parser here; 'make test' installs it"))
  func values() throws {
    let python = try #require(Self.python)
    let script = Repository.path("Tests/Engines/godot/check_document.py")
    let scratch = try Scratch()
    var (files, values) = (0, 0)
    for path in Self.files {
      let document = scratch.file("document.json")
      let bytes = try Self.load(path).imported.system.encoded()
      try Data(bytes).write(to: URL(fileURLWithPath: document))
      let run = try Run(python, [script, path, document])
      #expect(run.status == 0, "\(path): \(run.text) \(run.errors)")
      files += 1
      values += Int(run.text.split(separator: "\n").last?.split(separator: " ").first ?? "") ?? 0
    }
    print("godot: \(values) values of \(files) scenes are those that godot_parser finds")
    #expect(values > 100 * files)
  }
}
