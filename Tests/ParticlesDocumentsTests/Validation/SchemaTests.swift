import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesFormats
import ParticlesModel
import ParticlesSystem
import ParticlesTestSupport
import Testing

@Suite(
  "The schema, as others read it",
  .enabled(if: JSONSchemaOracle.python != nil, "\(JSONSchemaOracle.absence)"))
struct SchemaTests {
  private static let schema = Repository.path("Spec/schema/document.schema.json")

  @Test("every template is accepted")
  func templates() throws {
    let documents = try EffectTemplate.all.map { try $0.package().document() }
    let verdicts = try JSONSchemaOracle.verdicts(on: documents, by: Self.schema)
    #expect(verdicts.count == EffectTemplate.all.count)
    for (template, verdict) in zip(EffectTemplate.all, verdicts) {
      #expect(verdict == nil, "\(template.name)")
    }
  }

  @Test("every effect of SceneKit is accepted when it is converted")
  func corpus() throws {
    let documents = try CorpusTests.files.map { try OpenedEffect(path: $0).package.document() }
    let verdicts = try JSONSchemaOracle.verdicts(on: documents, by: Self.schema)
    #expect(verdicts.count == documents.count)
    for (file, verdict) in zip(CorpusTests.files, verdicts) { #expect(verdict == nil, "\(file)") }
  }

  /// Fixtures that break a rule which a schema can state.
  static let refused = [
    "type", "type-missing", "range", "range-sha", "version", "keys-empty", "reference-outside",
  ]

  @Test("the schema refuses wrong types and ranges, and no other fault")
  func fixtures() throws {
    let names = try Files.list(Fixture.path("rules/document"))
      .map { Files.stem(of: $0) }.filter { !$0.hasPrefix("json") && $0 != "missing" }
    let documents = try names.map {
      try OpenedEffect(path: Fixture.path("rules/document/\($0).particles")).package.document()
    }
    let verdicts = try JSONSchemaOracle.verdicts(on: documents, by: Self.schema)
    #expect(verdicts.count == names.count && Set(Self.refused).isSubset(of: names))
    for (name, verdict) in zip(names, verdicts) {
      #expect((verdict != nil) == Self.refused.contains(name), "\(name): \(verdict ?? "accepted")")
    }
  }
}
