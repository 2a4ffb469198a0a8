internal import ParticlesCore
internal import ParticlesPlatform

/// Calls a closure when something changes in any of several folders. Where the system cannot watch folders, or has
/// no watch left, the closure is called at intervals. All watches of a process share a thread.
package final class FolderWatch: Sendable {
  private let thread: WatchThread
  private let number: Int

  /// Whether the system reports changes. If not, the closure is called every ``interval``.
  package let isNotified: Bool

  /// The seconds between calls where the system does not report changes.
  package static let interval = 2.0

  /// Begins to watch.
  /// - Parameters:
  ///   - folders: folders of which everything counts.
  ///   - item: the path of an item in another folder, whose other items do not count.
  ///   - isPolling: for tests, whether to look at intervals even if the system can watch.
  ///   - change: called on the thread of all watches, never twice at once. It must not wait.
  /// - Throws: ``Rule/fileUnreadable`` if the system has no descriptors or threads left.
  package convenience init(
    _ folders: [String], item: String? = nil, polling isPolling: Bool = false,
    every seconds: Double = interval, _ change: @escaping @Sendable () -> Void
  ) throws {
    try self.init(folders, item: item, polling: isPolling, every: seconds, names: { _ in change() })
  }

  /// Begins to watch, and reports the names of changed items.
  /// - Parameter change: gets the changed names in any of the folders. It gets nil if they are unknown: the folder
  ///   itself was moved or removed, more than 1,024 names changed, events were lost, or the system does not report
  ///   changes. It is called as in ``init(_:item:polling:every:_:)``.
  package init(
    _ folders: [String], item: String? = nil, polling isPolling: Bool = false,
    every seconds: Double = interval, names change: @escaping @Sendable (Set<String>?) -> Void
  ) throws {
    thread = try WatchThread.current(item ?? folders.first ?? ".")
    var places = folders.map { WatchThread.Place(folder: $0, name: nil) }
    if let item {
      places.append(.init(folder: Files.folder(of: item), name: Files.lastComponent(of: item)))
    }
    (number, isNotified) = thread.add(isPolling ? [] : places, every: seconds, change)
  }

  /// Ends watching. A call that is running ends later.
  deinit { thread.remove(number) }
}

/// The thread that watches folders for a process, with one watch of the system.
private final class WatchThread: Sendable {
  struct Place {
    var folder: String
    /// The only name that counts, or nil for all.
    var name: String?
  }

  /// A watch of ``FolderWatch``.
  private struct Watch: Sendable {
    var change: @Sendable (Set<String>?) -> Void
    /// The names that have changed since the last call, or nil if they are unknown.
    var names: Set<String>? = []
    /// The numbers of its folders, with the key of the name that counts.
    var places: [(folder: CInt, key: String?)] = []
    /// The seconds between calls, or nil if the system reports changes.
    var interval: Double?
    /// When it is called, or nil if nothing has happened.
    var due: Double?
    /// When it is called even if more happens.
    var latest = 0.0

    /// Notes the name of a changed item, or nil if it has no name.
    mutating func note(_ name: String?, most: Int) {
      guard let name, (names?.count ?? most) < most else { return names = nil }
      names?.insert(name)
    }
  }

  /// A folder of the system.
  private struct Folder: Sendable {
    var all: Set<Int> = []
    var named: [String: Set<Int>] = [:]
  }

  private struct State: Sendable {
    var watches: [Int: Watch] = [:]
    var folders: [CInt: Folder] = [:]
    /// The watches that will be called.
    var waiting: Set<Int> = []
    var next = 0
  }

  private static let shared = Lock<WatchThread?>(nil)

  /// How many seconds must pass without a change before a closure is called, and its longest delay:
  /// programs change files in several steps.
  private static let (quiet, longest) = (0.03, 0.6)

  /// The greatest number of names that a closure gets.
  private static let mostNames = 1024

  /// The watch of the system, negative if there is none.
  private let watch: CInt
  private let wake: (read: CInt, write: CInt)
  private let state = Lock(State())

  /// The thread of this process.
  /// - Parameter path: the path for messages.
  static func current(_ path: String) throws -> WatchThread {
    try shared.withLock { shared in
      if let shared { return shared }
      let new = try WatchThread(path)
      guard let thread = SystemThread({ new.run() }) else {
        new.end()
        throw SystemError.diagnostic(EAGAIN, path, writing: false)
      }
      thread.detach()
      shared = new
      return new
    }
  }

  private init(_ path: String) throws {
    var ends: [CInt] = [0, 0]
    try SystemError.check(path, writing: false) { pipe(&ends) }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    wake = (ends[0], ends[1])
    watch = SystemCalls.createWatch()
  }

  private func end() {
    if watch >= 0 { close(watch) }
    close(wake.read)
    close(wake.write)
  }

  /// Names that may be one name on some file system are equal: case and composition do not count.
  private static func key(_ name: String) -> String { name.lowercased() }

  /// - Returns: the number of the watch, and whether the system reports changes.
  func add(
    _ places: [Place], every seconds: Double, _ change: @escaping @Sendable (Set<String>?) -> Void
  ) -> (Int, Bool) {
    let result = state.withLock { state -> (Int, Bool) in
      let number = state.next
      state.next += 1
      var new = Watch(change: change)
      for place in places where watch >= 0 {
        let folder = SystemCalls.addFolder(watch, place.folder)
        guard folder >= 0 else { continue }
        let key = place.name.map(Self.key)
        new.places.append((folder, key))
        if let key {
          state.folders[folder, default: Folder()].named[key, default: []].insert(number)
        } else {
          state.folders[folder, default: Folder()].all.insert(number)
        }
      }
      let isNotified = !new.places.isEmpty
      if !isNotified {
        new.interval = seconds
        new.names = nil
        new.due = MonotonicClock.seconds + seconds
        new.latest = .infinity
        state.waiting.insert(number)
      }
      state.watches[number] = new
      return (number, isNotified)
    }
    if !result.1 { interrupt() }
    return result
  }

  func remove(_ number: Int) {
    // Released after the lock: it may be the last reference to other watches.
    let old = state.withLock { state -> Watch? in
      state.waiting.remove(number)
      guard let old = state.watches.removeValue(forKey: number) else { return nil }
      for (folder, key) in old.places {
        guard var entry = state.folders.removeValue(forKey: folder) else { continue }
        if let key {
          entry.named[key]?.remove(number)
          if entry.named[key]?.isEmpty ?? false { entry.named[key] = nil }
        } else {
          entry.all.remove(number)
        }
        if entry.all.isEmpty, entry.named.isEmpty {
          SystemCalls.removeFolder(watch, folder)
        } else {
          state.folders[folder] = entry
        }
      }
      return old
    }
    withExtendedLifetime(old) {}
  }

  private func interrupt() {
    var byte: UInt8 = 0
    _ = write(wake.write, &byte, 1)
  }

  private func run() {
    while true {
      let due = state.withLock { state in
        state.waiting.compactMap { state.watches[$0]?.due }.min()
      }
      let rest = due.map { max(0, min(1e6, 1000 * ($0 - MonotonicClock.seconds))) }
      let found = SystemCalls.waitForEvent(
        watch, wake.read, milliseconds: rest.map { CInt(saturating: $0.rounded(.up)) } ?? -1)
      if found > 0 { note(SystemCalls.events(watch)) }
      // No endless loop at full speed if the system cannot wait.
      if found < 0 { MonotonicClock.wait(seconds: Self.quiet) }
      for (change, names) in changes() { change(names) }
    }
  }

  /// Notes the watches that events are for.
  private func note(_ events: [SystemCalls.WatchEvent]) {
    let now = MonotonicClock.seconds
    state.withLock { state in
      for event in events {
        var numbers: Set<Int> = []
        if event.number < 0 {
          // Some were lost.
          numbers = Set(state.watches.keys)
        } else if let folder = state.folders[event.number] {
          numbers = folder.all
          if let name = event.name {
            numbers.formUnion(folder.named[Self.key(name)] ?? [])
          } else {
            for named in folder.named.values { numbers.formUnion(named) }
          }
        }
        if event.isEnd { state.folders[event.number] = nil }
        for number in numbers {
          guard state.watches[number]?.interval == nil else { continue }
          state.watches[number]?.note(event.number < 0 ? nil : event.name, most: Self.mostNames)
          if state.waiting.insert(number).inserted {
            state.watches[number]?.latest = now + Self.longest
          }
          let latest = state.watches[number]?.latest ?? now
          state.watches[number]?.due = min(now + Self.quiet, latest)
        }
      }
    }
  }

  /// The closures whose time has come.
  private func changes() -> [(@Sendable (Set<String>?) -> Void, names: Set<String>?)] {
    let now = MonotonicClock.seconds
    return state.withLock { state in
      var changes: [(@Sendable (Set<String>?) -> Void, names: Set<String>?)] = []
      for number in state.waiting {
        guard let watch = state.watches[number], let due = watch.due, due <= now else { continue }
        changes.append((watch.change, watch.names))
        if let interval = watch.interval {
          state.watches[number]?.due = now + interval
        } else {
          state.watches[number]?.due = nil
          state.watches[number]?.names = []
          state.waiting.remove(number)
        }
      }
      return changes
    }
  }
}
