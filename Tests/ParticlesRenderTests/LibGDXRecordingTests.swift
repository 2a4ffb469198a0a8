import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesFormats
import ParticlesModel
import ParticlesRender
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// Effects with random parameters that libGDX 1.9.8 ran, in `Fixtures/engines/libgdx`, which states the
/// settings. They use what no published file happens to use.
@Suite("Generated effects of libGDX, recorded")
struct LibGDXRecordingTests {
  private static let folder = Repository.path("Fixtures/engines/libgdx")

  private static func effects() throws -> [String] {
    try Files.list(folder).filter { $0.hasSuffix(".p") }.sorted()
  }

  private static func imported(_ name: String) throws -> Imported {
    try ParticleFormat.libGDX.decode(
      Files.read(Files.joined(folder, name)), DecodingContext(fileName: name))
  }

  @Test("the simulation agrees with each, within 2 % or three standard errors")
  func recordings() throws {
    let names = try Self.effects()
    #expect(names.count == 24)
    for name in EngineTraceTests.isComplete ? names : Sample.of(names, 6) {
      let trace = try EngineTrace(path: Files.joined(Self.folder, "\(name).json"))
      #expect(trace.file == name)
      let worst = trace.worstDeviation(try ParticleStatistics(of: try Self.imported(name).system))
      #expect(worst.share <= 0.02, "\(name): \(worst.column)")
    }
  }

  /// A measure that agrees with anything would be none.
  @Test("another extent, offset or initial age is noticed")
  func differences() throws {
    let changes: [(name: String, change: (inout Emitter) -> Void)] = [
      ("extent", { $0.shape = $0.shape.settled(offsets: false) }),
      ("offset", { $0.shape.offset = .zero }),
      ("initial age", { $0.emission.lifeOffset = 0 }),
    ]
    let effects = try Self.effects().map { ($0, try Self.imported($0).system) }
    for (what, change) in changes {
      var wasNoticed = false
      for (name, system) in effects where !wasNoticed {
        var other = system
        change(&other.emitters[0])
        guard other != system else { continue }
        let trace = try EngineTrace(path: Files.joined(Self.folder, "\(name).json"))
        wasNoticed = trace.worstDeviation(try ParticleStatistics(of: other)).share > 0.02
      }
      #expect(wasNoticed, "\(what)")
    }
  }

  @Test("they are written as they were read, and to other formats with all changes reported")
  func conversions() throws {
    for name in Sample.of(try Self.effects(), 8) {
      let imported = try Self.imported(name)
      // `behind` is a mark for the program, which no effect has a place for.
      let findings = imported.diagnostics.filter {
        $0.severity > .note && $0.rule != .missingImage && !"\($0)".contains("Options.behind")
      }
      #expect(findings.isEmpty, "\(name): \(findings)")
      #expect(imported.system.diagnostics().isEmpty, "\(name)")
      for format in [ParticleFormat.defold, .pixi, .cocos2d, .godot4] {
        let result = try format.export(imported.system, EncodingContext(fileName: name))
        let unexplained = result.losses.filter { $0.rule == .changed }
        #expect(
          unexplained.isEmpty, "\(name) to \(format.name): \(unexplained)")
      }
      let package = try imported.package()
      let exported = try package.exported(as: .libGDX, fileName: name)
      #expect(exported.parts.first?.bytes == imported.source, "\(name)")
    }
  }
}
