internal import ParticlesContainer
internal import ParticlesCore
internal import ParticlesImages

extension Command {
  /// Unpacks a package.
  static let unpack = Command(
    name: "unpack", group: .packages,
    summary: "Unpack a package into a new folder.",
    discussion: """
      The folder is created completely or not at all. Nothing is written outside of it, even if \
      the package is malicious. A package on standard input is unpacked while it arrives.

      With --recover, unpacks the intact parts of a damaged package and lists the missing ones; \
      the status is then 1. Of a damaged block, images in PNG are kept whose own checksums are right.
      """,
    arguments: [Argument(.file("file"), "A package, or - for standard input.")],
    options: [.output, .recover, .force, .json],
    examples: [
      Example("particles unpack fire.particles -o fire", "Unpack into a new folder."),
      Example(
        "particles unpack --recover damaged.particles -o rest",
        "Unpack the intact parts of a damaged package."),
    ],
    run: { invocation in
      guard let output = invocation.value(.output), output != Invocation.standardStream else {
        throw UsageError("missing option '--output' with the name of a folder")
      }
      let file = try invocation.argument("file")
      var status = ExitStatus.done
      var files = 0
      let replacing = invocation.flag(.force)
      if invocation.flag(.recover) {
        let container = try recover(file, invocation, &status)
        try container.root.write(toDirectory: output, replacing: replacing, synchronizing: false)
        files = container.files.count
      } else if file == Invocation.standardStream {
        files = try Container.unpack(
          name: file, toDirectory: output, replacing: replacing, synchronizing: false,
          warn: { invocation.note([$0]) }, read: invocation.console.input.readPiece)
      } else if let reader = try invocation.flatPackage(at: file, scope: .everyFrame) {
        files = try reader.unpack(toDirectory: output, replacing: replacing, synchronizing: false)
      } else {
        let container = try invocation.container(at: file)
        try container.root.write(toDirectory: output, replacing: replacing, synchronizing: false)
        files = container.files.count
      }
      try invocation.printWritten(["source": .string(file), "path": .string(output)], files: files)
      invocation.console.inform("unpacked \(files.of("file")) into \(output)")
      return status
    })

  private static func recover(
    _ file: String, _ invocation: Invocation, _ status: inout ExitStatus
  ) throws -> Container {
    guard file != Invocation.standardStream else {
      throw UsageError(
        "--recover needs a file, not standard input", hint: "save the input to a file")
    }
    // Images in PNG have checksums of their own.
    let recovery = try Recovery(.file(file)) { PNGChunks.areSound(in: $1) }
    for var diagnostic in recovery.diagnostics {
      if diagnostic.rule.family == "container" {
        diagnostic.hint = "everything that is not reported as lost was recovered"
      }
      invocation.note([diagnostic])
    }
    if !recovery.diagnostics.isEmpty { status = .answerNo }
    return Container(root: recovery.root)
  }
}

extension Option {
  fileprivate static let recover = Option(
    "recover", "Unpack the intact parts of a damaged package.")
}
