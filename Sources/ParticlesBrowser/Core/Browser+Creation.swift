public import ParticlesContainer
internal import ParticlesCore
internal import ParticlesDocuments

extension Browser {
  /// The name of the template of an empty text.
  private static let text = "text"
  /// How many names are tried for a new document.
  private static let mostAttempts = 500

  /// The templates for new documents: those of effects, and an empty text.
  public func templates() async -> [BrowserTemplate] {
    guard configuration.allowsCreation, !configuration.isReadOnly else { return [] }
    var result = documentTypes.filter { $0.write != nil }.map { type in
      BrowserTemplate(
        name: type.identifier, summary: "A new document: \(type.title).",
        pathExtension: type.extensions.first ?? "")
    }
    if types.info("a.particles", .file).isAllowed {
      let library = EffectTemplateLibrary(environment: environment.variables)
      result += ((try? library.entries()) ?? []).map {
        BrowserTemplate(
          name: $0.name, summary: $0.summary, pathExtension: "particles", path: $0.path,
          problem: $0.problem)
      }
    }
    if types.info("a.txt", .file).isAllowed {
      result.append(
        BrowserTemplate(name: Self.text, summary: "An empty text.", pathExtension: "txt"))
    }
    return hooks.templates(result)
  }

  /// Creates a document from a template: in a temporary place, from which it is moved when it is complete.
  /// - Parameters:
  ///   - template: the name of a template; `text` for an empty text; the identifier of a document type.
  ///   - name: the name of the file; nil for one that is free. A number is added to one that is in use.
  ///   - folder: the location.
  ///   - form: the form of a package.
  /// - Throws: ``ParticlesCore/Rule/fileReadOnly`` and others of the family `file`; ``ParticlesCore/Rule/range`` for an
  ///   unknown template. Nothing is left then.
  public func create(
    template: String, named name: String? = nil, in folder: BrowserItem.ID,
    form: Container.Form = .flat
  ) async throws -> BrowserItem {
    try checkCreation()
    if let type = documentTypes.first(where: { $0.identifier == template }), let write = type.write
    {
      return try await create(
        named: name ?? type.title, pathExtension: type.extensions.first ?? "", in: folder,
        writing: write)
    }
    let isText = template == Self.text
    let library = EffectTemplateLibrary(environment: environment.variables)
    guard isText || templateExists(template, library) else {
      throw Diagnostic(
        .range, "the template", expected: "the name of a template", found: "'\(template.excerpt)'")
    }
    let title = template.prefix(1).uppercased() + template.dropFirst()
    return try await create(
      named: name ?? (isText ? "Untitled" : title), pathExtension: isText ? "txt" : "particles",
      in: folder
    ) { path in
      if isText {
        _ = try PathStorage(path).write(PlainText().contents(), replacing: nil, StorageOptions())
      } else if var container = try library.package(named: template)?.container {
        try container.save(to: path, as: form)
      }
    }
  }

  private func templateExists(_ name: String, _ library: EffectTemplateLibrary) -> Bool {
    ((try? library.entries()) ?? []).contains {
      $0.name.lowercased() == name.lowercased() && $0.name != "?"
    }
  }

  /// Creates a document of an application, in a temporary place, from which it is moved when it is complete.
  /// - Parameters:
  ///   - name: the name, to which a number is added if it is in use.
  ///   - pathExtension: the extension, which is added to a name without one.
  ///   - folder: the location.
  ///   - write: writes the document to a path where nothing is.
  /// - Throws: the errors of `write` and of moving. Nothing is left then.
  public func create(
    named name: String, pathExtension: String, in folder: BrowserItem.ID,
    writing write: @Sendable (_ path: String) throws -> Void
  ) async throws -> BrowserItem {
    try checkCreation()
    return try await add(named: name, pathExtension: pathExtension, to: folder, "New Document") {
      try write($0)
    }
  }

  /// Adds a file with these contents to a folder, as dropped or pasted. A number is added to a name that is in use.
  public func add(
    _ bytes: [UInt8], named name: String, to folder: BrowserItem.ID
  ) async throws -> BrowserItem {
    if configuration.isReadOnly { throw Self.readOnly(nil) }
    let source = Files.lastComponent(of: name)
    do {
      let item = try await add(named: source, pathExtension: "", to: folder, "Import") { path in
        try Files.create(path, bytes)
      }
      hub.send(.imported(source: source, item))
      return item
    } catch {
      hub.send(.failedImport(source: source, Self.diagnostic(error)))
      throw error
    }
  }

  private func checkCreation() throws {
    if configuration.isReadOnly { throw Self.readOnly(nil) }
    guard configuration.allowsCreation else {
      throw Diagnostic(.fileReadOnly, "documents are not created here")
    }
  }

  /// Writes a file in a temporary place, and moves it into a folder.
  func add(
    named name: String, pathExtension: String, to folder: BrowserItem.ID, _ title: String,
    _ write: @Sendable (String) async throws -> Void
  ) async throws -> BrowserItem {
    var name = name
    if !pathExtension.isEmpty, Files.pathExtension(of: name).isEmpty { name += ".\(pathExtension)" }
    try DocumentNames.check(name)
    await begin()
    defer { end() }
    var names = PlannedNames()
    let place = try await place(folder, &names).get()
    let temporary = try TemporaryFolder()
    let path = Files.joined(temporary.path, name)
    try await write(path)
    // Other programs may take the name meanwhile, and the next ones.
    for attempt in 0..<Self.mostAttempts {
      let isLast = attempt == Self.mostAttempts - 1
      let free = names.unique(name, in: folder)
      do {
        let new = try await place.provider.add(path, to: place.path, named: free, moving: true)
        let entry = try await place.provider.entry(at: new)
        await refresh(folder, [Files.lastComponent(of: new)])
        guard let entry else { throw Diagnostic(.fileNotFound, at: Location(file: new)) }
        let id = table.id(of: entry, from: place.provider.identifier, in: folder)
        journal.add(
          title,
          [
            .made(
              provider: place.provider.identifier, path: new,
              identity: Self.stamp(entry, place.provider))
          ])
        tellUndo()
        guard
          let item = await items([(id, entry)], of: place.provider, in: folder, heads: true).first
        else { throw Self.gone(id) }
        if title == "New Document" { hub.send(.created(item)) }
        return item
      } catch let fault as Diagnostic where fault.rule == .fileExists && !isLast {
        names.take(free, in: folder)
      }
    }
    throw Diagnostic(.fileExists, at: Location(file: Files.joined(place.path, name)))
  }

  // MARK: Revealing and picking

  /// Shows a file: that in a location, or a copy of one elsewhere. A `file:` URL is a path.
  /// - Parameters:
  ///   - path: the path on this machine, or a `file:` URL.
  ///   - folder: the location that a file that is elsewhere is copied into; nil to add its folder as a location instead.
  /// - Throws: ``ParticlesCore/Rule/range`` for another URL; errors of importing.
  public func reveal(
    _ path: String, importingInto folder: BrowserItem.ID? = nil
  ) async throws -> BrowserItem {
    var place = path
    if let local = FileURI.path(path) {
      place = local
    } else if FileURI.hasScheme(path), (try? Files.status(path)) ?? nil == nil {
      throw Diagnostic(
        .range, "'\(path.excerpt)'", expected: "a path, or a URL that begins with file:",
        hint: "download it first")
    }
    guard let status = try Files.status(place, followingLinks: false) else {
      throw Diagnostic(.fileNotFound, at: Location(file: place))
    }
    // An archive that is a place is shown itself.
    let archive = ArchiveProvider.identifier(of: place)
    if let root = await roots().first(where: { $0.provider.identifier == archive }) {
      hub.send(.reveal(location: root.id, root.id))
      return try await item(root.id)
    }
    if let item = try await item(atPath: place) {
      hub.send(.reveal(location: item.parent ?? item.id, item.id))
      return item
    }
    if let folder {
      let outcome = await perform(.importFiles([place], into: folder, .copy))
      guard let item = outcome.items.first else {
        throw outcome.results.first?.diagnostic
          ?? Diagnostic(.fileNotFound, at: Location(file: place))
      }
      hub.send(.reveal(location: folder, item.id))
      return item
    }
    guard let provider = trashProvider else {
      throw Diagnostic(.fileNotFound, at: Location(file: place), "there is no location for it")
    }
    let isFolder = status.kind == .directory && !FolderListing.isPackage(place)
    await provider.addRoot(isFolder ? place : Files.folder(of: place))
    rootItems = nil
    hub.send(.locations)
    guard let item = try await item(atPath: place) else {
      throw Diagnostic(.fileNotFound, at: Location(file: place))
    }
    hub.send(.reveal(location: item.parent ?? item.id, item.id))
    return item
  }

  /// Ends picking with these items, in the order of the selection.
  /// - Returns: their paths.
  /// - Throws: ``ParticlesCore/Rule/range`` for an item that cannot be picked, or for several if only one can be.
  @discardableResult
  public func pick(_ ids: [BrowserItem.ID]) async throws -> [String] {
    guard !ids.isEmpty, ids.count == 1 || configuration.allowsMultiple else {
      throw Diagnostic(
        .range, "the documents to pick",
        expected: configuration.allowsMultiple ? "at least 1" : "1",
        found: "\(ids.count)")
    }
    var paths: [String] = []
    for id in ids {
      let item = try await item(id)
      guard item.isSelectable, !item.isFolder else {
        throw Diagnostic(
          .range, at: Location(file: item.path), "it cannot be picked",
          expected: "a document of an allowed type", found: item.type)
      }
      paths.append(try await localFile(of: id))
    }
    hub.send(.picked(paths))
    return paths
  }

  /// Ends picking without a document.
  public func cancelPicking() { hub.send(.cancelled) }
}
