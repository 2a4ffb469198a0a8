internal import ParticlesCore

/// The listeners of a browser.
final class BrowserHub: Sendable {
  private let state = Lock<(next: Int, listeners: [Int: AsyncStream<BrowserEvent>.Continuation])>(
    (0, [:]))

  /// A stream of the events from now on. A listener that does not keep up misses the oldest ones.
  func stream() -> AsyncStream<BrowserEvent> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: BrowserEvent.self, bufferingPolicy: .bufferingNewest(1024))
    let number = state.withLock { state in
      state.next += 1
      state.listeners[state.next] = continuation
      return state.next
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { $0.listeners[number] = nil }
    }
    return stream
  }

  func send(_ event: BrowserEvent) {
    for listener in state.withLock({ Array($0.listeners.values) }) { listener.yield(event) }
  }

  func finish() {
    for listener in state.withLock({ Array($0.listeners.values) }) { listener.finish() }
  }
}
