import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesFormats
import ParticlesModel
import ParticlesSimulation
import ParticlesSystem
import ParticlesTestSupport
import Testing

@testable import ParticlesWeb

/// The module for pages against the native library: equal bits. Needs `make web`, and node.
@Suite("The module for web pages")
struct ModuleTests {
  private static var module: String { Repository.path(".build/web/particles.wasm") }

  /// What `Tests/Web/columns.mjs` prints.
  private func native(_ document: [UInt8], frames: Int) -> String {
    let effect: PlayedEffect
    do throws(Diagnostic) {
      effect = try PlayedEffect(document, PlayedEffect.Options())
    } catch {
      return "refused \(error.rule.code)"
    }
    var (sum, particles) = (UInt32(0x811C_9DC5), 0)
    for _ in 0..<frames {
      effect.advance(by: 1 / 60, to: .zero)
      for emitter in effect.system.emitters.indices {
        let count = effect.simulation.population(ofEmitter: emitter).alive
        particles += count
        guard count > 0 else { continue }
        for column in 0..<18 {
          guard let numbers = effect.column(column, ofEmitter: emitter) else { continue }
          for place in 0..<count { sum = (sum ^ numbers[place].bitPattern) &* 0x0100_0193 }
        }
      }
    }
    return "\(String(sum, radix: 16)) \(particles)"
  }

  private func compare(_ documents: [(name: String, bytes: [UInt8])], frames: Int) throws {
    guard (try? Files.status(Self.module)) != nil, let node = Run.find("node") else {
      print("not compared: there is no module (make web), or node is not installed")
      return
    }
    let scratch = try Scratch()
    var paths: [String] = []
    for (index, document) in documents.enumerated() {
      paths.append(scratch.file("\(index).json"))
      try Files.create(paths[index], document.bytes)
    }
    let run = try Run.succeeding(
      node, [Repository.path("Tests/Web/columns.mjs"), Self.module, "\(frames)"] + paths)
    let lines = run.text.split(separator: "\n").map(String.init)
    try #require(lines.count == documents.count)
    for (document, line) in zip(documents, lines) {
      #expect(native(document.bytes, frames: frames) == line, "\(document.name)")
    }
  }

  @Test("gives the native bits for every template")
  func templates() throws {
    let documents = try EffectTemplate.all.map { ($0.name, try $0.package().document()) }
    try compare(documents, frames: 300)
  }

  @Test("gives the native bits for an effect of each engine")
  func profiles() throws {
    let fire = try EffectTemplate.fire.package().system()
    let documents = ParticleSystem.EngineLaw.all.map { row in
      var system = fire
      system.asset.profile = row.profile
      return (row.profile.rawValue, system.encoded())
    }
    try compare(documents, frames: 120)
  }

  @Test("gives the native bits for effects of the project and the corpus")
  func corpus() throws {
    var documents: [(String, [UInt8])] = []
    let kinds = [("plist", "plist"), ("pex", "pex"), ("scnp", "scnp"), ("sks", "sks")]
    for path in kinds.flatMap({ Corpus.sample($0.0, $0.1, 6) }) {
      guard let opened = try? OpenedEffect(path: path) else { continue }
      documents.append((path, try opened.package.document()))
    }
    try #require(!documents.isEmpty)
    try compare(documents, frames: 60)
  }

  @Test("refuses what the library refuses")
  func refusals() throws {
    try compare(
      [
        ("empty", []), ("no object", Array("[]".utf8)), ("cut", Array("{\"asset\":".utf8)),
        ("newer", Array(#"{"asset": {"version": "9.0"}}"#.utf8)),
        ("wrong", Array(#"{"asset": {"version": "1.0"}, "emitters": [{"lifetime": "x"}]}"#.utf8)),
        ("deep", Array(String(repeating: "[", count: 5000).utf8)),
      ], frames: 1)
  }
}
