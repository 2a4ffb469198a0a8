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

/// Over effects of game engines and of libraries for the web.
struct TreeCorpusTests {
  /// A folder of the corpus.
  struct Folder: Sendable, CustomTestStringConvertible {
    var name: String
    var kind: String
    var formats: [ParticleFormat]
    /// The reader of `Tests/Readers`.
    var reader: String
    /// Files that no format reads, with a text of the message.
    var refused: [String: String] = [:]
    var testDescription: String { name }
  }

  static let folders = [
    Folder(name: "libgdx", kind: "p", formats: [.libGDX], reader: "libgdx"),
    Folder(name: "pixi", kind: "json", formats: [.pixi, .pixiLegacy], reader: "pixi"),
    Folder(name: "love", kind: "lua", formats: [.love], reader: "love"),
    Folder(name: "defold", kind: "particlefx", formats: [.defold], reader: "defold"),
    Folder(name: "phaser", kind: "json", formats: [.phaser], reader: "phaser"),
    Folder(name: "quarks", kind: "json", formats: [.quarks], reader: "quarks"),
    Folder(name: "tsparticles", kind: "json", formats: [.tsParticles], reader: "tsparticles"),
  ]

  static func load(_ path: String) throws -> (imported: Imported, format: ParticleFormat) {
    let bytes = try Files.read(path)
    let name = Files.lastComponent(of: path)
    let owner = name.split(separator: "__").prefix(2).joined(separator: "__")
    let finder = ImageFinder(
      besides: path, folders: ["\(Files.folder(of: path))/textures/\(owner)"])
    let format = try FormatRegistry.standard.recognising(bytes, fileName: name)
    let context = DecodingContext(fileName: name, findImage: finder.find)
    return (try format.decode(bytes, context), format)
  }

  static func paths(_ folder: Folder) -> [String] {
    Corpus.sample(folder.name, folder.kind, 4).filter {
      folder.refused[Files.lastComponent(of: $0)] == nil
    }
  }

  @Test("every file is recognised and imported, and comes back byte by byte", arguments: folders)
  func roundTrip(folder: Folder) throws {
    var rules: [String: Int] = [:]
    let paths = Self.paths(folder)
    for path in paths {
      let (imported, format) = try Self.load(path)
      #expect(folder.formats.contains { $0.name == format.name }, "\(path): \(format.name)")
      for finding in imported.diagnostics { rules[finding.rule.code, default: 0] += 1 }
      #expect(imported.diagnostics.allSatisfy { $0.severity < .error }, "\(path)")
      let faults = imported.system.diagnostics().filter { $0.severity >= .warning }
      #expect(faults.isEmpty, "\(path): \(faults)")
      #expect(try ParticleSystem(decoding: imported.system.encoded()) == imported.system)
      let package = try imported.package()
      let exported = try package.exported(as: format, fileName: Files.lastComponent(of: path))
      #expect(exported.parts.first?.bytes == imported.source, "\(path)")
      #expect(exported.parts.count == 1)
      let losses = exported.losses.filter { $0.rule != .missingImage }
      #expect(losses.isEmpty, "\(path): \(losses)")
    }
    let list = rules.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    print("\(folder.name): \(paths.count) files, \(list.joined(separator: ", "))")
    #expect(!paths.isEmpty || !Corpus.isPresent)
  }

  /// Changes one value that all files of a folder state.
  private static func edit(_ emitter: inout Emitter, of folder: Folder) {
    switch folder.name {
    case "quarks": emitter.timing.duration = .constant((emitter.timing.duration?.mean ?? 1) + 7)
    case "tsparticles" where emitter.emission.bursts.isEmpty:
      emitter.transform.translation.x += 50
    case "tsparticles":
      emitter.emission.bursts[0].count = .constant(emitter.emission.bursts[0].count.mean + 7)
    default: emitter.emission.maxAlive = (emitter.emission.maxAlive ?? 1000) + 7
    }
  }

  @Test("one changed value is one changed line", arguments: folders)
  func edits(folder: Folder) throws {
    var lines = 0
    for path in Self.paths(folder) {
      let (imported, format) = try Self.load(path)
      var package = try imported.package()
      var system = imported.system
      Self.edit(&system.emitters[0], of: folder)
      try package.setSystem(system)
      let exported = try package.exported(as: format, fileName: Files.lastComponent(of: path))
      let edited = try #require(exported.parts.first?.bytes)
      let changes = edited.split(separator: 0x0A, omittingEmptySubsequences: false).difference(
        from: imported.source.split(separator: 0x0A, omittingEmptySubsequences: false))
      // A range of several lines may become a number.
      let most = folder.name == "tsparticles" ? 4 : 1
      #expect(changes.insertions.count == 1 && changes.removals.count <= most, "\(path)")
      let again = try format.decode(edited, DecodingContext(fileName: "x.\(folder.kind)"))
      var (found, wanted) = (again.system.emitters[0], system.emitters[0])
      (found.name, wanted.name, found.sprites, wanted.sprites) = ("", "", [], [])
      #expect(found == wanted, "\(path)")
      lines += changes.insertions.count
    }
    print("\(folder.name): \(lines) lines changed")
  }

  @Test("a reader of its own finds the same values", .needs("python3"), arguments: folders)
  func values(folder: Folder) throws {
    let python = try #require(Run.find("python3"))
    var count = 0
    for path in Self.paths(folder) {
      let scratch = try Scratch()
      let document = scratch.file("document.json")
      try Data(try Self.load(path).imported.system.encoded()).write(
        to: URL(fileURLWithPath: document))
      let run = try Run(
        python, [Repository.path("Tests/Readers/\(folder.reader).py"), path, document])
      #expect(run.status == 0, "\(path): \(run.text) \(run.errors)")
      count += Int(run.text.split(separator: "\n").last?.split(separator: " ").first ?? "") ?? 0
    }
    print("\(folder.name): \(count) values compared")
  }

  @Test("whatever is written accounts for itself, wherever it came from", arguments: folders)
  func nothingChangesInSilence(folder: Folder) throws {
    let others =
      Corpus.sample("scnp", "scnp") + Corpus.sample("pex", "pex") + Corpus.own("plist", "plist")
      + Self.folders.filter { $0.name != folder.name }.flatMap(Self.paths)
    let turn = Self.folders.firstIndex { $0.name == folder.name } ?? 0
    var (files, silent) = (0, [String]())
    var kinds: Set<String> = []
    for path in Sample.of(others, 2, ofEach: Files.folder, turn: turn) {
      let (imported, _) = try Self.load(path)
      let package = try imported.package()
      for format in folder.formats {
        let exported = try package.exported(as: format, fileName: "out.\(folder.kind)")
        files += exported.parts.count
        for line in exported.losses where line.rule == .changed {
          let place = line.loss?.path.replacing(/\[\d+\]/, with: "[]") ?? ""
          guard kinds.insert("\(format.name) \(place)").inserted else { continue }
          silent.append("\(Files.lastComponent(of: path)) → \(format.name): \(line)")
        }
      }
    }
    print("\(folder.name): \(files) files written, \(silent.count) changes without a line")
    #expect(silent.isEmpty, "\(silent.prefix(40).joined(separator: "\n"))")
  }

  @Test("from this family to the others, nothing changes in silence", arguments: folders)
  func nothingChangesElsewhere(folder: Folder) throws {
    for path in Self.paths(folder) {
      let (imported, _) = try Self.load(path)
      let package = try imported.package()
      for format in [ParticleFormat.cocos2d, .starling, .spriteKit] {
        let exported = try package.exported(as: format, fileName: "out.\(format.extensions[0])")
        let silent = exported.losses.filter { $0.rule == .changed }
        #expect(silent.isEmpty, "\(path) → \(format.name): \(silent)")
      }
    }
  }
}
