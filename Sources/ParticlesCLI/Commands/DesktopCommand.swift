internal import ParticlesCore
internal import ParticlesDesktop
internal import ParticlesFormats
internal import ParticlesRender
internal import ParticlesSystem
internal import ParticlesTypes

extension Command {
  /// Installs the types, icons and entries of the desktop, and removes them.
  static let desktop = Command(
    name: "desktop", group: .formats,
    summary: "Install file types, icons and thumbnails on the desktop.",
    discussion: """
      Installs the MIME types of all formats with their patterns and magic, icons, a desktop entry, a thumbnailer, \
      and the menu Particles of file managers into your data folder ($XDG_DATA_HOME, otherwise ~/.local/share) or, \
      with --prefix, into another folder, and updates the databases of the desktop. The installed files are recorded in \
      particles/desktop.json in this folder, and 'uninstall' removes exactly these.

      A double-click on a document, and the entry in the menu of programs, then run 'particles browse', which \
      shows it in the web browser. The menu of file managers has "Export as GIF" and a "Convert to" for each format that can be written: as service \
      menus of KDE, actions of Nemo and, without --prefix, scripts of Nautilus. They write the result \
      beside the file, under a name that is free, and show the messages of a command that fails.
      """,
    subcommands: [.desktopInstall, .desktopUninstall, .desktopStatus])

  private static let desktopInstall = Command(
    name: "install", group: .formats, summary: "Install or update the desktop files.",
    discussion: """
      Installing again changes nothing. Without --force, files that another program installed or \
      that were modified are not replaced.

      --root is for those who make packages: the files are written below that folder, as they are \
      to be installed below --prefix, without a record and without updating databases. The \
      program that --program names need not be there.
      """,
    options: [.prefix, .program, .asDefault, .root, .force, .json],
    examples: [
      Example("particles desktop install", "Install for the current user."),
      Example("particles desktop install --prefix /usr/local", "Install for all users."),
    ],
    run: { invocation in
      if let root = invocation.value(.root) {
        guard invocation.value(.prefix) != nil, !invocation.flag(.asDefault) else {
          throw UsageError("'--root' needs '--prefix', and excludes '--default'")
        }
        let installation = try invocation.installation(of: invocation.programWord)
        try invocation.print(try installation.stage(below: root), of: installation)
        return .done
      }
      let program = try invocation.installedProgram
      let installation = try invocation.installation(of: program.command)
      let config = invocation.flag(.asDefault) ? try invocation.settings : nil
      var outcome = try installation.install(replacing: invocation.flag(.force))
      if !program.path.hasPrefix("/usr/") {
        outcome.diagnostics.add(
          .desktopProgram, at: Location(file: program.path),
          expected: "a program below /usr, the only folder in the sandbox of its thumbnailers")
      }
      if let config { try installation.choose(in: config) }
      try invocation.print(outcome, of: installation)
      return .done
    })

  private static let desktopUninstall = Command(
    name: "uninstall", group: .formats, summary: "Remove the installed desktop files.",
    discussion: "Modified files are kept and reported.",
    options: [.prefix, .json],
    examples: [Example("particles desktop uninstall", "Remove the files of the current user.")],
    run: { invocation in
      let installation = try invocation.installation()
      let outcome = try installation.uninstall()
      try invocation.print(outcome, of: installation)
      return .done
    })

  private static let desktopStatus = Command(
    name: "status", group: .formats, summary: "Show which desktop files are installed.",
    discussion: """
      The state of each file: unchanged, updated (if 'install' would update it), kept (if it was modified) or \
      missing. The status is 1 if any file is not unchanged.
      """,
    options: [.prefix, .program, .json],
    examples: [Example("particles desktop status", "Show the state of each file.")],
    run: { invocation in
      let installation = try invocation.installation(of: invocation.programWord)
      let outcome = try installation.status()
      try invocation.print(outcome, of: installation)
      return outcome.changes.allSatisfy { $0.change == .unchanged } ? .done : .answerNo
    })
}

extension Option {
  fileprivate static let prefix = Option(
    "prefix", value: .folder("folder"), default: "your own data folder",
    "Install into the subfolder share of this folder.")
  fileprivate static let program = Option(
    "program", value: .text("path"), default: "this one", "The program that the desktop runs.")
  fileprivate static let root = Option(
    "root", value: .folder("folder"), "Write the files below this folder, for a package.")
  fileprivate static let asDefault = Option(
    "default", "Also make the tool the default application for particle documents.")
}

extension Invocation {
  /// The installation of a program.
  /// - Parameter program: its path, or its name in PATH.
  fileprivate func installation(of program: String = "particles") throws -> DesktopInstallation {
    let home = BaseDirectories(environment: environment).dataHome
    guard let data = value(.prefix).map({ Files.joined($0, "share") }) ?? home else {
      throw UsageError(
        "cannot find the data folder: HOME is not set", hint: "set HOME, or use '--prefix'")
    }
    let isOfUser = value(.prefix) == nil
    let known = FormatRegistry.standard.types
    let types =
      [UniformType.particles.identifier]
      + FormatRegistry.standard.formats.flatMap(\.types)
      .map(\.identifier)
    // The menus contain the path of a file in it.
    let current = data.hasPrefix("/") ? data : Files.joined(try Files.resolve("."), data)
    return .particles(
      in: current, isOfUser: isOfUser, executable: program,
      types: types.map { UniformType(importedAs: $0, in: known) },
      translations: Wording.translations, actions: FileAction.all)
  }

  /// The word of the program in the entries: an absolute path, or a name in PATH, since the desktop
  /// does not know the current folder.
  fileprivate var programWord: String {
    get throws {
      try value(.program).map {
        $0.contains("/") && !$0.hasPrefix("/") ? try Files.resolve($0) : $0
      } ?? Program.path ?? tool.name
    }
  }

  /// The word of the program and its path with all links followed. Throws an error if no such program
  /// is installed.
  fileprivate var installedProgram: (command: String, path: String) {
    get throws {
      let word = try programWord
      let folders = (environment["PATH"] ?? "").split(separator: ":").map(String.init)
      let places = word.hasPrefix("/") ? [word] : folders.map { Files.joined($0, word) }
      let path = try places.first { place in
        let status = try Files.status(place)
        return status?.kind == .file && status?.isExecutable == true
      }
      guard let path else {
        let place = word.hasPrefix("/") ? "" : " in PATH"
        throw Diagnostic(
          .fileNotFound, at: Location(file: word), expected: "an executable program\(place)")
      }
      return (word, try Files.resolve(path))
    }
  }

  /// The folder of the user's settings, in which the default application is chosen.
  fileprivate var settings: String {
    get throws {
      guard value(.prefix) == nil else {
        throw UsageError("'--default' is a setting of one user, and '--prefix' installs for all")
      }
      guard let config = BaseDirectories(environment: environment).configHome else {
        throw UsageError("cannot find the settings folder: HOME is not set", hint: "set HOME")
      }
      return config
    }
  }

  fileprivate func print(
    _ outcome: DesktopInstallation.Outcome, of installation: DesktopInstallation
  ) throws {
    report(outcome.diagnostics)
    guard flag(.json) else {
      if outcome.changes.isEmpty { console.inform("nothing is installed in \(installation.data)") }
      var table = Table(.left, .left)
      for (path, change) in outcome.changes {
        table.add(change.rawValue, Files.joined(installation.data, path))
      }
      return try console.write(table.text)
    }
    let files = outcome.changes.map { path, change -> JSONValue in
      ["path": .string(path), "change": .string(change.rawValue)]
    }
    try print([
      "version": .int(1), "data": .string(installation.data), "files": .array(files),
      "diagnostics": .array(outcome.diagnostics.map(\.json)),
    ])
  }
}

extension FileAction {
  /// The actions of the tool for files of these MIME types.
  fileprivate static func all(_ mimeTypes: [String]) -> [FileAction] {
    func action(
      _ identifier: String, _ name: String, _ command: String, except types: [String]
    ) -> FileAction {
      FileAction(
        identifier, name: name, arguments: [command, "--beside", "--to", identifier],
        mimeTypes: mimeTypes.filter { !types.contains($0) })
    }
    let known = FormatRegistry.standard
    let gif = action(
      AnimationFormat.gif.fileExtensions[0], "Export as \(AnimationFormat.gif.name)", "render",
      except: [])
    let package = action(
      "particles", "Convert to Particles package", "convert",
      except: names([UniformType.particles.identifier]))
    let others = known.formats.filter { $0.canWrite && !$0.isArchive }.map { format in
      action(
        format.name, "Convert to \(format.title)", "convert",
        except: names(format.types.map(\.identifier)))
    }
    return [gif, package] + others
  }

  /// The MIME types of types.
  private static func names(_ identifiers: [String]) -> [String] {
    identifiers.compactMap {
      SharedMIMEInfo.name(of: UniformType(importedAs: $0, in: FormatRegistry.standard.types))
    }
  }
}
