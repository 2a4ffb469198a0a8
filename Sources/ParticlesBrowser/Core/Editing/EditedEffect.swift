internal import ParticlesContainer
internal import ParticlesCore
internal import ParticlesDocuments

/// Contents of a document that are an effect: a package, or a file of another format.
protocol EffectContent: DocumentContent {
  /// The effect with its images.
  var effect: EffectPackage { get }

  /// Replaces the effect.
  mutating func setEffect(_ package: EffectPackage) throws
}

extension EffectPackage: EffectContent {
  var effect: EffectPackage { self }

  mutating func setEffect(_ package: EffectPackage) { self = package }
}

extension EffectFile: EffectContent {}

/// An edit that was made.
struct EditStep: Sendable {
  /// The revisions before and after it.
  var before: Int, after: Int
  /// Whether it has changed the properties of the request, to the values of the request, and nothing else.
  var isAsSent: Bool
}

/// The two sides of a conflict.
struct EffectConflict: Sendable {
  /// The contents in memory, and those that another program has saved.
  var ours: EffectPackage, theirs: EffectPackage
  /// Both changes; nil if they cannot be merged.
  var merged: EffectPackage?
  /// The parts that both have changed.
  var clashes: [String]
}

/// The ways out of a conflict.
enum ConflictChoice: String, Sendable, CaseIterable {
  case ours, theirs, merged, both
}

/// An open document whose contents are an effect, of any kind of file.
protocol EditedEffect: KeptDocument {
  /// The effect.
  var effect: EffectPackage { get throws }
  /// The names of the edits that can be undone, the oldest first.
  var undoNames: [String] { get }
  /// The conflict that has to be resolved; nil if there is none.
  var sides: EffectConflict? { get }

  /// The effect, and the number of its revision.
  var now: (effect: EffectPackage, revision: Int) { get throws }

  /// Makes changes of properties, as an edit.
  func change(_ name: String, _ changes: [EffectChange]) throws -> EditStep
  /// Changes the effect, as an edit.
  /// - Parameter name: the name of the edit in menus.
  /// - Throws: the error of `body`. Nothing has changed then.
  func change(
    _ name: String, _ body: @escaping @Sendable (inout EffectPackage) throws -> Void
  ) throws -> EditStep
  /// Undoes or redoes edits.
  func walk(_ count: Int, redo isRedo: Bool) throws -> EditStep
  /// Begins a gesture: its changes become one edit.
  func beginGesture(_ name: String) throws -> DocumentGesture
  /// Makes changes of a gesture. Each replaces that of the same property.
  /// - Throws: the errors of the changes.
  func change(_ gesture: DocumentGesture, _ changes: [EffectChange]) throws -> EditStep
  /// Records changes of a gesture, which are made when the effect is asked for. The cost does not depend on the size of
  /// the effect. Changes that cannot be made then are refused when the gesture ends.
  func postpone(_ gesture: DocumentGesture, _ changes: [EffectChange]) throws -> EditStep
  /// Ends a gesture.
  func finish(_ gesture: DocumentGesture, named name: String?) throws -> EditStep
  /// Takes a gesture back.
  func cancel(_ gesture: DocumentGesture)
  /// The file of another format; nil for a package.
  var foreign: EffectFile? { get }
  /// Ends a conflict.
  func resolve(_ choice: ConflictChoice) async throws
  /// The versions, the oldest first.
  func versions() async throws -> [DocumentVersion]
  /// The effect of a version.
  func effect(of version: DocumentVersion) async throws -> EffectPackage
  /// Takes the contents of a version, as an edit.
  func restore(_ version: DocumentVersion) async throws
  /// See ``ParticlesDocuments/Document/saveAnyway()``.
  func saveAnyway() async throws
}

extension Document: EditedEffect where Content: EffectContent {
  var effect: EffectPackage {
    get throws { try content.effect }
  }

  var sides: EffectConflict? {
    conflict.map {
      EffectConflict(
        ours: $0.ours.effect, theirs: $0.theirs.effect, merged: $0.merged?.effect,
        clashes: $0.clashes)
    }
  }

  var foreign: EffectFile? {
    (try? content as? EffectFile).flatMap { $0.format == nil ? nil : $0 }
  }

  var now: (effect: EffectPackage, revision: Int) {
    get throws { (try effect, revision) }
  }

  /// Makes an edit, and tells between which revisions.
  /// - Parameter changes: those of properties.
  private func step(_ changes: [EffectChange], _ body: () throws -> Void) throws -> EditStep {
    let (old, before) = try now
    try body()
    let (new, after) = try now
    // Where something was missing, more may have been added.
    let isAsSent =
      try changes.allSatisfy { change in
        guard case .set(let value) = change.operation, let steps = DocumentPatch.steps(change.key)
        else { return false }
        return try old.documentValue(at: steps) != nil && new.documentValue(at: steps) == value
      }
    return EditStep(before: before, after: after, isAsSent: isAsSent && !changes.isEmpty)
  }

  func change(_ name: String, _ changes: [EffectChange]) throws -> EditStep {
    try step(changes) {
      try edit(name) { content in
        var package = content.effect
        try package.make(changes)
        try content.setEffect(package)
      }
    }
  }

  func change(
    _ name: String, _ body: @escaping @Sendable (inout EffectPackage) throws -> Void
  ) throws -> EditStep {
    try step([]) {
      try edit(name) { content in
        var package = content.effect
        try body(&package)
        try content.setEffect(package)
      }
    }
  }

  func walk(_ count: Int, redo isRedo: Bool) throws -> EditStep {
    try step([]) { _ = isRedo ? try redo(count) : try undo(count) }
  }

  func change(_ gesture: DocumentGesture, _ changes: [EffectChange]) throws -> EditStep {
    try step(changes) { try change(gesture, Self.parts(changes)) }
  }

  func postpone(_ gesture: DocumentGesture, _ changes: [EffectChange]) throws -> EditStep {
    let before = revision
    try change(gesture, Self.parts(changes), deferred: true)
    return EditStep(before: before, after: revision, isAsSent: true)
  }

  private static func parts(_ changes: [EffectChange]) -> [GesturePart<Content>] {
    changes.map { change in
      GesturePart(change.key) { content in
        var package = content.effect
        try package.make([change])
        try content.setEffect(package)
      }
    }
  }

  func finish(_ gesture: DocumentGesture, named name: String?) throws -> EditStep {
    try step([]) { try end(gesture, named: name) }
  }

  func resolve(_ choice: ConflictChoice) async throws {
    switch choice {
    case .ours: try await resolve(ConflictResolution<Content>.ours)
    case .theirs: try await resolve(ConflictResolution<Content>.theirs)
    case .merged: try await resolve(ConflictResolution<Content>.merged)
    case .both: try await resolve(ConflictResolution<Content>.both)
    }
  }

  func effect(of version: DocumentVersion) async throws -> EffectPackage {
    try await contents(of: version).effect
  }
}
