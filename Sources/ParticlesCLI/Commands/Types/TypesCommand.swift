internal import ParticlesCore
internal import ParticlesDesktop
internal import ParticlesFormats
internal import ParticlesTypes

extension Command {
  /// The commands for types and claims.
  static let types = Command(
    name: "types", group: .formats,
    summary: "Show, check and write file types and the programs that open them.",
    discussion: """
      Knows the uniform types of Apple's systems, with their extensions and MIME types, and the types of \
      Particles. --with adds the declarations and claims of property lists, types.json files and desktop \
      entries; --desktop adds those of this machine.
      """,
    subcommands: [
      .typesList, .typesShow, .typesExplain, .typesWho, .typesLint, .typesDeclare, .typesExport,
    ])
}

extension Option {
  static let with = Option(
    "with", value: .file("file"), repeatable: true,
    "Also use the declarations of this property list, bundle, types.json or desktop entry.")
  static let desktop = Option(
    "desktop", "Also use the MIME types, programs and default applications of this machine.")
}

/// The types and programs that are known to a command.
struct KnownTypes {
  let files: [TypesFile]
  let registry: TypeRegistry
  let handlers: HandlerRegistry
  /// The databases of this machine, with `--desktop`.
  let desktop: Desktop?

  init(_ invocation: Invocation) throws {
    files = try invocation.values(.with).map { try TypesFile(contentsOf: $0) }
    for (path, file) in zip(invocation.values(.with), files) {
      invocation.report(file.faults.map { $0.inside(Location(file: path)) })
    }
    let standard = FormatRegistry.standard.types
    let known = files.isEmpty ? standard : standard.adding(files)
    guard invocation.flag(.desktop) else {
      registry = known
      handlers = HandlerRegistry(files, types: known)
      desktop = nil
      return
    }
    let desktop = try Desktop(environment: invocation.environment)
    self.desktop = desktop
    registry = known.adding(desktop.declarations(beside: known))
    var handlers = HandlerRegistry(files, types: registry)
    handlers.claims += desktop.claims(in: registry)
    handlers.choices = desktop.choices(in: registry) + handlers.choices
    self.handlers = handlers
  }

  /// The type of an identifier. Throws an error with a suggestion if it is not declared.
  func type(_ identifier: String) throws -> UniformType {
    if let type = UniformType(identifier, in: registry) { return type }
    let names = registry.types.map(\.identifier)
    throw UsageError.unknown("type", identifier, among: names)
  }
}

extension UniformType {
  /// The identifier, or the MIME type if only the MIME database of this machine declares the type.
  var shownName: String {
    guard declaration?.source.kind == .desktop, identifier.hasPrefix("dyn.") else {
      return identifier
    }
    return preferredMIMEType ?? identifier
  }

  /// The type as JSON.
  var json: JSONValue {
    var object: JSONObject = ["identifier": .string(identifier)]
    object["title"] = title.map(JSONValue.string)
    object["declared"] = .bool(isDeclared)
    object["dynamic"] = .bool(isDynamic)
    object["conformsTo"] = .array(directSupertypes.map { .string($0.identifier) })
    object["supertypes"] = .array(supertypes.map(\.identifier).sorted().map(JSONValue.string))
    var tags = JSONObject()
    for (tagClass, values) in self.tags.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      tags[tagClass.rawValue] = .array(values.map(JSONValue.string))
    }
    object["tags"] = .object(tags)
    object["sharedMIMEType"] = sharedMIMEType.map(JSONValue.string)
    object["declarations"] = .array(
      registry.declarations(of: identifier).map {
        ["kind": .string($0.kind.rawValue), "source": .string($0.source.text)]
      })
    return .object(object)
  }

  /// The extensions with their full stops, the compound ones last.
  var extensionsText: String {
    let names = (tags[.filenameExtension] ?? []) + (tags[.compoundExtension] ?? [])
    return names.map { ".\($0)" }.joined(separator: " ")
  }
}

extension DeclarationSource {
  /// The owner and the path.
  var text: String { path.map { owner.isEmpty ? $0 : "\(owner) (\($0))" } ?? owner }
}
