internal import ParticlesCore
internal import ParticlesPlatform

/// Folders that the calls of a thread do not leave, so that a link that replaces a folder at any moment has no
/// effect.
///
/// Calls of ``Files``, ``OpenFile``, ``FolderReader`` and ``FolderWriter`` are bound if their path is in one of the
/// folders. Each is made relative to an open folder, which was opened below the place without following links. It
/// reaches something in the place, or it fails as if nothing was there. A link is followed if it leads to a place.
/// Calls with other paths, and calls in own folders, are not bound. The places of a thread come from its
/// ``FileQueue``, or else from its task.
///
/// On Linux this needs `/proc`: nothing is found in the places without it.
package final class Places: Sendable {
  @TaskLocal private static var ofTask: Places?

  private struct State: Sendable {
    var places: [Place] = []
    var own: [String] = []
  }

  private let state: Lock<State>
  private let parts: [Places]

  /// Creates places.
  /// - Parameter own: the paths of folders with the program's files. They may be in places, but are not bound.
  package init(own: [String] = []) {
    state = Lock(State(own: own.filter { $0.hasPrefix("/") }))
    parts = []
  }

  /// The folders of several places. Later changes of their folders count, too.
  package init(joining parts: [Places]) {
    state = Lock(State())
    self.parts = parts
  }

  /// Replaces the folders. Unchanged folders are not opened again.
  /// - Parameter folders: the paths that programs use, and the paths without links. A path that is `/` has no effect.
  package func set(_ folders: [(path: String, real: String)]) {
    state.withLock { state in
      state.places = folders.filter { $0.real != "/" && $0.path.hasPrefix("/") }.map { folder in
        state.places.first { $0.path == folder.path && $0.real == folder.real }
          ?? Place(path: folder.path, real: folder.real)
      }
    }
  }

  // MARK: The places of a thread

  /// The places that calls of this thread do not leave, or nil if they are not bound.
  package static var current: Places? {
    guard let value = SystemCalls.places else { return ofTask }
    return Unmanaged<Places>.fromOpaque(value).takeUnretainedValue()
  }

  /// Runs `body` in this thread, which does not leave the places meanwhile.
  package static func run<Result>(
    within places: Places?, _ body: () throws -> Result
  ) rethrows -> Result {
    let old = SystemCalls.places
    SystemCalls.places = places.map { UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) }
    defer { SystemCalls.places = old }
    return try withExtendedLifetime(places) { try body() }
  }

  /// Runs `body` in a task, which does not leave the places meanwhile.
  package static func run<Result: Sendable>(
    taskWithin places: Places?, _ body: @Sendable () async throws -> Result
  ) async rethrows -> Result {
    try await $ofTask.withValue(places, operation: body)
  }

  // MARK: Calls

  /// Makes a call for the entry at a path. A link at its end is not followed by this.
  /// - Parameters:
  ///   - failure: makes a result of an error number, if the folder of the entry cannot be reached. −1 by default.
  ///   - call: gets the path to use.
  static func entry<Result>(
    _ path: String, else failure: (CInt) -> Result, _ call: (String) -> Result
  ) -> Result {
    // A place itself is an entry of a folder that may be in another place.
    guard let current, current.bound(path) != nil, current.find(Files.folder(of: path)) != nil
    else { return call(path) }
    return current.reach(path, asPlace: false, failure, call)
  }

  static func entry<Result: SignedInteger>(_ path: String, _ call: (String) -> Result) -> Result {
    entry(
      path,
      else: {
        errno = $0
        return -1
      }, call)
  }

  /// Makes a call for two entries.
  static func entries<Result>(
    _ a: String, _ b: String, else failure: (CInt) -> Result, _ call: (String, String) -> Result
  ) -> Result {
    entry(a, else: failure) { a in entry(b, else: failure) { call(a, $0) } }
  }

  /// Makes a call for the target of a path.
  /// - Parameter call: gets the path to use, and `O_NOFOLLOW` if it must not follow a link at the end of that.
  static func target<Result>(
    _ path: String, else failure: (CInt) -> Result, _ call: (String, CInt) -> Result
  ) -> Result {
    guard let current, current.bound(path) != nil else { return call(path, 0) }
    var place = path
    var status = stat()
    let isLink =
      current.reach(path, { _ in -1 }) { lstat($0, &status) } == 0
      && status.st_mode & S_IFMT == S_IFLNK
    if isLink {
      guard let real = Files.realPath(path), current.find(real) != nil else {
        return failure(ENOENT)
      }
      place = real
    }
    return current.reach(place, failure) { call($0, O_NOFOLLOW) }
  }

  static func target<Result: SignedInteger>(
    _ path: String, _ call: (String, CInt) -> Result
  ) -> Result {
    target(
      path,
      else: {
        errno = $0
        return -1
      }, call)
  }

  /// Whether a path in a place leads, by `real`, to something that is in none.
  static func leaves(_ path: String, by real: String) -> Bool {
    guard let current, current.bound(path) != nil else { return false }
    return current.find(real) == nil
  }

  // MARK: Folders

  private var all: State {
    parts.reduce(state.withLock(\.self)) { all, part in
      let other = part.all
      return State(places: all.places + other.places, own: all.own + other.own)
    }
  }

  /// The place of a path, and the rest of the path in the place. The rest is empty for the place itself.
  private func find(_ path: String) -> (place: Place, rest: String)? {
    find(path, among: all.places)
  }

  /// The place and the rest, or nil in own folders.
  private func bound(_ path: String) -> (place: Place, rest: String)? {
    let all = all
    guard let found = find(path, among: all.places) else { return nil }
    // Own folders may be in a place, and places in an own folder.
    let isOwn = all.own.contains {
      (Place.rest(of: path, in: $0)?.utf8.count ?? .max) < found.rest.utf8.count
    }
    return isOwn ? nil : found
  }

  private func find(_ path: String, among places: [Place]) -> (place: Place, rest: String)? {
    guard path.hasPrefix("/") else { return nil }
    // The innermost one.
    return places.compactMap { place in place.rest(of: path).map { (place, $0) } }
      .min { $0.1.utf8.count < $1.1.utf8.count }
  }

  /// Makes a call for the entry at a path, or for the folder of a place.
  private func reach<Result>(
    _ path: String, asPlace mayBePlace: Bool = true, _ failure: (CInt) -> Result,
    _ call: (String) -> Result
  ) -> Result {
    let isPlace = mayBePlace && find(path)?.rest.isEmpty ?? false
    let name = isPlace ? "." : Files.lastComponent(of: path)
    guard isPlace || name != "." && name != ".." else { return failure(ENOENT) }
    let folder = hold(isPlace ? path : Files.folder(of: path))
    guard folder >= 0 else { return failure(-folder) }
    let result = call(Self.path(of: folder, name))
    let code = errno
    close(folder)
    errno = code
    return result
  }

  /// A path of an entry that does not depend on the names of the folders around it.
  private static func path(of folder: CInt, _ name: String) -> String {
    #if canImport(Darwin)
      var status = stat()
      fstat(folder, &status)
      return "/.vol/\(status.st_dev)/\(status.st_ino)/\(name)"
    #else
      // The dot makes it a folder, also for calls that do not follow links.
      return name == "." ? "/proc/self/fd/\(folder)/." : "/proc/self/fd/\(folder)/./\(name)"
    #endif
  }

  /// Opens a folder in a place. Returns a descriptor or a negative errno value.
  private func hold(_ folder: String) -> CInt {
    if let (place, rest) = find(folder) {
      let held = place.hold(rest)
      guard [-ELOOP, -ENOTDIR, -ENOENT, -EXDEV].contains(held) else { return held }
    }
    // There may be links on the way that lead to a place.
    guard let real = Files.realPath(folder), real != folder, let (place, rest) = find(real) else {
      return -ENOENT
    }
    return place.hold(rest)
  }
}

/// A folder that is open.
private final class Place: Sendable {
  private struct Held: Sendable {
    var descriptor: CInt
    var identity: FileIdentity
  }

  /// The path as it is used.
  let path: String
  /// The path without links.
  let real: String
  private let held = Lock<Held?>(nil)

  init(path: String, real: String) { (self.path, self.real) = (path, real) }

  deinit { if let held = held.withLock(\.self) { close(held.descriptor) } }

  /// The rest of a path in this folder, or nil if the path is elsewhere.
  func rest(of path: String) -> String? {
    Self.rest(of: path, in: self.path) ?? Self.rest(of: path, in: real)
  }

  static func rest(of path: String, in folder: String) -> String? {
    let (path, folder) = (path.utf8, folder.utf8)
    guard path.starts(with: folder) else { return nil }
    let rest = path.dropFirst(folder.count)
    guard rest.isEmpty || rest.first == UInt8(ascii: "/") else { return nil }
    return String(decoding: rest.drop { $0 == UInt8(ascii: "/") }, as: UTF8.self)
  }

  /// Opens a folder below this one without following links. Returns a descriptor or a negative errno value.
  func hold(_ rest: String) -> CInt {
    held.withLock { held in
      var status = stat()
      guard lstat(real, &status) == 0 else { return -errno }
      let identity = FileStatus(status).state.identity
      if held?.identity != identity {
        // Another folder has this path now.
        if let held { close(held.descriptor) }
        held = Self.open(real)
      }
      guard let found = held, found.identity == identity else { return -ENOENT }
      let folder = SystemCalls.holdFolder(found.descriptor, rest.isEmpty ? "." : rest)
      // Between calls, a volume is not in use, and can be ejected.
      if identity.device != Self.ownDevice {
        close(found.descriptor)
        held = nil
      }
      return folder
    }
  }

  /// The file system of `/`.
  private static let ownDevice: UInt64? = {
    var status = stat()
    return lstat("/", &status) == 0 ? FileStatus(status).state.identity.device : nil
  }()

  private static func open(_ real: String) -> Held? {
    guard let top = try? FolderReader("/") else { return nil }
    let descriptor = top.hold(String(real.drop { $0 == "/" }))
    guard descriptor >= 0 else { return nil }
    var status = stat()
    fstat(descriptor, &status)
    return Held(descriptor: descriptor, identity: FileStatus(status).state.identity)
  }
}

/// The folders for data and settings (XDG Base Directory Specification 0.8).
package struct BaseDirectories: Sendable {
  /// The user's data folder, or nil if neither `XDG_DATA_HOME` nor `HOME` is set.
  package var dataHome: String?

  /// The user's settings folder, or nil if neither `XDG_CONFIG_HOME` nor `HOME` is set.
  package var configHome: String?

  /// The user's folder for files that can be made again, or nil if neither `XDG_CACHE_HOME` nor `HOME` is set.
  package var cacheHome: String?

  /// The user's folder for states such as histories, or nil if neither `XDG_STATE_HOME` nor `HOME` is set.
  package var stateHome: String?

  /// The folder for files of running programs, which ends with the session. Nil if `XDG_RUNTIME_DIR` is
  /// not set.
  package var runtime: String?

  /// The system's data folders, in order of precedence.
  package var dataFolders: [String]

  /// The system's settings folders, in order of precedence.
  package var configFolders: [String]

  /// The environment variables that are used.
  package static let variables = [
    "HOME", "XDG_DATA_HOME", "XDG_DATA_DIRS", "XDG_CONFIG_HOME", "XDG_CONFIG_DIRS",
    "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR",
  ]

  /// Reads the folders from an environment. Relative paths are ignored, as the specification
  /// demands.
  package init(environment: [String: String]) { self.init { environment[$0] } }

  /// Reads the folders from variables of an environment.
  package init(_ variable: (String) -> String?) {
    func path(_ name: String) -> String? { variable(name).flatMap { $0.isAbsolute ? $0 : nil } }
    func paths(_ name: String, or standard: [String]) -> [String] {
      let paths = (variable(name) ?? "").split(separator: ":").map(String.init)
      let absolute = paths.filter(\.isAbsolute)
      return absolute.isEmpty ? standard : absolute
    }
    let home = path("HOME")
    dataHome = path("XDG_DATA_HOME") ?? home.map { Files.joined($0, ".local/share") }
    configHome = path("XDG_CONFIG_HOME") ?? home.map { Files.joined($0, ".config") }
    cacheHome = path("XDG_CACHE_HOME") ?? home.map { Files.joined($0, ".cache") }
    stateHome = path("XDG_STATE_HOME") ?? home.map { Files.joined($0, ".local/state") }
    runtime = path("XDG_RUNTIME_DIR")
    dataFolders = paths("XDG_DATA_DIRS", or: ["/usr/local/share", "/usr/share"])
    configFolders = paths("XDG_CONFIG_DIRS", or: ["/etc/xdg"])
  }

  /// The folders of the environment of this process.
  package static var current: BaseDirectories {
    BaseDirectories { name in getenv(name).map { String(cString: $0) } }
  }

  /// All data folders, in order of precedence.
  package var data: [String] { (dataHome.map { [$0] } ?? []) + dataFolders }

  /// All settings folders, in order of precedence.
  package var config: [String] { (configHome.map { [$0] } ?? []) + configFolders }
}

extension String {
  fileprivate var isAbsolute: Bool { utf8.first == UInt8(ascii: "/") }
}
