internal import ParticlesCore
internal import ParticlesTypes

/// A command of the tool in the menus of file managers, such as "Export as GIF".
package struct FileAction: Sendable, Hashable {
  /// The identifier, in lower-case letters, digits and hyphens; part of file names.
  package var identifier: String
  /// The name for users.
  package var name: String
  /// The arguments of the tool before the files.
  package var arguments: [String]
  /// The MIME types of the files that it is for.
  package var mimeTypes: [String]

  /// Creates an action.
  package init(_ identifier: String, name: String, arguments: [String], mimeTypes: [String]) {
    self.identifier = identifier
    self.name = name
    self.arguments = arguments
    self.mimeTypes = mimeTypes
  }
}

/// The files that add actions to KDE's file managers, to Nemo and to Nautilus.
///
/// None of these menus shows the errors of a command, so all of them run it by a script that does.
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

  /// - Parameter isOfUser: whether the data folder is that of a user. Nautilus finds scripts there only.
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
