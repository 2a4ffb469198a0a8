import Synchronization
import Testing

@testable import ParticlesCore

@Suite("Worker teams")
struct WorkerTeamTests {
  @Test("every piece is done once, before run returns", arguments: [1, 2, 7])
  func everyPiece(threads: Int) {
    let team = WorkerTeam(threads: threads)
    let counts = (0..<64).map { _ in Counter() }
    // Often, so that threads that arrive late at one work meet the next.
    for round in 1...2_000 {
      WorkerTeam.run(counts.count, on: team) { piece, thread in
        if (0..<threads).contains(thread) { counts[piece].increment() }
      }
      guard counts.allSatisfy({ $0.value == round }) else {
        Issue.record("round \(round): \(counts.map(\.value))")
        return
      }
    }
  }

  @Test("a team that is at work already leaves other work to the caller")
  func nested() {
    let team = WorkerTeam(threads: 3)
    let counter = Counter()
    WorkerTeam.run(8, on: team) { _, _ in
      WorkerTeam.run(8, on: team) { _, _ in counter.increment() }
    }
    #expect(counter.value == 64)
  }

  @Test("several threads use a team")
  func shared() throws {
    let team = WorkerTeam(threads: 2)
    let counter = Counter()
    try Parallel.forEach(8, threads: 4, state: {}) { _, _ in
      for _ in 0..<200 { WorkerTeam.run(4, on: team) { _, _ in counter.increment() } }
    }
    #expect(counter.value == 8 * 200 * 4)
  }
}

private final class Counter: Sendable {
  private let count = Atomic(0)
  var value: Int { count.load(ordering: .sequentiallyConsistent) }
  func increment() { count.add(1, ordering: .relaxed) }
}
