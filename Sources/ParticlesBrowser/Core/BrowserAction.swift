internal import ParticlesContainer
internal import ParticlesPackages
public import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesEffects
internal import ParticlesFormats
internal import ParticlesImages
internal import ParticlesRender
internal import ParticlesSystem
internal import ParticlesTypes

/// A command on documents in menus and bars, as a value.
///
///     let action = BrowserAction(
///       "com.example.count", title: "Count Emitters", types: ["org.particles-format.particles"]
///     ) { request in
///       .message("\(request.paths.count) documents")
///     }
public struct BrowserAction: Sendable {
  /// Where an action is offered.
  public struct Availability: OptionSet, Sendable, Hashable {
    /// The bits.
    public let rawValue: Int
    /// Creates a set.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// In the menu of an item.
    public static let menu = Availability(rawValue: 1)
    /// In the bar, for the selected items.
    public static let bar = Availability(rawValue: 2)
  }

  /// The identifier, in reverse-DNS form, unique in a browser.
  public var identifier: String
  /// The title in menus.
  public var title: String
  /// Where it is offered. Default: menu and bar.
  public var availability: Availability = [.menu, .bar]
  /// The identifiers of its document types, which include their subtypes. An empty list means all types.
  public var types: [String] = []
  /// Whether it takes several items. Default: true.
  public var allowsMultiple = true
  /// Whether it changes or makes files. A read-only browser does not offer such actions. Default: true.
  public var changesFiles = true
  /// Runs the action on a new task. Cancelling the task cancels the action.
  public var perform: @Sendable (BrowserActionRequest) async throws -> BrowserActionOutcome

  /// Creates an action.
  public init(
    _ identifier: String, title: String, types: [String] = [], allowsMultiple: Bool = true,
    changesFiles: Bool = true,
    perform: @escaping @Sendable (BrowserActionRequest) async throws -> BrowserActionOutcome
  ) {
    (self.identifier, self.title, self.types) = (identifier, title, types)
    (self.allowsMultiple, self.changesFiles) = (allowsMultiple, changesFiles)
    self.perform = perform
  }
}

/// The input of an action.
public struct BrowserActionRequest: Sendable {
  /// The documents, by their files on this machine, in the order of the selection.
  public var paths: [String]
  /// The options, an object.
  public var options: JSONValue
  /// Takes the part that is done, from 0 to 1.
  public var progress: @Sendable (Double) -> Void
}

/// The result of an action.
public struct BrowserActionOutcome: Sendable {
  /// The files that it made.
  public var created: [String] = []
  /// The documents that it changed.
  public var changed: [String] = []
  /// A line for the user.
  public var message: String?
  /// The findings for each document by its path.
  public var reports: [Diagnostic.Report.File] = []
  /// More results, for a sheet, or nil.
  public var details: JSONValue?

  /// Creates an outcome.
  public init() {}

  /// The outcome as JSON.
  public var json: JSONValue {
    var object: JSONObject = [
      "created": .array(created.map(JSONValue.string)),
      "changed": .array(changed.map(JSONValue.string)),
    ]
    if !reports.isEmpty { object["report"] = Diagnostic.Report(files: reports).json }
    object["message"] = message.map(JSONValue.string)
    object["details"] = details
    return .object(object)
  }

  /// An outcome that is a line for the user.
  public static func message(_ text: String) -> BrowserActionOutcome {
    var outcome = BrowserActionOutcome()
    outcome.message = text
    return outcome
  }
}

/// An action as it is offered for some items.
public struct BrowserOffer: Sendable, Hashable {
  /// The identifier of the action.
  public var identifier: String
  /// Its title.
  public var title: String
  /// Whether it is in the menu of items.
  public var isInMenu: Bool
  /// Whether it is in the bar.
  public var isInBar: Bool
  /// Whether it can be done now.
  public var isEnabled: Bool
  /// Why the action is disabled, in words, or nil if it is enabled.
  public var reason: String?

  /// The offer as JSON.
  public var json: JSONValue {
    var object: JSONObject = [
      "id": .string(identifier), "title": .string(title), "menu": .bool(isInMenu),
      "bar": .bool(isInBar), "enabled": .bool(isEnabled),
    ]
    object["reason"] = reason.map(JSONValue.string)
    return .object(object)
  }
}

extension Browser {
  /// The actions for some items. Built-in actions come first.
  public func offers(for ids: [BrowserItem.ID]) async -> [BrowserOffer] {
    actions.map { offer($0, for: ids) }
  }

  func offer(_ action: BrowserAction, for ids: [BrowserItem.ID]) -> BrowserOffer {
    let reason = reason(against: action, ids)
    return BrowserOffer(
      identifier: action.identifier, title: action.title,
      isInMenu: action.availability.contains(.menu), isInBar: action.availability.contains(.bar),
      isEnabled: reason == nil, reason: reason)
  }

  /// Whether an action takes items with this name, by its types and by the types of the browser.
  private func isMatch(_ action: BrowserAction, _ record: ItemTable.Record) -> Bool {
    let type = types.info(record.name, record.kind).identifier
    return action.types.isEmpty || types.conforms(type, to: action.types)
  }

  /// Why an action cannot be done with some items, in words, or nil if it can.
  private func reason(against action: BrowserAction, _ ids: [BrowserItem.ID]) -> String? {
    if ids.isEmpty { return "nothing is selected" }
    if action.changesFiles, configuration.isReadOnly { return "the browser changes nothing" }
    if ids.count > 1, !action.allowsMultiple { return "it takes one document" }
    for id in ids {
      guard let record = table[id] else { return "an item is gone" }
      let isEffect =
        formats[id]?.format != nil && action.types.contains("org.particles-format.particles")
      guard record.kind != .folder, types.info(record.name, record.kind).isAllowed,
        isMatch(action, record) || isEffect
      else {
        return "it is not for \(record.name.escapingControls)"
      }
    }
    return nil
  }

  /// Runs an action on items. Cancelling the task cancels it.
  /// - Parameters:
  ///   - identifier: the identifier of the action.
  ///   - ids: the items.
  ///   - options: its options, an object.
  ///   - job: a name for the events of progress.
  /// - Throws: ``ParticlesCore/Rule/range`` for an action that is not offered or not enabled, and errors of the action.
  public func run(
    _ identifier: String, on ids: [BrowserItem.ID], options: JSONValue = [:], job: String = ""
  ) async throws -> BrowserActionOutcome {
    guard let action = actions.first(where: { $0.identifier == identifier }) else {
      let names = actions.map(\.identifier).joined(separator: ", ")
      throw Diagnostic(
        .range, "the action", expected: "one of \(names)", found: "'\(identifier.excerpt)'")
    }
    return try await run(action, on: ids, options: options, job: job)
  }

  func run(
    _ action: BrowserAction, on ids: [BrowserItem.ID], options: JSONValue, job: String
  ) async throws -> BrowserActionOutcome {
    let identifier = action.identifier
    // Only contents show whether a property list or a JSON file is an effect. Long listings read no contents.
    for id in ids where table[id].map({ !isMatch(action, $0) }) ?? false { _ = try? await item(id) }
    if let reason = reason(against: action, ids) {
      throw Diagnostic(.range, "'\(action.title)' cannot be done: \(reason)")
    }
    var paths: [String] = []
    for id in ids {
      // The action reads the file.
      if let document = open[id]?.document, await document.hasUnsavedChanges,
        !configuration.isReadOnly
      {
        try await document.save()
      }
      paths.append(try await localFile(of: id))
    }
    let last = Lock(-1)
    let request = BrowserActionRequest(paths: paths, options: options) { [hub] part in
      let percent = Int(saturating: (100 * min(1, max(0, part))).rounded(.down))
      let isNew = last.withLock { last in
        defer { last = max(last, percent) }
        return percent > last
      }
      if isNew {
        hub.send(.progress(action: identifier, job: job, Double(percent) / 100))
      }
    }
    // On a thread of its own: drawing takes seconds.
    let outcome = try await ActionRunner(places).run(action, request)
    if last.withLock(\.self) < 100 { hub.send(.progress(action: identifier, job: job, 1)) }
    // A menu has three dots where a sheet follows.
    await took(outcome, by: action.title.replacing("…", with: ""))
    return outcome
  }

  /// Lists the folders again in which an action has made or changed files, and makes its files undoable.
  private func took(_ outcome: BrowserActionOutcome, by name: String) async {
    var notes: [CommandJournal.Step] = []
    var touched: Set<BrowserItem.ID> = []
    for path in outcome.created + outcome.changed {
      guard let item = (try? await item(atPath: path)) ?? nil, let parent = item.parent else {
        continue
      }
      touched.insert(parent)
      if outcome.created.contains(path), let record = table[item.id] {
        notes.append(
          .made(
            provider: item.provider, path: record.path,
            identity: FolderListing.stamp(of: path)))
      }
    }
    journal.add(name, notes)
    for folder in touched { await refresh(folder) }
    if !notes.isEmpty { tellUndo() }
  }
}

/// Runs an action on a thread of its own that may wait, so that the browser's threads stay free.
private actor ActionRunner {
  private let queue: FileQueue
  private let places: Places
  nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

  init(_ places: Places) { (queue, self.places) = (FileQueue(within: places), places) }

  func run(
    _ action: BrowserAction, _ request: BrowserActionRequest
  ) async throws -> BrowserActionOutcome {
    // An action may leave this thread, but not its task.
    try await Places.run(taskWithin: places) { try await action.perform(request) }
  }
}

extension BrowserAction {
  /// Throws for equal identifiers, for an action without a title, and for types that are not declared.
  static func check(_ actions: [BrowserAction], _ types: TypeTable) throws {
    var seen: Set<String> = []
    for action in actions {
      func fault(_ detail: String, _ expected: String) -> Diagnostic {
        Diagnostic(.range, "the action '\(action.identifier)': \(detail)", expected: expected)
      }
      guard seen.insert(action.identifier).inserted else {
        throw fault("its identifier is in use", "another identifier")
      }
      guard !action.title.isEmpty else { throw fault("it has no title", "a title") }
      guard !action.identifier.isEmpty else { throw fault("it has no identifier", "an identifier") }
      for type in action.types where !types.isDeclared(type) {
        throw fault("the type '\(type)' is not declared", "a declared type")
      }
    }
  }

  /// The actions of every browser.
  static let builtIn: [BrowserAction] = [exportGIF, convert, validate, compact]

  /// The types of documents that can be read as effects.
  private static let effects: [String] =
    ["org.particles-format.particles", "org.particles-format.particles-package"]
    + FormatRegistry.standard.formats.filter(\.canRead).flatMap(\.types).map(\.identifier)

  // MARK: Export as GIF

  /// Option: `size`, the width and height in pixels, 256 by default.
  static let exportGIF = BrowserAction(
    "org.particles-format.export-gif", title: "Export as GIF", types: effects
  ) { request in
    var outcome = BrowserActionOutcome()
    var names = FreeNames()
    let size = try JSONMembers(request.options).int("size") ?? 256
    guard (16...2048).contains(size) else {
      throw Diagnostic(
        .range, at: .key("size"), expected: "16 to 2048 pixels", found: "\(size)")
    }
    for (index, path) in request.paths.enumerated() {
      try Task.checkCancellation()
      let target = try names.path(beside: path, extension: "gif")
      try locating(Location(file: path)) {
        try writeGIF(of: path, to: target, size: size) { part in
          request.progress((Double(index) + part) / Double(request.paths.count))
        }
      }
      outcome.created.append(target)
    }
    return outcome
  }

  private static func writeGIF(
    of path: String, to target: String, size: Int, _ progress: (Double) -> Void
  ) throws {
    let opened = try OpenedEffect(path: path)
    var plan = EffectAnimation.Plan()
    (plan.width, plan.height) = (size, size)
    let animation = try EffectAnimation(opened.package, plan: plan)
    var options = AnimationWriter.Options()
    options.plays = animation.loop == .once ? 1 : 0
    try SafeSave.file(target, replacing: false) { file in
      try animation.write(.gif, options) { count in
        try Task.checkCancellation()
        progress(min(0.99, Double(count) / Double(max(1, animation.timing.count))))
      } to: {
        try file.write($0)
      }
    }
  }

  // MARK: Convert

  /// Options: `to`, a format, `particles` or `directory`. `in`, the path of the folder for the results, by default beside the documents.
  /// `dry`, whether nothing is written. `measure`, whether the difference is measured.
  static let convert = BrowserAction(
    "org.particles-format.convert", title: "Convert…", types: effects
  ) { request in
    let members = JSONMembers(request.options)
    guard let name = try members.string("to") else {
      throw Diagnostic(.type, at: .key("to"), expected: "the name of a format", found: "nothing")
    }
    let isDry = try members.bool("dry") ?? false
    var conversion = Conversion(to: try target(name))
    conversion.isDry = isDry
    conversion.isMeasuring = try members.bool("measure") ?? false
    conversion.isMeasuringLines = false
    let plan = try ConversionPlan(
      beside: DocumentSet(request.paths, isRecursive: false), in: members.string("in"),
      extension: { conversion.target.pathExtension(for: $0) })
    var outcome = BrowserActionOutcome()
    var rows: [JSONValue] = []
    try conversion.run(plan) { one in
      try Task.checkCancellation()
      outcome.reports.append(one.file)
      if !isDry { outcome.created += one.outputs }
      var row: JSONObject = [
        "source": .string(one.item.input), "target": .string(one.item.output),
        "status": .string(one.status.rawValue), "worst": .string("\(one.worst)"),
        "missingImages": .int(one.missingImages),
        "losses": .array(
          LossLine.lines(of: one.file.diagnostics).map {
            ["level": .string($0.level.rawValue), "text": .string($0.text)]
          }),
      ]
      row["difference"] = one.difference.map { .double($0.whole) }
      rows.append(.object(row))
      request.progress(Double(rows.count) / Double(max(1, request.paths.count)))
    }
    outcome.details = .array(rows)
    return outcome
  }

  private static func target(_ name: String) throws -> ConversionTarget {
    switch name {
    case "particles": return .package(.flat)
    case "directory": return .package(.directory)
    case "original": return .original
    default:
      guard let format = FormatRegistry.standard[name], format.canWrite else {
        throw Diagnostic(
          .range, at: .key("to"), expected: "the name of a format that can be written",
          found: "'\(name.excerpt)'")
      }
      return format.isArchive ? .archive(format) : .effect(format)
    }
  }

  // MARK: Validate and compact

  /// Option: `fix`, whether repairs that need no guess are made.
  static let validate = BrowserAction(
    "org.particles-format.validate", title: "Validate", types: effects, changesFiles: false
  ) { request in
    var outcome = BrowserActionOutcome()
    var validator = Validator()
    validator.batch = ValidationBatch()
    let isMending = try JSONMembers(request.options).bool("fix") ?? false
    for (index, path) in request.paths.enumerated() {
      try Task.checkCancellation()
      do {
        if isMending, try !validator.repair(path).isEmpty { outcome.changed.append(path) }
        outcome.reports.append(try validator.check(path))
      } catch let fault as Diagnostic {
        var file = Diagnostic.Report.File(path: path)
        file.diagnostics = [fault]
        outcome.reports.append(file)
      }
      request.progress(Double(index + 1) / Double(request.paths.count))
    }
    let report = Diagnostic.Report(files: outcome.reports)
    outcome.message =
      "\(count(report.count(.error), "error")), \(count(report.count(.warning), "warning"))"
    return outcome
  }

  private static func count(_ number: Int, _ word: String) -> String {
    "\(number) \(word)\(number == 1 ? "" : "s")"
  }

  static let compact = BrowserAction(
    "org.particles-format.compact", title: "Compact", types: ["org.particles-format.particles"]
  ) { request in
    var outcome = BrowserActionOutcome()
    var (before, after) = (0, 0)
    for (index, path) in request.paths.enumerated() {
      try Task.checkCancellation()
      // A damaged package must not become an apparently sound package.
      var container = try locating(Location(file: path)) {
        try Container(contentsOf: path, scope: .everyFrame)
      }
      let old = try Files.status(path)?.size ?? 0
      try container.save(mode: .replace)
      let new = try Files.status(path)?.size ?? 0
      before += old
      after += new
      if new != old { outcome.changed.append(path) }
      request.progress(Double(index + 1) / Double(request.paths.count))
    }
    outcome.message = "\(before) bytes before, \(after) now"
    return outcome
  }
}

/// The result of one item of an operation.
public struct BrowserResult: Sendable {
  /// The kinds of results.
  public enum Status: String, Sendable, CaseIterable {
    /// It was done. In a plan: it can be done.
    case done
    /// It was not done, for the reason in ``BrowserResult/diagnostic``. Nothing has changed.
    case failed
    /// There was nothing to do.
    case skipped
    /// It was copied, and the original could not be removed.
    case copiedOnly
  }

  /// The item, or the path of a file from outside.
  public var source: String
  /// The name of the source to show.
  public var name: String
  /// The kind of result.
  public var status: Status
  /// The new or changed item after the operation, or nil.
  public var item: BrowserItem?
  /// The path that the operation makes, in a plan.
  public var target: String?
  /// Why it was not done, or a warning.
  public var diagnostic: Diagnostic?

  /// Creates a result.
  public init(
    source: String, name: String, status: Status, item: BrowserItem? = nil, target: String? = nil,
    diagnostic: Diagnostic? = nil
  ) {
    (self.source, self.name, self.status) = (source, name, status)
    (self.item, self.target, self.diagnostic) = (item, target, diagnostic)
  }

  /// The result as JSON.
  public var json: JSONValue {
    var object: JSONObject = [
      "source": .string(source), "name": .string(name), "status": .string(status.rawValue),
    ]
    object["item"] = item?.json
    object["target"] = target.map(JSONValue.string)
    object["diagnostic"] = diagnostic?.json
    return .object(object)
  }
}

/// The results of an operation.
public struct BrowserOutcome: Sendable {
  /// One for each item, in the order given.
  public var results: [BrowserResult]
  /// The name of the operation that ``Browser/undo()`` takes back, such as `Rename`, or nil.
  public var undoName: String?

  /// Creates an outcome.
  public init(_ results: [BrowserResult], undoName: String? = nil) {
    (self.results, self.undoName) = (results, undoName)
  }

  /// The items that there are after the operation.
  public var items: [BrowserItem] { results.compactMap(\.item) }

  /// Whether all was done.
  public var isComplete: Bool { results.allSatisfy { $0.status == .done || $0.status == .skipped } }

  /// The outcome as JSON.
  public var json: JSONValue {
    var object: JSONObject = [
      "results": .array(results.map(\.json)), "complete": .bool(isComplete),
    ]
    object["undo"] = undoName.map(JSONValue.string)
    return .object(object)
  }
}

/// An operation on items, as a value: it can be planned before it is done.
public enum BrowserOperation: Sendable, Hashable {
  /// Gives an item another name. An extension that is missing is kept.
  case rename(BrowserItem.ID, to: String)
  /// Renames items, as ``rename(_:to:)`` does. Names that become free can be reused. A circle of names is refused.
  case renameAll([Renaming])
  /// Copies items beside themselves, `fire copy.particles`.
  case duplicate([BrowserItem.ID])
  /// Moves items to a folder.
  case move([BrowserItem.ID], to: BrowserItem.ID)
  /// Copies items to a folder.
  case copy([BrowserItem.ID], to: BrowserItem.ID)
  /// Moves items to the trash.
  case trash([BrowserItem.ID])
  /// Moves items from the trash to where they were, or to a folder.
  case restore([BrowserItem.ID], to: BrowserItem.ID?)
  /// Deletes items for good. It cannot be undone.
  case delete([BrowserItem.ID])
  /// Deletes everything in the trash for good. It cannot be undone.
  case emptyTrash
  /// Adds files of this machine to a folder.
  case importFiles([String], into: BrowserItem.ID, ImportMode)
  /// Creates a folder.
  case createFolder(String, in: BrowserItem.ID)

  /// An item and its new name.
  public struct Renaming: Sendable, Hashable {
    /// The item.
    public var item: BrowserItem.ID
    /// The new name. An extension that is missing is kept.
    public var name: String

    /// Creates a renaming.
    public init(_ item: BrowserItem.ID, to name: String) { (self.item, self.name) = (item, name) }
  }

  /// The treatment of the file that is imported.
  public enum ImportMode: String, Sendable, CaseIterable {
    /// It is copied.
    case copy
    /// It is moved.
    case move
    /// Nothing: the import was cancelled.
    case none
  }

  /// The name in menus.
  public var name: String {
    switch self {
    case .rename, .renameAll: "Rename"
    case .duplicate: "Duplicate"
    case .move: "Move"
    case .copy: "Copy"
    case .trash: "Move to Trash"
    case .restore: "Restore"
    case .delete: "Delete"
    case .emptyTrash: "Empty Trash"
    case .importFiles: "Import"
    case .createFolder: "New Folder"
    }
  }

  /// Whether it can be taken back.
  public var canBeUndone: Bool {
    switch self {
    case .delete, .emptyTrash: false
    default: true
    }
  }
}
