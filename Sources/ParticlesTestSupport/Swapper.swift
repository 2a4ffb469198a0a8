internal import Dispatch
internal import ParticlesCore
internal import Synchronization

/// Swaps two things until it is told to stop.
package final class Swapper: Sendable {
  private let isDone = Atomic(false)
  private let count = Atomic(0)
  private let ended = DispatchSemaphore(value: 0)

  package init(_ a: String, _ b: String) {
    DispatchQueue.global().async { [self] in
      while !isDone.load(ordering: .relaxed) {
        if (try? Files.swap(a, b)) == true { count.add(1, ordering: .relaxed) }
      }
      ended.signal()
    }
  }

  /// Stops, and returns how often it has swapped.
  package func stop() -> Int {
    isDone.store(true, ordering: .relaxed)
    ended.wait()
    return count.load(ordering: .relaxed)
  }
}
