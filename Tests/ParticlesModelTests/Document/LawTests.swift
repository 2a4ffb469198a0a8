import ParticlesCore
import ParticlesTestSupport
import Testing

@testable import ParticlesModel

/// What holds for every document.
struct LawTests {
  static let seeds: [UInt64] = Sample.of(Array(0..<300), 25)

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
  func validDocumentsStayValid(seed: UInt64) throws {
    var random = RandomDocuments(seed: seed)
    let system = try random.validDocument()
    let bytes = system.encoded()
    let again = try ParticleSystem(decoding: bytes)
    #expect(again == system)
    #expect(again.encoded() == bytes)
    #expect(again.diagnostics().allSatisfy { $0.severity < .error })
    var mended = again
    let repairs = mended.mend()
    if again.diagnostics().isEmpty {
      #expect(repairs.isEmpty && mended == again, "there is nothing to repair: \(repairs)")
    }
    // A number with a warning is within its bounds afterwards.
    let once = mended
    #expect(mended.mend().isEmpty && mended == once, "everything is repaired at once: \(repairs)")
    #expect(again.populations().allSatisfy { $0.alive >= 0 })
  }

  /// Whatever is not in the table of an object is kept, in its order and with the text of its
  /// numbers, in every object that a document can hold.
  @Test func everyObjectKeepsWhatItDoesNotKnow() throws {
    let added = """
      {"zeta": 1.50, "extensions": {"TEST_b": {"deep": [1e2, null]}, "TEST_a": 1}, \
      "alfa": {"min": 1, "from": 2}, "extras": [{"x": 0.10}]}
      """
    let additions = try #require(try JSONParser.parse(Array(added.utf8)).object)
    var random = RandomDocuments(seed: 7)
    for type in ModelTypes.all {
      var json = try #require(random.object(type.object, depth: 4).object)
      for key in ["extensions", "extras"] { json[key] = nil }
      let members = json.members.filter { !$0.key.hasPrefix("x-") } + additions.members
      let value = try type.init(object: .object(JSONObject(members: members)), at: .root)
      #expect(value.additions == additions, "\(type.title)")
      let written = try #require(value.objectJSON.object)
      #expect(written.members.suffix(4) == additions.members[...], "\(type.title)")
    }
  }

  /// Every reader gets some nonsense, since a document seldom gets past its first one.
  @Test(arguments: seeds)
  func nonsenseIsRefusedOrRead(seed: UInt64) throws {
    var random = RandomDocuments(seed: seed)
    for type in ModelTypes.all {
      guard let value = try? type.init(json: random.nonsense(), at: .root) else { continue }
      var diagnostics: [Diagnostic] = []
      value.check(nil, at: .root, into: &diagnostics)
      #expect(try type.init(json: value.json, at: .root).json == value.json)
    }
    guard var document = random.nonsense().object else { return }
    document["asset"] = ["version": "1.0"]
    guard let system = try? ParticleSystem(json: .object(document)) else { return }
    #expect(system.populations().count == system.emitters.count)
    for diagnostic in system.diagnostics() { #expect(diagnostic.location != .unknown) }
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
      } catch {
        #expect([.type, .documentVersion].contains(error.rule))
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
