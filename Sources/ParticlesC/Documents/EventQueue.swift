internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesPlatform

/// The events of a document that the caller has not taken, and a descriptor that is readable while there are any.
final class EventQueue: Sendable {
  /// More events than these are not kept: the oldest are dropped.
  private static let most = 1024

  private enum Entry: Sendable {
    case event(String)
    /// So many were dropped here before they arrived.
    case missed(Int)
  }

  private struct State: Sendable {
    var entries: [Entry] = []
    /// Dropped before the first entry.
    var missed = 0
    var isEnded = false
  }

  private let state = Lock(State())
  private let ends: (read: CInt, write: CInt)
  private let listener = Lock<Task<Void, Never>?>(nil)

  /// Events that the document has dropped, because this listener had no thread for a while.
  final class Losses: Sendable {
    private let count = Lock(0)

    func add() { count.withLock { $0 += 1 } }

    /// The number since the last call.
    func take() -> Int {
      count.withLock { count in
        defer { count = 0 }
        return count
      }
    }
  }

  /// - Parameters:
  ///   - losses: what the stream drops is counted there.
  ///   - path: the path for messages.
  init(_ stream: AsyncStream<DocumentEvent>, losses: Losses, at path: String) throws {
    var ends: [CInt] = [0, 0]
    guard pipe(&ends) == 0 else {
      throw Diagnostic(
        .fileUnreadable, at: Location(file: path), "this process has too many files open",
        hint: "close documents, or raise the limit with 'ulimit -n'")
    }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    self.ends = (ends[0], ends[1])
    let task = Task { [weak self] in
      for await event in stream { self?.add(event.json.denseText, after: losses.take()) }
    }
    listener.withLock { $0 = task }
  }

  deinit {
    listener.withLock { $0?.cancel() }
    close(ends.read)
    close(ends.write)
  }

  /// The descriptor to wait for.
  var descriptor: CInt { ends.read }

  private func add(_ event: String, after losses: Int) {
    state.withLock { state in
      guard !state.isEnded else { return }
      if losses > 0 { add(.missed(losses), to: &state) }
      add(.event(event), to: &state)
    }
  }

  private func add(_ entry: Entry, to state: inout State) {
    if state.entries.count == Self.most {
      switch state.entries.removeFirst() {
      case .event: state.missed += 1
      case .missed(let count): state.missed += count
      }
    }
    state.entries.append(entry)
    guard state.entries.count == 1 else { return }
    var byte: UInt8 = 0
    _ = write(ends.write, &byte, 1)
  }

  /// Takes the oldest event; nil if there is none.
  func next() -> String? {
    state.withLock { state in
      if state.missed > 0 {
        defer { state.missed = 0 }
        return Self.text(missed: state.missed)
      }
      guard !state.entries.isEmpty else { return nil }
      defer {
        if state.entries.isEmpty {
          var byte: UInt8 = 0
          _ = read(ends.read, &byte, 1)
        }
      }
      switch state.entries.removeFirst() {
      case .event(let text): return text
      case .missed(let count): return Self.text(missed: count)
      }
    }
  }

  private static func text(missed count: Int) -> String {
    (["kind": .string("missed"), "count": .int(count)] as JSONValue).denseText
  }

  /// Takes no more events.
  func end() {
    listener.withLock { $0?.cancel() }
    state.withLock { $0.isEnded = true }
  }
}

extension DocumentStates {
  /// The names of the states.
  var json: JSONValue {
    .array(
      isEmpty
        ? []
        : description.split(separator: ",").map {
          .string(String($0.drop { $0 == " " }))
        })
  }
}

extension DocumentEvent {
  /// The event as callers of C get it.
  fileprivate var json: JSONValue {
    switch self {
    case .opened: Self.json("opened")
    case .states(let states): Self.json("states", ["states": states.json])
    case .edited(let name): Self.json("edited", ["name": .string(name)])
    case .changed(let revision):
      Self.json(
        "changed",
        [
          "revision": .int(revision.number), "origin": .string(revision.origin.rawValue),
          "name": .string(revision.name),
        ])
    case .gestureEnded(let gesture, let end):
      Self.json("gestureEnded", ["name": .string(gesture.name), "end": .string(end.rawValue)])
    case .saved(let isAutomatic): Self.json("saved", ["automatically": .bool(isAutomatic)])
    case .progress(let progress):
      Self.json(
        "progress",
        [
          "phase": .string(progress.phase.rawValue),
          "fraction": .number(JSONNumber(progress.fraction)),
        ])
    case .moved(let from, let to):
      Self.json("moved", ["from": .string(from), "to": .string(to)])
    case .reloaded: Self.json("reloaded")
    case .merged: Self.json("merged")
    case .outside(let change):
      Self.json("outside", ["parts": .array(change.parts.map(JSONValue.string))])
    case .conflict(let clashes):
      Self.json("conflict", ["clashes": .array(clashes.map(JSONValue.string))])
    case .deleted: Self.json("deleted")
    case .undecodable(let error): Self.json("unreadable", Self.json(error))
    case .failed(let error): Self.json("failed", Self.json(error))
    case .retrying(let retry):
      Self.json(
        "retrying",
        ["failures": .int(retry.failures), "delay": .number(JSONNumber(retry.delay))])
    case .closed: Self.json("closed")
    }
  }

  private static func json(_ kind: String, _ members: JSONObject = [:]) -> JSONValue {
    var object: JSONObject = ["kind": .string(kind)]
    for member in members.members { object[member.key] = member.value }
    return .object(object)
  }

  private static func json(_ error: any Error) -> JSONObject {
    let fault = Diagnostic(describing: error)
    return ["text": .string("\(fault)"), "finding": fault.jsonWithFile]
  }
}
