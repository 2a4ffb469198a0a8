internal import ParticlesPlatform

/// How many processors and how much memory the process may use, which decides the number of threads that share
/// long work.
package struct ProcessorBudget: Sendable, Equatable {
  /// The number of processors, at least 1.
  package var processors: Int
  /// Bytes of memory.
  package var memory: Int

  /// The memory that is planned for each thread: 128 MiB. The largest picture within the standard limits takes
  /// as much, most other work takes less than 20 MiB.
  package static let memoryOfThread = 128 << 20

  /// One thread for each processor, and at most one for each ``memoryOfThread``; at least 1.
  package var threads: Int { max(1, min(processors, memory / Self.memoryOfThread)) }

  /// Creates a budget.
  package init(processors: Int, memory: Int) {
    (self.processors, self.memory) = (processors, memory)
  }

  /// The budget of this process. Control groups are not read where there is one processor anyway.
  static var current: ProcessorBudget {
    let all = ProcessorBudget(
      processors: SystemCalls.processorCount, memory: SystemCalls.memorySize)
    return all.processors == 1 ? all : all.limited()
  }

  /// The same with the limits of the control groups of Linux, of version 1 and 2: quotas of processors, rounded up,
  /// and limits of memory. Files that cannot be read, or are not understood, limit nothing.
  ///
  /// Reads no more than 16 KiB of a file, 64 hierarchies, and 32 folders of each.
  /// - Parameter root: the folder that contains `proc` and `sys`; by default that of the system.
  package func limited(byGroupsIn root: String = "") -> ProcessorBudget {
    var budget = self
    let groups = root + "/sys/fs/cgroup"
    // 0::/system.slice/build.service
    // 4:cpu,cpuacct:/docker/1f3b
    for line in Self.text(root + "/proc/self/cgroup").split(separator: "\n").prefix(64) {
      let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3 else { continue }
      let controllers = parts[1].split(separator: ",")
      for folder in Self.folders(of: parts[2]) {
        if controllers.isEmpty {
          // Beside hierarchies of version 1, that of version 2 has a folder of its own.
          for base in [groups, groups + "/unified"] {
            budget.limit(toQuota: Self.numbers(base + folder + "/cpu.max"))
            budget.limit(toMemory: Self.numbers(base + folder + "/memory.max"))
          }
        }
        if controllers.contains("cpu") {
          let quota = ["quota", "period"].flatMap {
            Self.numbers(groups + "/cpu" + folder + "/cpu.cfs_\($0)_us")
          }
          budget.limit(toQuota: quota)
        }
        if controllers.contains("memory") {
          budget.limit(
            toMemory: Self.numbers(groups + "/memory" + folder + "/memory.limit_in_bytes"))
        }
      }
    }
    return budget
  }

  /// - Parameter quota: microseconds of processors, and of the period in which they may be used; other numbers,
  ///   such as none for `max` and -1, are no quota.
  private mutating func limit(toQuota quota: [Int]) {
    guard quota.count == 2, quota[0] > 0, quota[1] > 0 else { return }
    processors = min(processors, (quota[0] - 1) / quota[1] + 1)
  }

  /// - Parameter bytes: one number; others, such as none for `max`, are no limit.
  private mutating func limit(toMemory bytes: [Int]) {
    if bytes.count == 1, bytes[0] > 0 { memory = min(memory, bytes[0]) }
  }

  /// The folders of a group and of those that it is in, the innermost first. A path that leaves the visible
  /// hierarchy (`/../other`) has the outermost one.
  private static func folders(of group: Substring) -> [String] {
    var names = group.split(separator: "/")
    var folders: [String] = []
    while !names.isEmpty, folders.count < 31, !names.contains("..") {
      folders.append("/" + names.joined(separator: "/"))
      names.removeLast()
    }
    return folders + [""]
  }

  /// The numbers of the first line of a file; none if one of its words is no number.
  private static func numbers(_ path: String) -> [Int] {
    let words = (text(path).split(separator: "\n").first ?? "").split(separator: " ")
    let numbers = words.compactMap { Int($0) }
    return numbers.count == words.count ? numbers : []
  }

  /// The first 16 KiB of a file; empty if it cannot be read. Such a file is no document: the places that the
  /// thread is bound to do not matter.
  private static func text(_ path: String) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    return String(unsafeUninitializedCapacity: 16 << 10) { buffer in
      max(0, read(descriptor, buffer.baseAddress, buffer.count))
    }
  }
}
