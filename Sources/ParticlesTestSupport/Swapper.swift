internal import Foundation
internal import ParticlesCore
internal import ParticlesSystem
internal import Synchronization

/// Swaps two things until it is told to stop.
package final class Swapper: Sendable {
  private let isDone = Atomic(false)
  private let count = Atomic(0)
  private let ended = DispatchSemaphore(value: 0)

  package init(_ a: String, _ b: String) {
    // A dedicated thread, because the threads of the queues may all be busy with other tests.
    let thread = Thread { [self] in
      while !isDone.load(ordering: .relaxed) {
        if (try? Files.swap(a, b)) == true { count.add(1, ordering: .relaxed) }
      }
      ended.signal()
    }
    thread.start()
  }

  /// The number of swaps so far.
  package var swaps: Int { count.load(ordering: .relaxed) }

  /// Stops and returns the number of swaps.
  package func stop() -> Int {
    isDone.store(true, ordering: .relaxed)
    ended.wait()
    return swaps
  }
}
