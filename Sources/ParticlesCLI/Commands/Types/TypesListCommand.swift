internal import ParticlesCore
internal import ParticlesTypes

extension Command {
  /// Lists the types.
  static let typesList = Command(
    name: "list", group: .formats, summary: "List the types.",
    options: [.conformingTo, .with, .desktop, .json],
    examples: [
      Example("particles types list", "List all types with their extensions and MIME types."),
      Example(
        "particles types list --conforming-to public.image", "List the types that are images."),
    ],
    run: { invocation in
      let known = try KnownTypes(invocation)
      var types = known.registry.types
      if let name = invocation.value(.conformingTo) {
        let supertype = try known.type(name)
        types = types.filter { $0.conforms(to: supertype) }
      }
      types.sort { $0.identifier.lowercased() < $1.identifier.lowercased() }
      if try invocation.answer(["types": .array(types.map(\.json))]) { return .done }
      var table = Table(.left, .left, .left)
      for type in types {
        table.add(type.shownName, type.extensionsText, type.preferredMIMEType ?? "")
      }
      try invocation.console.write(table.text)
      return .done
    })

  /// Shows the declarations, supertypes and tags of types.
  static let typesShow = Command(
    name: "show", group: .formats, summary: "Show the declarations, supertypes and tags of a type.",
    discussion: "A dynamic identifier, which begins with dyn., is decoded.",
    arguments: [Argument(.text("type"), arity: .oneOrMore, "An identifier.")],
    options: [.with, .desktop, .json],
    examples: [
      Example("particles types show public.png", "Show tags and supertypes of a type."),
      Example("particles types show dyn.ah62d4rv4ge81g6pq", "Decode a dynamic identifier."),
    ],
    run: { invocation in
      let known = try KnownTypes(invocation)
      let types = try invocation.arguments("type").map(known.type)
      if try invocation.answer(["types": .array(types.map(\.json))]) { return .done }
      for (index, type) in types.enumerated() {
        if index > 0 { try invocation.console.print("") }
        try invocation.console.write(type.text)
      }
      return .done
    })
}

extension Option {
  fileprivate static let conformingTo = Option(
    "conforming-to", value: .text("type"), "Only types that conform to this one.")
}

extension UniformType {
  /// The type as a table.
  fileprivate var text: String {
    var table = Table(.left, .left)
    table.add("type", identifier)
    if let title { table.add("title", title) }
    table.add("kind", isDynamic ? "dynamic" : declaration?.kind.rawValue ?? "undeclared")
    for entry in registry.declarations(of: identifier) {
      table.add("declared by", "\(entry.source.text) (\(entry.kind.rawValue))")
    }
    table.add("conforms to", directSupertypes.map(\.identifier).joined(separator: ", "))
    let direct = Set(directSupertypes)
    let others = supertypes.subtracting(direct).map(\.identifier).sorted()
    if !others.isEmpty { table.add("and so to", others.joined(separator: ", ")) }
    for (tagClass, values) in tags.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      table.add(tagClass.rawValue, values.joined(separator: ", "))
    }
    if let sharedMIMEType { table.add("on desktops", sharedMIMEType) }
    if let url = declaration?.referenceURL { table.add("reference", url) }
    return table.text
  }
}
