internal import ParticlesContainer
internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesEffects
internal import ParticlesModel

/// Contents of a document that are an effect: a package, or a file of another format.
protocol EffectContent: DocumentContent {
  /// The effect with its images.
  var effect: EffectPackage { get }

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
  /// The contents in memory, and the contents that another program has saved.
  var ours: EffectPackage, theirs: EffectPackage
  /// Both changes merged, or nil if that is not possible.
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
  /// The conflict to resolve, or nil.
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
  /// Makes changes of a gesture. Each replaces the gesture's earlier change to its property.
  /// - Throws: the errors of the changes.
  func change(_ gesture: DocumentGesture, _ changes: [EffectChange]) throws -> EditStep
  /// Records changes of a gesture, to be made when the effect is needed. The cost does not depend on the size of the
  /// effect. Changes that fail then are refused when the gesture ends.
  func postpone(_ gesture: DocumentGesture, _ changes: [EffectChange]) throws -> EditStep
  /// Ends a gesture.
  func finish(_ gesture: DocumentGesture, named name: String?) throws -> EditStep
  /// Takes a gesture back.
  func cancel(_ gesture: DocumentGesture)
  /// The file of another format, or nil for a package.
  var foreign: EffectFile? { get }
  /// Ends a conflict.
  func resolve(_ choice: ConflictChoice) async throws
  /// The versions, the oldest first.
  func versions() async throws -> [DocumentVersion]
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

  /// Makes an edit, and returns the revisions before and after it.
  /// - Parameter changes: the changes of properties, if the edit has any.
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

/// The findings of `validate` about an effect that is edited, with what an editor can do about them.
struct EffectFindings {
  private let package: EffectPackage
  private let findings: [Diagnostic]

  init(_ package: EffectPackage) throws {
    self.package = package
    do {
      findings = try WorkBudget.run(.standard) { try Validator().check(package) }
    } catch let fault as Diagnostic {
      findings = [fault]
    }
  }

  /// Each finding with `code`, `severity`, `message`, `expected`, `found`, `hint`, `key`, and `fix`, in words, if it can be mended.
  var json: JSONValue {
    var repaired = (try? package.system()) ?? ParticleSystem()
    let repairs = repaired.mend()
    return .array(
      findings.map { finding in
        let key = Self.key(finding.location)
        var object: JSONObject = [
          "code": .string(finding.rule.code), "severity": .string("\(finding.severity)"),
          "message": .string(finding.message),
        ]
        object["expected"] = finding.expected.map(JSONValue.string)
        object["found"] = finding.found.map(JSONValue.string)
        object["hint"] = finding.hint.map(JSONValue.string)
        object["key"] = key.map(JSONValue.string)
        if repairs.contains(where: { Self.isRepair($0, of: finding.rule.code, at: key) }) {
          object["fix"] = "Mend"
        } else if let key, finding.rule == .range || finding.rule == .type, !key.isEmpty {
          object["fix"] = "Reset"
        }
        return .object(object)
      })
  }

  /// Whether a repair mends a finding: both have one rule, and the finding is at the repair's place or inside.
  private static func isRepair(_ repair: Diagnostic.Repair, of code: String, at place: String?)
    -> Bool
  {
    repair.rule.code == code && place?.isPath(at: key(repair.location) ?? "") ?? true
  }

  private static func key(_ location: Location) -> String? {
    if case .key(let key)? = location.position { key } else { nil }
  }

  /// Mends a finding: by the repair that needs no guess, or else with the default of the property.
  static func mend(_ package: inout EffectPackage, code: String, key: String?) throws {
    var system = try package.system()
    let repairs = system.mend()
    if repairs.contains(where: { isRepair($0, of: code, at: key) }) {
      return try package.setSystem(system)
    }
    guard let key else {
      throw Diagnostic(.usage, "'\(code)' cannot be mended by itself", hint: "change the property")
    }
    try package.editValid { try $0.unset(key) }
  }
}

/// The edits that pages have requested, by their identities. A repeated request is answered again, and not made again.
/// This program's last edits are in memory. The user's journal has all edits, if there is a writable data folder.
final class PageEdits {
  private(set) var outcomes: [String: EditOutcome] = [:]
  private var order: [String] = []
  private var ledgers: [String: EditLedger] = [:]
  /// The number of identities to keep in memory: few if the journal has them, too. The oldest are dropped at twice this
  /// number.
  private var most: Int { journal != nil && fault == nil ? 500 : 10_000 }

  private var journal: EditJournal?
  /// The numbers of the open documents in the journal.
  private var documents: [BrowserItem.ID: Int] = [:]
  /// Why the journal cannot be used, until an event has reported it.
  private var fault: Diagnostic?
  private var isFlushing = false

  /// Opens the journal. It is done before the first document is edited.
  private func open(_ dataFolder: String?) {
    guard journal == nil, fault == nil, let dataFolder else { return }
    trying { journal = try EditJournal(dataFolder: dataFolder) }
  }

  /// Runs a call that may fail. Edits go on after a failure, and the next edit tries the journal again.
  @discardableResult
  private func trying(_ body: () throws -> Void) -> Bool {
    do {
      try body()
      return true
    } catch {
      fault =
        fault
        ?? Diagnostic(
          .fileHistory, "edits are not kept if the program is ended: \(error)",
          hint: "make the data folder writable")
      return false
    }
  }

  /// The fault of the journal, once.
  func takeFault() -> Diagnostic? {
    guard let found = fault, !wasTold else { return nil }
    wasTold = true
    return found
  }
  private var wasTold = false

  // MARK: Documents

  /// The ledger of an opening of a document.
  func ledger(of opening: String) -> EditLedger {
    let ledger = ledgers[opening] ?? EditLedger()
    ledgers[opening] = ledger
    return ledger
  }

  /// Whether the journal of a document has begun.
  func isBegun(_ id: BrowserItem.ID) -> Bool { documents[id] != nil }

  /// Begins the journal of a document that is opened.
  /// - Returns: the edits that ended programs have left.
  func begin(_ id: BrowserItem.ID, at path: String, in dataFolder: String?) -> [EditJournal.Row] {
    open(dataFolder)
    var left: [EditJournal.Row] = []
    trying {
      guard let journal else { return }
      let begun = try journal.begin(path, identity: FolderListing.stamp(of: path))
      (documents[id], left) = (begun.document, begun.left)
    }
    return left
  }

  /// Forgets a document that is closed.
  /// - Parameter isKept: whether its contents are stored nowhere else.
  func end(_ id: BrowserItem.ID, _ opening: String, keepingJournal isKept: Bool = false) {
    ledgers[opening] = nil
    guard let document = documents.removeValue(forKey: id), !isKept else { return }
    trying { try journal?.end(document) }
  }

  /// Notes that the file of a document has all edits, unless one is being made.
  func saved(_ id: BrowserItem.ID, _ opening: String, at path: String) {
    guard let document = documents[id], ledgers[opening]?.isBusy != true else { return }
    trying { try journal?.saved(document, path, identity: FolderListing.stamp(of: path)) }
  }

  // MARK: Edits

  /// How an edit ended, or nil for an unknown edit.
  func outcome(of id: String) -> EditOutcome? {
    if let known = outcomes[id] { return known }
    var found: EditOutcome?
    trying {
      guard let row = try journal?.row(id) else { return }
      found = EditOutcome(
        tick: row.tick, isOver: !row.isOpen, revision: row.revision,
        refusal: row.refusal.map { ($0.status, $0.fault.object ?? [:]) })
    }
    if let found { keep(id, found) }
    return found
  }

  private func keep(_ id: String, _ outcome: EditOutcome) {
    if outcomes.updateValue(outcome, forKey: id) == nil { order.append(id) }
    let most = most
    guard order.count > 2 * most else { return }
    for old in order.dropLast(most) { outcomes[old] = nil }
    order.removeFirst(order.count - most)
  }

  /// The state of the journal after an edit.
  enum Noted { case complete, toBeFlushed, failed }

  /// Notes how an edit ended.
  /// - Parameters:
  ///   - patch: the changes by the edit, or nil if they are in the file.
  ///   - digest: the digest of the document after the edit, or nil if unknown.
  func note(
    _ edit: EditRequest, _ outcome: EditOutcome, patch: JSONValue?, digest: String?
  ) -> Noted {
    keep(edit.id, outcome)
    guard let document = documents[edit.item] else { return .complete }
    let isKept = trying {
      try journal?.note(
        EditJournal.Row(
          id: edit.id, window: edit.page.window, name: edit.name, kind: edit.kindName,
          tick: outcome.tick, isOpen: !outcome.isOver, revision: outcome.revision, patch: patch,
          digest: digest, refusal: outcome.refusal.map { ($0.status, .object($0.fault)) }),
        of: document)
    }
    guard isKept else { return .failed }
    guard outcome.isOver, !isFlushing else { return .complete }
    isFlushing = true
    return .toBeFlushed
  }

  /// Notes that a gesture has ended without its page.
  func end(gesture id: String) {
    outcomes[id]?.isOver = true
    trying { try journal?.end(gesture: id) }
  }

  func flush() {
    isFlushing = false
    trying { try journal?.flush() }
  }
}
