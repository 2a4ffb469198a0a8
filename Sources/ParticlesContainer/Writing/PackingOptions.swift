internal import ParticlesCore

extension Container {
  /// How to do a long piece of work on a package.
  public struct WorkOptions: Sendable {
    /// The most threads to use, the calling one included; by default as many as run at once, and at
    /// most 8. Less than one counts as one, and little work is done by one anyway.
    public var threads: Int

    /// Called with the number of bytes that have been dealt with and the number of all, which is
    /// more than 0; from any thread, but never from two at once. Bytes count as they are unpacked,
    /// but for ``ContainerReader/verify(_:work:)``, which counts those of the file.
    public var progress: (@Sendable (_ done: Int, _ total: Int) -> Void)?

    /// Creates options; nil stands for the default.
    public init(
      threads: Int? = nil, progress: (@Sendable (_ done: Int, _ total: Int) -> Void)? = nil
    ) {
      self.threads = threads ?? Parallel.defaultThreads
      self.progress = progress
    }
  }

  /// How to pack.
  public struct PackingOptions: Sendable {
    /// How small to make it. Every level is read equally well.
    public var level: CompressionLevel

    /// Whether blocks that a package has already, and that would be cut the same way, are copied as
    /// they are instead of being compressed again. The result is the same if that package was
    /// packed at the same level by the same version.
    public var reusesBlocks: Bool

    /// Threads and progress.
    public var work: WorkOptions

    /// Creates options; without arguments the defaults.
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

/// What the threads of a piece of work have in common: how many they are, and whether to go on.
struct SharedWork: Sendable {
  /// Below this much work, starting a thread costs more than it brings.
  private static let smallWork = 256 << 10

  let threads: Int
  private let total: Int
  private let progress: (@Sendable (Int, Int) -> Void)?

  /// - Parameter total: the bytes that there are to deal with.
  init(total: Int, _ options: WorkOptions) {
    self.total = total
    threads = total < Self.smallWork ? 1 : max(1, options.threads)
    progress = options.progress
  }

  /// Throws `CancellationError` if the task that the work is done for was cancelled. That shows on
  /// the thread that began the work and takes part in it; the others belong to no task.
  func checkCancellation() throws { try Task.checkCancellation() }

  func report(_ done: Int) { progress?(done, total) }
}
