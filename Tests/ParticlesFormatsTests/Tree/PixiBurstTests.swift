import ParticlesContainer
import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesModel
import ParticlesTestSupport
import Testing

@testable import ParticlesFormats

/// Bursts of PixiJS, whose particles are placed at equal angles, clockwise or counter-clockwise.
@Suite("Bursts of PixiJS") struct PixiBurstTests {
  private func imported(_ change: (inout String) -> Void = { _ in }) throws -> Imported {
    var text = String(decoding: try Fixture.read("pixi/arc.json"), as: UTF8.self)
    change(&text)
    return try ParticleFormat.pixiLegacy.decode(
      Array(text.utf8), DecodingContext(fileName: "arc.json"))
  }

  /// The angle of each particle of a burst, in the order of emission: degrees counter-clockwise.
  private func angles(_ shape: Shape, of count: Int) -> [Double] {
    (0..<count).map { index in
      let share = (Double(index) + 0.5) / Double(count)
      let angle = shape.arc.lower + (shape.arc.upper - shape.arc.lower) * share
      return ((shape.runsClockwise ? -angle : angle) * 1e6).rounded() / 1e6
    }
  }

  @Test("six particles at 0°, 60° … clockwise")
  func clockwise() throws {
    let imported = try imported()
    #expect(imported.diagnostics.isEmpty, "\(imported.diagnostics)")
    let shape = imported.system.emitters[0].shape
    #expect(shape.arc == Interval(-30, 330) && shape.runsClockwise)
    #expect(angles(shape, of: 6) == [0, -60, -120, -180, -240, -300])
    #expect(imported.system.diagnostics().isEmpty)
  }

  @Test("counter-clockwise, and from another start")
  func counterClockwise() throws {
    let shape = try imported {
      $0 = $0.replacing(
        "\"particleSpacing\":60,\"angleStart\":0", with: "\"particleSpacing\":-20,\"angleStart\":10"
      )
    }.system.emitters[0].shape
    #expect(!shape.runsClockwise && shape.arc.lower < shape.arc.upper)
    #expect(angles(shape, of: 6) == [-10, 10, 30, 50, 70, 90])
  }

  @Test("a package of it is sound, and every format writes it", arguments: [60.0, -60, 12.5])
  func exports(spacing: Double) throws {
    let source = try imported {
      $0 = $0.replacing("\"particleSpacing\":60", with: "\"particleSpacing\":\(spacing)")
    }
    let package = try source.package()
    let report = try Validator().check(package.container.encoded(), named: "a.particles")
    #expect(report.diagnostics.isEmpty, "\(report.diagnostics)")
    for format in FormatRegistry.standard.formats where format.canWrite && !format.isArchive {
      let exported = try package.exported(as: format, fileName: "a.\(format.extensions[0])")
      #expect(
        exported.losses.allSatisfy { $0.rule != .changed }, "\(format.name): \(exported.losses)")
    }
    // Written anew, and not into the source.
    var system = source.system
    system.emitters[0].lifetime = 2
    for format in [ParticleFormat.pixi, .pixiLegacy] {
      let exported = try format.export(system, EncodingContext(fileName: "a.json"))
      let again = try format.decode(exported.parts[0].bytes, DecodingContext(fileName: "a.json"))
      #expect(again.system.emitters[0].shape == system.emitters[0].shape, "\(format.name)")
      #expect(again.system.emitters[0].lifetime == 2)
    }
  }

  @Test("other formats get the places of a clockwise burst in the opposite order, with a line")
  func unturned() throws {
    let system = try imported().system
    let shape = system.emitters[0].shape.counterClockwise
    #expect(shape.transform == Emitter.Transform() && shape.arc == Interval(-330, 30))
    let own = Set(angles(system.emitters[0].shape, of: 6))
    #expect(Set(angles(shape, of: 6)) == own)
    let exported = try ParticleFormat.quarks.export(system, EncodingContext(fileName: "a.json"))
    #expect(
      exported.losses.contains {
        $0.loss?.path == "emitters[0].shape.transform.rotation"
      }, "\(exported.losses)")
  }
}
