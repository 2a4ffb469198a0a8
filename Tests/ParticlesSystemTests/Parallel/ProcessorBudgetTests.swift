import ParticlesCore
import ParticlesTestSupport
import Testing

@testable import ParticlesSystem

@Suite("Processors and memory that the process may use")
struct ProcessorBudgetTests {
  /// A machine of 64 processors and 256 GiB.
  private let machine = ProcessorBudget(processors: 64, memory: 256 << 30)

  @Test(
    "a thread for each processor, and at most one for each 128 MiB",
    arguments: [
      (1, 1 << 40, 1), (16, 1 << 40, 16), (200, 1 << 40, 200), (16, 2 << 30, 16),
      (16, (2 << 30) - 1, 15), (16, 1 << 30, 8), (16, 1 << 20, 1), (16, 0, 1),
    ])
  func threads(processors: Int, memory: Int, expected: Int) {
    #expect(ProcessorBudget(processors: processors, memory: memory).threads == expected)
  }

  @Test(
    "control groups limit processors and memory",
    arguments: [
      Case("nothing can be read", nil, [:], nil, nil),
      Case(
        "version 2", "0::/build",
        ["build/cpu.max": "350000 100000\n", "build/memory.max": "1073741824\n"], 4, 1 << 30),
      Case("a part of a processor", "0::/", ["cpu.max": "1000 100000"], 1, nil),
      Case("whole processors", "0::/", ["cpu.max": "300000 100000"], 3, nil),
      Case("without limits", "0::/", ["cpu.max": "max 100000", "memory.max": "max"], nil, nil),
      Case(
        "the tightest of the groups that the process is in", "0::/a/b/c",
        [
          "a/cpu.max": "200000 100000", "a/b/cpu.max": "800000 100000",
          "a/b/c/cpu.max": "max 100000", "a/b/c/memory.max": "4096", "memory.max": "1024",
          "a/memory.max": "8192", "other/cpu.max": "1 1",
        ], 2, 1024),
      Case(
        "version 1", "7:memory:/docker/1f\n4:cpu,cpuacct:/docker/1f\n1:name=systemd:/docker/1f",
        [
          "cpu/docker/1f/cpu.cfs_quota_us": "150000", "cpu/docker/1f/cpu.cfs_period_us": "50000",
          "memory/docker/1f/memory.limit_in_bytes": "536870912",
          "memory/memory.limit_in_bytes": "9223372036854771712",
        ], 3, 512 << 20),
      Case(
        "version 1 without limits", "4:cpu:/a",
        ["cpu/a/cpu.cfs_quota_us": "-1", "cpu/a/cpu.cfs_period_us": "100000"], nil, nil),
      Case(
        "both versions", "4:cpu:/a\n0::/b",
        ["unified/b/memory.max": "2048", "unified/b/cpu.max": "500000 100000"], 5, 2048),
      Case("a hierarchy that is not visible", "0::/../b", ["cpu.max": "200000 100000"], 2, nil),
      Case(
        "texts that are not understood", "0::/a\n0:\n:::\nx",
        ["a/cpu.max": "many", "a/memory.max": "1 GiB", "cpu.max": "0 0", "memory.max": "-5"], nil,
        nil),
    ])
  func groups(example: Case) throws {
    let scratch = try Scratch()
    try scratch.write(example)
    let budget = machine.limited(byGroupsIn: scratch.path)
    #expect(budget.processors == example.processors ?? machine.processors)
    #expect(budget.memory == example.memory ?? machine.memory)
  }

  @Test("no more than 16 KiB, 64 hierarchies and 32 folders are read")
  func bounds() throws {
    let quota = "200000 100000"
    let deep = "/" + (0..<200).map { "\($0)" }.joined(separator: "/")
    for (line, file, isRead) in [
      (deep, deep + "/cpu.max", true), (deep, "/cpu.max", true), (deep, "/0/1/cpu.max", false),
      (String(repeating: "\n", count: 16 << 10) + "0::/", "/cpu.max", false),
      (String(repeating: "1:x:/\n", count: 64) + "0::/", "/cpu.max", false),
      (String(repeating: "1:x:/\n", count: 63) + "0::/", "/cpu.max", true),
    ] {
      let scratch = try Scratch()
      try scratch.write(
        Case("", line == deep ? "0::" + deep : line, [String(file.dropFirst()): quota], nil, nil))
      let budget = machine.limited(byGroupsIn: scratch.path)
      #expect(budget.processors == (isRead ? 2 : 64), "\(file)")
    }
  }

  @Test("the default number of threads is that of this process")
  func current() {
    let budget = ProcessorBudget.current
    #expect((1...SystemCalls.processorCount).contains(budget.processors))
    #expect((1...SystemCalls.memorySize).contains(budget.memory))
    #expect(Parallel.defaultThreads == budget.threads)
  }

  struct Case: CustomTestStringConvertible {
    var testDescription: String
    /// The text of `/proc/self/cgroup`, or nil if there is no such file.
    var membership: String?
    /// Texts by path in `/sys/fs/cgroup`.
    var files: [String: String]
    var processors, memory: Int?

    init(
      _ name: String, _ membership: String?, _ files: [String: String], _ processors: Int?,
      _ memory: Int?
    ) {
      (testDescription, self.membership, self.files) = (name, membership, files)
      (self.processors, self.memory) = (processors, memory)
    }
  }
}

extension Scratch {
  /// Writes the files that Linux has about control groups.
  fileprivate func write(_ example: ProcessorBudgetTests.Case) throws {
    if let membership = example.membership {
      try Files.makeDirectories(file("proc/self"))
      try Files.create(file("proc/self/cgroup"), Array(membership.utf8))
    }
    for (path, text) in example.files {
      let path = file("sys/fs/cgroup/" + path)
      try Files.makeDirectories(Files.folder(of: path))
      try Files.create(path, Array(text.utf8))
    }
  }
}
