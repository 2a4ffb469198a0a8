internal import ParticlesContainer
internal import ParticlesCore
public import ParticlesDocuments
internal import ParticlesFormats
internal import ParticlesImages

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
  /// - Throws: ``ParticlesCore/Rule/fileConflict`` if the contents cannot be merged; errors of reading and writing. The
  ///   conflict stays then.
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
}
