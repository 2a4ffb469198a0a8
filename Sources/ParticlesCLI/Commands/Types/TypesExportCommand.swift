internal import ParticlesPropertyLists
internal import ParticlesCore
internal import ParticlesDesktop
internal import ParticlesFormats
internal import ParticlesTypes

extension Command {
  /// Writes declarations and claims in the format of a system.
  static let typesExport = Command(
    name: "export", group: .formats,
    summary: "Write types and claims for Apple's systems, or for desktops.",
    discussion: """
      plist writes the keys of an Info.plist, or the whole one if the file is a property list; mime a package for update-mime-database, desktop a desktop \
      entry, thumbnailer a thumbnailer entry, and json a types.json. Desktops have no types for \
      directories, so mime, desktop and thumbnailer leave them out.
      """,
    arguments: [
      Argument(
        .file("file"), arity: .optional,
        "A property list, a bundle, or a types.json; by default, the types of Particles.")
    ],
    options: [.target, .command, .output, .force],
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
      let path = invocation.arguments("file").first
      let file = try path.map { try TypesFile(contentsOf: $0) } ?? .particles
      let findings = file.faults + file.losses(in: TypesTarget.format(invocation))
      invocation.report(findings.map { $0.inside(Location(file: path)) })
      try invocation.write(TypesTarget.text(of: file, invocation))
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

  /// The wanted format as far as it decides which values cannot be written.
  static func format(_ invocation: Invocation) -> TypesFile.ExportFormat {
    switch invocation.value(.target).flatMap(TypesTarget.init) ?? .plist {
    case .plist: .propertyList
    case .json: .json
    case .mime, .desktop, .thumbnailer: .desktop
    }
  }

  static func text(of file: TypesFile, _ invocation: Invocation) throws -> String {
    let registry = TypeRegistry.standard.adding([file])
    switch invocation.value(.target).flatMap(TypesTarget.init) ?? .plist {
    case .plist:
      return String(decoding: file.propertyListValue.xml, as: UTF8.self)
    case .json: return file.json.text
    case .mime:
      let exported = file.declarations.map(\.value).filter { $0.kind == .exported }
      return SharedMIMEInfo(
        exported.map { UniformType(importedAs: $0.identifier, in: registry) }
      ).text
    case .desktop:
      let command = try command(invocation)
      return DesktopEntry(file, types: registry, command: command, program: program(command)).text
    case .thumbnailer:
      let command = try command(invocation)
      let entry = DesktopEntry(file, types: registry, command: command)
      return ThumbnailerEntry(
        command: command, program: program(command), mimeTypes: entry.mimeTypes
      ).text
    }
  }

  private static func command(_ invocation: Invocation) throws -> String {
    guard let command = invocation.value(.command), !command.isEmpty else {
      throw UsageError("a desktop entry needs '--command', the command line of the program")
    }
    return command
  }

  private static func program(_ command: String) -> String? {
    command.split(separator: " ").first.map(String.init)
  }
}
