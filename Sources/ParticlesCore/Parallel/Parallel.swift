internal import Synchronization

/// Work in numbered pieces, done on several threads at once.
///
/// The calling thread takes part, so that one thread means no other. The first error stops
/// everything and is thrown when all threads are done.
package enum Parallel {
  /// The threads that are worth using: as many as run at once, and at most 8, because memory is
  /// bounded and disks are not faster for more.
  package static let defaultThreads = min(8, SystemThread.processorCount)

  /// Lets go of something on a thread of its own: closing the last descriptor of a large file that
  /// has no name any more takes the system a while, and nobody has to wait for that.
  package static func release(_ value: consuming some Sendable) {
    SystemThread { [value] in withExtendedLifetime(value) {} }?.detach()
  }

  /// Does `count` pieces in any order.
  /// - Parameters:
  ///   - state: makes what a thread needs for itself, such as buffers.
  ///   - work: does a piece.
  package static func forEach<State>(
    _ count: Int, threads: Int? = nil, state: @Sendable () -> State,
    work: @Sendable (Int, inout State) throws -> Void
  ) throws {
    try ordered(count, threads: threads, window: count, state: state, work: work) { _ in }
  }

  /// Does `count` pieces in any order and hands on their results in order.
  /// - Parameters:
  ///   - window: how many results may be waiting to be handed on.
  ///   - state: makes what a thread needs for itself, such as buffers.
  ///   - work: does a piece.
  ///   - emit: takes the results in order, one at a time, on any of the threads.
  package static func ordered<State, Output: Sendable>(
    _ count: Int, threads: Int? = nil, window: Int? = nil,
    state: @Sendable () -> State, work: @Sendable (Int, inout State) throws -> Output,
    emit: (Output) throws -> Void
  ) throws {
    // How many processors there are is in a file that need not be opened for one piece.
    let threads = count <= 1 ? 1 : max(1, min(threads ?? defaultThreads, count))
    guard threads > 1 else {
      var own = state()
      for index in 0..<count { try emit(try work(index, &own)) }
      return
    }
    try withoutActuallyEscaping(emit) { emit in
      try withoutActuallyEscaping(state) { state in
        try withoutActuallyEscaping(work) { work in
          let job = OrderedJob(count: count, window: window ?? threads * 4, work, emit)
          let others = (1..<threads).compactMap { _ in
            SystemThread {
              var own = state()
              job.run(&own)
            }
          }
          var own = state()
          job.run(&own)
          for thread in others { thread.join() }
          if let error = job.error { throw error }
        }
      }
    }
  }
}

/// What the threads of ``Parallel/ordered`` share.
private final class OrderedJob<State, Output: Sendable>: Sendable {
  private let count: Int
  private let window: Int
  private let work: @Sendable (Int, inout State) throws -> Output
  // Called by one thread at a time: whoever has set `isEmitting`.
  nonisolated(unsafe) private let emit: (Output) throws -> Void

  private let monitor = Monitor()
  // All of these only with the lock.
  nonisolated(unsafe) private var next = 0
  nonisolated(unsafe) private var emitted = 0
  nonisolated(unsafe) private var isEmitting = false
  nonisolated(unsafe) private var waiting: [Int: Output] = [:]
  /// What stopped the work; to be looked at when all threads have ended.
  nonisolated(unsafe) private(set) var error: (any Error)?

  init(
    count: Int, window: Int, _ work: @escaping @Sendable (Int, inout State) throws -> Output,
    _ emit: @escaping (Output) throws -> Void
  ) {
    self.count = count
    self.window = max(1, window)
    self.work = work
    self.emit = emit
  }

  /// Takes pieces until there are none, or something failed.
  func run(_ state: inout State) {
    monitor.lock()
    defer { monitor.unlock() }
    while error == nil && emitted < count {
      if !isEmitting, let output = waiting.removeValue(forKey: emitted) {
        isEmitting = true
        unlocked { try emit(output) }
        isEmitting = false
        emitted += 1
        monitor.wakeAll()
      } else if next < min(count, emitted + window) {
        let index = next
        next += 1
        if let output = unlocked({ try work(index, &state) }) { waiting[index] = output }
        // Another thread may be waiting for this very piece, to hand it on.
        if index == emitted { monitor.wakeAll() }
      } else {
        monitor.wait()
      }
    }
    monitor.wakeAll()
  }

  /// Runs `body` without the lock; keeps its error, if it is the first.
  private func unlocked<Result>(_ body: () throws -> Result) -> Result? {
    monitor.unlock()
    defer { monitor.lock() }
    do {
      return try body()
    } catch {
      monitor.lock()
      if self.error == nil { self.error = error }
      monitor.unlock()
      return nil
    }
  }
}

/// Memory that a thread uses again and again, so that the system need not clear new pages for
/// every piece. It grows when more is asked for.
package final class WorkBuffer {
  private var memory: UnsafeMutableRawBufferPointer

  package init(capacity: Int = 0) { memory = .allocate(byteCount: capacity, alignment: 64) }

  deinit { memory.deallocate() }

  /// The first `count` bytes. Nothing is known of them where more is asked for than before.
  package subscript(count: Int) -> UnsafeMutableRawBufferPointer {
    if count > memory.count {
      memory.deallocate()
      memory = .allocate(byteCount: count, alignment: 64)
    }
    return UnsafeMutableRawBufferPointer(rebasing: memory[..<count])
  }
}

/// Memory that goes from threads that fill it to one that empties it, and back.
package final class BytePool: Sendable {
  private let size: Int
  private let free = Mutex<[[UInt8]]>([])

  /// - Parameter size: how many bytes are mostly asked for at once, at most.
  package init(size: Int) { self.size = size }

  /// At least `count` bytes: zeros, or what somebody else has left in them.
  package func take(_ count: Int) -> [UInt8] {
    if let bytes = free.withLock({ $0.popLast() }), bytes.count >= count { return bytes }
    return [UInt8](repeating: 0, count: max(size, count))
  }

  /// Lets the next one use the bytes. Whoever holds them still keeps them.
  package func giveBack(_ bytes: [UInt8]) { free.withLock { $0.append(bytes) } }
}
