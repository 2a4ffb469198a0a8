import ParticlesCore
import ParticlesTypes
import Testing

@Suite("What is said of misspelt keys, and of types that are undeclared or claimed twice")
struct TypeFindingTests {
  private func exporting(_ more: JSONObject) throws -> TypesFile {
    var object: JSONObject = ["identifier": "com.example.a"]
    for member in more.members { object[member.key] = member.value }
    return try TypesFile(json: ["version": .int(1), "exports": .array([.object(object)])])
  }

  private func claiming(_ claims: [[String]]) throws -> [Diagnostic] {
    let file = try TypesFile(json: [
      "version": .int(1),
      "claims": .array(claims.map { ["types": .array($0.map(JSONValue.string))] }),
    ])
    return TypeLinter(file).findings()
  }

  @Test("an unknown key of an export is reported, with the key that was probably meant")
  func unknownKeys() throws {
    let faults = try exporting(["titel": "A", "quiteother": "b"]).faults
    #expect(faults.map { "\($0.location)" } == ["exports[0].titel", "exports[0].quiteother"])
    #expect(faults.map(\.severity) == [.warning, .note])
    #expect(faults.first?.hint == "did you mean 'title'?")
  }

  @Test("after five hundred unknown keys, no other is compared with the known ones")
  func manyUnknownKeys() throws {
    func severity(after count: Int) throws -> Severity? {
      var keys = JSONObject()
      for index in 0..<count { keys["zzzzzzzzzz\(index)"] = "x" }
      keys["titel"] = "A"
      return try exporting(keys).faults.last?.severity
    }
    #expect(try severity(after: 499) == .warning)
    #expect(try severity(after: 500) == .note)
  }

  @Test("a list of a property list that is misspelt by two letters is reported")
  func misspeltLists() throws {
    func hints(_ key: String) throws -> [String?] {
      try TypesFile(propertyList: .object([key: .array([])])).faults.map(\.hint)
    }
    let meant = "did you mean 'UTExportedTypeDeclarations'?"
    #expect(try hints("UTExportedTypeDeclaratio") == [meant])
    #expect(try hints("UTExportedTypeDeclarat") == [])
  }

  @Test("an undeclared type is compared with the ends of declared ones, if one type has this end")
  func undeclared() throws {
    let findings = try claiming([["com.exemple.keyboardlayout", "com.example.png"]])
    let hints = findings.filter { $0.rule == .typesUndeclared }.compactMap(\.hint)
    #expect(hints.contains { $0.contains("'public.png'") }, "\(findings)")
  }

  @Test("types that two claims have are named, five of them", arguments: [5, 6, 8])
  func claimedTwice(count: Int) throws {
    let names = (0..<count).map { "com.example.type\($0)" }
    let findings = try claiming([names, names]).filter { $0.rule == .typesDuplicate }
    let named = names.prefix(5).map { "'\($0)'" }.joined(separator: ", ")
    let text = count == 5 ? named : "\(named) and \(count - 5) more"
    #expect(findings.count == 1)
    #expect(findings.allSatisfy { "\($0)".contains("found \(text)") }, "\(findings)")
    #expect(findings.allSatisfy { "\($0)".contains("more") == (count > 5) })
  }

  @Test("parts of names of MIME types have at most 127 bytes")
  func longNames() {
    func isValid(_ count: Int) -> Bool {
      SharedMIMEInfo.isValid("application/" + String(repeating: "a", count: count))
    }
    #expect(isValid(1) && isValid(127))
    #expect(!isValid(0) && !isValid(128))
  }
}
