internal import ParticlesCore
internal import ParticlesDocuments

/// Where a browser keeps its own files, and what it knows of the machine.
public struct BrowserEnvironment: Sendable {
  /// The variables: `HOME`, those of the XDG Base Directory Specification, `XDG_CURRENT_DESKTOP` and `PATH` are used.
  public var variables: [String: String]

  /// Creates the environment of these variables.
  public init(variables: [String: String]) { self.variables = variables }

  /// Creates the environment of this process.
  public init() {
    var variables: [String: String] = [:]
    for name in BaseDirectories.variables + ["XDG_CURRENT_DESKTOP", "PATH"] {
      variables[name] = RunningProcess.variable(name)
    }
    self.init(variables: variables)
  }

  var directories: BaseDirectories { BaseDirectories(environment: variables) }

  /// The folders for files of programs, which may be links that lead elsewhere.
  var ownFolders: [String] {
    let folders = directories
    return [
      folders.dataHome, folders.configHome, folders.cacheHome, folders.stateHome, folders.runtime,
    ].compactMap(\.self)
  }

  /// Settings, the session, or the journal of operations, in the store of the user; nil without a home folder.
  func state(_ name: String) -> StoredState? {
    directories.dataHome.map { folder in
      StoredState(
        name, in: UserStore.of(dataFolder: folder),
        insteadOf: directories.stateHome.map { Files.joined($0, "particles/\(name).json") })
    }
  }
}
