internal import ParticlesContainer
internal import ParticlesCore
internal import ParticlesDocuments

extension Command {
  /// Packs a folder.
  static let pack = Command(
    name: "pack", group: .packages,
    summary: "Pack a folder into a flat package.",
    discussion: """
      Contents, executable bits, empty folders and symbolic links are kept. The same tree always \
      results in the same bytes. A flat package is packed again.
      """,
    arguments: [Argument(.folder("dir"), "The folder.")],
    options: [.output, .level, .force],
    examples: [
      Example("particles pack fire -o fire.particles", "Pack a folder."),
      Example(
        "particles pack fire -o fire.particles --level best", "Spend more time for a smaller file."),
    ],
    run: { invocation in
      guard let output = invocation.value(.output) else {
        throw UsageError("missing option '--output'")
      }
      try invocation.check(placeOfPackage: output, as: .flat)
      let container = try invocation.container(at: try invocation.argument("dir"))
      let level = invocation.value(.level).flatMap(CompressionLevel.init) ?? .standard
      let size =
        try invocation.save(
          container, to: output, as: .flat, options: PackingOptions(level: level)) ?? 0
      var files = 0
      container.root.forEachDescendant { files += $1.isRegularFile ? 1 : 0 }
      invocation.console.inform("packed \(files.of("file")) into \(output) (\(size.bytesText))")
      return .done
    })
}

extension Option {
  fileprivate static let level = Option(
    "level", value: .choice("level", CompressionLevel.allCases.map(\.rawValue)),
    default: "standard", "The effort spent on compression.")
}
