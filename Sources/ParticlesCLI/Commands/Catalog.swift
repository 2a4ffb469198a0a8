extension Command {
  /// Every command of `particles`, in the order of the help.
  public static let all: [Command] = [
    .browse, .pick, .new, .templates, .edit, .undo, .redo, .versions, .recovery, .rename,
    .duplicate, .move, .watch,
    .info,
    .diff, .merge, .validate, .index, .find,
    .view, .render, .sheet, .catalog, .thumbnail, .simulate, .web,
    .list, .extract, .pack, .unpack, .digest, .verify, .compact,
    .convert, .formats, .types, .desktop,
    .help,
  ]
}

extension Tool {
  /// The tool `particles`.
  public static let particles = Tool(
    name: "particles", version: "1.0.0", date: "November 27, 2026",
    summary: "Work with particle effects and their packages.",
    discussion: """
      Creates, checks and converts particle effects: .particles packages, and the effect files of \
      other programs.
      """,
    examples: [
      Example("particles browse effects", "See and edit the documents in a folder."),
      Example("particles new fire.particles --template fire", "Create a document."),
      Example("particles info fire.plist", "Show what is in a file."),
      Example("particles render fire.plist -o fire.gif", "Write an animation."),
      Example(
        "particles convert fire.plist -o fire.sks", "Convert an effect, and state each difference."),
    ],
    commands: Command.all)
}
