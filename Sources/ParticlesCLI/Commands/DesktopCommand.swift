internal import ParticlesCore
internal import ParticlesDesktop

extension Command {
  /// Tells the desktop of our type, or lets it forget.
  static let desktop = Command(
    name: "desktop", group: .formats,
    summary: "Tell the desktop what particle documents are, and who opens them.",
    discussion: """
      Installs the MIME type with its patterns and magic, icons, a desktop entry and a thumbnailer into \
      your data folder ($XDG_DATA_HOME, otherwise ~/.local/share), or into another place with --prefix, \
      and has the databases made again. What was installed is recorded in particles/desktop.json \
      there, so that 'uninstall' takes away exactly that.
      """,
    subcommands: [.desktopInstall, .desktopUninstall, .desktopStatus])

  private static let desktopInstall = Command(
    name: "install", group: .formats, summary: "Install, or bring up to date.",
    discussion: """
      To install again changes nothing. A file that is not from here, or that somebody changed, is not \
      replaced without --force.
      """,
    options: [.prefix, .program, .asDefault, .force, .json],
    examples: [
      Example("particles desktop install", "Tell your desktop of particle documents."),
      Example("particles desktop install --prefix /usr/local", "The same for everybody."),
    ],
    run: { invocation in
      let installation = try invocation.installation
      let config = invocation.flag(.asDefault) ? try invocation.settings : nil
      let outcome = try installation.install(replacing: invocation.flag(.force))
      if let config { try installation.choose(in: config) }
      try invocation.print(outcome, of: installation)
      return .done
    })

  private static let desktopUninstall = Command(
    name: "uninstall", group: .formats, summary: "Take away what was installed.",
    discussion: "A file that somebody changed since stays, and that is said.",
    options: [.prefix, .json],
    examples: [Example("particles desktop uninstall", "Let your desktop forget.")],
    run: { invocation in
      let installation = try invocation.installation
      let outcome = try installation.uninstall()
      try invocation.print(outcome, of: installation)
      return .done
    })

  private static let desktopStatus = Command(
    name: "status", group: .formats, summary: "Say what is installed.",
    discussion: """
      Of each file: unchanged, if it is as it would be installed now; updated, if it is to be brought up \
      to date; kept, if somebody changed it; missing, if it is not there. The status is 1 if not all are \
      unchanged.
      """,
    options: [.prefix, .program, .json],
    examples: [Example("particles desktop status", "Say what is installed.")],
    run: { invocation in
      let installation = try invocation.installation
      let outcome = try installation.status()
      try invocation.print(outcome, of: installation)
      return outcome.changes.allSatisfy { $0.change == .unchanged } ? .done : .answerNo
    })
}

extension Option {
  fileprivate static let prefix = Option(
    "prefix", value: .folder("folder"), default: "your own data folder",
    "Install below share in this folder.")
  fileprivate static let program = Option(
    "program", value: .text("path"), default: "this one", "The tool that the desktop is to run.")
  fileprivate static let asDefault = Option(
    "default", "Also choose the tool as the program that opens particle documents.")
}

extension Invocation {
  fileprivate var installation: DesktopInstallation {
    get throws {
      let home = BaseDirectories(environment: environment).dataHome
      guard let data = value(.prefix).map({ Files.joined($0, "share") }) ?? home else {
        throw UsageError("nobody knows where your data is", hint: "set HOME, or say '--prefix'")
      }
      // The desktop looks for a name in PATH, and for nothing from the folder that we are in.
      let program = try value(.program).map {
        $0.contains("/") && !$0.hasPrefix("/") ? try Files.resolve($0) : $0
      }
      return .particles(in: data, executable: program ?? Program.path ?? tool.name)
    }
  }

  /// The folder of a person's settings, in which a default is chosen.
  fileprivate var settings: String {
    get throws {
      guard value(.prefix) == nil else {
        throw UsageError("'--default' is for one person, and '--prefix' for all")
      }
      guard let config = BaseDirectories(environment: environment).configHome else {
        throw UsageError("nobody knows where settings are", hint: "set HOME")
      }
      return config
    }
  }

  fileprivate func print(
    _ outcome: DesktopInstallation.Outcome, of installation: DesktopInstallation
  ) throws {
    report(outcome.diagnostics)
    guard flag(.json) else {
      if outcome.changes.isEmpty { console.say("nothing is installed in \(installation.data)") }
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
