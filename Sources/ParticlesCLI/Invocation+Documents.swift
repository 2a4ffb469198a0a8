package import ParticlesContainer
package import ParticlesCore
package import ParticlesDocuments
internal import ParticlesFormats
internal import ParticlesImages

extension Option {
  /// Which of its two forms a package gets.
  static let form = Option(
    "form", value: .choice("form", Container.Form.allCases.map(\.rawValue)), default: "flat",
    "The form of the package: one file, or a directory.")

  /// Where images are that other files name.
  static let images = Option(
    "images", value: .folder("folder"), repeatable: true,
    "Where to look for images that a file names, besides its own folder.")

  /// What the input is.
  static let from = Option(
    "from", value: .choice("format", FormatRegistry.standard.formats.map(\.name)),
    default: "told by the content", "The format of the input.")
}

/// What the commands on documents have in common: `-` for the standard streams, forms, saving.
extension Invocation {
  /// The word that stands for standard input and standard output.
  package static let standardStream = ConversionPlan.stream

  /// The form that was asked for; nil if none was.
  package var form: Container.Form? { value(.form).flatMap(Container.Form.init) }

  /// The package at a path, or on standard input; an archive of files counts as one.
  package func container(at path: String) throws -> Container {
    let container: Container
    // What is neither is left to the container, which says why it is no package.
    if path == Self.standardStream {
      let bytes = try console.input.read(.standard)
      container = try locating(Location(file: path)) {
        try OpenedFiles(bytes: bytes, name: path)?.container ?? Container(decoding: bytes)
      }
    } else {
      container = try OpenedFiles(path: path)?.container ?? Container(contentsOf: path)
    }
    report(container.warnings)
    return container
  }

  /// The flat package at a path, of whose tree nothing has been read; nil if that is anything else.
  package func flatPackage(at path: String) throws -> ContainerReader? {
    guard path != Self.standardStream, try Files.status(path)?.kind == .file else { return nil }
    let source = try ByteSource.file(path)
    guard try source.isFlatPackage else { return nil }
    let reader = try ContainerReader(source)
    report(reader.warnings)
    return reader
  }

  /// Says on standard error what was found, notes only to those who want to know everything.
  package func report(_ diagnostics: [Diagnostic]) {
    for diagnostic in diagnostics
    where diagnostic.severity > .note || console.verbosity == .verbose {
      console.report(diagnostic)
    }
  }

  /// The effect at a path, or on standard input, in whatever format.
  package func effect(at path: String) throws -> OpenedEffect {
    let format = value(.from).flatMap { FormatRegistry.standard[$0] }
    guard path == Self.standardStream else {
      return try OpenedEffect(path: path, as: format, imageFolders: values(.images))
    }
    // Images that it names are looked for in the current folder.
    let finder = ImageFinder(besides: path, folders: values(.images))
    return try OpenedEffect(
      bytes: console.input.read(.standard), name: path, as: format, images: finder)
  }

  /// Refuses a place for a package that nobody can have meant, before any work is done.
  /// - Throws: ``UsageError`` if standard output would be two things, or if the name is that of
  ///   another format; ``ParticlesCore/Rule/fileExists`` for a folder of other things, which
  ///   `--force` would take away.
  func check(placeOfPackage path: String, as form: Container.Form) throws {
    guard path != Self.standardStream else { return try checkStandardOutput() }
    let kind = Files.pathExtension(of: path)
    if kind != "particles",
      let other = FormatRegistry.standard.formats.first(where: { $0.extensions.contains(kind) })
    {
      throw UsageError(
        "'\(path)' is the name of a \(other.title), and this writes packages",
        hint: "write a .particles, and give it to 'particles convert'")
    }
    if form == .directory, flag(.force), try PackageFinder().isPlainFolder(path),
      try !Files.list(path).isEmpty
    {
      throw Diagnostic(
        .fileExists, at: Location(file: path), "it is a folder of other things",
        hint: "choose another name")
    }
  }

  /// Standard output is one thing.
  func checkStandardOutput() throws {
    guard flag(.json) else { return }
    throw UsageError(
      "'--json' and the result cannot both go to standard output",
      hint: "write the result to a file")
  }

  /// Writes a package to a path, or in flat form to standard output, and returns how many bytes
  /// that took; nil for a directory.
  @discardableResult
  package func save(
    _ container: Container, to path: String, as form: Container.Form,
    options: PackingOptions = PackingOptions()
  ) throws -> Int? {
    if path == Self.standardStream {
      guard form == .flat else {
        throw UsageError("a directory cannot be written to standard output")
      }
      let bytes = try container.encoded(options)
      try console.write(bytes)
      return bytes.count
    }
    try container.write(to: path, as: form, replacing: flag(.force), options: options)
    return form == .flat ? try Files.status(path)?.size : nil
  }
}

extension Int {
  /// This many things: `1 file`, `3 files`.
  package func of(_ thing: String, plural: String? = nil) -> String {
    "\(self) \(self == 1 ? thing : plural ?? thing + "s")"
  }
}
