internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesSystem

extension Browser {
  /// The name of the next operation to undo, or nil.
  public var undoName: String? { journal.done.last?.name }

  /// The name of the next operation to redo, or nil.
  public var redoName: String? { journal.undone.last?.name }

  /// Takes the last operation back. An item that was changed since is left alone, with the reason.
  @discardableResult
  public func undo() async -> BrowserOutcome { await walk(redo: false) }

  /// Does the last operation that was taken back again.
  @discardableResult
  public func redo() async -> BrowserOutcome { await walk(redo: true) }

  private func walk(redo isRedo: Bool) async -> BrowserOutcome {
    await begin()
    defer { end() }
    guard !configuration.isReadOnly else {
      return BrowserOutcome([
        BrowserResult(source: "", name: "", status: .failed, diagnostic: Self.readOnly(nil))
      ])
    }
    _ = await roots()
    guard let command = journal.popNext(redo: isRedo) else { return BrowserOutcome([]) }
    var results: [BrowserResult] = []
    var inverse: [CommandJournal.Step] = []
    var touched: [BrowserItem.ID: Set<String>] = [:]
    for step in command.steps.reversed() {
      let (result, other, folders) = await invert(step)
      results.append(result)
      if let other { inverse.append(other) }
      // The names that it has left and taken.
      let names = Set([step.path, other?.path].compactMap(\.self).map(Files.lastComponent))
      for folder in folders { touched[folder, default: []].formUnion(names) }
    }
    // In the order of the operation.
    results.reverse()
    journal.put(
      CommandJournal.Command(name: command.name, steps: inverse, seconds: WallClock.seconds),
      redo: isRedo)
    for (folder, names) in touched { await refresh(folder, names) }
    // Tags are no change of an entry.
    let tagged = zip(command.steps, results).compactMap { step, result -> BrowserItem? in
      if case .tagged = step { result.item } else { nil }
    }
    for (folder, items) in Dictionary(grouping: tagged, by: \.parent) {
      if let folder { tell(items, in: folder) }
    }
    hub.send(.reload(location: BrowserLocation.trash))
    await lookForGone()
    tellUndo()
    return BrowserOutcome(results, undoName: undoName)
  }

  /// Does the opposite of a step.
  /// - Returns: the result, and the reverse step for redo.
  func invert(
    _ step: CommandJournal.Step
  ) async -> (BrowserResult, CommandJournal.Step?, [BrowserItem.ID]) {
    var result = BrowserResult(
      source: step.path, name: Files.lastComponent(of: step.path), status: .done)
    do {
      guard let provider = provider(step.provider) else { throw Self.gone(step.path) }
      var folders = [await folder(of: step.path, provider)]
      let other: CommandJournal.Step
      switch step {
      case .moved(_, let from, let to, let identity):
        let id = try await check(to, identity, provider)
        let place = try await place(at: Files.folder(of: from), provider)
        let (new, _) = try await move(id, to, to: place, Files.lastComponent(of: from))
        let entry = try await provider.entry(at: new)
        if let id, let entry {
          table.move(id, to: entry, in: place.id)
          noteMoves([id])
        }
        if let entry { result.item = await item(entry, id, in: place) }
        noteRecentMove(to, new)
        other = .moved(
          provider: step.provider, from: to, to: new,
          identity: entry.flatMap { Self.stamp($0, provider) })
        folders.append(place.id)
      case .made(_, let path, let identity):
        let id = try await check(path, identity, provider)
        let shown = try await prepareRemoval(of: id)
        guard let trash = try await provider.remove(path, permanently: false) else {
          throw Self.gone(path)
        }
        if let id { forgetItem(id) }
        other = .trashed(provider: step.provider, from: path, to: trash)
        await removed(shown, by: other)
      case .brought(_, let from, let to, let identity):
        let id = try await check(to, identity, provider)
        try await leave(id)
        try await giveBack(to, of: provider, to: from)
        if let id { forgetItem(id) }
        other = .returned(provider: step.provider, from: to, to: from)
      case .returned(_, let from, let to):
        let place = try await place(at: Files.folder(of: from), provider)
        let new = try await provider.add(
          to, to: place.path, named: Files.lastComponent(of: from), moving: true)
        let entry = try await provider.entry(at: new)
        if let entry { result.item = await item(entry, nil, in: place) }
        other = .brought(
          provider: step.provider, from: to, to: new,
          identity: entry.flatMap { Self.stamp($0, provider) })
        folders.append(place.id)
      case .trashed(_, let from, let to):
        let place = try await place(at: Files.folder(of: from), provider)
        let new = try await provider.move(to, to: place.path, named: Files.lastComponent(of: from))
        let entry = try await provider.entry(at: new)
        if let entry { result.item = await item(entry, nil, in: place) }
        other = .made(
          provider: step.provider, path: new, identity: entry.flatMap { Self.stamp($0, provider) })
        folders.append(place.id)
      case .tagged(_, let path, let old, let new):
        guard provider is FolderProvider else { throw Self.gone(path) }
        guard FileTags.read(path) == new else {
          throw Diagnostic(.fileChanged, at: Location(file: path))
        }
        try FileTags.write(old, to: path)
        let id = folders[0].flatMap { table.id(named: Files.lastComponent(of: path), in: $0) }
        if let id { result.item = try? await item(id) }
        other = .tagged(provider: step.provider, path: path, from: new, to: old)
      }
      return (result, other, folders.compactMap(\.self))
    } catch {
      (result.status, result.diagnostic) = (.failed, Self.diagnostic(error, at: step.path))
      return (result, nil, [])
    }
  }

  /// Moves an entry that an import has moved into a folder to where the file was.
  /// - Throws: ``ParticlesCore/Rule/fileExists`` if another file is there now, and others of the family `file`. The entry
  ///   stays then.
  private func giveBack(
    _ path: String, of provider: any BrowserProvider, to target: String
  ) async throws {
    guard try Files.status(target, followingLinks: false) == nil else {
      throw Diagnostic(
        .fileExists, at: Location(file: target), hint: "look at it, and move the document by hand")
    }
    if let folders = provider as? FolderProvider {
      return try await folders.giveBack(path, to: target)
    }
    try DocumentPlaces.copy(try await provider.localFile(of: path), to: target)
    _ = try await provider.remove(path, permanently: false)
  }

  /// Throws unless the entry at a path has the identity that a step noted.
  /// - Returns: its item, if it is known.
  private func check(
    _ path: String, _ identity: String?, _ provider: any BrowserProvider
  ) async throws -> BrowserItem.ID? {
    guard let entry = try await provider.entry(at: path) else {
      throw Diagnostic(.fileNotFound, at: Location(file: path))
    }
    let parent = await folder(of: path, provider)
    let id = parent.flatMap { table.id(named: entry.name, in: $0) }
    // A save by this browser replaces the file, but not the item.
    let isSame = Self.stamp(entry, provider) == identity || id.map { open[$0] != nil } ?? false
    guard isSame else {
      throw Diagnostic(
        .fileChanged, at: Location(file: path), "another file has this name now",
        hint: "look at it, and move it by hand")
    }
    return id
  }

  private func folder(of path: String, _ provider: any BrowserProvider) async -> BrowserItem.ID? {
    ((try? await item(at: Files.folder(of: path), of: provider)) ?? nil)?.id
  }

  private func place(
    at folder: String, _ provider: any BrowserProvider
  ) async throws -> OperationStep.Place {
    guard let id = ((try? await item(at: folder, of: provider)) ?? nil)?.id else {
      throw Diagnostic(.fileNotFound, at: Location(file: folder))
    }
    return OperationStep.Place(id: id, provider: provider, path: folder)
  }
}

extension CommandJournal.Step {
  fileprivate var provider: String {
    switch self {
    case .moved(let provider, _, _, _), .made(let provider, _, _), .trashed(let provider, _, _),
      .brought(let provider, _, _, _), .returned(let provider, _, _),
      .tagged(let provider, _, _, _):
      provider
    }
  }

  /// The path that it has left.
  fileprivate var path: String {
    switch self {
    case .moved(_, _, let path, _), .made(_, let path, _), .trashed(_, let path, _),
      .brought(_, _, let path, _), .returned(_, let path, _), .tagged(_, let path, _, _):
      path
    }
  }
}

/// The operations that can be undone and redone. It outlives the process: 200 operations, for 30 days.
struct CommandJournal {
  /// A change of one item, with the values that undo needs.
  enum Step: Sendable, Hashable {
    /// An entry was moved or renamed.
    case moved(provider: String, from: String, to: String, identity: String?)
    /// An entry was made: by creation, copying or import.
    case made(provider: String, path: String, identity: String?)
    /// A file from outside, `from`, was moved into a folder, to the entry `to`.
    case brought(provider: String, from: String, to: String, identity: String?)
    /// `brought` was undone: the entry `from` was moved back to the file `to` outside.
    case returned(provider: String, from: String, to: String)
    /// An entry was moved to the trash.
    case trashed(provider: String, from: String, to: String)
    /// The tags of an entry were others.
    case tagged(provider: String, path: String, from: [String], to: [String])
  }

  /// An operation.
  struct Command: Sendable, Hashable {
    var name: String
    var steps: [Step]
    /// When it was done, in seconds since 1970.
    var seconds: Double
  }

  private static let most = 200
  private static let patience = 30 * 86_400.0

  private(set) var done: [Command] = []
  private(set) var undone: [Command] = []
  private let stored: StoredState?

  init(_ stored: StoredState?) {
    self.stored = stored
    let json = (try? stored?.read())?.object
    let oldest = WallClock.seconds - Self.patience
    func read(_ key: String) -> [Command] {
      (json?[key]?.array ?? []).compactMap { Command(json: $0) }.filter { $0.seconds > oldest }
    }
    done = read("done")
    undone = read("undone")
  }

  /// Adds an operation, and forgets the operations to redo.
  mutating func add(_ name: String, _ steps: [Step]) {
    guard !steps.isEmpty else { return }
    done.append(Command(name: name, steps: steps, seconds: WallClock.seconds))
    if done.count > Self.most { done.removeFirst(done.count - Self.most) }
    undone = []
    store()
  }

  /// Removes and returns the operation that is undone, or redone, next.
  mutating func popNext(redo isRedo: Bool) -> Command? {
    isRedo ? undone.popLast() : done.popLast()
  }

  /// Notes that an operation was undone, or redone, by other steps, of which the inverse is kept.
  mutating func put(_ command: Command, redo isRedo: Bool) {
    if !command.steps.isEmpty {
      if isRedo { done.append(command) } else { undone.append(command) }
    }
    store()
  }

  /// Removes a step that was undone separately.
  mutating func remove(_ step: Step) {
    for index in done.indices { done[index].steps.removeAll { $0 == step } }
    done.removeAll(where: \.steps.isEmpty)
    store()
  }

  private func store() {
    // An operation that was done succeeds even if its note cannot be written.
    try? stored?.write([
      "version": .int(1), "done": .array(done.map(\.json)), "undone": .array(undone.map(\.json)),
    ])
  }
}

extension CommandJournal.Command {
  init?(json: JSONValue) {
    guard let object = json.object, let name = object["name"]?.string,
      let seconds = object["seconds"]?.double
    else { return nil }
    let steps = (object["steps"]?.array ?? []).compactMap { CommandJournal.Step(json: $0) }
    guard !steps.isEmpty else { return nil }
    self.init(name: name, steps: steps, seconds: seconds)
  }

  var json: JSONValue {
    [
      "name": .string(name), "seconds": .double(seconds), "steps": .array(steps.map(\.json)),
    ]
  }
}

extension CommandJournal.Step {
  init?(json: JSONValue) {
    guard let object = json.object, let kind = object["kind"]?.string,
      let provider = object["provider"]?.string
    else { return nil }
    let (from, to) = (object["from"]?.string, object["to"]?.string)
    let (path, identity) = (object["path"]?.string, object["identity"]?.string)
    switch (kind, from, to, path) {
    case ("moved", let from?, let to?, _):
      self = .moved(provider: provider, from: from, to: to, identity: identity)
    case ("trashed", let from?, let to?, _):
      self = .trashed(provider: provider, from: from, to: to)
    case ("brought", let from?, let to?, _):
      self = .brought(provider: provider, from: from, to: to, identity: identity)
    case ("returned", let from?, let to?, _):
      self = .returned(provider: provider, from: from, to: to)
    case ("made", _, _, let path?):
      self = .made(provider: provider, path: path, identity: identity)
    case ("tagged", _, _, let path?):
      let old = object["old"]?.array?.compactMap(\.string) ?? []
      let new = object["new"]?.array?.compactMap(\.string) ?? []
      self = .tagged(provider: provider, path: path, from: old, to: new)
    default: return nil
    }
  }

  var json: JSONValue {
    var object = JSONObject()
    switch self {
    case .moved(let provider, let from, let to, let identity):
      object = [
        "kind": "moved", "provider": .string(provider), "from": .string(from), "to": .string(to),
      ]
      object["identity"] = identity.map(JSONValue.string)
    case .made(let provider, let path, let identity):
      object = ["kind": "made", "provider": .string(provider), "path": .string(path)]
      object["identity"] = identity.map(JSONValue.string)
    case .brought(let provider, let from, let to, let identity):
      object = [
        "kind": "brought", "provider": .string(provider), "from": .string(from), "to": .string(to),
      ]
      object["identity"] = identity.map(JSONValue.string)
    case .returned(let provider, let from, let to):
      object = [
        "kind": "returned", "provider": .string(provider), "from": .string(from), "to": .string(to),
      ]
    case .trashed(let provider, let from, let to):
      object = [
        "kind": "trashed", "provider": .string(provider), "from": .string(from), "to": .string(to),
      ]
    case .tagged(let provider, let path, let old, let new):
      object = [
        "kind": "tagged", "provider": .string(provider), "path": .string(path),
        "old": .array(old.map(JSONValue.string)), "new": .array(new.map(JSONValue.string)),
      ]
    }
    return .object(object)
  }
}

/// The part of an operation for one item: planned before anything is changed.
struct OperationStep {
  /// The kinds of work.
  enum Work {
    /// Moves an entry, also one in the trash, to a folder under a name.
    case move(path: String, to: Place, name: String)
    /// Copies a file of a provider to a folder under a name.
    case copy(path: String, to: Place, name: String)
    /// Copies or moves a file of this machine to a folder under a name.
    case bring(file: String, to: Place, name: String, isMoving: Bool)
    /// Moves an entry to the trash.
    case trash(path: String)
    /// Deletes an entry.
    case delete(path: String)
    /// Creates a folder.
    case makeFolder(in: Place, name: String)
  }

  /// A folder.
  struct Place {
    var id: BrowserItem.ID
    var provider: any BrowserProvider
    var path: String
  }

  /// The item, or the path of a file from outside.
  var source: String
  var name: String
  /// The item, or nil for a file from outside.
  var id: BrowserItem.ID?
  /// The provider that the item is of.
  var provider: (any BrowserProvider)?
  var work: Work?
  /// The path that it would make, where the work itself cannot be planned.
  var planned: String?
  /// Why it cannot be done.
  var fault: Diagnostic?

  /// The path that it makes.
  var target: String? {
    switch work {
    case .move(_, let place, let name), .copy(_, let place, let name),
      .bring(_, let place, let name, _), .makeFolder(let place, let name):
      Files.joined(place.path, name)
    case .trash, .delete, nil: planned
    }
  }

  func result(_ status: BrowserResult.Status, _ diagnostic: Diagnostic? = nil) -> BrowserResult {
    BrowserResult(
      source: source, name: name, status: status, target: target, diagnostic: diagnostic)
  }
}

/// Present and planned names in folders. Upper and lower case are not distinguished.
struct PlannedNames {
  /// The names that there are, in lower case.
  private var there: [BrowserItem.ID: Set<String>] = [:]
  /// Names that the plan adds and frees. A folder may have many other names, so they are not copied.
  private var added: [BrowserItem.ID: Set<String>] = [:]
  private var freed: [BrowserItem.ID: Set<String>] = [:]

  mutating func begin(_ folder: BrowserItem.ID, _ names: [String]) {
    begin(folder, lowered: Set(names.map { $0.lowercased() }))
  }

  mutating func begin(_ folder: BrowserItem.ID, lowered names: Set<String>) {
    if there[folder] == nil { there[folder] = names }
  }

  func knows(_ folder: BrowserItem.ID) -> Bool { there[folder] != nil }

  func isTaken(_ name: String, in folder: BrowserItem.ID) -> Bool {
    let name = name.lowercased()
    if added[folder]?.contains(name) ?? false { return true }
    if freed[folder]?.contains(name) ?? false { return false }
    return there[folder]?.contains(name) ?? false
  }

  /// The name is in use from now on.
  mutating func reserve(_ name: String, in folder: BrowserItem.ID) {
    added[folder, default: []].insert(name.lowercased())
  }

  /// The name is free from now on: its item moves away.
  mutating func free(_ name: String, in folder: BrowserItem.ID) {
    added[folder]?.remove(name.lowercased())
    freed[folder, default: []].insert(name.lowercased())
  }

  /// Reserves the name, or the name with a number if it is in use.
  /// - Parameter comment: the word that is added first, as in `fire copy`, or nil.
  mutating func unique(
    _ name: String, in folder: BrowserItem.ID, comment: String? = nil, hasExtension: Bool = true
  ) -> String {
    let suffix =
      hasExtension && !Files.pathExtension(of: name).isEmpty
      ? String(
        name.unicodeScalars.suffix(from: name.unicodeScalars.lastIndex(of: ".") ?? name.startIndex))
      : ""
    var stem = hasExtension && !suffix.isEmpty ? Files.stem(of: name) : name
    if let comment { stem += " \(comment)" }
    var number = 1
    while true {
      let ending = (number == 1 ? "" : " \(number)") + suffix
      // Still a valid name.
      var start = stem
      while start.utf8.count + ending.utf8.count > 255, !start.isEmpty {
        start.unicodeScalars.removeLast()
      }
      let candidate = start + ending
      if !isTaken(candidate, in: folder) {
        reserve(candidate, in: folder)
        return candidate
      }
      number += 1
    }
  }
}
