import ParticlesCore
import ParticlesTestSupport
import Testing

@Suite("The budget of an operation")
struct WorkBudgetTests {
  private func limits(work: Int = .max, memory: Int = .max) -> Limits {
    var limits = Limits()
    (limits.work, limits.memory) = (work, memory)
    return limits
  }

  @Test("work beyond the limit is refused with its name, before it begins")
  func work() throws {
    var parts = 0
    let fault = expectThrows(.limit) {
      try WorkBudget.run(limits(work: 10)) {
        for _ in 0..<5 {
          try WorkBudget.spend(work: 4, on: "emitters", at: .key("a"))
          parts += 1
        }
      }
    }
    #expect(parts == 2)
    #expect(fault?.expected == "at most 10" && fault?.found == "12")
    #expect(fault?.message.contains("emitters (limit 'work')") == true)
    #expect(fault?.location == .key("a"))
  }

  @Test("memory beyond the limit is refused with its name")
  func memory() throws {
    let fault = expectThrows(.limit) {
      try WorkBudget.run(limits(memory: 100)) {
        try WorkBudget.spend(work: 1, memory: 100, on: "images")
        try WorkBudget.spend(work: 1, memory: 1, on: "images")
      }
    }
    #expect(fault?.message.contains("(limit 'memory')") == true)
  }

  @Test("parts share the work of the whole, and give their memory back")
  func parts() throws {
    try WorkBudget.run(limits(work: 100, memory: 100)) {
      for _ in 0..<4 {
        // The limits of a part do not replace the limits of the whole.
        try WorkBudget.run(limits()) { try WorkBudget.spend(work: 25, memory: 90, on: "parts") }
        #expect(WorkBudget.memory == 0)
      }
      #expect(WorkBudget.work == 100)
      expectThrows(.limit) {
        try WorkBudget.run(limits()) { try WorkBudget.spend(work: 1, on: "one more") }
      }
    }
  }

  @Test("sums do not overflow, and outside of an operation nothing is counted")
  func extremes() throws {
    #expect(throws: Never.self) { try WorkBudget.spend(work: .max, memory: .max, on: "all") }
    #expect((WorkBudget.work, WorkBudget.memory) == (0, 0))
    let fault = expectThrows(.limit) {
      try WorkBudget.run(limits(work: .max - 1)) {
        try WorkBudget.spend(work: .max - 1, on: "all")
        try WorkBudget.spend(work: .max, on: "more")
      }
    }
    #expect(fault?.found == "\(Int.max)")
  }

  @Test("values of a file pay while they are read, and end with the task")
  func values() async throws {
    let bytes = Array(("[" + String(repeating: "0,", count: 4_000) + "0]").utf8)
    try WorkBudget.run(limits()) {
      _ = try JSONValue(parsing: bytes)
      #expect(WorkBudget.work == 3 * 128 && WorkBudget.memory == 3 * 1024 * 48)
    }
    let fault = expectThrows(.limit) {
      try WorkBudget.run(limits(memory: 100_000)) { try JSONValue(parsing: bytes) }
    }
    #expect(fault?.message.contains("(limit 'memory')") == true)
    #expect(fault?.location == .offset(6_141))
    #expect(WorkBudget.left == nil)
    try WorkBudget.run(limits(work: 10)) {
      try WorkBudget.spend(work: 4, on: "a part")
      #expect(WorkBudget.left == 6)
    }
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      _ = expectThrows(.limit) { try JSONValue(parsing: bytes) }
      return try WorkBudget.run(limits()) { try JSONValue(parsing: bytes) }
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { _ = try await task.value }
  }

  @Test("a cancelled task is stopped where it pays")
  func cancellation() async {
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      try WorkBudget.run(.standard) { try WorkBudget.spend(work: 1, on: "nothing") }
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    let alone = Task {
      while !Task.isCancelled { await Task.yield() }
      try WorkBudget.spend(work: 1, on: "nothing")
    }
    alone.cancel()
    await #expect(throws: CancellationError.self) { try await alone.value }
  }

  @Test("work alone takes no memory")
  func workAlone() throws {
    try WorkBudget.run(limits()) {
      try WorkBudget.spend(work: 3, on: "parts")
      #expect((WorkBudget.work, WorkBudget.memory) == (3, 0))
    }
  }
}
