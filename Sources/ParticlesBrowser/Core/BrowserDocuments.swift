public import ParticlesContainer
internal import ParticlesPackages
public import ParticlesCore
public import ParticlesDocuments
internal import ParticlesEffects
internal import ParticlesFormats
internal import ParticlesImages
internal import ParticlesSystem

extension Browser {
  private var documentConfiguration: DocumentConfiguration {
    let folders = environment.directories
    var configuration = DocumentConfiguration(dataFolder: folders.dataHome)
    configuration.presenceFolder = folders.runtime ?? folders.dataHome
    configuration.autosave = self.configuration.autosave
    // Each takes 1 kB: an hour of editing must not fill the memory of many documents.
    configuration.undoCount = 1_000
    configuration.places = places
    configuration.isViewing = self.configuration.isReadOnly
    return configuration
  }

  /// Opens a document in a window, and closes the document that the window showed. If that document cannot be closed,
  /// it stays open in the background. Several windows can show one document.
  /// - Throws: the error that makes it unreadable. The window shows no document then.
  public func open(_ id: BrowserItem.ID, in window: String) async throws -> BrowserDocument {
    try await open(id, in: window, as: nil)
  }

  /// - Parameter wanted: `effect` to edit a file of another format as an effect. Nil selects the kind of the file.
  func open(
    _ id: BrowserItem.ID, in window: String, as wanted: BrowserDocument.Kind?
  ) async throws -> BrowserDocument {
    // An open document needs no item: its file may be gone.
    var item: BrowserItem?
    if open[id] == nil {
      let found = try await self.item(id)
      guard found.isSelectable, !found.isFolder else {
        throw found.problem
          ?? Diagnostic(
            .range, at: Location(file: found.path), "it cannot be opened here",
            expected: "a document of an allowed type", found: found.type)
      }
      do { try await hooks.willOpen(found) } catch {
        throw Self.diagnostic(error, at: found.path)
      }
      item = found
    }
    if let other = self.window(window).document, other != id { await leaveDocument(in: window) }
    if open[id] == nil, let item { try await openDocument(item, as: wanted) }
    guard open.join(id, window) else { throw Self.gone(id) }
    windows.show(id, in: window)
    windows.comeBack(window)
    sessionChanged()
    return try await document(id)
  }

  /// The document at a path. If a file with this identity was there and was renamed, its document.
  func item(atPath path: String, identity: String?) async throws -> BrowserItem? {
    if let identity {
      if let id = open.item(ofFile: identity) {
        return try await item(id)
      }
      for provider in providers where provider is FolderProvider {
        let reference: JSONValue = [
          "provider": .string(provider.identifier), "path": .string(path),
          "identity": .string(identity),
        ]
        if let found = Reference(json: reference), let item = await item(of: found) { return item }
      }
    }
    return try await item(atPath: path)
  }

  func openDocument(atPath path: String) async -> BrowserDocument? {
    guard let id = open.item(atPath: path) else { return nil }
    return try? await document(id)
  }

  private func openDocument(_ item: BrowserItem, as wanted: BrowserDocument.Kind?) async throws {
    let path = try await localFile(of: item.id)
    let configuration = documentConfiguration(of: item)
    let own = documentTypes.first { $0.identifier == item.type }
    let kind = try wanted ?? (own != nil ? .own : Self.kind(of: path))
    let document: any OpenDocument
    switch kind {
    case .effect:
      document = try await registry.effect(at: path, configuration: configuration)
    case .text:
      document = try await registry.document(
        PlainText.self, at: path, configuration: configuration)
    case .own:
      guard let own else { throw Self.gone(item.id) }
      document = try await own.open(registry, path, configuration)
    case .other:
      document = try await registry.document(
        FileTree.self, at: path, configuration: viewing(configuration))
    }
    // Listened to before it is opened, for progress.
    var entry = OpenEntry(document: document, kind: kind, windows: [])
    entry.task = await listen(to: document, item.id)
    // Another window may have opened it meanwhile.
    if open[item.id] != nil {
      entry.task?.cancel()
      return try await document.open()
    }
    open[item.id] = entry
    table.pin(item.id)
    do {
      try await document.open()
      // A package is opened before its effect is read.
      if let effect = document as? Document<EffectPackage> { _ = try await effect.content.system() }
      if kind == .other { _ = try OpenedEffect(path: path) }
    } catch {
      try? await document.close(discarding: true)
      ended(item.id, wasOpened: false)
      throw Self.diagnostic(error, at: path)
    }
    noteIdentity(item.id)
    noteRecent(path, item.name, item.kind)
    await tellDocument(item.id, "opened")
  }

  /// The configuration for a document of a provider. The provider gets every save of a remote file. Items that cannot
  /// be written are opened for viewing.
  private func documentConfiguration(of item: BrowserItem) -> DocumentConfiguration {
    guard let record = table[item.id], !(provider(record.provider) is FolderProvider) else {
      return documentConfiguration
    }
    var configuration = documentConfiguration
    configuration.afterSaving = { [weak self, id = item.id] in
      try await self?.store($0, of: id)
    }
    return item.isWritable ? configuration : viewing(configuration)
  }

  /// Passes a saved local file to the provider of its document.
  private func store(_ file: String, of id: BrowserItem.ID) async throws {
    guard let record = table[id], let provider = provider(record.provider) else {
      throw Self.gone(id)
    }
    do { try await provider.store(file, at: record.path) } catch {
      throw Self.diagnostic(error, at: record.path)
    }
  }

  private func viewing(_ configuration: DocumentConfiguration) -> DocumentConfiguration {
    var configuration = configuration
    configuration.isViewing = true
    return configuration
  }

  /// The kind of a document: an effect for a package, a text if all bytes are UTF-8, otherwise another file.
  private static func kind(of path: String) throws -> BrowserDocument.Kind {
    if try Files.status(path)?.kind == .directory { return .effect }
    let file = try OpenFile(readingRegular: path)
    let head = try file.readPiece(65_536)
    if Container.isFlatPackage(head) { return .effect }
    if head.contains(0) { return .other }
    let rest = try file.readToEnd(limits: .standard)
    return String(validating: head + rest, as: UTF8.self) == nil ? .other : .text
  }

  private func listen(to document: any OpenDocument, _ id: BrowserItem.ID) async -> Task<
    Void, Never
  > {
    let events = await document.events()
    return Task { [weak self] in
      for await event in events { await self?.documentChanged(id, event) }
    }
  }

  /// Takes an event of an open document.
  private func documentChanged(_ id: BrowserItem.ID, _ event: DocumentEvent) async {
    guard let entry = open[id] else { return }
    let what: String
    switch event {
    case .saved, .moved, .reloaded, .merged: noteIdentity(id)
    default: break
    }
    switch event {
    case .opened, .closed: return
    case .states:
      let hasChanges = await entry.document.hasUnsavedChanges
      if !hasChanges, let path = entry.document.path { edits.saved(id, entry.opening, at: path) }
      note(hasChanges, of: id)
      await settle(id)
      what = "states"
    case .edited: what = "edited"
    case .changed: what = "changed"
    case .gestureEnded: what = "edited"
    case .saved:
      if await !entry.document.hasUnsavedChanges, let path = entry.document.path {
        edits.saved(id, entry.opening, at: path)
      }
      what = "saved"
    case .progress(let progress):
      open[id]?.progress = progress.fraction < 1 ? progress.fraction : nil
      what = "progress"
    case .moved(let old, let new):
      await follow(id, from: old, to: new)
      what = "moved"
    case .reloaded: what = "reloaded"
    case .merged: what = "merged"
    case .outside(let change):
      if var document = try? await document(id) {
        document.outside = .object(Self.outline(change))
        hub.send(.document(document, what: "outside"))
      }
      return
    case .conflict: what = "conflict"
    case .deleted:
      open[id]?.isGone = true
      what = "deleted"
    case .undecodable: what = "undecodable"
    case .failed(let error):
      hub.send(.failed(Self.diagnostic(error)))
      what = "failed"
    case .retrying: what = "retrying"
    }
    await tellDocument(id, what)
  }

  private func noteIdentity(_ id: BrowserItem.ID) {
    guard let path = open[id]?.document.path else { return }
    let identity = FolderListing.stamp(of: path)
    open[id]?.identity = identity
  }

  /// Another program has renamed an open document.
  private func follow(_ id: BrowserItem.ID, from old: String, to new: String) async {
    guard let record = table[id], record.path != new, let provider = provider(record.provider),
      let entry = (try? await provider.entry(at: new)) ?? nil,
      let folder = (try? await item(at: Files.folder(of: new), of: provider)) ?? nil
    else { return }
    table.move(id, to: entry, in: folder.id)
    noteMoves([id])
    try? recents?.move(old, to: new)
    await refresh(folder.id)
    if let parent = record.parent, parent != folder.id { await refresh(parent) }
  }

  func tellDocument(_ id: BrowserItem.ID, _ what: String) async {
    guard let document = try? await document(id) else { return }
    hub.send(.document(document, what: what))
  }

  /// An open document as it is now.
  func document(_ id: BrowserItem.ID) async throws -> BrowserDocument {
    guard let entry = open[id] else {
      throw Diagnostic(.fileClosed, at: Location(file: table[id]?.path))
    }
    var document = await entry.document.described(as: id, entry)
    note(document.states.contains("changed"), of: id)
    if let name = providedName(id) { document.displayName = name }
    return document
  }

  /// Notes whether an open document has changes, and tells its row if that is new.
  private func note(_ hasChanges: Bool, of id: BrowserItem.ID) {
    guard let entry = open[id], entry.hasChanges != hasChanges else { return }
    open[id]?.hasChanges = hasChanges
    tellRow(id)
  }

  /// The title of a document of an application's provider or an archive. Its local file keeps the name at opening. Nil
  /// for files of this machine, whose names are current.
  private func providedName(_ id: BrowserItem.ID) -> String? {
    guard let record = table[id], !(provider(record.provider) is FolderProvider) else { return nil }
    return DocumentNames.displayName(of: record.name).escapingControls
  }

  /// Tells open documents of a provider of an application that they have other names: none of their files was renamed.
  func tellNames(_ ids: [BrowserItem.ID]) async {
    for id in ids where open[id] != nil && providedName(id) != nil {
      await tellDocument(id, "moved")
    }
  }

  /// The open documents.
  public func documents() async -> [BrowserDocument] {
    var result: [BrowserDocument] = []
    for id in open.items {
      if let document = try? await document(id) { result.append(document) }
    }
    return result
  }

  // MARK: Closing

  /// Closes the document of a window. If no other window shows it, it is saved and closed.
  /// - Parameters:
  ///   - window: the name of the window.
  ///   - isDiscarding: whether unsaved changes are dropped.
  /// - Throws: the error of saving. The document stays open then.
  public func closeDocument(
    in window: String, discarding isDiscarding: Bool = false
  ) async throws {
    guard let id = windows[window]?.document else { return }
    if let entry = open[id], open.isShown(id, onlyIn: window) {
      try await entry.document.close(discarding: isDiscarding)
      ended(id)
    } else {
      open.leave(id, window)
      try? await endGestures(of: window, in: id)
    }
    windows.show(nil, in: window)
    sessionChanged()
  }

  /// Removes a document that is not open any more.
  /// - Parameters:
  ///   - isKept: whether only the journal of edits has its contents.
  ///   - wasOpened: whether an event reported its opening, so that an event reports its end.
  func ended(
    _ id: BrowserItem.ID, keepingJournal isKept: Bool = false, wasOpened: Bool = true
  ) {
    guard let entry = open.remove(id) else { return }
    edits.end(id, entry.opening, keepingJournal: isKept)
    entry.task?.cancel()
    table.unpin(id)
    windows.forget(id)
    let closed = BrowserDocument(
      id: id, displayName: providedName(id) ?? entry.document.displayName.escapingControls,
      path: entry.document.path ?? "", kind: entry.kind, states: ["closed"], revision: 0,
      windows: [])
    if wasOpened { hub.send(.document(closed, what: "closed")) }
    tellRow(id)
  }

  /// Tells the row of an item as it is soon, where its folder is shown.
  private func tellRow(_ id: BrowserItem.ID) {
    guard let parent = table[id]?.parent, folders[parent] != nil else { return }
    Task { [weak self] in
      if let item = try? await self?.item(id) { await self?.tell([item], in: parent) }
    }
  }

  /// Puts unsaved changes in a provider's documents into the recovery journal, and closes the documents.
  func closeDocuments(of provider: any BrowserProvider) async {
    for (id, entry) in open.all where table[id]?.provider == provider.identifier {
      do {
        try await entry.document.closeIntoRecovery()
        ended(id)
      } catch {
        hub.send(.failed(Self.diagnostic(error)))
      }
    }
  }

  /// Saves and closes all documents, and stores the session: the end of the program.
  /// - Returns: the errors of documents that could not be saved. Their contents are in the recovery journal.
  public func close() async -> [Diagnostic] {
    var faults: [Diagnostic] = []
    do { try await saveSession() } catch { faults.append(Self.diagnostic(error)) }
    let shown = windows
    for (id, entry) in open.all {
      var isKept = false
      do {
        // The user has removed it: its changes stay in the journal.
        if entry.isRemoved {
          try await entry.document.closeIntoRecovery()
        } else {
          try await entry.document.close(discarding: false)
        }
      } catch {
        faults.append(Self.diagnostic(error, at: entry.document.path))
        do { try await entry.document.closeIntoRecovery() } catch {
          faults.append(Self.diagnostic(error, at: entry.document.path))
          isKept = true
        }
      }
      ended(id, keepingJournal: isKept)
    }
    // The session that is stored has the documents that were open.
    windows = shown
    // Nothing is stored later: another browser may have begun with the session.
    sessionTask?.cancel()
    sessionTask = Task {}
    return faults
  }
}

/// Contents of open documents: reading, editing, saving, ending conflicts.
extension Browser {
  /// The contents of an open document.
  public func contents(of id: BrowserItem.ID) async throws -> BrowserContents {
    let document = try await document(id)
    var result = BrowserContents(document: document, text: nil, files: [])
    if let entry = open[id], entry.kind == .own {
      let type = table[id].map { types.info($0.name, $0.kind).identifier }
      result.text = try await documentTypes.first { $0.identifier == type }?.text(entry.document)
      return result
    }
    switch open[id]?.document {
    case let text as Document<PlainText>:
      result.text = try await text.content.text
      if let opened = try? OpenedEffect(
        bytes: Array((result.text ?? "").utf8), name: document.path,
        images: ImageFinder(besides: document.path))
      {
        result.effect = try? String(decoding: opened.package.document(), as: UTF8.self)
        result.files = Self.files(opened.package)
      }
    case let effect as Document<EffectPackage>:
      let package = try await effect.content
      result.text = String(decoding: try package.document(), as: UTF8.self)
      result.effect = result.text
      result.files = Self.files(package)
    case let file as Document<EffectFile>:
      let package = try await file.content.effect
      result.effect = String(decoding: try package.document(), as: UTF8.self)
      result.files = Self.files(package)
    default:
      let package = try OpenedEffect(path: document.path).package
      result.effect = String(decoding: try package.document(), as: UTF8.self)
      result.files = Self.files(package)
    }
    return result
  }

  /// The paths of the files in a package.
  private static func files(_ package: EffectPackage) -> [String] {
    var files: [String] = []
    package.container.root.forEachDescendant { path, node in
      if node.isRegularFile { files.append(path) }
    }
    return files
  }

  /// The bytes of a file in an open effect, such as an image.
  public func file(_ path: String, of id: BrowserItem.ID) async throws -> [UInt8] {
    let document = try await document(id)
    let package: EffectPackage
    switch open[id]?.document {
    case let effect as Document<EffectPackage>: package = try await effect.content
    case let file as Document<EffectFile>: package = try await file.content.effect
    case let text as Document<PlainText>:
      package = try OpenedEffect(
        bytes: Array(await text.content.text.utf8), name: document.path,
        images: ImageFinder(besides: document.path)
      ).package
    default: package = try OpenedEffect(path: document.path).package
    }
    guard let file = package.container.root[path]?.contents else {
      throw Diagnostic(.fileNotFound, at: Location(file: document.path, entry: path))
    }
    return try file.bytes()
  }

  private func text(_ id: BrowserItem.ID) throws -> Document<PlainText> {
    guard let document = open[id]?.document as? Document<PlainText> else {
      throw Diagnostic(
        .fileText, at: Location(file: table[id]?.path), "it is not open as a text")
    }
    return document
  }

  /// Replaces the text of an open text document, as an edit.
  /// - Parameters:
  ///   - text: the new text.
  ///   - id: the document.
  ///   - revision: the revision that the text was made from.
  /// - Throws: ``ParticlesCore/Rule/fileConflict`` if the document has another revision: the text is read again, and the
  ///   edit made on it.
  public func setText(
    _ text: String, of id: BrowserItem.ID, from revision: Int
  ) async throws -> BrowserContents {
    let document = try self.text(id)
    let base = open[id]?.base ?? 0
    try await document.group("Edit Text") { document in
      guard base + document.revision == revision else {
        throw Diagnostic(
          .fileConflict, at: Location(file: document.path), "the text has changed meanwhile",
          expected: "revision \(base + document.revision)", found: "revision \(revision)")
      }
      try document.edit("Edit Text", coalescing: "text") { $0.text = text }
    }
    return try await contents(of: id)
  }

  /// Saves an open document.
  public func save(_ id: BrowserItem.ID) async throws -> BrowserDocument {
    guard let entry = open[id] else {
      throw Diagnostic(.fileClosed, at: Location(file: table[id]?.path))
    }
    try await entry.document.save()
    return try await document(id)
  }

  /// Ends a conflict of an open document with another program. The state that does not stay is kept as a version.
  /// - Parameters:
  ///   - id: the document.
  ///   - side: the side that stays.
  /// - Returns: the document, and the item beside it that has our contents, with ``ParticlesDocuments/ConflictSide/both``.
  /// - Throws: ``ParticlesCore/Rule/fileConflict`` if the contents cannot be merged, and errors of reading and writing.
  ///   The conflict stays then.
  public func resolve(
    _ id: BrowserItem.ID, keeping side: ConflictSide
  ) async throws -> (document: BrowserDocument, beside: BrowserItem?) {
    guard let entry = open[id] else {
      throw Diagnostic(.fileClosed, at: Location(file: table[id]?.path))
    }
    let path = try await entry.document.resolve(keeping: side)
    if side != .theirs, side != .both { try await entry.document.save() }
    var beside: BrowserItem?
    if let path { beside = try await item(atPath: path) }
    if let parent = beside?.parent { await refresh(parent) }
    return (try await document(id), beside)
  }

  /// Undoes, or redoes, an edit of an open document.
  public func undoEdit(
    of id: BrowserItem.ID, redo isRedo: Bool = false
  ) async throws -> BrowserDocument {
    guard let entry = open[id] else {
      throw Diagnostic(.fileClosed, at: Location(file: table[id]?.path))
    }
    _ = isRedo ? try await entry.document.redo(1) : try await entry.document.undo(1)
    return try await document(id)
  }

  /// The name of the template of an empty text.
  private static let text = "text"
  /// How many names are tried for a new document.
  private static let mostAttempts = 500

  /// The templates for new documents: templates of effects, and an empty text.
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
  ///   - template: the name of a template, `text` for an empty text, or the identifier of a document type.
  ///   - name: the name of the file. Nil selects a free name. A number is added to a name in use.
  ///   - folder: the location.
  ///   - form: the form of a package.
  /// - Throws: ``ParticlesCore/Rule/fileReadOnly`` and others of the family `file`, or ``ParticlesCore/Rule/range`` for
  ///   an unknown template. No file is left then.
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
  ///   - pathExtension: the extension. A name without an extension gets it.
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
    // Other programs may take this name meanwhile, and also the next names.
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
        names.reserve(free, in: folder)
      }
    }
    throw Diagnostic(.fileExists, at: Location(file: Files.joined(place.path, name)))
  }

  // MARK: Revealing and picking

  /// Shows a file in a location, or a copy of a file from elsewhere. A `file:` URL is a path.
  /// - Parameters:
  ///   - path: the path on this machine, or a `file:` URL.
  ///   - folder: the location into which a file from elsewhere is copied. Nil adds its folder as a location.
  /// - Throws: ``ParticlesCore/Rule/range`` for another URL, and errors of importing.
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
