import Foundation
import ParticlesSystem
import ParticlesTestSupport
import Synchronization
import Testing

@testable import ParticlesCore

@Suite("Worker teams")
struct WorkerTeamTests {
  @Test(
    "every piece is done once, before run returns", arguments: [1, 2, 7], [false, true])
  func everyPiece(threads: Int, isLeavingLast: Bool) {
    let team = WorkerTeam(threads: threads)
    let counts = (0..<64).map { _ in Counter() }
    // Often, so that threads that arrive late at one work meet the next.
    for round in 1...2_000 {
      Workers.share(counts.count, on: team, leavingLast: isLeavingLast) { helper, next in
        while let piece = next() {
          if (0..<threads).contains(helper) { counts[piece].increment() }
        }
      }
      guard counts.allSatisfy({ $0.value == round }) else {
        Issue.record("round \(round): \(counts.map(\.value))")
        return
      }
    }
  }

  @Test("a team of one thread leaves all pieces to the caller", arguments: [-1, 0, 1])
  func single(threads: Int) {
    let team = WorkerTeam(threads: threads)
    var pieces: [Int] = []
    team.share(3, leavingLast: true) { helper, next in
      while let piece = next() { pieces.append(helper == 0 ? piece : -1) }
    }
    #expect(team.threads == 1 && pieces == [0, 1, 2])
  }

  @Test("the last piece of a thread at work is left to it on demand", arguments: [false, true])
  func lastPiece(isLeft: Bool) {
    let team = WorkerTeam(threads: 2)
    let counts = (0..<4).map { _ in Counter() }
    let begun = Counter()
    let thread = Atomic(-1)
    Workers.share(4, on: team, leavingLast: isLeft) { helper, next in
      while let piece = next() {
        // The first piece of the calling thread.
        while piece == 2, begun.value == 0 { sched_yield() }
        if piece == 0 {
          // The piece of the helper thread. It ends when the caller has done its own pieces, and the
          // last piece of this thread, if the caller takes that.
          begun.increment()
          let end = ContinuousClock.now + .milliseconds(isLeft ? 50 : 5_000)
          while ContinuousClock.now < end, counts[1].value == 0 { sched_yield() }
        }
        if piece == 1 { thread.store(helper, ordering: .relaxed) }
        counts[piece].increment()
      }
    }
    #expect(counts.map(\.value) == [1, 1, 1, 1])
    #expect(thread.load(ordering: .relaxed) == (isLeft ? 1 : 0))
  }

  @Test("a team that is at work already leaves other work to the caller")
  func nested() {
    let team = WorkerTeam(threads: 3)
    let counter = Counter()
    Workers.run(8, on: team) { _, _ in
      Workers.run(8, on: team) { _, _ in counter.increment() }
    }
    #expect(counter.value == 64)
  }

  @Test("several threads use a team")
  func shared() throws {
    let team = WorkerTeam(threads: 2)
    let counter = Counter()
    try Parallel.forEach(8, threads: 4, state: {}) { _, _ in
      for _ in 0..<200 { Workers.run(4, on: team) { _, _ in counter.increment() } }
    }
    #expect(counter.value == 8 * 200 * 4)
  }

  #if os(Linux)
    @Test("the threads of a team end with it")
    func end() throws {
      let seen = Lock(Set<String>())
      let deadline = ContinuousClock.now + .seconds(20)
      do {
        let team = WorkerTeam(threads: 3)
        while seen.withLock(\.count) < 2, ContinuousClock.now < deadline {
          Workers.run(30, on: team) { _, thread in
            if thread > 0, let task = try? Files.destination(ofLink: "/proc/thread-self") {
              seen.withLock { _ = $0.insert("/proc/\(task)") }
            }
            usleep(100)
          }
        }
      }
      let threads = seen.withLock(\.self)
      #expect(threads.count == 2)
      func areThere() throws -> Bool { try threads.contains { try Files.status($0) != nil } }
      while try areThere(), ContinuousClock.now < deadline { usleep(1_000) }
      #expect(try !areThere())
    }
  #endif

  @Test("work of Swift concurrency is waited for", arguments: [false, true])
  func blocking(fails: Bool) throws {
    let wait: @Sendable () async throws -> Int = {
      try await Task.sleep(for: .milliseconds(20))
      if fails { throw Diagnostic(.fileClosed) }
      return 5
    }
    if fails {
      expectThrows(.fileClosed) { try BlockingWait.run(wait) }
    } else {
      #expect(try BlockingWait.run(wait) == 5)
    }
  }
}

private final class Counter: Sendable {
  private let count = Atomic(0)
  var value: Int { count.load(ordering: .sequentiallyConsistent) }
  func increment() { count.add(1, ordering: .relaxed) }
}
