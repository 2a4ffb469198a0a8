public import CParticlesInterface
internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesEffects
internal import ParticlesFormats
internal import ParticlesPlatform

// The functions of `particles.h` about documents. Calls wait. Events are delivered at any time.

extension DocumentConfiguration {
  /// The configuration of an argument. 0 selects the default.
  fileprivate init(_ options: particles_document_options?) throws {
    self.init()
    guard let options else { return }
    let seconds = try Self.seconds(options.autosave_seconds, "autosave_seconds") ?? 1
    switch Int(options.autosave) {
    case PARTICLES_AUTOSAVE_IN_PLACE: autosave = .inPlace(seconds: seconds)
    case PARTICLES_AUTOSAVE_OFF: autosave = .off
    case PARTICLES_AUTOSAVE_RECOVERY: autosave = .recovery(seconds: seconds)
    default:
      throw Diagnostic.argument("autosave", expected: "0 to 2", found: "\(options.autosave)")
    }
    if let timeout = try Self.seconds(options.timeout, "timeout") { self.timeout = timeout }
    (isViewing, keepsEdits) = (options.viewing != 0, options.keep_edits != 0)
    limits = try ParticlesC.limits(options.limits)
    if let folder = optionalPath(options.data_folder) {
      dataFolder = folder.isEmpty ? nil : folder
      presenceFolder = dataFolder
    }
  }

  /// A time of the options. Nil for 0.
  private static func seconds(_ value: Double, _ name: String) throws -> Double? {
    guard value >= 0, value <= 86_400 else {
      throw Diagnostic.argument(name, expected: "0 to 86400 seconds", found: "\(value)")
    }
    return value == 0 ? nil : value
  }
}

/// See `particles_document_open` in `particles.h`.
@_cdecl("particles_document_open")
public func openDocument(
  _ path: UnsafePointer<CChar>?, _ options: UnsafePointer<particles_document_options>?,
  _ out: PackageOut?
) -> CInt {
  making(out, DocumentHandle.self) { document in
    let path = try ParticlesC.path(path, "path")
    let options = try optional(options, "options")
    try document.open(
      path, DocumentConfiguration(options), recovers: options?.recover ?? 0 != 0)
  }
}

/// See `particles_document_close` in `particles.h`.
@_cdecl("particles_document_close")
public func closeDocument(_ pointer: OpaquePointer?) { DocumentHandle.close(pointer) }

/// See `particles_document_stat` in `particles.h`.
@_cdecl("particles_document_stat")
public func documentState(
  _ pointer: OpaquePointer?, _ out: UnsafeMutablePointer<particles_document_state>?
) -> CInt {
  call(pointer) { handle, document in
    let now = try handle.waiting {
      (
        await document.present, revision: await document.revision,
        left: (try? await document.recoverable().count) ?? 0
      )
    }
    try set(out, "out") {
      var state = particles_document_state()
      state.path = handle.strings.add(document.path)
      state.format = handle.strings.add(now.0.content?.format?.name ?? "particles")
      state.undo_name = handle.strings.add(now.0.undoName)
      state.redo_name = handle.strings.add(now.0.redoName)
      state.revision = Int64(now.revision)
      state.states = CInt(now.0.states.rawValue)
      state.event_descriptor = handle.events?.descriptor ?? -1
      state.recoverable = CInt(clamping: now.left)
      return state
    }
  }
}

/// See `particles_document_effect` in `particles.h`.
@_cdecl("particles_document_effect")
public func effectOfDocument(_ pointer: OpaquePointer?, _ out: PackageOut?) -> CInt {
  out?.pointee = nil
  return call(pointer) { handle, _ in
    let out = try required(out, "out")
    out.pointee = try handle.effect().register()
    if out.pointee == nil { throw Diagnostic.outOfMemory(64) }
  }
}

/// See `particles_document_get` in `particles.h`.
@_cdecl("particles_document_get")
public func documentProperty(
  _ pointer: OpaquePointer?, _ key: UnsafePointer<CChar>?,
  _ out: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> CInt {
  call(pointer) { handle, _ in try give(handle.effect().property(text(key, "key")), out) }
}

/// See `particles_document_set` in `particles.h`.
@_cdecl("particles_document_set")
public func setDocumentProperty(
  _ pointer: OpaquePointer?, _ key: UnsafePointer<CChar>?, _ value: UnsafePointer<CChar>?,
  _ name: UnsafePointer<CChar>?, _ gesture: Int64
) -> CInt {
  call(pointer) { handle, _ in
    try handle.set(
      text(key, "key"), to: optionalText(value, "value"), name: optionalText(name, "name"),
      gesture: gesture)
  }
}

/// See `particles_document_end_gesture` in `particles.h`.
@_cdecl("particles_document_end_gesture")
public func endGesture(_ pointer: OpaquePointer?, _ gesture: Int64, _ isCancelling: CInt) -> CInt {
  call(pointer) { handle, _ in try handle.end(gesture: gesture, cancelling: isCancelling != 0) }
}

/// See `particles_document_edit` in `particles.h`.
@_cdecl("particles_document_edit")
public func editDocument(
  _ pointer: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ edit: particles_edit_fn?,
  _ context: UnsafeMutableRawPointer?
) -> CInt {
  call(pointer) { handle, _ in
    try handle.edit(text(name, "name"), by: CallbackEditor(edit, context))
  }
}

/// See `particles_document_undo` in `particles.h`.
@_cdecl("particles_document_undo")
public func undoEdits(
  _ pointer: OpaquePointer?, _ count: CInt, _ done: UnsafeMutablePointer<CInt>?
) -> CInt {
  call(pointer) { handle, document in
    let count = Int(count)
    let number = try handle.waiting {
      count < 0 ? try await document.redo(-count) : try await document.undo(count)
    }
    done?.pointee = CInt(clamping: number)
  }
}

/// See `particles_document_save` in `particles.h`.
@_cdecl("particles_document_save")
public func saveDocument(_ pointer: OpaquePointer?, _ flags: CInt) -> CInt {
  call(pointer) { handle, document in
    let flags = try ParticlesC.flags(flags, of: PARTICLES_OVERWRITE | PARTICLES_LOSSES)
    let isAccepting = flags & PARTICLES_LOSSES != 0
    let isForced = flags & PARTICLES_OVERWRITE != 0
    try handle.waiting {
      if isAccepting {
        let lost = try await document.content.saving().dropped.map(\.message)
        if !lost.isEmpty {
          try await document.edit("Accept Losses") { $0.acceptedLosses = Set(lost) }
        }
      }
      do {
        // The new path of a file moved by another program is found now, before the watch reports it.
        if isForced { try? await document.lookOutside() }
        if isForced { try await document.saveAnyway() } else { try await document.save() }
      } catch let fault as Diagnostic where fault.rule == .fileNotFound {
        try? await document.lookOutside()
        throw fault
      } catch let fault as Diagnostic where fault.rule == .fileUnwritable {
        // Only losses can be accepted. A full disk is a real failure.
        let content = try await document.content
        let dropped = (try? content.saving().dropped) ?? []
        guard let lost = dropped.first(where: { !content.acceptedLosses.contains($0.message) })
        else { throw fault }
        throw Diagnostic(
          .losses, at: Location(file: document.path), lost.message,
          hint: "save with PARTICLES_LOSSES, or save a package, which holds every edit")
      }
    }
  }
}

/// See `particles_document_revert` in `particles.h`.
@_cdecl("particles_document_revert")
public func revertDocument(_ pointer: OpaquePointer?) -> CInt {
  call(pointer) { handle, document in
    try handle.waiting {
      guard await document.conflict == nil else { return _ = try await document.resolve(.theirs) }
      try await document.revert()
    }
  }
}

/// See `particles_document_resolve` in `particles.h`.
@_cdecl("particles_document_resolve")
public func resolveConflict(
  _ pointer: OpaquePointer?, _ side: CInt,
  _ beside: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> CInt {
  beside?.pointee = nil
  return call(pointer) { handle, document in
    let sides = ConflictSide.allCases
    guard side >= 0, side < sides.count else {
      throw Diagnostic.argument("side", expected: "0 to \(sides.count - 1)", found: "\(side)")
    }
    let path = try handle.waiting {
      try await document.resolve(keeping: sides[Int(side)])
    }
    if let path, beside != nil { try give(path, beside) }
  }
}

/// See `particles_document_next_event` in `particles.h`.
@_cdecl("particles_document_next_event")
public func nextEvent(
  _ pointer: OpaquePointer?, _ out: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> CInt {
  out?.pointee = nil
  // Runs concurrently with other calls and with closing, so it does not set the fault of the handle.
  guard let handle = DocumentHandle.shared(pointer), let out else {
    return Status.misuse
  }
  guard let events = handle.events, let event = events.next() else { return CInt(PARTICLES_DONE) }
  return callPlainly { try give(event, out) } == Status.ok
    ? CInt(PARTICLES_ROW) : Status.noMemory
}

/// A document behind a handle: an effect in a file of any format, edited over time.
final class DocumentHandle: Handle, HandleKind {
  static var kind: UInt32 { 8 }

  private var document: Document<EffectFile>?
  private var configuration = DocumentConfiguration()
  private(set) var events: EventQueue?
  /// The gestures that have not ended, by the numbers of the caller.
  private var gestures: [Int64: DocumentGesture] = [:]

  func opened() throws -> Document<EffectFile> {
    try Self.checkProcess()
    guard let document else { throw Diagnostic(.misuse, "there is no document") }
    return document
  }

  /// Documents need threads, which a forked process does not have.
  private static func checkProcess() throws {
    if cparticles_is_forked() != 0 { throw Diagnostic(.forked) }
  }

  // MARK: Opening and closing

  /// Opens a document.
  /// - Parameter recovers: whether unsaved contents that a program has left become an edit.
  func open(_ path: String, _ configuration: DocumentConfiguration, recovers: Bool) throws {
    try Self.checkProcess()
    cparticles_threads_started()
    let document = Document<EffectFile>(path: path, configuration: configuration)
    self.configuration = configuration
    let losses = EventQueue.Losses()
    let stream = try waiting {
      try await document.open()
      // An effect that cannot be read is refused now, as by opening an effect.
      do {
        let content = try await document.content
        if content.format != nil { _ = try content.effect.system(limits: configuration.limits) }
        if recovers, let newest = try await document.recoverable().first {
          try await document.recover(newest)
        }
      } catch {
        try? await document.close(discarding: true)
        throw error
      }
      return await document.events { losses.add() }
    }
    do {
      events = try EventQueue(stream, losses: losses, at: path)
    } catch {
      try? waiting { try await document.close(discarding: true) }
      throw error
    }
    self.document = document
  }

  /// Closes the document: unsaved changes are saved, or kept in the recovery journal.
  override func end() {
    // A forked process has no thread to do it, and the document belongs to the parent.
    guard cparticles_is_forked() == 0 else { return }
    events?.end()
    guard let document else { return }
    let isInPlace = if case .inPlace = configuration.autosave { true } else { false }
    try? waiting {
      do {
        guard isInPlace else { return try await document.closeIntoRecovery() }
        try await document.close()
      } catch {
        // If nothing can be saved, the contents go into the journal, if there is one.
        try await document.closeIntoRecovery()
      }
    }
    self.document = nil
  }

  // MARK: Editing

  /// The effect as it is now, as a handle that is not registered.
  func effect() throws -> EffectHandle {
    let document = try opened()
    return Self.effect(try waiting { try await document.content }, configuration.limits)
  }

  private static func effect(_ file: EffectFile, _ limits: Limits) -> EffectHandle {
    let effect = EffectHandle()
    effect.store(file.effect, limits: limits, of: file.format, file.findings)
    return effect
  }

  /// Sets or removes a property.
  /// - Parameter gesture: the number of the gesture that the change is a part of, or 0 for a single edit.
  func set(_ key: String, to value: String?, name: String?, gesture number: Int64) throws {
    let (document, limits) = (try opened(), configuration.limits)
    let name = name ?? "Change \(key)"
    let change: @Sendable (inout EffectFile) throws -> Void = { file in
      let effect = Self.effect(file, limits)
      try effect.set(key, to: value)
      file.setEffect(effect.package)
    }
    guard number != 0 else { return try waiting { try await document.edit(name, change) } }
    let known = gestures[number]
    do {
      gestures[number] = try waiting {
        var gesture = known
        if gesture == nil { gesture = try await document.beginGesture(name) }
        guard let gesture else { return known }
        do {
          try await document.change(gesture, part: key, change)
        } catch  where known == nil {
          await document.cancel(gesture)
          throw error
        }
        return gesture
      }
    } catch let fault as Diagnostic where fault.rule == .fileGesture {
      // Another change has made it impossible.
      gestures[number] = nil
      throw fault
    }
  }

  /// Ends a gesture: its changes are one edit, or are taken back.
  func end(gesture number: Int64, cancelling isCancelling: Bool) throws {
    let document = try opened()
    guard let gesture = gestures.removeValue(forKey: number) else {
      throw Diagnostic.argument(
        "gesture", expected: "one that has begun and not ended", found: "\(number)")
    }
    try waiting {
      if isCancelling { await document.cancel(gesture) } else { try await document.end(gesture) }
    }
  }

  /// Makes an edit by a callback, which gets an effect.
  func edit(_ name: String, by callback: CallbackEditor) throws {
    let (document, limits) = (try opened(), configuration.limits)
    try waiting {
      try await document.edit(name) { file in
        let effect = Self.effect(file, limits)
        try callback.edit(effect)
        file.setEffect(effect.package)
      }
    }
  }
}

/// Runs `body` for a document.
func call(
  _ pointer: OpaquePointer?, _ body: (DocumentHandle, Document<EffectFile>) throws -> Void
) -> CInt {
  call(pointer, DocumentHandle.self) { try body($0, $0.opened()) }
}

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

    /// Returns the number since the last call.
    func reset() -> Int {
      count.withLock { count in
        defer { count = 0 }
        return count
      }
    }
  }

  /// - Parameters:
  ///   - losses: counts the events that the stream drops.
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
      for await event in stream { self?.add(event.json.denseText, after: losses.reset()) }
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

  /// Takes the oldest event, or returns nil.
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
