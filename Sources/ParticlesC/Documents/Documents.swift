public import CParticlesInterface
internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesFormats

// The functions of `particles.h` about documents. The calls wait; the events come beside them.

extension DocumentConfiguration {
  /// The configuration of an argument; the default one for 0.
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

  /// A time of the options; nil for 0.
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
        // Where another program has been is found out now, before the watching of the file tells.
        if isForced { try? await document.lookOutside() }
        if isForced { try await document.saveAnyway() } else { try await document.save() }
      } catch let fault as Diagnostic where fault.rule == .fileNotFound {
        try? await document.lookOutside()
        throw fault
      } catch let fault as Diagnostic where fault.rule == .fileUnwritable {
        // Only a loss can be accepted; a full disk cannot.
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
  // Beside a call of another thread, and beside closing: the fault of the handle is that of the other call.
  guard let handle = DocumentHandle.shared(pointer) as? DocumentHandle, let out else {
    return Status.misuse
  }
  guard let events = handle.events, let event = events.next() else { return CInt(PARTICLES_DONE) }
  return callPlainly { try give(event, out) } == Status.ok
    ? CInt(PARTICLES_ROW) : Status.noMemory
}
