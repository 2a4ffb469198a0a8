import ParticlesCore
import ParticlesTestSupport
import Testing

@testable import ParticlesModel

/// What holds for every document.
struct LawTests {
  static let seeds: [UInt64] = Array(0..<300)

  @Test(arguments: seeds)
  func encodingKeepsEverything(seed: UInt64) throws {
    var random = RandomDocuments(seed: seed)
    let system = try ParticleSystem(json: random.document())
    let bytes = system.encoded()
    let again = try ParticleSystem(decoding: bytes)
    #expect(again == system)
    #expect(again.encoded() == bytes, "canonical bytes stay as they are")
  }

  @Test(arguments: seeds)
  func unknownMembersSurvive(seed: UInt64) throws {
    var random = RandomDocuments(seed: seed)
    let document = random.document()
    let written = try ParticleSystem(json: document).json
    #expect(unknownMembers(of: document).sorted() == unknownMembers(of: written).sorted())
  }

  @Test(arguments: seeds)
  func whateverIsReadOrRefusedIsSaid(seed: UInt64) throws {
    var random = RandomDocuments(seed: seed)
    var document = random.document()
    for _ in 0..<20 {
      document = mutate(document, &random)
      do {
        let system = try ParticleSystem(json: document)
        #expect(try ParticleSystem(decoding: system.encoded()) == system)
        for diagnostic in system.diagnostics() { #expect(diagnostic.location != .unknown) }
      } catch let diagnostic as Diagnostic {
        #expect([.type, .documentVersion].contains(diagnostic.rule))
      }
    }
  }

  /// Puts something else in the place of one value of the document.
  private func mutate(_ json: JSONValue, _ random: inout RandomDocuments) -> JSONValue {
    let others: [JSONValue] = [
      .null, .bool(true), .int(-1), .double(1e300), "linear", [:], .array([]), ["min": .int(3)],
      ["from": .int(1), "max": .int(1)], .array([.null]), ["keys": .array([])],
      .array([.int(1), .int(2), .int(3)]), ["gradient": [:]], .number(JSONNumber(UInt64.max)),
    ]
    if random.chance(6) { return others.randomElement(using: &random.generator) ?? .null }
    switch json {
    case .array(var elements):
      guard let index = elements.indices.randomElement(using: &random.generator) else {
        return json
      }
      elements[index] = mutate(elements[index], &random)
      return .array(elements)
    case .object(var object):
      guard let member = object.members.randomElement(using: &random.generator) else {
        return json
      }
      object[member.key] = random.chance(8) ? nil : mutate(member.value, &random)
      return .object(object)
    default: return others.randomElement(using: &random.generator) ?? .null
    }
  }

  /// The unknown members that the generator put in, as text.
  private func unknownMembers(of json: JSONValue) -> [String] {
    switch json {
    case .array(let elements): return elements.flatMap(unknownMembers)
    case .object(let object):
      return object.members.flatMap { member in
        let isUnknown = member.key.hasPrefix("x-") || ["extensions", "extras"].contains(member.key)
        return isUnknown ? [member.key + member.value.text] : unknownMembers(of: member.value)
      }
    default: return []
    }
  }
}
