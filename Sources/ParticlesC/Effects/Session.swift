public import CParticlesInterface
internal import ParticlesContainer
internal import ParticlesCore
internal import ParticlesEffects

// The functions of `particles.h` about edits of an effect in memory.

/// See `particles_session_new` in `particles.h`.
@_cdecl("particles_session_new")
public func makeSession(_ pointer: OpaquePointer?, _ out: PackageOut?) -> CInt {
  making(out, SessionHandle.self, from: pointer, EffectHandle.self) {
    effect, session throws(Failure) in
    session.begin(effect)
  }
}

/// See `particles_session_close` in `particles.h`.
@_cdecl("particles_session_close")
public func closeSession(_ pointer: OpaquePointer?) { SessionHandle.close(pointer) }

/// See `particles_session_stat` in `particles.h`.
@_cdecl("particles_session_stat")
public func sessionState(
  _ pointer: OpaquePointer?, _ out: UnsafeMutablePointer<particles_session_state>?
) -> CInt {
  call(pointer, SessionHandle.self) { session throws(Failure) in
    try set(out, "out") { session.state }
  }
}

/// See `particles_session_effect` in `particles.h`.
@_cdecl("particles_session_effect")
public func effectOfSession(_ pointer: OpaquePointer?, _ out: PackageOut?) -> CInt {
  giving(out, by: pointer, SessionHandle.self) { session throws(Failure) in session.effect }
}

/// See `particles_session_get` in `particles.h`.
@_cdecl("particles_session_get")
public func sessionProperty(
  _ pointer: OpaquePointer?, _ key: UnsafePointer<CChar>?,
  _ out: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> CInt {
  call(pointer, SessionHandle.self) { session throws(Failure) in
    try give(session.effect.property(text(key, "key")), out)
  }
}

/// See `particles_session_set` in `particles.h`.
@_cdecl("particles_session_set")
public func setSessionProperty(
  _ pointer: OpaquePointer?, _ key: UnsafePointer<CChar>?, _ value: UnsafePointer<CChar>?,
  _ name: UnsafePointer<CChar>?, _ gesture: Int64
) -> CInt {
  call(pointer, SessionHandle.self) { session throws(Failure) in
    try session.set(
      text(key, "key"), to: optionalText(value, "value"), name: optionalText(name, "name"),
      gesture: gesture)
  }
}

/// See `particles_session_end_gesture` in `particles.h`.
@_cdecl("particles_session_end_gesture")
public func endSessionGesture(
  _ pointer: OpaquePointer?, _ gesture: Int64, _ isCancelling: CInt
) -> CInt {
  call(pointer, SessionHandle.self) { session throws(Failure) in
    try session.end(gesture: gesture, cancelling: isCancelling != 0)
  }
}

/// See `particles_session_edit` in `particles.h`.
@_cdecl("particles_session_edit")
public func editSession(
  _ pointer: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ edit: particles_edit_fn?,
  _ context: UnsafeMutableRawPointer?
) -> CInt {
  call(pointer, SessionHandle.self) { session throws(Failure) in
    try session.edit(text(name, "name"), by: CallbackEditor(edit, context))
  }
}

/// See `particles_session_undo` in `particles.h`.
@_cdecl("particles_session_undo")
public func undoSessionEdits(
  _ pointer: OpaquePointer?, _ count: CInt, _ done: UnsafeMutablePointer<CInt>?
) -> CInt {
  call(pointer, SessionHandle.self) { session throws(Failure) in
    done?.pointee = CInt(clamping: try session.undo(Int(count)))
  }
}

/// See `particles_session_saved` in `particles.h`.
@_cdecl("particles_session_saved")
public func sessionWasSaved(_ pointer: OpaquePointer?) -> CInt {
  call(pointer, SessionHandle.self) { session throws(Failure) in try session.markSaved() }
}

/// See `particles_session_merge` in `particles.h`.
@_cdecl("particles_session_merge")
public func mergeIntoSession(
  _ pointer: OpaquePointer?, _ theirs: OpaquePointer?,
  _ out: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> CInt {
  call(pointer, SessionHandle.self) { session throws(Failure) in
    guard let effect = entered(theirs, EffectHandle.self) else {
      throw Diagnostic.argument("theirs", expected: "an open effect that no other call uses")
    }
    defer { leave(theirs) }
    let result = try session.merge(effect)
    if out != nil { try give(result, out) }
  }
}

/// See `particles_session_resolve` in `particles.h`.
@_cdecl("particles_session_resolve")
public func resolveSessionConflict(_ pointer: OpaquePointer?, _ side: CInt) -> CInt {
  call(pointer, SessionHandle.self) { session throws(Failure) in
    let resolution: ConflictResolution<EffectPackage>
    switch Int(side) {
    case PARTICLES_OURS: resolution = .ours
    case PARTICLES_THEIRS: resolution = .theirs
    case PARTICLES_MERGED: resolution = .merged
    default:
      throw Diagnostic.argument(
        "side", expected: "PARTICLES_OURS, PARTICLES_THEIRS or PARTICLES_MERGED", found: "\(side)")
    }
    try session.resolve(resolution)
  }
}

/// The edits of an effect in memory, behind a handle. Times of edits are 0, because no two edits become one here.
final class SessionHandle: Handle, HandleKind {
  static var kind: UInt32 { 9 }

  private static let (undoCount, undoCost) = (10_000, 32 << 20)

  private var session = SessionHandle.edits(of: EffectPackage(Container()))
  /// The effect as it is stored: its format, its file and its limits.
  private var stored = EffectHandle()
  /// The gestures that have not ended, by the numbers of the caller.
  private var gestures: [Int64: DocumentGesture] = [:]

  private static func edits(of package: EffectPackage) -> EditSession<EffectPackage> {
    EditSession(loaded(package, revision: 1), undoCount: undoCount, undoCost: undoCost)
  }

  private static func loaded(
    _ package: EffectPackage, revision: Int
  ) -> LoadedContents<EffectPackage> {
    LoadedContents(
      content: package, stored: StoredContents(package.contents(), revision: revision))
  }

  func begin(_ effect: EffectHandle) {
    effect.copy(to: stored)
    session = Self.edits(of: effect.package)
  }

  var state: particles_session_state {
    var state = particles_session_state()
    state.undo_name = strings.add(session.history.undoName)
    state.redo_name = strings.add(session.history.redoName)
    state.revision = Int64(session.revision)
    if session.isDirty { state.states |= CInt(PARTICLES_STATE_CHANGED) }
    if session.conflict != nil { state.states |= CInt(PARTICLES_STATE_CONFLICT) }
    return state
  }

  /// The effect as it is now, as a handle that is not registered.
  var effect: EffectHandle {
    let effect = EffectHandle()
    stored.copy(to: effect)
    effect.replace(session.contents())
    return effect
  }

  // MARK: Editing

  /// Changes an effect by a handle. Gestures make their changes again by this, without the handles of the session.
  private static func change(
    _ package: inout EffectPackage, _ limits: Limits,
    _ body: (EffectHandle) throws(Failure) -> Void
  ) throws(Failure) {
    let effect = EffectHandle()
    effect.store(package, limits: limits)
    try body(effect)
    package = effect.package
  }

  /// Sets or removes a property.
  /// - Parameter gesture: the number of the gesture that the change is a part of, or 0 for a single edit.
  func set(
    _ key: String, to value: String?, name: String?, gesture number: Int64
  ) throws(Failure) {
    let (name, limits) = (name ?? "Change \(key)", stored.limits)
    let change: @Sendable (inout EffectPackage) throws(Failure) -> Void = {
      package throws(Failure) in
      try Self.change(&package, limits) { effect throws(Failure) in
        try effect.set(key, to: value)
      }
    }
    guard number != 0 else {
      return try session.edit(name, at: 0) { package throws(Failure) in try change(&package) }
    }
    let part = GesturePart<EffectPackage>(key, change)
    if let gesture = gestures[number] {
      do throws(Failure) {
        try session.change(gesture, [part], at: 0)
      } catch {
        // Another change has made it impossible.
        if Diagnostic.of(error)?.rule == .fileGesture { gestures[number] = nil }
        throw error
      }
    } else {
      let gesture = try session.beginGesture(name, at: 0)
      do throws(Failure) {
        try session.change(gesture, [part], at: 0)
      } catch {
        session.cancel(gesture)
        throw error
      }
      gestures[number] = gesture
    }
  }

  /// Ends a gesture: its changes are one edit, or are taken back.
  func end(gesture number: Int64, cancelling isCancelling: Bool) throws(Failure) {
    guard let gesture = gestures.removeValue(forKey: number) else {
      throw Diagnostic.argument(
        "gesture", expected: "one that has begun and not ended", found: "\(number)")
    }
    guard !isCancelling else { return session.cancel(gesture) }
    if let fault = try session.end(gesture, at: 0) { throw fault }
  }

  /// Makes an edit by a callback, which gets an effect.
  func edit(_ name: String, by callback: CallbackEditor) throws(Failure) {
    let stored = stored
    try session.edit(name, at: 0) { package throws(Failure) in
      let effect = EffectHandle()
      stored.copy(to: effect)
      effect.replace(package)
      try callback.edit(effect)
      package = effect.package
    }
  }

  /// Undoes edits, or redoes them if there are fewer than 0.
  /// - Returns: how many there were.
  func undo(_ count: Int) throws(Failure) -> Int {
    // The least number has no opposite.
    let most = Int(clamping: count.magnitude)
    return try session.walk(most, count < 0 ? .redo : .undo)
  }

  // MARK: Stored contents

  /// The number of the contents that are stored next.
  private var nextRevision: Int {
    max(session.known.stored.revision, session.conflict?.stored.revision ?? 0) + 1
  }

  /// Makes the contents the stored ones.
  func markSaved() throws(Failure) {
    guard session.conflict == nil else {
      throw Diagnostic(.fileConflict, "a conflict has to be resolved before", hint: "choose a side")
    }
    let now = session.contents()
    let stored = StoredContents(now.contents(), revision: nextRevision)
    session.saved(
      now, stored.contents, as: stored, reread: nil, state: session.state, automatically: false)
  }

  /// Takes contents that another program has stored.
  /// - Returns: how, and the parts that both sides have changed.
  func merge(_ theirs: EffectHandle) throws(Failure) -> JSONValue {
    let loaded = Self.loaded(theirs.package, revision: nextRevision)
    let kind =
      switch try session.mergeStored(loaded) {
      case .nothing: "nothing"
      case .reloaded: "reloaded"
      case .merged: "merged"
      case .conflict: "conflict"
      }
    theirs.copy(to: stored)
    let clashes = session.conflict?.clashes ?? []
    return ["kind": .string(kind), "clashes": .array(clashes.map { .string($0) })]
  }

  /// Ends a conflict. Does nothing without one.
  func resolve(_ resolution: ConflictResolution<EffectPackage>) throws(Failure) {
    guard let conflict = session.conflict else { return }
    guard let result = try conflict.result(of: resolution, session.contents()) else {
      throw Diagnostic(.fileConflict, "the two effects cannot be merged")
    }
    session.endGestures(at: 0)
    gestures.removeAll()
    session.resolve(conflict, with: result, at: 0)
  }
}

/// A callback that changes an effect.
struct CallbackEditor: @unchecked Sendable {
  private let function: @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?) -> CInt
  private let context: UnsafeMutableRawPointer?

  init(_ function: particles_edit_fn?, _ context: UnsafeMutableRawPointer?) throws(Failure) {
    self.function = try required(function, "edit")
    self.context = context
  }

  /// Passes an effect on as a handle, valid until the callback returns.
  func edit(_ effect: EffectHandle) throws(Failure) {
    guard let pointer = effect.register() else { throw Diagnostic.outOfMemory(64) }
    defer { EffectHandle.close(pointer) }
    let result = function(context, pointer)
    guard result == 0 else { throw callbackFailure("edit", result) }
  }
}
