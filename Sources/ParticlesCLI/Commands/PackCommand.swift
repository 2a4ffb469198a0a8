internal import ParticlesContainer
internal import ParticlesCore

extension Command {
  /// Packs a folder.
  static let pack = Command(
    name: "pack", group: .packages,
    summary: "Pack a folder into a flat package.",
    discussion: """
      Contents, executable bits, empty folders and symbolic links are kept. The same tree always \
      gives the same bytes. A flat package is packed afresh.
      """,
    arguments: [Argument(.folder("dir"), "The folder.")],
    options: [.output, .force],
    examples: [Example("particles pack fire -o fire.particles", "Pack a folder.")],
    run: { invocation in
      guard let output = invocation.value(.output) else {
        throw UsageError("missing option '--output'")
      }
      let container = try invocation.container(at: try invocation.argument("dir"))
      let size = try invocation.save(container, to: output, as: .flat) ?? 0
      invocation.console.say(
        "packed \(container.files.count.of("file")) into \(output) (\(size.bytesText))")
      return .done
    })

  /// Unpacks a package.
  static let unpack = Command(
    name: "unpack", group: .packages,
    summary: "Unpack a package into a new folder.",
    discussion: """
      The folder appears whole or not at all. Nothing is ever written outside of it, whatever the \
      package says.
      """,
    arguments: [Argument(.file("file"), "A package, or - for standard input.")],
    options: [.output, .force],
    examples: [Example("particles unpack fire.particles -o fire", "Unpack into a new folder.")],
    run: { invocation in
      guard let output = invocation.value(.output), output != Invocation.standardStream else {
        throw UsageError("missing option '--output' with the name of a folder")
      }
      let container = try invocation.container(at: try invocation.argument("file"))
      try container.root.write(
        toDirectory: output, replacing: invocation.flag(.force), synchronizing: false)
      invocation.console.say("unpacked \(container.files.count.of("file")) into \(output)")
      return .done
    })
}
