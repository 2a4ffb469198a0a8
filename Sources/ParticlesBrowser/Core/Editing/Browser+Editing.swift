internal import ParticlesContainer
internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesFormats
internal import ParticlesModel

// The editor: pages show an effect and order changes; the document is here.

/// The gestures of a document that pages have begun, by the names that the pages gave them.
struct PageGestures: Sendable {
  private var open: [String: DocumentGesture] = [:]
  private var order: [String] = []
  /// More are those of pages that are gone.
  private static let most = 16

  /// The name of a page's gesture: pages know nothing of each other.
  static func name(_ window: String, _ gesture: String) -> String { "\(window) \(gesture)" }

  subscript(name: String) -> DocumentGesture? { open[name] }

  /// Adds a gesture.
  /// - Returns: one that is to be ended, because it had that name, or because there are too many.
  mutating func add(_ gesture: DocumentGesture, as name: String) -> DocumentGesture? {
    // Two requests may begin a gesture of one name at the same time.
    if let old = open.updateValue(gesture, forKey: name) { return old }
    order.append(name)
    guard order.count > Self.most else { return nil }
    return open.removeValue(forKey: order.removeFirst())
  }

  mutating func remove(_ name: String) {
    open[name] = nil
    order.removeAll { $0 == name }
  }

  /// Removes all gestures of a window.
  mutating func removeAll(of window: String) -> [DocumentGesture] {
    let names = order.filter { $0.hasPrefix("\(window) ") }
    defer { names.forEach { remove($0) } }
    return names.compactMap { open[$0] }
  }
}

/// The state of a document that a page has, and makes its orders on.
struct PageBasis: Sendable {
  /// See ``BrowserDocument/opening``; nil if the page does not tell.
  var opening: String?
  /// The revision; nil for any.
  var revision: Int?

  init(_ object: JSONObject) {
    (opening, revision) = (object["opening"]?.string, object["revision"]?.int)
  }
}

/// A change of an effect, as a page orders it.
struct EffectEdit: Sendable {
  /// The part of a gesture that a change is.
  enum Phase: String, Sendable { case begin, change, end, cancel }

  var item: BrowserItem.ID
  var window: String
  var name: String
  /// The revision that the change was made on.
  var basis: PageBasis
  /// The page's name of the gesture, and the part of it; nil for an edit of its own.
  var gesture: (name: String, phase: Phase)?
  var changes: [EffectChange]

  /// - Throws: ``ParticlesCore/Rule/usage``.
  init(_ object: JSONObject) throws {
    guard let item = object["item"]?.string else { throw Diagnostic(.usage, expected: "item") }
    self.item = item
    window = object["window"]?.string ?? ""
    name = object["name"]?.string ?? "Edit"
    basis = PageBasis(object)
    changes = try object["changes"].map { try EffectChange.list($0) } ?? []
    guard let name = object["gesture"]?.string else {
      if changes.isEmpty { throw Diagnostic(.usage, "'changes'", expected: "at least one change") }
      return
    }
    guard let phase = (object["phase"]?.string).flatMap(Phase.init) else {
      throw Diagnostic(.usage, "'phase'", expected: "begin, change, end or cancel")
    }
    gesture = (name, phase)
  }
}

extension Browser {
  /// The document of an item as an effect that is edited.
  /// - Throws: ``ParticlesCore/Rule/fileClosed`` if it is not open as one.
  func editedEffect(_ id: BrowserItem.ID) throws -> any EditedEffect {
    guard let document = open[id]?.document as? any EditedEffect else {
      throw Diagnostic(
        .fileClosed, at: Location(file: table[id]?.path), "it is not open in an editor")
    }
    return document
  }

  /// Opens an effect in the editor of a window. A file of another format stays one.
  func openEffect(_ id: BrowserItem.ID, in window: String) async throws -> JSONObject {
    let isNew = open[id] == nil
    do { _ = try await open(id, in: window, as: .effect) } catch let fault as Diagnostic {
      // An open document whose file is gone is shown, with its state.
      guard fault.rule == .fileNotFound, joinDocument(id, in: window) else { throw fault }
    }
    // Changes that a killed program has left in the recovery journal.
    if isNew, !configuration.isReadOnly {
      // The effect is opened without them if they cannot be read; they stay in the journal.
      do { try await editedEffect(id).recoverLast() } catch {
        hub.send(.failed(Self.diagnostic(error)))
      }
    }
    return try await effectState(id)
  }

  /// The revision that a page states, as that of the document; nil for any.
  /// - Throws: ``ParticlesCore/Rule/fileClosed`` if the page has it from another opening, such as by a program that has
  ///   ended since: what that one has answered may be missing here. The page takes the document up again then.
  private func revision(_ basis: PageBasis?, of id: BrowserItem.ID) throws -> Int? {
    guard let basis, let entry = open[id] else { return nil }
    guard basis.opening ?? entry.opening == entry.opening, basis.revision ?? .max >= entry.base
    else {
      throw Diagnostic(
        .fileClosed, at: Location(file: table[id]?.path), "it was closed meanwhile",
        hint: "open it again")
    }
    return basis.revision.map { $0 - entry.base }
  }

  /// Makes changes.
  func edit(_ edit: EffectEdit) async throws -> JSONObject {
    let document = try editedEffect(edit.item)
    let revision = try revision(edit.basis, of: edit.item)
    if let (name, phase) = edit.gesture {
      try await gesture(PageGestures.name(edit.window, name), phase, edit, document, revision)
    } else {
      try await document.change(edit.name, from: revision) { try $0.make(edit.changes) }
    }
    var object = try await effectText(edit.item)
    // The list of edits is as it was while a gesture goes on.
    if edit.gesture.map({ [.end, .cancel].contains($0.phase) }) ?? true {
      object["undo"] = await edits(of: document)
    }
    return object
  }

  /// The names of the edits that can be undone, of those that a menu has room for.
  private func edits(of document: any EditedEffect) async -> JSONValue {
    .array(await document.undoNames.suffix(200).map(JSONValue.string))
  }

  private func gesture(
    _ name: String, _ phase: EffectEdit.Phase, _ edit: EffectEdit, _ document: any EditedEffect,
    _ revision: Int?
  ) async throws {
    var gesture = open[edit.item]?.gestures[name]
    if gesture == nil {
      // A gesture that has ended without the page, such as by a restart, is another one.
      if [.end, .cancel].contains(phase), edit.changes.isEmpty { return }
      let new = try await document.beginGesture(edit.name)
      gesture = new
      if let old = open[edit.item]?.gestures.add(new, as: name) { try? await document.end(old) }
    }
    guard let gesture else { return }
    if phase == .cancel {
      open[edit.item]?.gestures.remove(name)
      return await document.cancel(gesture)
    }
    if !edit.changes.isEmpty { try await document.change(gesture, from: revision, edit.changes) }
    if phase == .end {
      open[edit.item]?.gestures.remove(name)
      try await document.end(gesture)
    }
  }

  /// Makes another edit of an effect.
  func change(
    _ id: BrowserItem.ID, named name: String, from basis: PageBasis? = nil,
    _ body: @escaping @Sendable (inout EffectPackage) throws -> Void
  ) async throws -> JSONObject {
    try await editedEffect(id).change(name, from: revision(basis, of: id), body)
    return try await effectState(id)
  }

  /// Undoes or redoes edits.
  func undoEffect(
    _ id: BrowserItem.ID, _ count: Int, from basis: PageBasis, redo isRedo: Bool
  ) async throws -> JSONObject {
    let document = try editedEffect(id)
    _ = try revision(basis, of: id)
    _ = isRedo ? try await document.redo(count) : try await document.undo(count)
    return try await effectState(id)
  }

  // MARK: What pages show

  /// The effect of an open document as it is now.
  func effectPackage(_ id: BrowserItem.ID) async throws -> EffectPackage {
    try await editedEffect(id).effect
  }

  /// Text, revision and states of a document: the answer to an edit.
  func effectText(_ id: BrowserItem.ID) async throws -> JSONObject {
    let package = try await effectPackage(id)
    let document = try await document(id)
    return [
      "document": document.json, "revision": .int(document.revision),
      "text": .string(String(decoding: try package.document(), as: UTF8.self)),
    ]
  }

  /// The same with images, the list of edits, and the conflict.
  func effectState(_ id: BrowserItem.ID) async throws -> JSONObject {
    var object = try await effectText(id)
    let edited = try editedEffect(id)
    let package = try await edited.effect
    object["files"] = .array(Self.images(of: package))
    object["undo"] = await edits(of: edited)
    object["isViewing"] = .bool(configuration.isReadOnly)
    if let foreign = await edited.foreign, let format = foreign.format {
      object["format"] = [
        "name": .string(format.name), "title": .string(format.title),
        "isWritable": .bool(foreign.isWritable),
      ]
    }
    if let sides = await edited.sides {
      object["conflict"] = [
        "clashes": .array(sides.clashes.map(JSONValue.string)),
        "canMerge": .bool(sides.merged != nil),
      ]
    }
    return object
  }

  /// The images of an effect: those that its document names.
  private static func images(of package: EffectPackage) -> [JSONValue] {
    guard let system = try? package.system() else { return [] }
    return system.images.enumerated().map { index, image in
      let file = package.container.root[image.uri]?.contents
      let sprites = system.sprites.indices.filter { system.sprites[$0].image == index }
      var object: JSONObject = [
        "path": .string(image.uri), "uri": .string(image.uri), "index": .int(index),
        "isMissing": .bool(file == nil), "size": .int(file?.size ?? 0),
        "sprites": .array(sprites.map { .int($0) }),
      ]
      object["sprite"] = sprites.first.map { .int($0) }
      object["digest"] = image.sha256.map { .string(String($0.prefix(16))) }
      object["width"] = image.width.map { .int($0) }
      object["height"] = image.height.map { .int($0) }
      return .object(object)
    }
  }
}

extension Browser {
  /// A document has closed itself.
  func endedEffect(_ id: BrowserItem.ID) { ended(id) }

  /// Ends what a window was about, which does not show the document any more.
  func endGestures(of window: String, in id: BrowserItem.ID) async throws {
    guard let document = open[id]?.document as? any EditedEffect else { return }
    for gesture in open[id]?.gestures.removeAll(of: window) ?? [] {
      try await document.end(gesture)
    }
  }
}
