internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesFormats
internal import ParticlesSystem

extension Command {
  static let convert = Command(
    name: "convert", group: .formats,
    summary: "Convert documents between formats and forms.",
    discussion: """
      Reports each property that the target format does not support or that could only be approximated. Nothing is \
      dropped without a report. Each loss has a level: high (the effect looks different), medium (visible side by \
      side), low (hardly visible) or info (nothing is lost). A single effect is simulated before and after the \
      conversion, several only with --measure. Then each loss has a number, 0 for no difference to 1 for nothing in \
      common. Levels of other losses are estimates, or are called not measured. --dry-run prints the report with the \
      names of the files, and writes nothing. Lines of level info are counted there, and --verbose prints them. \
      --side-by-side writes an animation of the effect before (left) and after the conversion (right), also with \
      --dry-run. --report writes a web page about all effects, sorted by difference, with both playing side by side \
      and the sentences of the report beside them.

      A package contains the file that its effect was imported from. Converted back to its format, only edited \
      properties change in that file. --to original writes the format that each effect came from. For a format that \
      is only read, it writes the imported file, as long as nothing was edited. Where several formats have the \
      extension of the output, such as .json or .tscn, that is the format that the effect came from. An output \
      without an extension needs --to or --form. On a terminal, the format is asked for. Converting between the two \
      forms of a package, or to an archive and back, changes nothing: the tree digest stays. Archives accept any \
      tree of files, with an effect or without.

      With several inputs, or with --recursive and a folder, the output is a folder with equal subfolders, and each \
      result has the name of its input. If two inputs have one name, the extension of the input is added: fire.pex \
      and fire.plist become fire-pex.sks and fire-plist.sks. Documents in folders are recognised by content or \
      extension. Files that .gitignore and .ignore name are left out, and other files are counted as unknown. \
      --verbose names both. A folder for results inside a searched one is not searched. Each processor that the \
      process may use has a thread, but there is at most one for each \(ProcessorBudget.memoryOfThread >> 20) MiB of \
      memory.

      The report of several documents has the ten heaviest differences with the number of files, the images \
      that were not found, and the files that look most different. --verbose prints everything, and so does --json.

      With --beside, each result is written into the folder of its input, and no existing file is \
      replaced: fire.pex becomes fire.sks or, if that exists, "fire 2.sks".

      After an error, the remaining documents are still converted. Results that exist are errors, unless --force \
      replaces them or --skip-existing skips their documents. An image never replaces an image of another effect: if \
      the name is taken, the name of the result precedes it, as in fire-dot.png.

      Formats whose files hold one emitter get a file for each: fire.pex, fire-2.pex and so on. With --single, such \
      an effect is an error.

      The status is 2 if a document failed. Otherwise it is 1 if a loss is above --max-loss, if --strict refused a \
      result, or if folders contain no documents. Missing images are counted by themselves, and are no losses.
      """,
    arguments: [.documents("in")],
    options: [
      .output, .beside, .to, .from, .engine, .form, .images, .project, .placeImages, .maxLoss,
      .strictLosses, .measure, .measureSeed, .sideBySide, .report, .single,
      .skipExisting, .keepGoing, .failFast, .dryRun, .force, .json,
    ] + Option.inputs,
    examples: [
      Example(
        "particles convert fire.scnp -o fire.particles", "Convert a SceneKit effect to a package."),
      Example(
        "particles convert fire.particles --to original -o back.tscn",
        "Write the file that an effect was imported from, with the edits since."),
      Example(
        "particles convert fire.particles -o fire --form directory",
        "Convert a flat package to a directory."),
      Example(
        "particles convert fire.particles --to scenekit --dry-run",
        "Show the losses of a conversion to SceneKit, and write nothing."),
      Example(
        "particles convert fire.sks --to starling --dry-run --measure",
        "Measure how different the effect would be in Starling, and what each loss shows."),
      Example(
        "particles convert -r effects --to scenekit -o out --max-loss low",
        "Convert a folder, and end with status 1 if a loss is above level low."),
      Example(
        "particles convert -r effects --to scenekit -n --measure --report report.html",
        "Show what a conversion of a folder would change, as a web page, without converting."),
      Example(
        "particles convert -r effects --to scenekit -o out --skip-existing",
        "Continue an interrupted conversion of a folder."),
      Example(
        "particles convert fire.particles -o fire.zip",
        "Write all files of a package as an archive."),
    ],
    run: { try $0.convert() })
}

extension Option {
  static let to = Option(
    "to", value: .lookup("format", .targets) { ConversionTarget.words },
    default: "by the extension of the output, in batches particles",
    "The format of the output: a name, an extension, or original for the format that each effect came from."
  )
  static let strictLosses = Option(
    "strict",
    "Do not write a result with losses, or with losses above --max-loss; end with status 1.")
  static let maxLoss = Option(
    "max-loss", value: .text("level"), default: "high",
    "End with status 1 if a loss is above this level (\(Loss.Level.allCases.map(\.rawValue).joined(separator: ", "))), or the measured difference above this number, 0 to 1."
  )
  static let measure = Option(
    "measure",
    "Simulate source and result, and measure how different they are. It is the default for one document."
  )
  static let measureSeed = Option(
    "seed", value: .text("number"), default: "1",
    "The seed of the first of the simulations that --measure compares.")
  static let sideBySide = Option(
    "side-by-side", value: .file("path"),
    "Write an animation of the effect before and after the conversion, such as both.gif.")
  static let single = Option(
    "single", "Refuse effects that would need several files.")
  static let skipExisting = Option(
    "skip-existing", "Skip documents whose results exist.")
  static let keepGoing = Option("keep-going", "Continue after errors. This is the default.")
  static let failFast = Option("fail-fast", "Stop at the first error.")
  static let placeImages = Option(
    "place-images",
    value: .choice("where", EncodingContext.ImagePlacement.allCases.map(\.rawValue)),
    default: "the usual place for the format", "Store images in the file, or beside it.")
}
