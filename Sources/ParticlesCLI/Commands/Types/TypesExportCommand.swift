internal import ParticlesPropertyLists
internal import ParticlesCore
internal import ParticlesDesktop
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
  ///   - files: those for the file to open, one of which it may have.
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
