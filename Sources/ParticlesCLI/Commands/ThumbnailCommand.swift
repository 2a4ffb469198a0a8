internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesFormats
internal import ParticlesImages

extension Command {
  /// Draws a thumbnail of a document.
  static let thumbnail = Command(
    name: "thumbnail", group: .pictures,
    summary: "Write a thumbnail of a document as a PNG.",
    discussion: """
      The picture shows the particles without running the effect: the image of each emitter in \
      its average colour, large particles behind small ones.
      """,
    arguments: [
      Argument(.file("in"), "A document, or - for standard input."),
      Argument(.file("out"), "The PNG to write, or - for standard output."),
    ],
    options: [.size, .from, .images, .force, .inPlace, .json],
    examples: [
      Example(
        "particles thumbnail fire.particles fire.png", "Write a thumbnail of 256 by 256 pixels."),
      Example(
        "particles thumbnail -s 128 fire.particles fire.png --force",
        "Replace it by one of 128 by 128 pixels."),
    ],
    run: { invocation in
      let input = try invocation.argument("in")
      let output = try invocation.argument("out")
      try checkName(output, invocation)
      if output == Invocation.standardStream { try invocation.checkStandardOutput() }
      let size = try invocation.integer(.size, in: 1...1024) ?? 256
      // --force must not replace the document by its own picture.
      if input != Invocation.standardStream, let state = try Files.status(input)?.state,
        try Files.status(output)?.state == state
      {
        throw UsageError("'\(output)' is the input", hint: "choose another name for the picture")
      }
      let opened = try invocation.effect(at: input)
      let thumbnail = try locating(Location(file: input)) { try EffectThumbnail(opened.package) }
      let bytes = try PNG.encode(thumbnail.bitmap(size: size))
      if output == Invocation.standardStream {
        try invocation.console.write(bytes)
      } else if invocation.flag(.inPlace), let file = try existingFile(output) {
        try bytes.withUnsafeBytes { try file.write($0, at: 0) }
        try file.truncate(to: bytes.count)
      } else {
        try SafeSave.file(output, replacing: invocation.flag(.force)) { try $0.write(bytes) }
      }
      if invocation.flag(.json) {
        try invocation.print([
          "source": .string(input), "path": .string(output), "width": .int(size),
          "height": .int(size), "size": .int(bytes.count),
        ])
      }
      return .done
    })

  /// Refuses a name that promises another format. Desktops choose names at random.
  private static func checkName(_ output: String, _ invocation: Invocation) throws {
    let name = Files.pathExtension(of: output)
    guard !name.isEmpty, name != "png", output != Invocation.standardStream,
      !invocation.flag(.inPlace)
    else { return }
    throw UsageError(
      "thumbnails are written as PNG, not as .\(name)", hint: "use the extension .png")
  }

  /// Opens an output for writing; nil if there is no file.
  private static func existingFile(_ output: String) throws -> OpenFile? {
    guard let status = try Files.status(output) else { return nil }
    guard status.kind == .file else {
      throw Diagnostic(.fileUnwritable, at: Location(file: output), expected: "a file")
    }
    return try OpenFile(updating: output)
  }
}

extension Option {
  fileprivate static let size = Option(
    "size", short: "s", value: .text("pixels"), default: "256", "Width and height, 1 to 1024.")
  fileprivate static let inPlace = Option(
    "in-place",
    "Write into the existing file instead of replacing it, for desktops that keep it open.")
}
