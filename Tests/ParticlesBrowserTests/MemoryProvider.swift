import ParticlesBrowser
import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport

/// A provider in memory, as a server would be one: files appear on this machine when they are opened.
final class MemoryProvider: BrowserProvider {
  private struct State {
    var files: [String: [UInt8]] = [:]
    var numbers: [String: Int] = [:]
    var next = 0
    var state = ProviderState.available
    var pending: Set<String> = []
    /// Names that another program takes a moment before they are added.
    var rivals: [String] = []
    /// Why nothing can be stored.
    var fault: Diagnostic?
    var watches: [Int: @Sendable (ProviderChange) -> Void] = [:]
  }

  private final class Watch: Sendable {
    let end: @Sendable () -> Void
    init(_ end: @escaping @Sendable () -> Void) { self.end = end }
    deinit { end() }
  }

  let identifier = "memory"
  private let stored = Lock(State())
  private let scratch: Scratch

  init(_ files: [String: String]) throws {
    scratch = try Scratch()
    for (name, text) in files { put("/cloud/\(name)", Array(text.utf8)) }
  }

  private func put(_ path: String, _ bytes: [UInt8]?, from old: String? = nil) {
    stored.withLock { state in
      state.next += 1
      state.numbers[path] = old.flatMap { state.numbers.removeValue(forKey: $0) } ?? state.next
      state.files[path] = bytes ?? old.flatMap { state.files[$0] }
      if let old { state.files[old] = nil }
    }
    change(.entries(nil))
  }

  func change(_ change: ProviderChange) {
    for watch in stored.withLock({ Array($0.watches.values) }) { watch(change) }
  }

  var state: ProviderState { stored.withLock(\.state) }
  func set(_ state: ProviderState) {
    stored.withLock { $0.state = state }
    change(.state(state))
  }
  /// Lets saves fail, or succeed again.
  func refuse(_ fault: Diagnostic?) { stored.withLock { $0.fault = fault } }
  func bytes(_ path: String) -> [UInt8]? { stored.withLock { $0.files[path] } }

  func setRivals(_ names: [String]) { stored.withLock { $0.rivals = names } }
  func setPending(_ path: String) { stored.withLock { _ = $0.pending.insert(path) } }

  func roots() -> [ProviderRoot] { [ProviderRoot(path: "/cloud", name: "Cloud", kind: .other)] }

  func entries(in folder: String) throws -> ProviderFolder {
    let names = stored.withLock { Array($0.files.keys) }.filter { Files.folder(of: $0) == folder }
    return ProviderFolder(names.compactMap { entry(at: $0) })
  }

  func entry(at path: String) -> ProviderEntry? {
    if path == "/cloud" { return ProviderEntry(path: path, name: "cloud", kind: .folder) }
    return stored.withLock { state in
      guard let bytes = state.files[path] else { return nil }
      var entry = ProviderEntry(path: path, name: Files.lastComponent(of: path), kind: .file)
      entry.identity = state.numbers[path].map { "\($0)" }
      entry.size = bytes.count
      entry.state = state.pending.contains(path) ? .pending : .remote
      return entry
    }
  }

  func localFile(of path: String) throws -> String {
    let bytes = stored.withLock { $0.files[path] }
    guard let bytes else { throw Diagnostic(.fileNotFound, at: Location(file: path)) }
    let file = scratch.file(Files.lastComponent(of: path))
    if try Files.status(file) == nil { try Files.create(file, bytes) }
    return file
  }

  func store(_ file: String, at path: String) throws {
    if let fault = stored.withLock(\.fault) { throw fault }
    put(path, try Files.read(file))
  }

  func add(_ file: String, to folder: String, named name: String, moving: Bool) throws -> String {
    let path = "\(folder)/\(name)"
    if stored.withLock({ $0.rivals.contains(name) }) { put(path, Array("rival".utf8)) }
    guard entry(at: path) == nil else { throw Diagnostic(.fileExists, at: Location(file: path)) }
    put(path, try Files.read(file))
    if moving { try Files.removeAll(file) }
    return path
  }

  func move(_ path: String, to folder: String, named name: String) throws -> String {
    let target = "\(folder)/\(name)"
    guard entry(at: target) == nil else {
      throw Diagnostic(.fileExists, at: Location(file: target))
    }
    put(target, nil, from: path)
    return target
  }

  func remove(_ path: String, permanently: Bool) throws -> String? {
    let target = "/trash/\(Files.lastComponent(of: path))"
    if !permanently { put(target, nil, from: path) }
    stored.withLock { $0.files[path] = nil }
    change(.entries(nil))
    return permanently ? nil : target
  }

  func watch(
    _ folder: String?, _ change: @escaping @Sendable (ProviderChange) -> Void
  ) -> (any AnyObject & Sendable)? {
    let number = stored.withLock { state -> Int in
      state.next += 1
      state.watches[state.next] = change
      return state.next
    }
    return Watch { [weak self] in self?.stored.withLock { $0.watches[number] = nil } }
  }
}
