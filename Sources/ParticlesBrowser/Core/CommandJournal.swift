internal import ParticlesCore
internal import ParticlesDocuments

/// The operations that can be undone and redone. It outlives the process: 200 operations, for 30 days.
struct CommandJournal {
  /// A change of one item, with the values that undo needs.
  enum Step: Sendable, Hashable {
    /// An entry was moved or renamed.
    case moved(provider: String, from: String, to: String, identity: String?)
    /// An entry was made: by creation, copying or import.
    case made(provider: String, path: String, identity: String?)
    /// A file from outside, `from`, was moved into a folder; `to` is the entry.
    case brought(provider: String, from: String, to: String, identity: String?)
    /// The same, taken back: `from` was the entry, and `to` is the file outside.
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

  /// Adds an operation; nothing can be redone then.
  mutating func add(_ name: String, _ steps: [Step]) {
    guard !steps.isEmpty else { return }
    done.append(Command(name: name, steps: steps, seconds: WallClock.seconds))
    if done.count > Self.most { done.removeFirst(done.count - Self.most) }
    undone = []
    store()
  }

  /// Takes the operation that is undone, or redone, next.
  mutating func take(redo isRedo: Bool) -> Command? { isRedo ? undone.popLast() : done.popLast() }

  /// Notes that an operation was undone, or redone, by other steps, of which the inverse is kept.
  mutating func put(_ command: Command, redo isRedo: Bool) {
    if !command.steps.isEmpty {
      if isRedo { done.append(command) } else { undone.append(command) }
    }
    store()
  }

  /// Removes a step that was taken back by itself.
  mutating func remove(_ step: Step) {
    for index in done.indices { done[index].steps.removeAll { $0 == step } }
    done.removeAll(where: \.steps.isEmpty)
    store()
  }

  private func store() {
    // The operation counts, not the note of it.
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
