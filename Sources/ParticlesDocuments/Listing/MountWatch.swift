internal import ParticlesCore

/// Calls a closure when a file system is mounted or unmounted anywhere, by `/proc/self/mountinfo`.
package final class MountWatch: Sendable {
  private let watch: FolderWatch

  /// Begins to watch.
  /// - Parameters:
  ///   - seconds: the time between looks at the file, which takes less than a millisecond; 1 by default.
  ///   - change: called on the thread of all watches. It must not wait.
  /// - Throws: ``ParticlesCore/Rule/fileUnreadable`` if the system has no descriptors or threads left.
  package init(every seconds: Double = 1, _ change: @escaping @Sendable () -> Void) throws {
    let last = Lock(MountPoint.all())
    watch = try FolderWatch([], polling: true, every: seconds) {
      let now = MountPoint.all()
      let isOther = last.withLock { last in
        defer { last = now }
        return last != now
      }
      if isOther { change() }
    }
  }
}
