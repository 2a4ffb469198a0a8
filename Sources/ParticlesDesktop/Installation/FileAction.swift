internal import ParticlesCore
internal import ParticlesSystem
internal import ParticlesTypes

/// A command of the tool in the menus of file managers, such as "Export as GIF".
package struct FileAction: Sendable, Hashable {
  /// The identifier, in lower-case letters, digits and hyphens, as a part of file names.
  package var identifier: String
  /// The name for users.
  package var name: String
  /// The arguments of the tool before the files.
  package var arguments: [String]
  package var mimeTypes: [String]

  package init(_ identifier: String, name: String, arguments: [String], mimeTypes: [String]) {
    self.identifier = identifier
    self.name = name
    self.arguments = arguments
    self.mimeTypes = mimeTypes
  }
}

/// The files that add actions to KDE's file managers, to Nemo and to Nautilus.
///
/// None of these menus shows the errors of a command. All menus run it by a script that shows them.
struct FileActions {
  /// The path of the script, below the data folder.
  static let scriptPath = "particles/run-action"
  /// The name of the submenu.
  private static let menu = "Particles"

  let actions: [FileAction]
  /// The absolute path of the script.
  let script: String
  /// The path of the tool, or its name in PATH.
  let program: String
  /// Returns a name in other languages, by their codes. Nautilus has none.
  let translations: @Sendable (String) -> [String: String]

  /// - Parameter isOfUser: whether the data folder belongs to a user. Nautilus finds scripts there only.
  func files(isOfUser: Bool) -> [DesktopInstallation.File] {
    typealias File = DesktopInstallation.File
    var files = [File(Self.scriptPath, scriptText, isExecutable: true)]
    for action in actions {
      let name = "particles-\(action.identifier)"
      // KDE runs an entry of a user only if it is executable.
      files.append(
        File("kio/servicemenus/\(name).desktop", serviceMenu(action), isExecutable: true))
      files.append(File("nemo/actions/\(name).nemo_action", nemoAction(action)))
      if isOfUser {
        files.append(
          File(
            "nautilus/scripts/\(Self.menu)/\(action.name)", nautilusScript(action),
            isExecutable: true))
      }
    }
    return files
  }

  /// The command line with a field code for the files.
  private func command(_ action: FileAction) -> String {
    ([script.quotedInCommand] + action.arguments.map(\.quotedInCommand) + ["--", "%F"])
      .joined(separator: " ")
  }

  /// The lines with the name in each language.
  private func names(_ action: FileAction, _ escaped: (String) -> String) -> String {
    DesktopEntry.lines(
      "Name", escaped(action.name), translations(action.name).mapValues(escaped)
    ).joined(separator: "\n")
  }

  private func serviceMenu(_ action: FileAction) -> String {
    """
    [Desktop Entry]
    Type=Service
    Name=\(Self.menu)
    X-KDE-ServiceTypes=KonqPopupMenu/Plugin
    X-KDE-Submenu=\(Self.menu)
    MimeType=\(DesktopEntry.list(action.mimeTypes))
    Actions=\(action.identifier);

    [Desktop Action \(action.identifier)]
    \(names(action) { $0 })
    Icon=particles
    Exec=\(command(action).inKeyFile)

    """
  }

  private func nemoAction(_ action: FileAction) -> String {
    // Nemo puts each path between quotes of this kind.
    """
    [Nemo Action]
    \(names(action) { $0.replacing("%", with: "%%") })
    Comment=Particles
    Icon-Name=particles
    Exec=\(command(action).inKeyFile)
    Quote=double
    Selection=notnone
    Mimetypes=\(DesktopEntry.list(action.mimeTypes))

    """
  }

  private func nautilusScript(_ action: FileAction) -> String {
    let words = ([script] + action.arguments).map(\.quotedInShell).joined(separator: " ")
    return """
      #!/bin/sh
      exec \(words) -- "$@"

      """
  }

  private var scriptText: String {
    """
    #!/bin/sh
    # Runs the tool for a menu of a file manager, and shows its messages if it fails. Other users see the arguments of programs,
    # so that only messages become one.
    messages=$(\(program.quotedInShell) "$@" 2>&1 > /dev/null) && exit
    status=$?
    # Two of the programs take tags in a text for a style, or for a picture to be loaded.
    plain=$(printf '%s\\n' "$messages" | sed 's/&/\\&amp;/g; s/</\\&lt;/g; s/>/\\&gt;/g')
    if command -v zenity > /dev/null; then
      zenity --error --no-markup --title Particles --text "$messages"
    elif command -v kdialog > /dev/null; then
      kdialog --title Particles --error "<qt><pre>$plain</pre></qt>"
    elif command -v notify-send > /dev/null; then
      notify-send --app-name Particles --icon particles -- Particles "$plain"
    elif command -v xmessage > /dev/null; then
      printf '%s\\n' "$messages" | xmessage -file -
    fi
    exit "$status"

    """
  }
}

extension String {
  /// This text as one word of a command in a POSIX shell.
  fileprivate var quotedInShell: String { "'" + replacing("'", with: "'\\''") + "'" }
}

/// A list of the files that an installation wrote, so that uninstalling removes exactly those.
struct InstallationRecord: Sendable, Equatable {
  /// The path of the record below the data folder.
  static let path = "particles/desktop.json"

  /// The SHA-256 of each installed file, by its path below the data folder.
  var files: [String: String] = [:]

  /// Folders that the installation made, the outer ones first.
  var folders: [String] = []

  /// The data folder, the folder of settings and their parents, if the installation made them:
  /// absolute paths, the outer ones first.
  var surroundings: [String] = []

  /// The MIME types of which the program was made the default one, and the edited file.
  var chosen: [String] = []
  var choices: String?

  /// Whether the installation made that file.
  var madeChoices = false

  /// Creates a record of nothing.
  init() {}

  /// Reads the record in a data folder. The record is empty if nothing is installed there.
  /// - Throws: ``ParticlesCore/Rule/desktopRecord`` if the record is invalid.
  init(in data: String) throws {
    let path = Files.joined(data, Self.path)
    guard try Files.status(path) != nil else { return }
    let bytes = try Files.read(path)
    guard let object = try? JSONParser.parse(bytes).object, object["version"]?.int == 1,
      let files = object["files"]?.object
    else {
      throw Diagnostic(.desktopRecord, at: Location(file: path), expected: "a record of version 1")
    }
    for member in files.members { self.files[member.key] = member.value.string ?? "" }
    folders = object["folders"]?.array?.compactMap(\.string) ?? []
    surroundings = object["surroundings"]?.array?.compactMap(\.string) ?? []
    chosen = object["chosen"]?.array?.compactMap(\.string) ?? []
    choices = object["choices"]?.string
    madeChoices = object["madeChoices"]?.bool ?? false
    guard (files.members.map(\.key) + folders).allSatisfy(Self.isBelow) else {
      throw Diagnostic(
        .desktopRecord, at: Location(file: path), expected: "paths below the data folder")
    }
    guard surroundings.allSatisfy({ $0.hasPrefix("/") && Self.isBelow(String($0.dropFirst())) })
    else {
      throw Diagnostic(.desktopRecord, at: Location(file: path), expected: "absolute paths")
    }
  }

  /// A record could have been modified. Paths in it must not lead out of the data folder.
  private static func isBelow(_ path: String) -> Bool {
    !path.hasPrefix("/") && path.split(separator: "/").allSatisfy { $0 != ".." && $0 != "." }
  }

  func write(in data: String) throws {
    var object: JSONObject = ["version": .int(1)]
    let members = files.sorted { $0.key < $1.key }
    object["files"] = .object(
      JSONObject(members: members.map { .init(key: $0.key, value: .string($0.value)) }))
    object["folders"] = .array(folders.map { .string($0) })
    if !surroundings.isEmpty {
      object["surroundings"] = .array(surroundings.map { .string($0) })
    }
    if let choices {
      object["chosen"] = .array(chosen.map { .string($0) })
      object["choices"] = .string(choices)
      object["madeChoices"] = .bool(madeChoices)
    }
    let text = JSONValue.object(object).text
    try SafeSave.file(Files.joined(data, Self.path), replacing: true, permissions: 0o644) {
      try $0.write(Array(text.utf8))
    }
  }

  /// Makes a folder and its parents with these permission bits, and records the new folders.
  mutating func makeSurroundings(
    _ path: String, mode: UInt32 = DesktopInstallation.folderMode
  ) throws {
    var created: [String] = []
    defer { surroundings += created.filter { !surroundings.contains($0) } }
    try DesktopInstallation.makeFolders(path, mode: mode, noting: &created)
    created = try created.map(Files.resolve)
  }
}
