package import ParticlesContainer
package import ParticlesCore
package import ParticlesDocuments
internal import ParticlesFormats
internal import ParticlesImages
internal import ParticlesModel

extension Option {
  /// The form of a package that is written.
  static let form = Option(
    "form", value: .choice("form", Container.Form.allCases.map(\.rawValue)), default: "flat",
    "Write the package as one file, or as a directory.")

  /// Folders with images that other files name.
  static let images = Option(
    "images", value: .folder("folder"), repeatable: true,
    """
    Search this folder, too, for images that a file names. A folder with project.godot or game.project counts as the root \
    of a project, and pictures and materials of Unity are found in any folder with their .meta files.
    """)

  /// The root of the project that files belong to.
  static let project = Option(
    "project", value: .folder("folder"), default: "the nearest one above each file",
    "The root of the project of Godot, Defold or Unity, where paths such as res://fire.png begin.")

  /// The format of the input.
  static let from = Option(
    "from", value: .choice("format", FormatRegistry.standard.formats.filter(\.canRead).map(\.name)),
    default: "recognised by content", "The format of the input.")
}

/// Functions that the commands on documents share: `-` for the standard streams, forms, saving.
extension Invocation {
  /// The argument that means standard input or standard output.
  package static let standardStream = ConversionPlan.stream

  /// The value of `--form`; nil if it was not given.
  package var form: Container.Form? { value(.form).flatMap(Container.Form.init) }

  /// The package at a path, or on standard input; an archive of files counts as one.
  /// - Parameters:
  ///   - isReporting: whether warnings are printed.
  ///   - scope: how much of a flat package has to be sound.
  package func container(
    at path: String, reporting isReporting: Bool = true,
    scope: ContainerReader.Scope = .allGenerations
  ) throws -> Container {
    if isReporting { noteUnsaved(path) }
    let container: Container
    // For anything else the error of the container tells why it is not a package.
    if path == Self.standardStream {
      let bytes = try console.input.read(.standard)
      container = try locating(Location(file: path)) {
        try OpenedFiles(bytes: bytes, name: path, scope: scope)?.container
          ?? Container(decoding: bytes)
      }
    } else {
      container = try namingOtherFiles(path) {
        try OpenedFiles(path: path, scope: scope)?.container ?? Container(contentsOf: path)
      }
    }
    if isReporting { note(container.warnings) }
    return container
  }

  /// The flat package at a path, with its tree not yet read; nil if there is anything else.
  package func flatPackage(
    at path: String, scope: ContainerReader.Scope = .lastGeneration
  ) throws -> ContainerReader? {
    guard path != Self.standardStream, try Files.status(path)?.kind == .file else { return nil }
    let source = try ByteSource.file(path)
    guard try source.isFlatPackage else { return nil }
    noteUnsaved(path)
    let reader = try ContainerReader(source, scope: scope)
    note(reader.warnings)
    return reader
  }

  /// Prints diagnostics on standard error, notes only with `--verbose`.
  package func report(_ diagnostics: [Diagnostic]) {
    for diagnostic in diagnostics
    where diagnostic.severity > .note || console.verbosity == .verbose {
      console.report(diagnostic)
    }
  }

  /// The effect at a path, or on standard input, in any format.
  package func effect(at path: String) throws -> OpenedEffect {
    noteUnsaved(path)
    let format = value(.from).flatMap { FormatRegistry.standard[$0] }
    guard path == Self.standardStream else {
      return try OpenedEffect(
        path: path, as: format, imageFolders: values(.images), project: project(), engine: engine)
    }
    // Images that it names are searched for in the current folder.
    let finder = try imageFinder(besides: path)
    return try OpenedEffect(
      bytes: console.input.read(.standard), name: path, as: format, images: finder, engine: engine)
  }

  /// Finds the images that a file names.
  func imageFinder(besides path: String) throws -> ImageFinder {
    var finder = ImageFinder(besides: path, folders: values(.images))
    finder.project = try project()
    return finder
  }

  /// The value of `--project`; nil without the option.
  /// - Throws: ``UsageError`` for a folder that is not the root of a project.
  func project() throws -> String? {
    guard let folder = value(.project) else { return nil }
    guard ImageFinder.isProject(folder) else {
      throw UsageError(
        "'\(folder)' is no project: it has no project.godot, no game.project and no folder Assets",
        hint: "name the folder that has one of them; --images searches any folder for images")
    }
    return folder
  }

  /// The engine that `--engine` names; nil without the option.
  var engine: ParticleSystem.Profile? {
    value(.engine).map { ParticleSystem.Profile(rawValue: $0) }
  }

  /// The same with the profile that `--engine` names, for commands that show or convert a package.
  func effectOfEngine(at path: String) throws -> OpenedEffect {
    var opened = try effect(at: path)
    if let engine, opened.isPackage {
      var system = try opened.package.system()
      system.asset.profile = engine
      try opened.package.setSystem(system)
    }
    return opened
  }

  /// The value of `--output`, for commands that cannot do without.
  /// - Throws: ``UsageError`` if the option is missing.
  func requiredOutput() throws -> String {
    guard let output = value(.output) else { throw UsageError("missing option '--output'") }
    return output
  }

  /// Rejects output paths that are likely mistakes, before any work is done.
  /// - Throws: ``UsageError`` if both JSON and the package would go to standard output, or if the path
  ///   has the extension of another format; ``ParticlesCore/Rule/fileExists`` for a folder with other
  ///   files, which `--force` would remove.
  func check(placeOfPackage path: String, as form: Container.Form) throws {
    guard path != Self.standardStream else { return try checkStandardOutput() }
    let kind = Files.pathExtension(of: path)
    if kind != "particles",
      let other = FormatRegistry.standard.formats.first(where: { $0.extensions.contains(kind) })
    {
      throw UsageError(
        "'\(path)' has the extension of a \(other.title), but this command writes packages",
        hint: "write a .particles file, then use 'particles convert'")
    }
    guard form == .directory || ["particles", ""].contains(kind) else {
      throw UsageError(
        "'\(path)' would be a package with the extension .\(kind)",
        hint: "end the name in .particles")
    }
    if form == .directory, flag(.force), try DocumentSet.isPlainFolder(path),
      try !Files.list(path).isEmpty
    {
      throw Diagnostic(
        .fileExists, at: Location(file: path), "it is a folder with other files",
        hint: "choose another name")
    }
  }

  /// Whether `--beside` names the results, which excludes other options that do.
  /// - Parameter inputs: the name of the argument for the inputs.
  func writesBeside(_ inputs: String) throws -> Bool {
    guard flag(.beside) else { return false }
    for option in [Option.output, .force, .skipExisting]
    where value(option) != nil || flag(option) {
      throw UsageError("'--beside' and '\(option.spelling)' exclude each other")
    }
    guard !arguments(inputs).contains(Self.standardStream) else {
      throw UsageError("'--beside' needs a file, not standard input")
    }
    return true
  }

  /// Rejects `--json` together with a result on standard output.
  func checkStandardOutput() throws {
    guard flag(.json) else { return }
    throw UsageError(
      "'--json' and the result cannot both go to standard output",
      hint: "write the result to a file")
  }

  /// Prints the result of a command that writes files, for `--json`.
  /// - Parameter files: how many files were written.
  func printWritten(_ members: JSONObject, files: Int) throws {
    guard flag(.json) else { return }
    var result = members
    result["files"] = .int(files)
    try print(.object(result))
  }

  /// Changes a package in place, as an application does that has the document open.
  /// - Parameters:
  ///   - opened: the package, which is not read again unless another program saves it meanwhile.
  ///   - path: its path.
  ///   - name: the name of the edit.
  ///   - options: how to make and save the change.
  ///   - timeout: for how many seconds to wait for other programs; nil for the default.
  ///   - isKeeping: whether the edit and the states before and after it are kept in the data folder.
  ///   - change: changes the package; see `Document.update(_:_:_:)`.
  package func update<Result: Sendable>(
    _ opened: OpenedEffect, at path: String, _ name: String, _ options: UpdateOptions,
    timeout: Double? = nil, keepingVersions isKeeping: Bool = false,
    _ change:
      @escaping @Sendable (_ package: inout EffectPackage, _ first: Result?) throws ->
      Result
  ) throws -> UpdateOutcome<EffectPackage, Result> {
    try update(
      PathStorage(path, opened: opened.package.container), name, options, timeout: timeout,
      keepingVersions: isKeeping, change)
  }

  /// The same for contents of any kind, which are read first.
  func update<Content: DocumentContent, Result: Sendable>(
    _ storage: PathStorage, _ name: String, _ options: UpdateOptions, timeout: Double? = nil,
    keepingVersions isKeeping: Bool,
    _ change: @escaping @Sendable (_ content: inout Content, _ first: Result?) throws -> Result
  ) throws -> UpdateOutcome<Content, Result> {
    var configuration = DocumentConfiguration(
      dataFolder: isKeeping ? BaseDirectories(environment: environment).dataHome : nil)
    configuration.presenceFolder = nil
    configuration.autosave = .off
    configuration.isWatching = false
    if let timeout { configuration.timeout = timeout }
    let document = Document<Content>(storage: storage, configuration: configuration)
    return try Waiting.run { try await document.update(name, options, change) }
  }

  /// Writes a package to a path, or in flat form to standard output, and returns its size in bytes; nil
  /// for a directory.
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
  /// The number with a noun: `1 file`, `3 files`.
  package func of(_ thing: String, plural: String? = nil) -> String {
    "\(self) \(self == 1 ? thing : plural ?? thing + "s")"
  }
}
