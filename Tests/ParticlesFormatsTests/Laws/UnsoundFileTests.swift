import Foundation
import ParticlesContainer
import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesImages
import ParticlesModel
import ParticlesSystem
import ParticlesTestSupport
import Testing

@testable import ParticlesFormats

/// What an import makes of a file with any numbers is a package that this library reads, finds sound and exports.
@Suite("Files with numbers out of range and out of order") struct UnsoundFileTests {
  /// Files of each format, below `Fixtures`.
  static let files: [(format: String, paths: [String])] = [
    (
      "scenekit",
      ["effects/scnp/galaxy.scnp", "effects/scnp/torch.scnp", "scenekit/ember-c3d.scnp"]
    ),
    ("spritekit", ["effects/sks/torch.sks", "spritekit/stage.sks"]),
    (
      "cocos2d",
      ["effects/plist/galaxy.plist", "cocos2d/ring.plist", "cocos2d/ember-binary.plist"]
    ),
    ("particle-designer", ["effects/pd-json/firework.json", "particle-designer/ember.json"]),
    ("starling", ["effects/pex/galaxy.pex", "starling/ember.pex"]),
    ("libgdx", ["effects/libgdx/torch.p", "effects/libgdx/galaxy-1.p"]),
    ("pixi", ["effects/pixi/fountain.json", "effects/pixi/torch.json"]),
    ("pixi-legacy", ["effects/pixi/snow-2.json", "pixi/arc.json"]),
    ("love", ["effects/love/torch.lua", "effects/love/snow.lua"]),
    ("defold", ["effects/defold/torch.particlefx"]),
    ("phaser", ["effects/phaser/torch.json", "effects/phaser/pair.json"]),
    ("quarks", ["effects/quarks/torch.json"]),
    ("tsparticles", ["effects/tsparticles/pair.json"]),
    ("godot4", ["effects/godot/torch.tscn", "effects/godot/firework.tscn"]),
    ("godot3", ["effects/godot/galaxy.tscn", "effects/godot/snow.tscn"]),
    ("vortex", ["vortex/torch.json"]),
    ("caemitter", ["caemitter/sparks.plist"]),
    ("effekseer", ["effekseer/sparks.efkproj"]),
    ("unity", ["unity/Assets/Effects/Sparks.prefab"]),
  ]

  @Test("every format that is read has files here")
  func formats() throws {
    let readable = FormatRegistry.standard.formats.filter { $0.canRead && !$0.isArchive }
    #expect(Set(Self.files.map(\.format)) == Set(readable.map(\.name)))
    for (name, paths) in Self.files {
      for path in paths {
        let bytes = try Fixture.read(path)
        let found = try FormatRegistry.standard.recognising(
          bytes, fileName: Files.lastComponent(of: path))
        #expect(found.name == name, "\(path)")
        #expect(try NumberMutants(bytes).numbers.count > 5, "\(path)")
      }
    }
  }

  /// The number of mutants for each format. The environment sets a larger number, and another seed.
  private static let (count, seed): (Int, UInt64) = {
    let environment = ProcessInfo.processInfo.environment
    return (
      environment["PARTICLES_MUTANTS"].flatMap({ Int($0) }) ?? (Sample.isWhole ? 150 : 12),
      environment["PARTICLES_SEED"].flatMap({ UInt64($0) }) ?? 1
    )
  }()

  @Test(
    "an import is refused with a diagnostic, or gives a sound package", arguments: files.indices)
  func imports(number: Int) throws {
    let (name, paths) = Self.files[number]
    let format = try #require(FormatRegistry.standard[name])
    var random = SeededGenerator(seed: Self.seed &* 1_000 &+ UInt64(number))
    let mutants = try paths.map { try NumberMutants(Fixture.read($0)) }
    for turn in 0..<Self.count {
      let file = turn % paths.count
      let kind = NumberMutants.Kind.allCases[turn / paths.count % NumberMutants.Kind.allCases.count]
      let place = Int.random(in: mutants[file].numbers.indices, using: &random)
      try ImportLaw(format: format, path: paths[file], turn: turn).check(
        mutants[file].mutant(kind, at: place, &random))
    }
  }

  @Test("whether an effect is sound is known without the list of its faults", arguments: files)
  func soundness(format name: String, paths: [String]) throws {
    let format = try #require(FormatRegistry.standard[name])
    var random = SeededGenerator(seed: Self.seed)
    for path in paths {
      let opened = try OpenedEffect(
        bytes: Fixture.read(path), name: Files.lastComponent(of: path), as: format,
        images: ImageFinder(besides: Fixture.path(path)))
      let mutants = try NumberMutants(opened.package.document())
      for turn in 0..<3 * Self.count {
        let kind = NumberMutants.Kind.allCases[turn % NumberMutants.Kind.allCases.count]
        let place = Int.random(in: mutants.numbers.indices, using: &random)
        let bytes = mutants.mutant(kind, at: place, &random)
        guard let system = try? ParticleSystem(decoding: bytes) else { continue }
        let faults = system.diagnostics().filter { $0.rule == .range || $0.rule == .keys }
        #expect(system.isSound == faults.isEmpty, "\(path) \(turn): \(faults.prefix(3))")
      }
    }
  }
}

/// What holds for every file of a format.
struct ImportLaw {
  let format: ParticleFormat
  let path: String
  /// Chooses the target formats of the export.
  let turn: Int

  private static let writable = FormatRegistry.standard.formats.filter {
    $0.canWrite && !$0.isArchive
  }

  func check(_ bytes: [UInt8]) throws {
    let opened: OpenedEffect
    do {
      opened = try OpenedEffect(
        bytes: bytes, name: Files.lastComponent(of: path), as: format,
        images: ImageFinder(besides: Fixture.path(path)))
    } catch is Diagnostic {
      return
    }
    let messages = opened.diagnostics.map { "\($0)" }
    #expect(messages.allSatisfy { !$0.contains("\n") })
    let packed = try opened.package.container.encoded()
    let report = try Validator().check(packed, named: "a.particles")
    let faults = report.diagnostics.filter { $0.severity == .error || $0.rule == .range }
    #expect(faults.isEmpty, "\(name(of: bytes)): \(faults)")
    guard faults.isEmpty else { return }
    let package = EffectPackage(try Container(decoding: packed))
    #expect(try package.system() == opened.package.system(), "\(name(of: bytes))")
    if format.canWrite {
      let exported = try export(package, as: format, bytes)
      #expect(exported == nil || exported == [bytes], "\(name(of: bytes)): an export without edits")
    }
    for step in [0, 7] {
      let other = Self.writable[(turn + step) % Self.writable.count]
      _ = try export(package, as: other, bytes)
    }
  }

  /// - Returns: the files, or nil if the format has no room for the effect.
  private func export(
    _ package: EffectPackage, as other: ParticleFormat, _ bytes: [UInt8]
  ) throws -> [[UInt8]]? {
    do {
      return try package.exported(as: other, fileName: "a.\(other.extensions[0])").parts.map(
        \.bytes)
    } catch let fault as Diagnostic {
      #expect(
        ["convert", "limit"].contains(fault.rule.family),
        "\(name(of: bytes)) to \(other.name): \(fault)")
      return nil
    }
  }

  /// Keeps a file that breaks the law, for a look at it.
  private func name(of bytes: [UInt8]) -> String {
    let name =
      "/tmp/unsound-\(format.name)-\(CRC32.checksum(bytes)).\(Files.pathExtension(of: path))"
    try? Files.create(name, bytes)
    return "\(path), kept as \(name)"
  }
}
