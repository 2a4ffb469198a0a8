internal import ParticlesCore
internal import ParticlesPlatform

/// Runs numbered pieces of work on several threads.
///
/// The calling thread takes part, so with one thread no other is started. The first error stops the
/// work and is thrown when all threads have ended.
package enum Parallel {
  /// The default number of threads: one for each processor that the process may use (one with `taskset -c 0`),
  /// and at most one for each 128 MiB of memory that it may use. See ``ProcessorBudget``.
  package static let defaultThreads = ProcessorBudget.current.threads

  /// Releases a value on another thread. Closing the last descriptor of a large deleted file takes
  /// time, which the caller does not wait for.
  package static func release(_ value: consuming some Sendable) {
    SystemThread { [value] in withExtendedLifetime(value) {} }?.detach()
  }

  /// Runs `count` pieces in any order.
  /// - Parameters:
  ///   - state: creates the private state of a thread, such as buffers.
  ///   - work: runs a piece.
  package static func forEach<State>(
    _ count: Int, threads: Int? = nil, state: @Sendable () -> State,
    work: @Sendable (Int, inout State) throws -> Void
  ) throws {
    try ordered(count, threads: threads, window: count, state: state, work: work) { _ in }
  }

  /// Runs `count` pieces in any order and passes their results on in order.
  /// - Parameters:
  ///   - window: the number of pieces that may be ahead of the next result.
  ///   - state: creates the private state of a thread, such as buffers.
  ///   - work: runs a piece.
  ///   - emit: receives the results in order, one at a time, on any of the threads.
  package static func ordered<State, Output: Sendable>(
    _ count: Int, threads: Int? = nil, window: Int? = nil,
    state: @Sendable () -> State, work: @Sendable (Int, inout State) throws -> Output,
    emit: (Output) throws -> Void
  ) throws {
    // One piece does not need the system calls that count the processors.
    let threads = count <= 1 ? 1 : max(1, min(threads ?? defaultThreads, count))
    guard threads > 1 else {
      var own = state()
      for index in 0..<count {
        guard count > 1 else {
          try emit(try work(index, &own))
          return
        }
        var output: Result<Output, any Error>?
        Workers.alone { output = Result { try work(index, &own) } }
        if let output { try emit(output.get()) }
      }
      return
    }
    // So that the program does not depend on the folder of the build, see ``WorkerTeam``.
    #sourceLocation(file:"Parallel",line:1)
    try withoutActuallyEscaping(emit) { emit in
      try withoutActuallyEscaping(state) { state in
        try withoutActuallyEscaping(work) { work in
          let job = OrderedJob(count: count, window: window ?? threads * 4, work, emit)
          let places = Places.current
          let others = (1..<threads).compactMap { _ in
            SystemThread {
              Places.run(within: places) {
                var own = state()
                job.run(&own)
              }
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
  #sourceLocation()
}

/// The shared state of the threads of ``Parallel/ordered``.
private final class OrderedJob<State, Output: Sendable>: Sendable {
  private let count: Int
  private let window: Int
  private let work: @Sendable (Int, inout State) throws -> Output
  // Called by one thread at a time, namely the thread that has set `isEmitting`.
  nonisolated(unsafe) private let emit: (Output) throws -> Void

  private let monitor = ConditionLock()
  // Protected by `monitor`.
  nonisolated(unsafe) private var next = 0
  nonisolated(unsafe) private var emitted = 0
  nonisolated(unsafe) private var isEmitting = false
  nonisolated(unsafe) private var waiting: [Int: Output] = [:]
  /// The first error. Read it only when all threads have ended.
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

  /// Runs pieces until none is left or one has failed.
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
        // Another thread may be waiting to emit this piece.
        if index == emitted { monitor.wakeAll() }
      } else {
        monitor.wait()
      }
    }
    monitor.wakeAll()
  }

  /// Runs `body` without the lock and stores its error if it is the first one.
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

/// Runs work that takes long beside the tasks of Swift, of which there are as few as processors. The cancellation of the
/// task that waits for it stops it, where it looks.
package actor BackgroundWork {
  private let queue: FileQueue

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    queue.asUnownedSerialExecutor()
  }

  /// - Parameter places: the places that its work does not leave, or nil if it is not bound.
  package init(within places: Places? = nil) { queue = FileQueue(within: places) }

  package func run<Value: Sendable>(_ body: @Sendable () throws -> Value) throws -> Value {
    try body()
  }
}

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

  /// One thread for each processor, and at most one for each ``memoryOfThread``, but at least 1.
  package var threads: Int { max(1, min(processors, memory / Self.memoryOfThread)) }

  package init(processors: Int, memory: Int) {
    (self.processors, self.memory) = (processors, memory)
  }

  /// The budget of this process. Control groups are not read where there is one processor anyway.
  static var current: ProcessorBudget {
    let all = ProcessorBudget(
      processors: SystemCalls.processorCount, memory: SystemCalls.memorySize)
    return all.processors == 1 ? all : all.limited()
  }

  /// This budget, lowered to the limits of Linux control groups of version 1 and 2. Quotas of processors are
  /// rounded up, and memory is limited. Files that cannot be read or understood limit nothing.
  ///
  /// Reads no more than 16 KiB of a file, 64 hierarchies, and 32 folders of each.
  /// - Parameter root: the folder that contains `proc` and `sys`. By default, the root of the system.
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
          // Beside hierarchies of version 1, the hierarchy of version 2 has its own folder.
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

  /// - Parameter quota: microseconds of processors, and of the period in which they may be used. Anything else,
  ///   for example `max` or -1, is no quota.
  private mutating func limit(toQuota quota: [Int]) {
    guard quota.count == 2, quota[0] > 0, quota[1] > 0 else { return }
    processors = min(processors, (quota[0] - 1) / quota[1] + 1)
  }

  /// - Parameter bytes: one number. Anything else, for example `max`, is no limit.
  private mutating func limit(toMemory bytes: [Int]) {
    if bytes.count == 1, bytes[0] > 0 { memory = min(memory, bytes[0]) }
  }

  /// The folders of a group and of its enclosing groups, innermost first. A path that leaves the visible
  /// hierarchy (`/../other`) gives only the outermost folder.
  private static func folders(of group: Substring) -> [String] {
    var names = group.split(separator: "/")
    var folders: [String] = []
    while !names.isEmpty, folders.count < 31, !names.contains("..") {
      folders.append("/" + names.joined(separator: "/"))
      names.removeLast()
    }
    return folders + [""]
  }

  /// The numbers of the first line of a file, or none if a word of this line is not a number.
  private static func numbers(_ path: String) -> [Int] {
    let words = (text(path).split(separator: "\n").first ?? "").split(separator: " ")
    let numbers = words.compactMap { Int($0) }
    return numbers.count == words.count ? numbers : []
  }

  /// The first 16 KiB of a file, or nothing if it cannot be read. Such a file is not a document, so the
  /// places that the thread is bound to do not matter.
  private static func text(_ path: String) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    return String(unsafeUninitializedCapacity: 16 << 10) { buffer in
      max(0, read(descriptor, buffer.baseAddress, buffer.count))
    }
  }
}
