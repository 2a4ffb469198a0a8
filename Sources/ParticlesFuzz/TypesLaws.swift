internal import ParticlesPropertyLists
internal import ParticlesCore
internal import ParticlesTypes

/// Laws for files that declare types.
enum TypesLaws {
  static func check(_ bytes: [UInt8]) throws {
    checkIdentifier(String(decoding: bytes.prefix(1 << 10), as: UTF8.self))
    let file = try TypesFile(bytes, path: "input", limits: FuzzTarget.limits)
    let findings = TypeLinter(file).findings { $0.utf8.count }
    Law.holds("they are on lines of their own", findings.allSatisfy { !"\($0)".contains("\n") })

    let written = file.json
    let again = Law.succeeds("what was written can be read") {
      try TypesFile(json: JSONParser.parse(Array(written.text.utf8)))
    }
    Law.holds("what was written is the same", again.json == written)
    _ = Law.succeeds("as a property list, too") {
      try TypesFile(PropertyListValue(file.propertyList).xml, path: "Info.plist")
    }
    checkRegistry(TypeRegistry.standard.adding([file]), file)
  }

  private static func checkIdentifier(_ text: String) {
    guard let dynamic = DynamicIdentifier(text) else { return }
    let again = DynamicIdentifier(dynamic.identifier)
    Law.holds("a dynamic identifier means the same when written", again == dynamic)
  }

  private static func checkRegistry(_ registry: TypeRegistry, _ file: TypesFile) {
    let types = file.declarations.prefix(50).map {
      UniformType(importedAs: $0.value.identifier, in: registry)
    }
    for type in types {
      Law.holds("what is declared is there", type.isDeclared && type.conforms(to: type))
      let supertypes = type.supertypes
      Law.holds("supertypes are others", !supertypes.contains(type))
      Law.holds("one conforms to them", supertypes.allSatisfy { type.conforms(to: $0) })
      for name in (type.tags[.filenameExtension] ?? []).prefix(10) where !name.contains(".") {
        let selection = registry.select(tag: name, tagClass: .filenameExtension)
        let names = selection.candidates.map(\.type)
        Law.holds("whoever claims an extension is a candidate", names.contains(type))
      }
      let handlers = HandlerRegistry([file], types: registry).handlers(for: type)
      Law.holds(
        "a handler of rank None is never a candidate",
        handlers.candidates.allSatisfy { $0.claim.rank != .none })
    }
    let xml = SharedMIMEInfo(types).text
    _ = Law.succeeds("the package for desktops is XML") { try XMLParser.parse(Array(xml.utf8)) }
    let entry = DesktopEntry(file, types: registry, command: "x %F").text
    let read = TypesFile(desktopEntry: entry, identifier: "x.desktop", types: registry)
    Law.holds("a desktop entry is read", read.faults.isEmpty)
  }
}
