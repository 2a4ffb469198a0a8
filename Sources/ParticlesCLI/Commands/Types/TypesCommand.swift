internal import ParticlesCore
internal import ParticlesDesktop
internal import ParticlesFormats
internal import ParticlesTypes

extension Command {
  /// Says what files claim to be, and who opens them.
  static let types = Command(
    name: "types", group: .formats,
    summary: "Say what files claim to be, who opens them, and why.",
    discussion: """
      Knows the uniform types of Apple's systems, with their extensions and MIME types, and our own. \
      With --with it also knows what the property lists of applications, types.json files and desktop \
      entries say, and with --desktop what this machine does.
      """,
    subcommands: [
      .typesList, .typesShow, .typesExplain, .typesWho, .typesLint, .typesDeclare, .typesExport,
    ])
}

extension Option {
  static let with = Option(
    "with", value: .file("file"), repeatable: true,
    "Also know what this property list, bundle, types.json or desktop entry says.")
  static let desktop = Option(
    "desktop", "Also know what this machine's MIME types, programs and choices are.")
}

/// The types and programs that a call knows.
struct KnownTypes {
  let files: [TypesFile]
  let registry: TypeRegistry
  let handlers: HandlerRegistry

  init(_ invocation: Invocation) throws {
    files = try invocation.values(.with).map { try TypesFile(contentsOf: $0) }
    for (path, file) in zip(invocation.values(.with), files) {
      invocation.report(file.faults.map { $0.inside(Location(file: path)) })
    }
    let known = files.isEmpty ? .standard : TypeRegistry.standard.adding(files)
    guard invocation.flag(.desktop) else {
      registry = known
      handlers = HandlerRegistry(files, types: known)
      return
    }
    let desktop = try Desktop(environment: invocation.environment)
    registry = known.adding(desktop.declarations(beside: known))
    var handlers = HandlerRegistry(files, types: registry)
    handlers.claims += desktop.claims(in: registry)
    handlers.choices = desktop.choices(in: registry) + handlers.choices
    self.handlers = handlers
  }

  /// The type of an identifier; one that nobody declares is an error that names a near one.
  func type(_ identifier: String) throws -> UniformType {
    if let type = UniformType(identifier, in: registry) { return type }
    let names = registry.types.map(\.identifier)
    throw UsageError.unknown("type", identifier, among: names)
  }
}

extension UniformType {
  /// What is known of the type, for a program.
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

  /// The extensions as people write them, the compound ones last.
  var extensionsText: String {
    let names = (tags[.filenameExtension] ?? []) + (tags[.compoundExtension] ?? [])
    return names.map { ".\($0)" }.joined(separator: " ")
  }
}

extension DeclarationSource {
  /// Who says it, and where.
  var text: String { path.map { owner.isEmpty ? $0 : "\(owner) (\($0))" } ?? owner }
}
