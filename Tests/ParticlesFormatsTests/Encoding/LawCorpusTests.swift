import ParticlesTestSupport
import ParticlesCore
import ParticlesFormats
import ParticlesModel
import ParticlesSystem
import Testing

/// The law of conversions over real files: whatever format an effect comes from and goes to, what
/// changes has a line in the report, and it is the encoder that wrote it.
struct LawCorpusTests {
  static let targets = FormatRegistry.standard.formats.filter { !$0.isArchive && $0.canWrite }.map(
    \.name)

  /// Effects of every format that can be read. Many files differ only in their names: one file of
  /// each group is enough.
  static let effects: [(format: String, imported: Imported)] = {
    var effects: [(format: String, imported: Imported)] = []
    var seen: Set<ContentDigest> = []
    for format in FormatRegistry.standard.formats where !format.isArchive && format.canRead {
      for folder in [
        "apple-particles", "scnp", "sks", "plist", "pd-json", "pex", "libgdx", "pixi",
        "defold", "quarks", "tsparticles", "love", "phaser", "godot",
      ] {
        for kind in format.extensions {
          for path in Corpus.sample(folder, kind, 3) {
            guard let bytes = try? Files.read(path), seen.insert(SHA256.digest(bytes)).inserted,
              format.recognise(bytes, Files.lastComponent(of: path)),
              let imported = try? format.decode(
                bytes, DecodingContext(fileName: Files.lastComponent(of: path)))
            else { continue }
            effects.append((format.name, imported))
          }
        }
      }
    }
    return effects
  }()

  @Test(arguments: targets) func everyChangeHasALineOfItsEncoder(name: String) throws {
    let format = try #require(FormatRegistry.standard[name])
    #expect(Self.effects.count > (Corpus.isPresent && Sample.isWhole ? 100 : 15))
    var silent: [String: Int] = [:]
    let turn = try #require(Self.targets.firstIndex(of: name))
    for (_, imported) in Sample.of(Self.effects, 2, ofEach: \.format, turn: turn) {
      let images = imported.images
      let context = EncodingContext(fileName: "result.\(format.extensions[0])") { images[$0] }
      let exported = try format.export(imported.system, context)
      for line in exported.losses where line.rule == .changed {
        let path = line.loss?.path ?? ""
        silent["\(path) of \(imported.sourceName)", default: 0] += 1
        if silent.count <= 5 { print(name, line, imported.sourceName) }
      }
    }
    #expect(silent.isEmpty, "\(silent.count) changes that only the audit found")
  }
}
