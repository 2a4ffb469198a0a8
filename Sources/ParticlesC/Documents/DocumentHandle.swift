internal import CParticlesInterface
internal import ParticlesCore
internal import ParticlesDocuments

/// A document behind a handle: an effect in a file of any format, edited over time.
final class DocumentHandle: Handle {
  override class var kind: UInt32 { 8 }

  private var document: Document<EffectFile>?
  private var configuration = DocumentConfiguration()
  private(set) var events: EventQueue?
  /// The gestures that have not ended, by the numbers of the caller.
  private var gestures: [Int64: DocumentGesture] = [:]

  /// The document of a handle that was opened.
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
    // In a forked process, no thread would do it, and the document is the other process's.
    guard cparticles_is_forked() == 0 else { return }
    events?.end()
    guard let document else { return }
    let isInPlace = if case .inPlace = configuration.autosave { true } else { false }
    try? waiting {
      do {
        guard isInPlace else { return try await document.closeIntoRecovery() }
        try await document.close()
      } catch {
        // Where nothing can be saved, the contents are in the journal, if there is one.
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
    effect.take(file.effect, limits: limits, of: file.format, file.findings)
    return effect
  }

  /// Sets or removes a property.
  /// - Parameter gesture: the number of the gesture that the change is a part of; 0 for an edit of its own.
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

/// A callback that changes an effect.
struct CallbackEditor: @unchecked Sendable {
  private let function: @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?) -> CInt
  private let context: UnsafeMutableRawPointer?

  init(_ function: particles_edit_fn?, _ context: UnsafeMutableRawPointer?) throws {
    self.function = try required(function, "edit")
    self.context = context
  }

  /// Passes an effect on as a handle, which is closed when the callback returns.
  func edit(_ effect: EffectHandle) throws {
    guard let pointer = effect.register() else { throw Diagnostic.outOfMemory(64) }
    defer { EffectHandle.close(pointer) }
    let result = function(context, pointer)
    guard result == 0 else { throw CallbackFailure(name: "edit", result: result) }
  }
}
