internal import ParticlesContainer
internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesEffects
internal import ParticlesFormats
internal import ParticlesModel
internal import ParticlesSystem

// The editor. Pages show an effect and request changes. The browser holds the document.

extension Browser {
  /// The document of an item as an effect that is edited.
  /// - Throws: ``ParticlesCore/Rule/fileClosed`` if it is not open as an effect.
  func editedEffect(_ id: BrowserItem.ID) throws -> any EditedEffect {
    guard let document = open[id]?.document as? any EditedEffect else {
      throw Diagnostic(
        .fileClosed, at: Location(file: table[id]?.path), "it is not open in an editor")
    }
    return document
  }

  /// Opens an effect in the editor of a window. A file of another format keeps its format.
  /// - Parameter page: the window, and the contents that it has.
  func openEffect(_ id: BrowserItem.ID, for page: PageBasis) async throws -> JSONObject {
    let window = page.window
    let isNew = open[id] == nil
    _ = try await open(id, in: window, as: .effect)
    // Changes that an ended program has left in the recovery journal become an edit, which pages show.
    var recovered: RecoveredContents?
    if isNew, !configuration.isReadOnly {
      // Unreadable changes stay in the journal, and the effect is opened without them.
      do { recovered = try await takeRecovered(id) } catch {
        hub.send(.failed(Self.diagnostic(error)))
      }
    }
    if !configuration.isReadOnly, !edits.isBegun(id) { await makeAgain(id) }
    var state = try await effectState(id, for: page)
    state["recovered"] = recovered.map { .object(Self.outline($0)) }
    state["obstacle"] = await obstacle(id).map(JSONValue.object)
    return state
  }

  // MARK: What pages show

  /// The effect of an open document as it is now.
  func effectPackage(_ id: BrowserItem.ID) async throws -> EffectPackage {
    try await editedEffect(id).effect
  }

  /// The names of the last 200 edits that can be undone, as many as a menu has room for.
  func editNames(of id: BrowserItem.ID) async throws -> JSONValue {
    .array(try await editedEffect(id).undoNames.suffix(200).map(JSONValue.string))
  }

  /// Contents and states of a document, with images, the list of edits, and the conflict.
  func effectState(_ id: BrowserItem.ID, for page: PageBasis) async throws -> JSONObject {
    var object = try await contents(of: id, for: page)
    object["undo"] = try await editNames(of: id)
    object.add(try await surroundings(of: id))
    return object
  }

  /// The images, the format and the conflict of a document.
  func surroundings(of id: BrowserItem.ID) async throws -> JSONObject {
    let edited = try editedEffect(id)
    let package = try await edited.effect
    var object: JSONObject = [
      "files": .array(Self.images(of: package)), "isViewing": .bool(configuration.isReadOnly),
    ]
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

  /// The images that the document of an effect names.
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

  /// A document has closed itself.
  func endedEffect(_ id: BrowserItem.ID) { ended(id) }
}

// Edits that pages ask for. Each has an identity: it is made once, however often it is asked for.

extension Browser {
  /// Makes an edit. The answer has the changes that the page lacks.
  /// - Throws: ``ParticlesCore/Rule/fileClosed`` if the document is closed, or was opened again after the page.
  func edit(_ edit: EditRequest) async throws -> HTTPAnswer {
    let ledger = try ledger(edit.item, edit.page)
    if ledger.isBusy {
      await withCheckedContinuation { ledger.waiting.append($0) }
    } else {
      ledger.isBusy = true
    }
    defer { ledger.endTurn() }
    // It may have been closed meanwhile.
    _ = try self.ledger(edit.item, edit.page)
    if let known = edits.outcome(of: edit.id), known.includes(edit) {
      return try await answer(edit, known, nil, ledger)
    }
    ledger.ended = nil
    var outcome = EditOutcome(tick: edit.gesture?.tick, isOver: !edit.goesOn)
    var step: EditStep?
    // The cost of a part of a gesture does not depend on the size of the document.
    let before = edit.gesture == nil ? try await editedEffect(edit.item).now.effect : nil
    do {
      step = try await make(edit, ledger)
      outcome.revision = (open[edit.item]?.base ?? 0) + (step?.after ?? 0)
    } catch let fault as Diagnostic where !Self.passing.contains(fault.rule) {
      outcome.refusal = (HTTPAnswer(failure: fault).status, fault.json.object ?? [:])
      // The accepted changes of a gesture stay, as an edit.
      if edit.gesture?.phase == .end { try await endGesture(edit.id, of: edit.item, ledger) }
    }
    try await note(edit, outcome, from: before, ledger)
    return try await answer(edit, outcome, step, ledger)
  }

  /// Writes an edit into the journal.
  /// - Parameter before: the effect before the edit, or nil for a part of a gesture.
  private func note(
    _ edit: EditRequest, _ outcome: EditOutcome, from before: EffectPackage?, _ ledger: EditLedger
  ) async throws {
    var (patch, digest): (JSONValue?, String?) = (nil, nil)
    let gesture = ledger.index(of: edit.id).map { ledger.gestures[$0] } ?? ledger.ended
    if let gesture, edit.goesOn, let sent = gesture.sent {
      patch = sent
    } else if gesture != nil || before != nil && outcome.refusal == nil {
      let document = try editedEffect(edit.item)
      let after = try await document.now.effect
      digest = SHA256.digest(try after.document()).description
      let start = try gesture?.start ?? before?.documentValue
      let changes = try start.flatMap {
        DocumentPatch.difference(from: $0, to: try after.documentValue)
      }
      // A change that was postponed may be refused now.
      patch = (outcome.refusal == nil ? gesture?.sent : nil) ?? changes.map { .array($0) }
      let images = EffectPackage.imageDirectory
      if patch == nil
        || before.map({ $0.container.root[images] != after.container.root[images] }) == true
      {
        // The journal has changes of the document alone.
        await autosave(edit.item)
      }
    }
    switch edits.note(edit, outcome, patch: patch, digest: digest) {
    case .complete: break
    case .toBeFlushed:
      Task { [weak self] in
        try? await Task.sleep(nanoseconds: Self.untilFlushed)
        await self?.flushEdits()
      }
    case .failed where !edit.goesOn && outcome.refusal == nil: await autosave(edit.item)
    case .failed: break
    }
    tellFault()
  }

  /// Saves a document, or its contents into the recovery journal.
  private func autosave(_ id: BrowserItem.ID) async {
    do { try await editedEffect(id).autosave() } catch {
      hub.send(.failed(Self.diagnostic(error)))
    }
  }

  /// Nanoseconds from an edit until it has reached the disk, at most.
  private static let untilFlushed: UInt64 = 800_000_000

  private func flushEdits() {
    edits.flush()
    tellFault()
  }

  private func tellFault() {
    if let fault = edits.takeFault() { hub.send(.failed(fault)) }
  }

  // MARK: Ended programs

  /// Makes the edits again that programs have left which were ended.
  func makeAgain(_ id: BrowserItem.ID) async {
    guard let entry = open[id], let path = entry.document.path else { return }
    let left = edits.begin(id, at: path, in: environment.directories.dataHome)
    tellFault()
    guard !left.isEmpty, let document = try? editedEffect(id) else { return }
    let ledger = edits.ledger(of: entry.opening)
    // The file, or the recovery journal, may have some of these edits.
    let digest = (try? await document.now.effect.document()).map { SHA256.digest($0).description }
    let known = left.lastIndex { $0.digest != nil && $0.digest == digest }
    var steps = 0
    for row in left[(known.map { $0 + 1 } ?? 0)...] {
      do { steps = try await makeAgain(row, of: document, ledger, after: steps) } catch {
        hub.send(
          .failed(
            Diagnostic(
              .fileConflict, at: Location(file: path),
              "the edit '\(row.name.excerpt)' of a program that was ended could not be made again"))
        )
      }
    }
  }

  /// - Parameter steps: the number of edits that were made again before.
  private func makeAgain(
    _ row: EditJournal.Row, of document: any EditedEffect, _ ledger: EditLedger, after steps: Int
  ) async throws -> Int {
    let changes = try EffectChange.list(row.patch)
    let words = row.kind.split(separator: " ")
    let count = words.last.flatMap { Int($0) } ?? 0
    if words.first == "undo", count <= steps {
      _ = try await document.walk(count, redo: false)
      return steps - count
    }
    guard row.isOpen else {
      let isWalk = ["undo", "redo"].contains(words.first)
      let step = try await document.change(isWalk ? "Recover Changes" : row.name) {
        try $0.patch(changes)
      }
      return step.after == step.before ? steps : steps + 1
    }
    let (effect, _) = try await document.now
    let gesture = try await document.beginGesture(row.name)
    var open = PageGesture(row.id, row.window, gesture, on: try effect.documentValue)
    open.add(changes)
    _ = try await document.change(gesture, changes)
    ledger.gestures.append(open)
    return steps
  }

  /// Faults that pass: the edit is made when it is asked for again.
  private static let passing: Set<Rule> = [.fileClosed, .fileBusy]

  /// The ledger of an open document.
  /// - Throws: ``ParticlesCore/Rule/fileClosed`` if the page refers to another opening, such as an opening by an ended
  ///   program. The page then opens the document again.
  private func ledger(_ id: BrowserItem.ID, _ page: PageBasis) throws -> EditLedger {
    _ = try editedEffect(id)
    guard let entry = open[id], page.opening ?? entry.opening == entry.opening else {
      throw Diagnostic(
        .fileClosed, at: Location(file: table[id]?.path), "it was closed meanwhile",
        hint: "open it again")
    }
    return edits.ledger(of: entry.opening)
  }

  // MARK: Making

  private func make(_ edit: EditRequest, _ ledger: EditLedger) async throws -> EditStep {
    let document = try editedEffect(edit.item)
    switch edit.kind {
    case .changes(let changes):
      guard let (_, phase) = edit.gesture else {
        return try await document.change(edit.name, changes)
      }
      do { return try await gesture(edit, changes, phase, document, ledger) } catch Rule.fileGesture
      {
        // A replacement of all contents has ended the gesture. The rest is a new gesture.
        ledger.remove(edit.id)
        return try await gesture(edit, changes, phase, document, ledger)
      }
    case .structure(let object):
      let isMerge = object["op"]?.string == "merge"
      let order =
        try await isMerge ? .merge(mergedEffect(object)) : EmitterOperation(.object(object))
      return try await document.change(edit.name) { try order.apply(to: &$0) }
    case .undo(let count): return try await document.walk(count, redo: false)
    case .redo(let count): return try await document.walk(count, redo: true)
    case .fix(let code, let key):
      return try await document.change("Fix") {
        try EffectFindings.mend(&$0, code: code, key: key)
      }
    case .restore(let number):
      let before = try await document.now.revision
      guard let version = try await document.versions().first(where: { $0.number == number }) else {
        throw Diagnostic(.fileVersion, "there is no version \(number)")
      }
      try await document.restore(version)
      return EditStep(before: before, after: try await document.now.revision, isAsSent: false)
    case .image(let bytes, let path, let emitter):
      let step = try await document.change("Image") { package in
        try package.editValid { try $0.embed(bytes, named: path, shownBy: emitter) }
      }
      // Pages do not keep pictures until they are saved.
      try await document.autosave()
      return step
    }
  }

  private func gesture(
    _ edit: EditRequest, _ changes: [EffectChange], _ phase: EditRequest.Phase,
    _ document: any EditedEffect, _ ledger: EditLedger
  ) async throws -> EditStep {
    if ledger.index(of: edit.id) == nil {
      let (effect, revision) = try await document.now
      // It may have ended without the page.
      if phase == .cancel || changes.isEmpty {
        return EditStep(before: revision, after: revision, isAsSent: true)
      }
      let new = try await document.beginGesture(edit.name)
      ledger.gestures.append(
        PageGesture(edit.id, edit.page.window, new, on: try effect.documentValue))
      if ledger.gestures.count > EditLedger.mostGestures {
        let oldest = ledger.gestures.removeFirst()
        _ = try? await document.finish(oldest.gesture, named: nil)
      }
    }
    guard let index = ledger.index(of: edit.id) else { throw Diagnostic(.fileGesture) }
    let open = ledger.gestures[index].gesture
    let before = await document.revision
    if phase == .cancel {
      ledger.remove(edit.id)
      ledger.ended = nil
      await document.cancel(open)
      return EditStep(before: before, after: await document.revision, isAsSent: false)
    }
    var step = EditStep(before: before, after: before, isAsSent: true)
    if !changes.isEmpty {
      if phase == .change, try ledger.gestures[index].check(changes) {
        step = try await document.postpone(open, changes)
      } else {
        step = try await document.change(open, changes)
        let effect = try await document.now.effect
        if let index = ledger.index(of: edit.id) {
          ledger.gestures[index].learn(changes, from: effect)
        }
      }
      if let index = ledger.index(of: edit.id) { ledger.gestures[index].add(changes) }
    }
    if phase == .end {
      ledger.remove(edit.id)
      let end = try await document.finish(open, named: edit.name)
      step.isAsSent = step.isAsSent && end.before == step.after && end.after == step.after
      step.after = end.after
    }
    return step
  }

  private func endGesture(
    _ id: String, of item: BrowserItem.ID, _ ledger: EditLedger
  ) async throws {
    guard let index = ledger.index(of: id) else { return }
    let gesture = ledger.gestures[index].gesture
    ledger.remove(id)
    edits.end(gesture: id)
    _ = try? await editedEffect(item).finish(gesture, named: nil)
  }

  /// Ends the gestures of a window that does not show the document any more.
  func endGestures(of window: String, in id: BrowserItem.ID) async throws {
    guard let entry = open[id], entry.document is any EditedEffect else { return }
    let ledger = edits.ledger(of: entry.opening)
    for gesture in ledger.gestures where gesture.window == window {
      try await endGesture(gesture.id, of: id, ledger)
    }
  }

  /// The effect whose emitters are merged: an item's effect, or bytes in base64 with a name.
  private func mergedEffect(_ object: JSONObject) async throws -> EffectPackage {
    if let item = object["item"]?.string {
      let path = try await localFile(of: item)
      return try await workbench.run {
        try OpenedEffect(path: path, limits: .untrusted).package
      }
    }
    guard let text = object["bytes"]?.string,
      let bytes = try? [UInt8](base64: text, rule: .usage)
    else {
      throw Diagnostic(.usage, "the operation 'merge'", expected: "item, or bytes in base64")
    }
    let name = Files.lastComponent(of: object["name"]?.string ?? "effect")
    return try await BackgroundWork().run {
      try OpenedEffect(bytes: bytes, name: name, limits: .untrusted).package
    }
  }

  // MARK: Answering

  private func answer(
    _ edit: EditRequest, _ outcome: EditOutcome, _ step: EditStep?, _ ledger: EditLedger
  ) async throws -> HTTPAnswer {
    var object = outcome.refusal?.fault ?? [:]
    object["id"] = .string(edit.id)
    object["made"] = outcome.refusal == nil ? .int(outcome.revision) : nil
    let base = open[edit.item]?.base ?? 0
    if let step, step.isAsSent, edit.page.revision == base + step.before,
      ledger.pages.note(edit.page, makes: edit.changes, at: base + step.after)
    {
      object["revision"] = .int(base + step.after)
      object["document"] = try await document(edit.item).json
    } else {
      let own = outcome.refusal == nil ? edit.changes : []
      try await object.add(contents(of: edit.item, for: edit.page, with: own))
    }
    // The list of edits is as it was while a gesture goes on.
    if !edit.goesOn { object["undo"] = try await editNames(of: edit.item) }
    if case .changes = edit.kind {} else { try await object.add(surroundings(of: edit.item)) }
    return HTTPAnswer(.object(object), status: outcome.refusal?.status ?? 200)
  }

  /// The contents of a document for a page: a patch to the contents that the page has, or the text.
  /// - Parameter own: the changes that the page makes itself when it gets the answer.
  func contents(
    of id: BrowserItem.ID, for page: PageBasis, with own: [EffectChange] = []
  ) async throws -> JSONObject {
    guard let entry = open[id] else { throw Diagnostic(.fileClosed) }
    let (effect, number) = try await editedEffect(id).now
    let revision = entry.base + number
    var object: JSONObject = ["revision": .int(revision)]
    let value = try? effect.documentValue
    let isItsOpening = page.opening ?? entry.opening == entry.opening
    let ledger = edits.ledger(of: entry.opening)
    let known = isItsOpening ? ledger.pages.contents(page) : nil
    if let value, let known, let old = DocumentPatch.applied(own, to: known),
      let patch = DocumentPatch.difference(from: old, to: value)
    {
      if !patch.isEmpty { object["patch"] = .array(patch) }
    } else {
      object["text"] = .string(String(decoding: try effect.document(), as: UTF8.self))
    }
    if let value { ledger.pages.note(page.window, revision, value) }
    object["document"] = try await document(id).json
    return object
  }
}

extension JSONObject {
  /// Adds the members of another object.
  mutating func add(_ other: JSONObject) {
    for member in other.members { self[member.key] = member.value }
  }
}
