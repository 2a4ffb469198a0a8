internal import ParticlesContainer
internal import ParticlesCore
internal import ParticlesFormats

extension Command {
  /// Converts documents.
  static let convert = Command(
    name: "convert", group: .formats,
    summary: "Convert documents between formats and forms.",
    discussion: """
      What a format cannot say, or we could not take over exactly, is reported; nothing is dropped \
      in silence. Each loss has a level: high, another effect; medium, to be seen by comparing; low, \
      hardly to be seen; info, nothing is lost. --dry-run prints the report and writes nothing.

      The file that an effect was imported from is kept in the package. Converted to the same format \
      again, only what was edited changes in it. Between the two forms of a package nothing changes: \
      the tree digest stays. Nor does it on the way to an archive and back, where any tree of files \
      will do, an effect or not.

      With several inputs, or a folder and --recursive, the output is a folder that mirrors those of \
      the inputs, and each result gets the name of its input. Files of other kinds in a folder are \
      passed over. No two inputs may become one result. All processors are used.
      """,
    arguments: [
      Argument(
        .file("in"), arity: .oneOrMore, "A document, a folder of them, or - for standard input.")
    ],
    options: [
      .output, .to, .from, .form, .images, .placeImages, .recursive, .maxLoss, .strictLosses,
      .dryRun,
      .force, .json,
    ],
    examples: [
      Example("particles convert fire.scnp -o fire.particles", "Import a SceneKit effect."),
      Example(
        "particles convert fire.particles -o fire --form directory",
        "Turn a flat package into a directory."),
      Example(
        "particles convert fire.particles --to scenekit --dry-run",
        "Say what SceneKit would not show."),
      Example(
        "particles convert -r effects --to scenekit -o out --max-loss low",
        "Convert a folder; end with status 1 if more than a little is lost."),
      Example("particles convert fire.particles -o fire.zip", "Export everything as an archive."),
    ],
    run: { try $0.convert() })
}

extension Option {
  static let to = Option(
    "to",
    value: .choice("format") {
      ["particles"] + FormatRegistry.standard.formats.filter(\.canWrite).map(\.name)
    },
    default: "told by the name of the output, or particles", "The format of the output.")
  static let strictLosses = Option(
    "strict", "Write nothing, and end with status 1, if more is lost than --max-loss, or anything.")
  static let maxLoss = Option(
    "max-loss", value: .choice("level", Loss.Level.allCases.map(\.rawValue)),
    default: "high", "End with status 1 if more than this is lost.")
  static let placeImages = Option(
    "place-images",
    value: .choice("where", EncodingContext.ImagePlacement.allCases.map(\.rawValue)),
    default: "what is usual in the format", "Where images go: into the file, or beside it.")
}
