public import ParticlesCore

/// An event of a browser, see ``Browser/events()``.
public enum BrowserEvent: Sendable {
  /// The items of a location have changed: `changed` has new and changed items, `removed` the identities of removed
  /// items. A front end whose revision is not `revision - 1` lists the location again.
  case items(
    location: BrowserItem.ID, changed: [BrowserItem], removed: [BrowserItem.ID], revision: Int)
  /// The location has changed in a way that is not known in detail: it is listed again.
  case reload(location: BrowserItem.ID)
  /// The locations of the side bar have changed.
  case locations
  /// A document was created.
  case created(BrowserItem)
  /// A file from outside was imported.
  case imported(source: String, BrowserItem)
  /// A file from outside could not be imported.
  case failedImport(source: String, Diagnostic)
  /// Items were renamed or moved.
  case moved(BrowserItem, from: String)
  /// An item is to be shown: the location, and the item in it.
  case reveal(location: BrowserItem.ID, BrowserItem.ID)
  /// Documents were picked, in the order of the selection.
  case picked([String])
  /// Picking was cancelled.
  case cancelled
  /// A document was opened, changed, saved or closed. `what` is `opened`, `closed` or the name of a
  /// ``ParticlesDocuments/DocumentEvent`` such as `edited`.
  case document(BrowserDocument, what: String)
  /// The names of the operations to undo and redo have changed.
  case undo(undoName: String?, redoName: String?)
  /// A setting has changed.
  case setting(String, JSONValue)
  /// The selection of a window has changed.
  case selection(window: String, [BrowserItem.ID])
  /// An action has progressed, from 0 to 1.
  case progress(action: String, job: String, Double)
  /// An error that no call returns, or that a page has already received.
  case failed(Diagnostic)

  /// The event as JSON: an object with `event` and its values.
  public var json: JSONValue {
    func event(_ name: String, _ members: JSONObject) -> JSONValue {
      var object: JSONObject = ["event": .string(name)]
      for member in members.members { object[member.key] = member.value }
      return .object(object)
    }
    func text(_ value: String?) -> JSONValue { value.map(JSONValue.string) ?? .null }
    return switch self {
    case .items(let location, let changed, let removed, let revision):
      event(
        "items",
        [
          "location": .string(location), "changed": .array(changed.map(\.json)),
          "removed": .array(removed.map(JSONValue.string)), "revision": .int(revision),
        ])
    case .reload(let location): event("reload", ["location": .string(location)])
    case .locations: event("locations", [:])
    case .created(let item): event("created", ["item": item.json])
    case .imported(let source, let item):
      event("imported", ["source": .string(source), "item": item.json])
    case .failedImport(let source, let diagnostic):
      event("failedImport", ["source": .string(source), "diagnostic": diagnostic.json])
    case .moved(let item, let old): event("moved", ["item": item.json, "from": .string(old)])
    case .reveal(let location, let item):
      event("reveal", ["location": .string(location), "item": .string(item)])
    case .picked(let paths): event("picked", ["paths": .array(paths.map(JSONValue.string))])
    case .cancelled: event("cancelled", [:])
    case .document(let document, let what):
      event("document", ["document": document.json, "what": .string(what)])
    case .undo(let undo, let redo): event("undo", ["undo": text(undo), "redo": text(redo)])
    case .setting(let name, let value): event("setting", ["name": .string(name), "value": value])
    case .selection(let window, let items):
      event(
        "selection",
        ["window": .string(window), "items": .array(items.map(JSONValue.string))])
    case .progress(let action, let job, let fraction):
      event(
        "progress",
        ["action": .string(action), "job": .string(job), "fraction": .double(fraction)])
    case .failed(let diagnostic): event("failed", ["diagnostic": diagnostic.json])
    }
  }
}

extension BrowserEvent {
  /// The event as a line of a log, without contents of documents. Nil for minor events such as progress.
  public var line: String? {
    func named(_ item: BrowserItem) -> String { (item.path ?? item.name).escapingControls }
    return switch self {
    case .created(let item): "created \(named(item))"
    case .imported(let source, let item): "imported \(source.escapingControls) as \(named(item))"
    case .failedImport(let source, let fault):
      "did not import \(source.escapingControls): \(fault.rule.code)"
    case .moved(let item, let old): "moved \(old.escapingControls) to \(named(item))"
    case .picked(let paths): "picked \(paths.map(\.escapingControls).joined(separator: ", "))"
    case .cancelled: "picking was cancelled"
    case .document(let document, let what):
      ["progress", "states", "changed"].contains(what)
        ? nil : "\(what) \(document.path.escapingControls)"
    case .undo(let undo?, _): "can undo: \(undo)"
    // Messages may quote contents of a document.
    case .failed(let fault):
      "failed: \(fault.rule.code) \((fault.location.file ?? "").escapingControls)"
    case .setting(let name, _): "set \(name.escapingControls)"
    case .locations: "other locations"
    case .items, .reload, .reveal, .undo, .selection, .progress: nil
    }
  }
}

/// The listeners of a browser.
final class BrowserHub: Sendable {
  private let state = Lock<(next: Int, listeners: [Int: AsyncStream<BrowserEvent>.Continuation])>(
    (0, [:]))

  /// A stream of the events from now on. A slow listener misses the oldest events.
  func stream() -> AsyncStream<BrowserEvent> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: BrowserEvent.self, bufferingPolicy: .bufferingNewest(1024))
    let number = state.withLock { state in
      state.next += 1
      state.listeners[state.next] = continuation
      return state.next
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { $0.listeners[number] = nil }
    }
    return stream
  }

  func send(_ event: BrowserEvent) {
    for listener in state.withLock({ Array($0.listeners.values) }) { listener.yield(event) }
  }

  func finish() {
    for listener in state.withLock({ Array($0.listeners.values) }) { listener.finish() }
  }
}
