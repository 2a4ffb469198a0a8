internal import ParticlesCore
internal import ParticlesDesktop
internal import ParticlesFormats
internal import ParticlesPropertyLists
internal import ParticlesSystem
internal import ParticlesTypes

extension Command {
  /// The commands for types and claims.
  static let types = Command(
    name: "types", group: .formats,
    summary: "Show, check and write file types and the programs that open them.",
    discussion: """
      Knows the uniform types of Apple's systems, with their extensions and MIME types, and the types of Particles. \
      --with adds the declarations and claims of property lists, types.json files and desktop entries. --desktop \
      adds the types of this machine.
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

extension Command {
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

extension Command {
  /// Checks declarations and claims.
  static let typesLint = Command(
    name: "lint", group: .formats,
    summary: "Check applications, property lists, types.json files and desktop entries.",
    discussion: """
      An application is checked with its extensions, and the findings in each property list are reported \
      under its path. Each finding is one line: path, key, severity, message and the code of the rule. The status is 0 \
      if there are no errors, 1 if there are, and 2 if a file could not be read.
      """,
    arguments: [
      Argument(
        .file("plist"), arity: .oneOrMore,
        "An application or extension, a property list, a types.json, or a desktop entry.")
    ],
    options: [.strict, .with, .json, .sarif],
    examples: [
      Example("particles types lint Info.plist", "Check the types of an application."),
      Example(
        "particles types lint /Applications/Draw.app", "Check an application with its extensions."),
      Example(
        "particles types lint --sarif types.json > findings.sarif",
        "Write the findings for an editor or a code host."),
    ],
    run: { invocation in
      guard !invocation.flag(.json) || !invocation.flag(.sarif) else {
        throw UsageError("'--json' and '--sarif' exclude each other")
      }
      let isText = !invocation.flag(.json) && !invocation.flag(.sarif)
      let known = try KnownTypes(invocation).registry
      var report = Report()
      var status = try invocation.forEach(invocation.arguments("plist")) { path in
        let files = try lint(path, known, isComplete: !invocation.values(.with).isEmpty)
        report.files += files
        for diagnostic in files.flatMap(\.diagnostics) where isText && invocation.shows(diagnostic)
        {
          try invocation.console.print(diagnostic)
          if let hint = diagnostic.hint { invocation.console.detail("  hint: \(hint)") }
        }
        return .done
      }
      if invocation.flag(.json) { try invocation.print(report.json) }
      if invocation.flag(.sarif) {
        let tool = invocation.tool
        try invocation.print(report.sarif(tool: tool.name, version: tool.version))
      }
      let (errors, warnings) = (report.count(.error), report.count(.warning))
      invocation.console.inform(
        "\(report.files.count.of("file")): \(errors.of("error")), \(warnings.of("warning"))")
      let isBad = errors > 0 || invocation.flag(.strict) && warnings > 0
      if isBad { status = max(status, .answerNo) }
      return status
    })

  /// The findings in a file, or in a bundle and its extensions.
  private static func lint(
    _ path: String, _ known: TypeRegistry, isComplete: Bool
  ) throws -> [Report.File] {
    let bundle: TypesBundle
    do {
      bundle = try TypesBundle(contentsOf: path)
    } catch let diagnostic as Diagnostic where diagnostic.rule.family != "file" {
      return [report(of: path, [diagnostic])]
    }
    let results = bundle.findings(known: known, isComplete: isComplete) { template in
      try? Files.status(Files.joined(Files.folder(of: path), template))?.size
    }
    let files = results.map { report(of: $0.file.source.path ?? path, $0.findings) }
    let faults = bundle.faults.map { report(of: $0.location.file ?? path, [$0]) }
    return files + faults
  }

  private static func report(of path: String, _ findings: [Diagnostic]) -> Report.File {
    Report.File(
      path: path, kind: "types", diagnostics: findings.map { $0.inside(Location(file: path)) }
    ).locatingLines { $0 == nil ? try? Files.read(path) : nil }
  }

  static let typesDeclare = Command(
    name: "declare", group: .formats, summary: "Write a types.json that declares a type.",
    discussion: """
      The application exports the type and claims it as Owner and Editor, unless --rank and --role change that. The \
      result is checked. If there are errors, nothing is written. types export writes the Info.plist or the files of \
      a desktop from it.
      """,
    arguments: [Argument(.text("identifier"), "The identifier, such as com.example.drawing.")],
    options: [
      .application, .fileExtension, .mimeType, .supertype, .package, .title, .role, .rank, .icon,
      .template, .output, .force, .json,
    ],
    examples: [
      Example(
        "particles types declare com.example.drawing --extension drawing -o types.json",
        "Declare a type of documents."),
      Example(
        "particles types declare com.example.book -e book --package --title Book",
        "Declare a type of packages."),
    ],
    run: { invocation in
      if invocation.isWritingToStandardOutput { try invocation.checkStandardOutput() }
      let file = try declaredFile(invocation)
      let folder = invocation.value(.output).map(Files.folder(of:)) ?? "."
      let findings = TypeLinter(file).findings { template in
        try? Files.status(Files.joined(folder, template))?.size
      }
      invocation.note(findings)
      let identifier = try invocation.argument("identifier")
      guard !findings.contains(where: { $0.severity == .error }) else {
        if invocation.flag(.json) { try invocation.print(["identifier": .string(identifier)]) }
        return .answerNo
      }
      try invocation.write(file.json.text, ["identifier": .string(identifier)])
      return .done
    })

  private static func declaredFile(_ invocation: Invocation) throws -> TypesFile {
    let identifier = try invocation.argument("identifier")
    let parts = identifier.split(separator: ".")
    let owner =
      invocation.value(.application)
      ?? (parts.count > 1 ? parts.dropLast().joined(separator: ".") : identifier)
    let source = DeclarationSource(.document, owner: owner)
    let supertypes = invocation.values(.supertype)
    let form = invocation.flag(.package) ? "com.apple.package" : "public.data"
    var declaration = TypeDeclaration(
      identifier, source: source,
      conformingTo: supertypes.isEmpty ? [form, "public.content"] : supertypes,
      tags: [
        .filenameExtension: invocation.values(.fileExtension),
        .mimeType: invocation.values(.mimeType),
      ], title: invocation.value(.title))
    if invocation.flag(.package), !declaration.supertypes.contains(form) {
      declaration.supertypes.insert(form, at: 0)
    }
    declaration.iconName = invocation.value(.icon)
    declaration.templatePath = invocation.value(.template)
    let claim = HandlerClaim(
      by: Handler(owner), to: [identifier], name: invocation.value(.title) ?? identifier,
      role: invocation.value(.role).flatMap(HandlerRole.init(named:)) ?? .editor,
      rank: invocation.value(.rank).flatMap(HandlerRank.init(named:)) ?? .owner, source: source)
    return TypesFile(
      handler: Handler(owner), source: source, declarations: [declaration], claims: [claim])
  }
}

extension Option {
  fileprivate static let application = Option(
    "application", value: .text("bundle"), default: "the identifier without its last part",
    "The identifier of the application.")
  fileprivate static let fileExtension = Option(
    "extension", short: "e", value: .text("extension"), repeatable: true,
    "An extension, the preferred one first.")
  fileprivate static let mimeType = Option(
    "mime", value: .text("type"), repeatable: true, "A MIME type, the preferred one first.")
  fileprivate static let supertype = Option(
    "conforms-to", value: .text("type"), default: "public.data and public.content",
    repeatable: true, "A supertype.")
  fileprivate static let package = Option(
    "package", "Declare a type of packages: directories that users see as one file.")
  fileprivate static let title = Option(
    "title", value: .text("text"), "The name of the type for users.")
  fileprivate static let role = Option(
    "role", value: .choice("role", HandlerRole.allCases.map(\.rawValue)), default: "Editor",
    "The role of the application for such files.")
  fileprivate static let rank = Option(
    "rank", value: .choice("rank", HandlerRank.allCases.map(\.rawValue)), default: "Owner",
    "The rank of the application for such files.")
  fileprivate static let icon = Option(
    "icon", value: .text("name"), "The name of the icon of such files.")
  fileprivate static let template = Option(
    "template", value: .file("file"), "A template for new documents, relative to the output.")
}

extension Invocation {
  var isWritingToStandardOutput: Bool { value(.output).map { $0 == Self.standardStream } ?? true }

  /// Writes text to the path of `--output`, or to standard output.
  /// - Parameter members: with `--json`, printed with the path and the size of the file.
  func write(_ text: String, _ members: JSONObject) throws {
    guard let path = value(.output), path != Self.standardStream else {
      return try console.write(text)
    }
    try SafeSave.file(path, replacing: flag(.force)) { try $0.write(Array(text.utf8)) }
    guard flag(.json) else { return }
    var result = members
    (result["path"], result["size"]) = (.string(path), .int(text.utf8.count))
    try print(.object(result))
  }
}

extension Command {
  /// Writes declarations and claims in the format of a system.
  static let typesExport = Command(
    name: "export", group: .formats,
    summary: "Write types and claims for Apple's systems, or for desktops.",
    discussion: """
      plist writes the keys of an Info.plist, or the whole one if the file is a property list. mime writes a package \
      for update-mime-database, desktop a desktop entry, thumbnailer a thumbnailer entry, and json a types.json. \
      Desktops have no types for directories, so mime, desktop and thumbnailer leave them out.
      """,
    arguments: [
      Argument(
        .file("file"), arity: .optional,
        "A property list, a bundle, or a types.json; by default, the types of Particles.")
    ],
    options: [.target, .command, .output, .force, .json],
    examples: [
      Example(
        "particles types export --format mime -o particles.xml",
        "Write the types of Particles for the shared MIME database."),
      Example(
        "particles types export types.json --format plist", "Write types for an application."),
      Example(
        "particles types export --format desktop --command 'viewer %F'", "Write a desktop entry."),
    ],
    run: { invocation in
      if invocation.isWritingToStandardOutput { try invocation.checkStandardOutput() }
      let path = invocation.arguments("file").first
      let file = try path.map { try TypesFile(contentsOf: $0) } ?? .particles
      let findings = file.faults + file.losses(in: TypesTarget.format(invocation))
      invocation.note(findings.map { $0.inside(Location(file: path)) })
      let (target, excluded) = (TypesTarget(invocation), TypesTarget.excluded(file, invocation))
      for type in excluded {
        invocation.console.inform("\(type) has no MIME type and is left out")
      }
      try invocation.write(
        target.text(of: file, invocation),
        [
          "format": .string(target.rawValue),
          "excluded": .array(excluded.map { .string($0) }),
        ])
      return .done
    })
}

extension Option {
  fileprivate static let target = Option(
    "format", value: .choice("format", TypesTarget.allCases.map(\.rawValue)), default: "plist",
    "The format to write.")
  fileprivate static let command = Option(
    "command", value: .text("command"),
    "The command line, for desktop (with a field code such as %F) and thumbnailer (%i, %o, %s).")
}

/// The formats of an export.
private enum TypesTarget: String, CaseIterable {
  case plist, mime, desktop, thumbnailer, json

  /// The format of `--format`.
  init(_ invocation: Invocation) {
    self = invocation.value(.target).flatMap(TypesTarget.init(rawValue:)) ?? .plist
  }

  /// The wanted format as far as it decides which values cannot be written.
  static func format(_ invocation: Invocation) -> TypesFile.ExportFormat {
    switch TypesTarget(invocation) {
    case .plist: .propertyList
    case .json: .json
    case .mime, .desktop, .thumbnailer: .desktop
    }
  }

  /// The claimed types that an entry for desktops leaves out, since they have no MIME type.
  static func excluded(_ file: TypesFile, _ invocation: Invocation) -> [String] {
    switch TypesTarget(invocation) {
    case .plist, .json, .mime: []
    case .desktop, .thumbnailer:
      DesktopEntry.typesWithoutName(in: file, types: TypeRegistry.standard.adding([file]))
        .map(\.description)
    }
  }

  func text(of file: TypesFile, _ invocation: Invocation) throws -> String {
    let registry = TypeRegistry.standard.adding([file])
    switch self {
    case .plist:
      return String(decoding: file.propertyListValue.xml, as: UTF8.self)
    case .json: return file.json.text
    case .mime:
      let declared = file.declarations.map(\.value).filter { $0.kind != .system }
      return SharedMIMEInfo(
        declared.map { UniformType(importedAs: $0.identifier, in: registry) },
        translations: Wording.translations
      ).text
    case .desktop:
      let command = try command(invocation, codes: "fFuUick", files: "fFuU")
      return DesktopEntry(
        file, types: registry, command: command.text, program: command.words.first
      ).text
    case .thumbnailer:
      let command = try command(invocation, codes: "iuos", files: "iu")
      let entry = DesktopEntry(file, types: registry, command: command.text)
      return ThumbnailerEntry(
        command: command.text, program: command.words.first, mimeTypes: entry.mimeTypes
      ).text
    }
  }

  /// The command line of `--command`.
  /// - Parameters:
  ///   - codes: the letters of the field codes that it may have.
  ///   - files: the letters for the file to open. The command line may have one.
  private func command(
    _ invocation: Invocation, codes: String, files: String
  ) throws -> ExecLine {
    guard let command = invocation.value(.command), !command.isEmpty else {
      throw UsageError("a desktop entry needs '--command', the command line of the program")
    }
    guard let line = ExecLine(command, checkingReserved: true) else {
      throw UsageError(
        "'--command' is not a command line",
        hint: "close each quote, and put special characters in double quotes")
    }
    let list = (codes + "%").map { "%\($0)" }.joined(separator: ", ")
    for code in line.fieldCodes where !(codes + "%").contains(code) {
      throw UsageError("'--command' has the unknown field code '%\(code)'", hint: "use \(list)")
    }
    guard line.fieldCodes.filter(files.contains).count <= 1 else {
      let names = files.map { "%\($0)" }.joined(separator: ", ")
      throw UsageError("'--command' has more than one of \(names)")
    }
    return line
  }
}
