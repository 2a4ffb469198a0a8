internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesFormats
internal import ParticlesImages

extension Command {
  /// Draws a thumbnail of a document.
  static let thumbnail = Command(
    name: "thumbnail", group: .documents,
    summary: "Write a thumbnail of a document as a PNG.",
    discussion: """
      The picture shows the particles without running the effect: the image of each emitter in \
      its average colour, large particles behind small ones.
      """,
    arguments: [
      Argument(.file("in"), "A document, or - for standard input."),
      Argument(.file("out"), "The PNG to write, or - for standard output."),
    ],
    options: [.size, .from, .images, .force],
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
      } else {
        try SafeSave.file(output, replacing: invocation.flag(.force)) { try $0.write(bytes) }
      }
      return .done
    })
}

extension Option {
  fileprivate static let size = Option(
    "size", short: "s", value: .text("pixels"), default: "256", "Width and height, 1 to 1024.")
}
