internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesFormats
internal import ParticlesImages

extension Command {
  /// Makes a small picture of a document.
  static let thumbnail = Command(
    name: "thumbnail", group: .documents,
    summary: "Make a small picture of a document, as file managers show it.",
    discussion: """
      The picture shows what the particles look like, not the effect as it runs: the image of each \
      emitter in its colour, large particles behind small ones.
      """,
    arguments: [
      Argument(.file("in"), "A document, or - for standard input."),
      Argument(.file("out"), "The PNG to write, or - for standard output."),
    ],
    options: [.size, .from, .images, .force],
    examples: [
      Example("particles thumbnail fire.particles fire.png", "Make a picture of 256 pixels."),
      Example("particles thumbnail -s 128 fire.particles fire.png --force", "Make a smaller one."),
    ],
    run: { invocation in
      let input = try invocation.argument("in")
      let output = try invocation.argument("out")
      let size = try invocation.integer(.size, in: 1...1024) ?? 256
      // A document would be gone for its picture, and --force is soon said.
      if input != Invocation.standardStream, let state = try Files.status(input)?.state,
        try Files.status(output)?.state == state
      {
        throw UsageError("'\(output)' is the document", hint: "choose another name for the picture")
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
