internal import ParticlesCore

/// A change that goes on for a while, such as a drag: it is seen and saved at once, and is one edit when it ends.
///
///     let drag = try await document.beginGesture("Change Rate")
///     for rate in rates {
///       try await document.change(drag) { try $0.set("emitters[0].emission.rate", to: rate) }
///     }
///     try await document.end(drag)  // one edit to undo
public struct DocumentGesture: Sendable, Hashable {
  /// The number of the gesture; each is greater than the one before in the same document.
  public let number: Int
  /// The name of the edit in menus.
  public let name: String

  /// How a gesture ended.
  public enum End: String, Sendable, CaseIterable {
    /// Its changes are an edit, unless they left the contents as they were.
    case edit
    /// Its changes were taken back.
    case cancelled
    /// Its changes could not be made any more after others, such as one that removes the emitter. They were
    /// taken back.
    case impossible
  }
}

/// The present change that a gesture makes in a part of the contents, such as a property.
public struct GesturePart<Content: Sendable>: Sendable {
  let name: String
  let change: @Sendable (inout Content) throws -> Void

  /// Creates a change.
  /// - Parameters:
  ///   - name: the name of the part. A change replaces the one before of the same part.
  ///   - change: changes the contents. It must not wait, and is called again when the contents beneath change.
  public init(_ name: String, _ change: @escaping @Sendable (inout Content) throws -> Void) {
    (self.name, self.change) = (name, change)
  }
}

/// A gesture that has not ended.
struct OpenGesture<Content: Sendable>: Sendable {
  let gesture: DocumentGesture
  /// The last change of each part, in the order in which they were made.
  private(set) var parts: [GesturePart<Content>] = []
  /// The time of the last change, in seconds of the monotonic clock.
  var seconds: Double

  /// Replaces the change of a part.
  mutating func set(_ part: GesturePart<Content>) {
    parts.removeAll { $0.name == part.name }
    parts.append(part)
  }

  /// Makes all changes.
  func apply(to content: inout Content) throws {
    for part in parts { try part.change(&content) }
  }
}

extension Document {
  /// Begins a gesture. Several may be open at the same time, such as those of two windows.
  ///
  /// The contents include the changes of all open gestures, and so do automatic saves and ``save()``, which do not
  /// end them. Edits, undo, redo, and changes by other programs are made beneath them: the changes of the gestures
  /// are made again on the result. Operations that replace all of the contents — ``close(discarding:)``,
  /// ``revert()``, ``restore(_:)``, ``recover(_:)``, ``resolve(_:)``, ``save(to:as:)`` — end them first, as edits.
  /// - Parameter name: the name of the edit in menus.
  /// - Throws: ``ParticlesCore/Rule/fileClosed`` if the document is not open; ``ParticlesCore/Rule/fileBusy`` inside
  ///   of a ``group(_:_:)``.
  public func beginGesture(_ name: String) throws -> DocumentGesture {
    let content = try editable()
    try checkGroup()
    lastGesture += 1
    let gesture = DocumentGesture(number: lastGesture, name: name)
    if gestures.isEmpty { settled = content }
    gestures.append(OpenGesture(gesture: gesture, seconds: MonotonicClock.seconds))
    return gesture
  }

  /// Makes the present change of a gesture. It replaces the one before, and is applied to the contents without it:
  /// the last position of a slider counts, not the way to it.
  /// - Parameters:
  ///   - gesture: the gesture.
  ///   - part: the part of the contents that it changes, such as a property. A change replaces that of the same
  ///     part; changes of different parts are made one after the other. An empty name by default.
  ///   - body: changes the contents. It must not wait, and is called again when the contents beneath change.
  /// - Throws: ``ParticlesCore/Rule/fileGesture`` if the gesture has ended; ``ParticlesCore/Rule/fileClosed``; the
  ///   error of `body`. Nothing has changed then.
  public func change(
    _ gesture: DocumentGesture, part: String = "",
    _ body: @escaping @Sendable (inout Content) throws -> Void
  ) throws {
    try change(gesture, [GesturePart(part, body)])
  }

  /// Makes the present changes of several parts of a gesture, all or none. See ``change(_:part:_:)``.
  public func change(_ gesture: DocumentGesture, _ parts: [GesturePart<Content>]) throws {
    let old = try editable()
    try checkGroup()
    let index = try self.index(of: gesture)
    var new = gestures
    for part in parts { new[index].set(part) }
    new[index].seconds = MonotonicClock.seconds
    var content = try beneath(index, among: new)
    try new[index].apply(to: &content)
    let ended = Self.apply(&new, from: index + 1, to: &content)
    gestures = new
    if content != old {
      current = content
      history.beginState()
      changed(gesture.name, .edit, from: old)
    }
    tell(ended)
  }

  /// The contents on which the changes of a gesture are made.
  private func beneath(_ index: Int, among gestures: [OpenGesture<Content>]) throws -> Content {
    guard var content = settled else { throw closedFault }
    for gesture in gestures[..<index] { try gesture.apply(to: &content) }
    return content
  }

  /// Ends a gesture: its changes are one edit. If the contents are as before, there is none.
  /// - Throws: ``ParticlesCore/Rule/fileGesture`` if it has ended.
  public func end(_ gesture: DocumentGesture) throws {
    try checkGroup()
    try end(at: index(of: gesture))
  }

  private func end(at index: Int) {
    let ending = gestures[index]
    guard let old = settled, var new = settled, var content = settled else { return }
    do { try ending.apply(to: &new) } catch { new = old }
    var others = gestures
    others.remove(at: index)
    // The identifier of the visible contents, which may have been saved, becomes that of the edit.
    let visible = history.current
    let isLast = others.isEmpty
    history.endState()
    history.add(
      from: old, to: new, name: ending.gesture.name, at: MonotonicClock.seconds,
      as: isLast && new != old ? visible : nil)
    content = new
    let ended = Self.apply(&others, from: 0, to: &content)
    (gestures, settled) = (others, others.isEmpty ? nil : new)
    // The order of gestures that change the same part has an effect.
    let before = current
    current = content
    if !isLast {
      if content == before { history.resumeState(visible) } else { history.beginState() }
    }
    hub.send(.gestureEnded(ending.gesture, .edit))
    if let before, content != before {
      changed(ending.gesture.name, .edit, from: before)
    } else {
      keepSaved(visible)
    }
    tell(ended)
    report()
  }

  /// A gesture has ended whose end leaves the contents as they were. They may be stored under the identifier that they
  /// had during the gesture; if not, the change that made them has planned their save.
  private func keepSaved(_ visible: UInt64) {
    if visible == history.savePoint { history.markSaved(history.current, automatically: true) }
  }

  /// Takes the changes of a gesture back. Does nothing if it has ended.
  public func cancel(_ gesture: DocumentGesture) {
    guard let index = gestures.firstIndex(where: { $0.gesture == gesture }) else { return }
    let hadChanges = !gestures[index].parts.isEmpty
    let (visible, state) = (current, history.current)
    var others = gestures
    others.remove(at: index)
    guard var content = settled else { return }
    let ended = Self.apply(&others, from: 0, to: &content)
    (gestures, settled) = (others, others.isEmpty ? nil : settled)
    current = content
    if others.allSatisfy(\.parts.isEmpty) {
      history.endState()
    } else if hadChanges {
      history.beginState()
    }
    hub.send(.gestureEnded(gesture, .cancelled))
    if let visible, visible != content {
      changed(gesture.name, .undo, from: visible)
    } else {
      keepSaved(state)
    }
    tell(ended)
    report()
  }

  /// Ends all open gestures, as edits, in the order in which they have begun.
  public func endGestures() {
    while !gestures.isEmpty { end(at: 0) }
  }

  /// The open gestures, in the order in which they have begun, with the seconds since the last change: one whose
  /// window is gone can be ended.
  public var openGestures: [(gesture: DocumentGesture, idle: Double)] {
    let now = MonotonicClock.seconds
    return gestures.map { ($0.gesture, now - $0.seconds) }
  }

  private func index(of gesture: DocumentGesture) throws -> Int {
    guard let index = gestures.firstIndex(where: { $0.gesture == gesture }) else {
      throw Diagnostic(.fileGesture, at: location, "'\(gesture.name)'")
    }
    return index
  }

  private func checkGroup() throws {
    if history.isGrouping {
      throw Diagnostic(.fileBusy, at: location, "a group of edits is being made")
    }
  }

  private func tell(_ ended: [DocumentGesture]) {
    for gesture in ended { hub.send(.gestureEnded(gesture, .impossible)) }
  }

  /// Makes the changes of gestures, and removes those whose changes cannot be made.
  private static func apply(
    _ gestures: inout [OpenGesture<Content>], from start: Int, to content: inout Content
  ) -> [DocumentGesture] {
    var ended: [DocumentGesture] = []
    var kept = Array(gestures[..<start])
    for gesture in gestures[start...] {
      var new = content
      do {
        try gesture.apply(to: &new)
        content = new
        kept.append(gesture)
      } catch {
        ended.append(gesture.gesture)
      }
    }
    gestures = kept
    return ended
  }

  /// Changes the contents without the changes of the open gestures, which are made again on the result.
  func beneathGestures<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard !gestures.isEmpty, let visible = current, let old = settled else { return try body() }
    let state = history.current
    var open = gestures
    (current, gestures, settled) = (old, [], nil)
    history.endState()
    let before = history.current
    isBeneathGestures = true
    defer {
      isBeneathGestures = false
      let new = current ?? old
      if history.current == before, new == old {
        (current, gestures, settled) = (visible, open, old)
        if state != before { history.resumeState(state) }
      } else {
        var content = new
        let ended = Self.apply(&open, from: 0, to: &content)
        (current, gestures, settled) = (content, open, open.isEmpty ? nil : new)
        if !open.allSatisfy(\.parts.isEmpty) { history.beginState() }
        // Beneath them it may have been the saved state.
        scheduleAutosave()
        tell(ended)
      }
      report()
    }
    return try body()
  }
}
