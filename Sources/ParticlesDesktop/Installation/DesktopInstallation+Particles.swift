internal import ParticlesCore
package import ParticlesTypes

extension DesktopInstallation {
  /// Returns the installation of the tool: MIME types with their patterns and magic, icons, desktop
  /// entry, thumbnailer, and actions for file managers.
  /// - Parameters:
  ///   - data: the absolute path of the data folder.
  ///   - isOfUser: whether it is that of a user, not of the system.
  ///   - executable: the path of the tool, or its name if it is found in `PATH`.
  ///   - types: the types of the documents that the tool opens.
  ///   - translations: returns a text for users in other languages, by their codes.
  ///   - actions: returns the actions, for the MIME types of the documents.
  package static func particles(
    in data: String, isOfUser: Bool, executable: String, types: [UniformType],
    translations: @escaping @Sendable (String) -> [String: String],
    actions: ([String]) -> [FileAction]
  ) -> DesktopInstallation {
    let mimeTypes = types.compactMap(SharedMIMEInfo.name)
    let program = executable.quotedInCommand
    // The script shows the messages of a command that fails: a double-click has no terminal.
    let script = Files.joined(data, FileActions.scriptPath)
    let comment = "Shows particle effects in the web browser"
    let entry = DesktopEntry(
      name: "Particles", comment: comment, comments: translations(comment),
      command: "\(script.quotedInCommand) browse --wait -- %F", program: executable,
      icon: "particles", mimeTypes: mimeTypes)
    let thumbnailer = ThumbnailerEntry(
      command: "\(program) thumbnail --size %s --in-place -- %i %o", program: executable,
      mimeTypes: mimeTypes)
    let identifier = "particles.desktop"
    let icons = mimeTypes.map { type in
      File(
        "icons/hicolor/scalable/mimetypes/\(type.replacing("/", with: "-")).svg", icon)
    }
    let menus = FileActions(
      actions: actions(mimeTypes), script: script, program: executable,
      translations: translations)
    return DesktopInstallation(
      in: data,
      files: [
        File("mime/packages/particles.xml", SharedMIMEInfo(types, translations: translations).text),
        File("icons/hicolor/scalable/apps/particles.svg", icon),
      ] + icons + [
        File("applications/\(identifier)", entry.text),
        File("thumbnailers/particles.thumbnailer", thumbnailer.text),
      ] + menus.files(isOfUser: isOfUser), program: (identifier, mimeTypes))
  }

  /// Sparks on a dark ground.
  private static let icon = """
    <?xml version="1.0" encoding="UTF-8"?>
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 128 128">
      <defs>
        <radialGradient id="ground" cx="50%" cy="82%" r="85%">
          <stop offset="0" stop-color="#5b2a86"/>
          <stop offset="1" stop-color="#14122b"/>
        </radialGradient>
        <radialGradient id="spark">
          <stop offset="0" stop-color="#ffffff"/>
          <stop offset="0.3" stop-color="#ffd76a"/>
          <stop offset="1" stop-color="#ff7a18" stop-opacity="0"/>
        </radialGradient>
      </defs>
      <rect x="8" y="8" width="112" height="112" rx="24" fill="url(#ground)"/>
      <g fill="url(#spark)">
        <circle cx="64" cy="98" r="22"/>
        <circle cx="54" cy="72" r="13"/>
        <circle cx="77" cy="66" r="15"/>
        <circle cx="40" cy="50" r="9"/>
        <circle cx="64" cy="44" r="11"/>
        <circle cx="91" cy="44" r="8"/>
        <circle cx="50" cy="28" r="6"/>
        <circle cx="78" cy="25" r="7"/>
        <circle cx="30" cy="33" r="4"/>
        <circle cx="101" cy="28" r="4"/>
      </g>
    </svg>

    """
}

extension String {
  /// This text as one argument of the command line of a desktop entry, in quotes if needed
  /// (Desktop Entry Specification 1.5, "The Exec key").
  var quotedInCommand: String {
    let reserved: Set<Character> = [
      " ", "\t", "\n", "\"", "'", "\\", ">", "<", "~", "|", "&", ";", "$", "*", "?", "#", "(", ")",
      "`",
    ]
    let escaped: Set<Character> = ["\"", "`", "$", "\\"]
    let text = replacing("%", with: "%%")
    guard text.contains(where: reserved.contains) else { return text }
    return "\"" + text.map { escaped.contains($0) ? "\\\($0)" : "\($0)" }.joined() + "\""
  }
}
