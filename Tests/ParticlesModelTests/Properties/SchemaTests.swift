import ParticlesCore
import ParticlesTestSupport
import Testing

@testable import ParticlesModel

/// `Spec/schema/document.schema.json`, generated from the tables.
struct SchemaTests {
  static let path = "Spec/schema/document.schema.json"

  private static let seeds: [UInt64] = Sample.of(Array(0..<200), 50)

  @Test func theSpecificationHasTheSchema() throws {
    try Golden.check(PropertyCatalog().schema().text, against: Self.path)
  }

  /// Nothing is defined that nothing refers to, and nothing referred to that is not defined.
  @Test func referencesLeadSomewhere() throws {
    let schema = PropertyCatalog().schema()
    let definitions = try #require(schema.object?["$defs"]?.object).members.map(\.key)
    #expect(Set(definitions).count == definitions.count)
    #expect(Set(definitions.map { "#/$defs/\($0)" }) == references(in: schema))
  }

  private func references(in json: JSONValue) -> Set<String> {
    switch json {
    case .array(let elements): return Set(elements.flatMap(references))
    case .object(let object):
      return object.members.reduce(into: []) { all, member in
        if member.key == "$ref", let name = member.value.string { all.insert(name) }
        all.formUnion(references(in: member.value))
      }
    default: return []
    }
  }

  @Test(.enabled(if: JSONSchemaOracle.python != nil, "\(JSONSchemaOracle.absence)"))
  func validDocumentsAreAccepted() throws {
    let documents = try Self.seeds.map { seed in
      var random = RandomDocuments(seed: seed)
      return try random.validDocument().encoded()
    }
    let verdicts = try JSONSchemaOracle.verdicts(on: documents, by: Repository.path(Self.path))
    #expect(verdicts.count == documents.count)
    #expect(verdicts.filter { $0 != nil } == [])
  }

  /// The schema refuses exactly what we refuse, except for what compares two values.
  @Test(.enabled(if: JSONSchemaOracle.python != nil, "\(JSONSchemaOracle.absence)"))
  func whatWeRefuseIsRefused() throws {
    var documents: [JSONValue] = []
    for seed in Self.seeds {
      var random = RandomDocuments(seed: seed)
      let valid = try random.validDocument().json
      for _ in 0..<5 { documents.append(mutate(valid, &random)) }
    }
    let verdicts = try JSONSchemaOracle.verdicts(
      on: documents.map { Array($0.text.utf8) }, by: Repository.path(Self.path))
    #expect(verdicts.count == documents.count)
    var refused = 0
    for (document, verdict) in zip(documents, verdicts) {
      let faults = faults(in: document)
      if faults.contains(where: { !$0.comparesValues }) {
        refused += 1
        #expect(verdict != nil, "\(faults)")
      } else if faults.isEmpty {
        #expect(verdict == nil)
      }
    }
    #expect(refused * 2 > documents.count, "most changes break something")
  }

  /// The faults of types, ranges and versions.
  private func faults(in document: JSONValue) -> [Diagnostic] {
    do {
      return try ParticleSystem(json: document).diagnostics().filter {
        $0.rule == .range && $0.severity == .error || $0.rule == .keys
          || $0.rule == .reference && $0.location.description.hasSuffix(".uri")
      }
    } catch {
      return [error]
    }
  }

  /// Puts something else in the place of one value of the document.
  private func mutate(_ json: JSONValue, _ random: inout RandomDocuments) -> JSONValue {
    let others: [JSONValue] = [
      .null, .bool(true), .int(-1), .double(0.5), .double(1e300), "linear", "Images/a.png", "1.0",
      [:], .array([]), ["min": .int(3)], ["min": .int(1), "max": .int(2)], .array([.null]),
      .array([.int(1), .int(2)]), .array([.int(1), .int(2), .int(3)]), ["gradient": [:]],
      ["oneOf": .array([])], .number(JSONNumber(UInt64.max)),
    ]
    switch json {
    case .array(var elements) where !random.chance(6):
      guard let index = elements.indices.randomElement(using: &random.generator) else { break }
      elements[index] = mutate(elements[index], &random)
      return .array(elements)
    case .object(var object) where !random.chance(6):
      guard let member = object.members.randomElement(using: &random.generator) else { break }
      object[member.key] = random.chance(8) ? nil : mutate(member.value, &random)
      return .object(object)
    default: break
    }
    return others.randomElement(using: &random.generator) ?? .null
  }
}

extension Diagnostic {
  /// Whether the fault lies in two values together, which a schema cannot see.
  fileprivate var comparesValues: Bool {
    let expected = expected ?? ""
    let phrases = [
      "as many", "the smaller number first", "at least near", "columns times rows",
      "a part of the image", "a quaternion of length 1", "a weight of more than 0",
      "as the mode is",
      "as the type is", "two numbers that differ", "a vector that is not 0", "a uri or a primitive",
    ]
    if phrases.contains(where: expected.contains) { return true }
    switch rule {
    // An end of a range, an order of keys, and a gradient that has neither keys nor channels.
    case .range: return location.description.hasSuffix(".max")
    case .keys: return !location.description.hasSuffix("curve.keys")
    case .limit: return true
    default: return false
    }
  }
}
