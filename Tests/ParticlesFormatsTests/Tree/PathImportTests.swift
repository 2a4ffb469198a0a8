import ParticlesCore
import ParticlesModel
import ParticlesTestSupport
import Testing

@testable import ParticlesFormats

/// Formulas as paths, of both generations of PixiJS.
@Suite struct PathImportTests {
  private func imported(_ path: String) throws -> Imported {
    let text = """
      {"lifetime": {"min": 1, "max": 1}, "frequency": 0.1, "pos": {"x": 0, "y": 0}, \
      "speed": {"start": 100, "end": 100}, "extraData": {"path": "\(path)"}, \
      "alpha": {"start": 1, "end": 1}, "scale": {"start": 1, "end": 1}, \
      "color": {"start": "ffffff", "end": "ffffff"}, "spawnType": "point"}
      """
    return try ParticleFormat.pixiLegacy.decode(
      Array(text.utf8), DecodingContext(fileName: "a.json"))
  }

  @Test(
    "a formula that is not known is reported, and kept",
    arguments: [
      ("atan(x / 10)", "'atan' is not supported in formulas"),
      ("sin(x) + hypot(x, 2)", "'hypot' is not supported in formulas"),
      ("x ^ 2", "an error in the formula at character 3"),
    ])
  func unknown(path: String, detail: String) throws {
    let imported = try imported(path)
    let finding = try #require(imported.diagnostics.first { $0.rule == .uninterpreted })
    #expect(finding.detail == "\(detail). Particles move straight ahead")
    #expect(finding.found?.contains(path) == true)
    #expect(finding.location.description.contains("extraData.path") == true)
    #expect(imported.system.emitters[0].motion.path?.expression == path)
    let exported = try ParticleFormat.pixiLegacy.export(
      imported.system, EncodingContext(fileName: "b.json"))
    #expect(String(decoding: exported.parts[0].bytes, as: UTF8.self).contains(path))
  }

  @Test("other formulas are not reported", arguments: ["sin(x / 10) * 20", "pow(x, 2) / PI"])
  func known(path: String) throws {
    #expect(try imported(path).diagnostics.allSatisfy { $0.rule != .uninterpreted })
  }
}
