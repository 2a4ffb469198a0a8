internal import ParticlesPlatform

/// Calls a closure when something changes in one of some folders. Where the system cannot watch folders, or has no
/// watch left, the closure is called at intervals.
package final class FolderWatch: Sendable {
  private let watch: CInt
  private let stop: (read: CInt, write: CInt)

  /// Whether the system reports changes; if not, the closure is called every ``interval``.
  package var isNotified: Bool { watch >= 0 }

  /// The seconds between calls where the system does not report changes.
  package static let interval = 2.0

  /// How long nothing may happen before the closure is called, in milliseconds; programs change files in
  /// several steps.
  private static let quiet: CInt = 30

  /// Begins to watch on a thread of its own.
  /// - Parameters:
  ///   - isPolling: whether to look at intervals even if the system can watch; for tests.
  ///   - change: called on that thread, never twice at once.
  /// - Throws: ``Rule/fileUnreadable`` if the system has no descriptors or threads left.
  package init(
    _ folders: [String], polling isPolling: Bool = false, every seconds: Double = interval,
    _ change: @escaping @Sendable () -> Void
  ) throws {
    var ends: [CInt] = [0, 0]
    let folder = folders.first ?? "."
    try SystemError.check(folder, writing: false) { pipe(&ends) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var watch: CInt = -1
    for folder in folders where !isPolling {
      let added = SystemCalls.watchFolder(watch, folder)
      if added >= 0 { watch = added }
    }
    let started = SystemThread { [watch, end = ends[0]] in
      Self.run(watch, stop: end, milliseconds: CInt(1000 * seconds), change)
      if watch >= 0 { close(watch) }
      close(end)
    }
    self.watch = watch
    stop = (ends[0], ends[1])
    guard let started else {
      if watch >= 0 { close(watch) }
      close(ends[0])
      throw SystemError.diagnostic(EAGAIN, folder, writing: false)
    }
    started.detach()
  }

  /// Ends the thread; a call that is running ends later.
  deinit { close(stop.write) }

  private static func run(
    _ watch: CInt, stop: CInt, milliseconds: CInt, _ change: @Sendable () -> Void
  ) {
    while true {
      let event = SystemCalls.waitForEvent(watch, stop, milliseconds: watch < 0 ? milliseconds : -1)
      if event == 2 || event < 0 { return }
      // The rest of a change that takes several steps, but no endless wait for a busy folder.
      for _ in 0..<20 where watch >= 0 {
        let more = SystemCalls.waitForEvent(watch, stop, milliseconds: quiet)
        if more == 2 || more < 0 { return }
        if more == 0 { break }
      }
      change()
    }
  }
}

extension OpenFile {
  /// The path that the open file has now, after renames; nil if it was deleted, or if the system does not
  /// tell.
  package var currentPath: String? {
    #if canImport(Darwin)
      var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
      guard fcntl(descriptor, F_GETPATH, &buffer) == 0 else { return nil }
      let bytes = buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
      let path = String(decoding: bytes, as: UTF8.self)
    #else
      guard let path = try? Files.destination(ofLink: "/proc/self/fd/\(descriptor)") else {
        return nil
      }
    #endif
    guard let identity = try? status().state.identity,
      (try? Files.status(path))?.state.identity == identity
    else { return nil }
    return path
  }

  /// Opens a file or folder to follow it through renames. It is not read.
  package static func following(_ path: String) throws -> OpenFile {
    #if canImport(Darwin)
      let flags = O_EVTONLY | O_CLOEXEC
    #else
      let flags = CInt(O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    #endif
    let descriptor = try SystemError.check(path, writing: false) { open(path, flags) }
    return OpenFile(path: path, descriptor: descriptor)
  }
}
