internal import ParticlesCore
internal import ParticlesDocuments

/// The edits that pages have asked for, by their identities: a request that is repeated is answered again, and not made. Those of this
/// program are in memory, and all of them in the journal of the user, if there is a data folder that can be written.
final class PageEdits {
  private var outcomes: [String: EditOutcome] = [:]
  private var order: [String] = []
  private var ledgers: [String: EditLedger] = [:]
  /// The identities that are kept in memory; twice as many before the oldest are dropped.
  private static let most = 10_000

  private var journal: EditJournal?
  /// The numbers of the open documents in the journal.
  private var documents: [BrowserItem.ID: Int] = [:]
  /// Why the journal cannot be used, until it is told.
  private var fault: Diagnostic?
  private var isFlushing = false

  /// Opens the journal. It is done before the first document is edited.
  private func open(_ dataFolder: String?) {
    guard journal == nil, fault == nil, let dataFolder else { return }
    trying { journal = try EditJournal(dataFolder: dataFolder) }
  }

  /// Does what may fail. Edits go on without it, and the journal is tried again with the next one.
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

  /// How an edit ended; nil for one that is not known.
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
    guard order.count > 2 * Self.most else { return }
    for old in order.prefix(Self.most) { outcomes[old] = nil }
    order.removeFirst(Self.most)
  }

  /// The state of the journal after an edit.
  enum Noted { case complete, toBeFlushed, failed }

  /// Notes how an edit ended.
  /// - Parameters:
  ///   - patch: the changes that it has made; nil if they are in the file.
  ///   - digest: that of the document after it; nil if it is not known.
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

  /// Flushes the journal.
  func flush() {
    isFlushing = false
    trying { try journal?.flush() }
  }
}
