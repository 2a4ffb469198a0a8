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
protocol EditedEffect: OpenDocument {
  /// The effect.
  var effect: EffectPackage { get throws }
  /// The names of the edits that can be undone, the oldest first.
  var undoNames: [String] { get }
  /// The conflict that has to be resolved; nil if there is none.
  var sides: EffectConflict? { get }

  /// Changes the effect, as an edit.
  /// - Parameters:
  ///   - name: the name of the edit in menus.
  ///   - revision: the revision that the change was made on; nil for any.
  /// - Throws: ``ParticlesCore/Rule/fileConflict`` for another revision, and the error of `body`.
  func change(
    _ name: String, from revision: Int?,
    _ body: @escaping @Sendable (inout EffectPackage) throws -> Void) throws
  /// Begins a gesture: its changes become one edit.
  func beginGesture(_ name: String) throws -> DocumentGesture
  /// Makes changes of a gesture. Each replaces that of the same property.
  /// - Throws: ``ParticlesCore/Rule/fileConflict`` for another revision, and the errors of the changes.
  func change(_ gesture: DocumentGesture, from revision: Int?, _ changes: [EffectChange]) throws
  /// Ends a gesture.
  func end(_ gesture: DocumentGesture) throws
  /// Takes a gesture back.
  func cancel(_ gesture: DocumentGesture)
  /// The file of another format; nil for a package.
  var foreign: EffectFile? { get }
  /// Takes what a program that was killed has left in the recovery journal, as an edit; merged, if the file was changed
  /// since.
  func recoverLast() async throws
  /// Ends a conflict.
  func resolve(_ choice: ConflictChoice) async throws
  /// The versions, the oldest first.
  func versions() async throws -> [DocumentVersion]
  /// The effect of a version.
  func effect(of version: DocumentVersion) async throws -> EffectPackage
  /// Takes the contents of a version, as an edit.
  func restore(_ version: DocumentVersion) async throws
  /// Stores the contents now, where automatic saves do.
  func autosave() async throws
  /// See ``ParticlesDocuments/Document/saveAnyway()``.
  func saveAnyway() async throws
  /// See ``ParticlesDocuments/Document/recreate()``.
  func recreate() async throws
  /// See ``ParticlesDocuments/Document/discard()``.
  func discard() async throws
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

  func recoverLast() async throws {
    if let last = try await recoverable().first { try await recoverMerging(last) }
  }

  private func check(_ revision: Int?) throws {
    guard revision == nil || revision == self.revision else {
      throw Diagnostic(
        .fileConflict, at: Location(file: path), "the effect has changed meanwhile",
        hint: "make the change again on the present text")
    }
  }

  func change(
    _ name: String, from revision: Int?,
    _ body: @escaping @Sendable (inout EffectPackage) throws -> Void
  ) throws {
    try check(revision)
    try edit(name) { content in
      var package = content.effect
      try body(&package)
      try content.setEffect(package)
    }
  }

  func change(_ gesture: DocumentGesture, from revision: Int?, _ changes: [EffectChange]) throws {
    try check(revision)
    try change(
      gesture,
      changes.map { change in
        GesturePart(change.key) { content in
          var package = content.effect
          try package.make([change])
          try content.setEffect(package)
        }
      })
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
