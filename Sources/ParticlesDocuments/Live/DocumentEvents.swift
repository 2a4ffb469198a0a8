internal import ParticlesCore

/// The listeners of a document.
final class DocumentEvents: Sendable {
  private struct Listener: Sendable {
    let events: AsyncStream<DocumentEvent>.Continuation
    /// Called for each event that it misses.
    let missed: @Sendable () -> Void

    func yield(_ event: DocumentEvent) {
      if case .dropped = events.yield(event) { missed() }
    }
  }

  private let listeners = Lock<[Int: Listener]>([:])
  private let next = Lock(0)

  /// A stream that begins with `first`. A listener that does not keep up misses the oldest events.
  /// - Parameter missed: called for each of them.
  func stream(
    beginning first: [DocumentEvent], missed: @escaping @Sendable () -> Void = {}
  ) -> AsyncStream<DocumentEvent> {
    let number = next.withLock { next -> Int in
      next += 1
      return next
    }
    let (stream, continuation) = AsyncStream.makeStream(
      of: DocumentEvent.self, bufferingPolicy: .bufferingNewest(256))
    for event in first { continuation.yield(event) }
    listeners.withLock { $0[number] = Listener(events: continuation, missed: missed) }
    continuation.onTermination = { [weak self] _ in
      self?.listeners.withLock { $0[number] = nil }
    }
    return stream
  }

  /// Whether there are any.
  var hasListeners: Bool { listeners.withLock { !$0.isEmpty } }

  func send(_ event: DocumentEvent) {
    for listener in listeners.withLock({ Array($0.values) }) { listener.yield(event) }
  }

  /// Ends all streams.
  func finish() {
    for listener in listeners.withLock({ Array($0.values) }) { listener.events.finish() }
  }

  /// A closure that sends progress, at most a hundred times.
  func report(_ phase: DocumentProgress.Phase) -> DocumentProgress.Report {
    let last = Lock(-1)
    return { [weak self] done, total in
      let percent = total > 0 ? min(99, 100 * done / total) : 0
      let isNew = last.withLock { last in
        defer { last = max(last, percent) }
        return percent > last
      }
      guard isNew else { return }
      self?.send(.progress(DocumentProgress(phase: phase, fraction: Double(percent) / 100)))
    }
  }
}
