internal import ParticlesContainer
internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesFormats

// Unsaved contents that programs have left, and why a document cannot be saved.

extension Browser {
  private var recovery: RecoveryStore? {
    environment.directories.dataHome.map { RecoveryStore(dataFolder: $0) }
  }

  /// The entries that no running program holds, the newest first. They are none in a read-only browser.
  func recoveredEntries() throws -> [RecoveredContents] {
    guard !configuration.isReadOnly else { return [] }
    return try recovery?.entries().filter { !$0.isInUse } ?? []
  }

  /// An entry by its identifier.
  func recoveredEntry(_ name: String) throws -> RecoveredContents {
    guard let entry = try recoveredEntries().first(where: { $0.identifier == name }) else {
      throw Diagnostic(
        .fileNotFound, "the unsaved changes are not there any more", hint: "list them again")
    }
    return entry
  }

  /// An entry, as pages show it.
  static func outline(_ entry: RecoveredContents) -> JSONObject {
    var object: JSONObject = [
      "entry": .string(entry.identifier), "path": .string(entry.path.escapingControls),
      "name": .string(Files.lastComponent(of: entry.path).escapingControls),
      "seconds": .double(entry.seconds), "program": .string(entry.program),
      "size": .int(entry.size),
    ]
    object["fault"] = entry.fault?.json
    return object
  }

  /// The item of the document of an entry; nil if it is gone, or in no place.
  func document(of entry: RecoveredContents) async -> BrowserItem? {
    entry.path.isEmpty ? nil : (try? await item(atPath: entry.path)) ?? nil
  }

  /// Takes the newest entry of an open document into it, as an edit; merged, if the file was changed since.
  /// - Parameter name: the identifier of the entry; nil for the newest one.
  /// - Returns: the entry, if the document has changed by it.
  func takeRecovered(_ id: BrowserItem.ID, _ name: String? = nil) async throws -> RecoveredContents?
  {
    guard let document = open[id]?.document as? any KeptDocument,
      let entry = try await document.recoverable().first(where: {
        name == nil || $0.identifier == name
      })
    else { return nil }
    let before = await document.revision
    try await document.recoverMerging(entry)
    return await document.revision == before ? nil : entry
  }

  /// The newest entry of an open document that was not taken.
  func offeredEntry(_ id: BrowserItem.ID) async -> RecoveredContents? {
    guard !configuration.isReadOnly, let document = open[id]?.document as? any KeptDocument else {
      return nil
    }
    return try? await document.recoverable().first
  }

  /// The effect of an entry.
  func recoveredEffect(_ name: String) throws -> EffectPackage {
    try recoveredContents(name).effect
  }

  /// The text of an entry; nil if it is none.
  func recoveredText(_ name: String) throws -> String? {
    let entry = try recoveredEntry(name)
    guard let bytes = try recovery?.contents(of: entry, limits: .untrusted).regularFileContents()
    else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }

  private func recoveredContents(_ name: String) throws -> EffectFile {
    let entry = try recoveredEntry(name)
    guard let contents = try recovery?.contents(of: entry, limits: .untrusted) else {
      throw Diagnostic(.fileNotFound)
    }
    return try EffectFile(
      contents: contents, limits: .untrusted, path: entry.path.isEmpty ? nil : entry.path)
  }

  /// Writes an entry as a document to a folder, and removes it. An edited file of another format becomes a package.
  /// - Parameter title: the name of the file; nil for the name of the document that was not saved.
  func saveRecovered(
    _ name: String, as title: String?, in folder: BrowserItem.ID
  ) async throws -> BrowserItem {
    let entry = try recoveredEntry(name)
    guard let recovery else { throw Diagnostic(.fileNotFound) }
    let contents = try recovery.contents(of: entry, limits: .untrusted)
    let path = entry.path.isEmpty ? "Untitled.particles" : entry.path
    let effect = contents.isDirectory ? try recoveredContents(name).effect : nil
    let kind = effect == nil ? Files.pathExtension(of: path) : "particles"
    let stem = title ?? Files.lastComponent(of: path)
    let named = Files.pathExtension(of: stem) == kind ? stem : "\(Files.stem(of: stem)).\(kind)"
    let item = try await add(named: named, pathExtension: kind, to: folder, "New Document") {
      if var container = effect?.container {
        try container.save(to: $0, as: .flat)
      } else {
        _ = try PathStorage($0).write(contents, replacing: nil, StorageOptions())
      }
    }
    try recovery.discard(entry)
    return item
  }

  /// Removes an entry.
  func discardRecovered(_ name: String) throws {
    try recovery?.discard(recoveredEntry(name))
  }

  // MARK: Obstacles

  /// Why an open document cannot be saved where it is, in a word for pages, with the folder; nil if it can be, or if nothing is
  /// saved at all.
  func obstacle(_ id: BrowserItem.ID) async -> JSONObject? {
    guard !configuration.isReadOnly, let document = open[id]?.document,
      await document.states.contains(.readOnly), let path = document.path
    else { return nil }
    let folder = Files.folder(of: (try? Files.target(of: path)) ?? path)
    let words: String
    if let effect = document as? any EditedEffect, await effect.foreign?.isWritable == false {
      words = "format"
    } else if Files.canCreate(in: folder) {
      words = "file"
    } else {
      words = "folder"
    }
    return [
      "kind": .string(words), "folder": .string(Files.lastComponent(of: folder).escapingControls),
    ]
  }
}
