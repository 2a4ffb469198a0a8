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

      Files of operating systems (.DS_Store, ._*, Thumbs.db, desktop.ini, __MACOSX) and folders of \
      version control (.git, .hg, .svn) are left out of a folder unless --all is given.
      """,
    arguments: [Argument(.folder("dir"), "The folder.")],
    options: [.output, .level, .all, .force, .json],
    examples: [
      Example("particles pack fire -o fire.particles", "Pack a folder."),
      Example(
        "particles pack fire -o fire.particles --level best", "Spend more time for a smaller file."),
    ],
    run: { invocation in
      let output = try invocation.requiredOutput()
      try invocation.check(placeOfPackage: output, as: .flat)
      let folder = try invocation.argument("dir")
      var container = try invocation.container(at: folder, scope: .everyFrame)
      var removed: [String] = []
      if !invocation.flag(.all), try Files.status(folder)?.kind == .directory {
        removed = container.root.removeSystemFiles()
        if let first = removed.first {
          let others = removed.count > 1 ? " and \(removed.count - 1) more" : ""
          invocation.console.inform(
            "left out \(first)\(others), which belong to the operating system or version control")
        }
      }
      invocation.note(
        container.root.portabilityWarnings().map { $0.inside(Location(file: folder)) })
      let level = invocation.value(.level).flatMap(CompressionLevel.init) ?? .standard
      let size =
        try invocation.save(
          container, to: output, as: .flat, options: PackingOptions(level: level)) ?? 0
      var files = 0
      container.root.forEachDescendant { files += $2.isRegularFile ? 1 : 0 }
      try invocation.printWritten(
        [
          "source": .string(folder), "path": .string(output), "size": .int(size),
          "excluded": .array(removed.map { .string($0) }),
        ], files: files)
      invocation.console.inform("packed \(files.of("file")) into \(output) (\(size.bytesText))")
      return .done
    })
}

extension Option {
  fileprivate static let all = Option(
    "all", "Include files of operating systems and version control.")
  fileprivate static let level = Option(
    "level", value: .choice("level", CompressionLevel.allCases.map(\.rawValue)),
    default: "standard", "The effort spent on compression.")
}
