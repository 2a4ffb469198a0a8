package import ParticlesCore

extension Container {
  /// Threads and progress of a long operation.
  public struct WorkOptions: Sendable {
    /// The maximum number of threads, the calling thread included. Default: one for each processor that the process may
    /// use, and at most one for each 128 MiB of memory that it may use. Values below one count as one. Small work is
    /// done by one thread.
    public var threads: Int

    /// Called with the number of bytes processed so far and the total, a number greater than 0. Called on any thread,
    /// but never on two at once. Counts unpacked bytes, except in ``ContainerReader/verify(_:work:)``, which counts
    /// bytes of the file.
    public var progress: (@Sendable (_ done: Int, _ total: Int) -> Void)?

    /// Creates options. Nil means the default.
    public init(
      threads: Int? = nil, progress: (@Sendable (_ done: Int, _ total: Int) -> Void)? = nil
    ) {
      self.threads = threads ?? Parallel.defaultThreads
      self.progress = progress
    }
  }

  /// How to write a flat package.
  public struct PackingOptions: Sendable {
    /// The compression level. Default: `standard`.
    public var level: CompressionLevel

    /// Whether existing blocks of an open package with equal boundaries are copied instead of being compressed again.
    /// Default: false. The bytes are then identical if that package was packed at this level and version.
    public var reusesBlocks: Bool

    /// Threads and progress.
    public var work: WorkOptions

    /// Whether to wait until everything has reached the disk. Default: true. If not, a loss of power soon afterwards
    /// may leave a damaged package, even in place of a replaced package.
    public var synchronizing = true

    /// Creates options that wait for the disk.
    public init(
      level: CompressionLevel = .standard, reusesBlocks: Bool = false,
      work: WorkOptions = WorkOptions()
    ) {
      self.level = level
      self.reusesBlocks = reusesBlocks
      self.work = work
    }
  }
}

/// The state that the threads of an operation share: their number, cancellation and progress.
package struct SharedWork: Sendable {
  /// Below this many bytes, starting a thread costs more than it saves.
  private static let smallWork = 256 << 10

  package let threads: Int
  private let total: Int
  private let progress: (@Sendable (Int, Int) -> Void)?

  /// - Parameter total: the number of bytes to process.
  package init(total: Int, _ options: WorkOptions) {
    self.total = total
    threads = total < Self.smallWork ? 1 : max(1, options.threads)
    progress = options.progress
  }

  /// Throws `CancellationError` if the current task was cancelled. Only the thread that began the work belongs to the
  /// task. Other threads never throw here, and may have done all remaining work. So the first thread checks again when
  /// everything is done.
  package func checkCancellation() throws(Failure) { try WorkBudget.checkCancellation() }

  package func report(_ done: Int) { progress?(done, total) }
}

extension Container {
  /// The compression of a flat package. Every reader reads every level.
  public enum CompressionLevel: String, Sendable, CaseIterable {
    /// A third faster than `standard`, 7 % larger.
    case fast
    /// The default.
    case standard
    /// About 4 % smaller than `standard`, ten to twenty times slower.
    case best

    /// The level of libdeflate.
    var deflateLevel: Int {
      switch self {
      case .fast: 1
      case .standard: 5
      case .best: 12
      }
    }
  }
}
