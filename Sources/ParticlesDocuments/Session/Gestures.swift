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
  /// The last change of each part that was made, in their order.
  private(set) var parts: [GesturePart<Content>] = []
  /// The last change of each part that is recorded, and not made yet.
  private(set) var deferred: [GesturePart<Content>] = []
  /// The time of the last change, in seconds of the clock of its owner.
  var seconds: Double
  /// Why a deferred change could not be made; nil if all could.
  private(set) var fault: Diagnostic?

  init(_ gesture: DocumentGesture, at seconds: Double) {
    (self.gesture, self.seconds) = (gesture, seconds)
  }

  /// Whether it changes anything.
  var hasChanges: Bool { !parts.isEmpty || !deferred.isEmpty }

  /// Replaces the change of a part.
  mutating func set(_ part: GesturePart<Content>) { Self.set(part, in: &parts) }

  /// Records the change of a part, which is made later.
  mutating func `defer`(_ part: GesturePart<Content>) { Self.set(part, in: &deferred) }

  private static func set(_ part: GesturePart<Content>, in parts: inout [GesturePart<Content>]) {
    parts.removeAll { $0.name == part.name }
    parts.append(part)
  }

  /// Makes all changes. Deferred ones that cannot be made are dropped.
  /// - Throws: the error of a change that was made before, on other contents. Nothing has changed then.
  mutating func apply(to content: inout Content) throws {
    let old = content
    var all = parts
    for part in deferred { Self.set(part, in: &all) }
    do {
      try Self.apply(all, to: &content)
    } catch {
      content = old
      guard !deferred.isEmpty else { throw error }
      all = parts
      for part in deferred {
        var some = all
        Self.set(part, in: &some)
        do {
          var trial = old
          try Self.apply(some, to: &trial)
          all = some
        } catch {
          fault = (error as? Diagnostic) ?? Diagnostic(.fileGesture, "'\(gesture.name)': \(error)")
        }
      }
      try Self.apply(all, to: &content)
    }
    (parts, deferred) = (all, [])
  }

  private static func apply(_ parts: [GesturePart<Content>], to content: inout Content) throws {
    for part in parts { try part.change(&content) }
  }
}

/// The gestures that have not ended, in the order in which they have begun.
struct OpenGestures<Content: Sendable>: Sendable {
  private(set) var all: [OpenGesture<Content>] = []
  private var last = 0

  var isEmpty: Bool { all.isEmpty }

  /// Whether any of them changes anything.
  var hasChanges: Bool { all.contains(where: \.hasChanges) }

  subscript(index: Int) -> OpenGesture<Content> {
    get { all[index] }
    set { all[index] = newValue }
  }

  mutating func begin(_ name: String, at seconds: Double) -> DocumentGesture {
    last += 1
    let gesture = DocumentGesture(number: last, name: name)
    all.append(OpenGesture(gesture, at: seconds))
    return gesture
  }

  /// - Throws: ``ParticlesCore/Rule/fileGesture`` if it has ended.
  func index(of gesture: DocumentGesture) throws(Diagnostic) -> Int {
    guard let index = all.firstIndex(where: { $0.gesture == gesture }) else {
      throw Diagnostic(.fileGesture, "'\(gesture.name)'")
    }
    return index
  }

  mutating func remove(at index: Int) { all.remove(at: index) }

  mutating func removeAll() { all = [] }

  /// Makes the changes of the gestures in a range, and removes those whose changes cannot be made.
  /// - Returns: those that were removed.
  mutating func apply(_ range: Range<Int>? = nil, to content: inout Content) -> [DocumentGesture] {
    let range = range ?? all.indices
    var (kept, ended): ([OpenGesture<Content>], [DocumentGesture]) = ([], [])
    for index in range {
      var new = content
      do {
        try all[index].apply(to: &new)
        content = new
        kept.append(all[index])
      } catch {
        ended.append(all[index].gesture)
      }
    }
    all.replaceSubrange(range, with: kept)
    return ended
  }
}
