internal import ParticlesPlatform

/// The folders for data and settings (XDG Base Directory Specification 0.8).
package struct BaseDirectories: Sendable {
  /// The user's data folder; nil if neither `XDG_DATA_HOME` nor `HOME` is set.
  package var dataHome: String?

  /// The user's settings folder; nil if neither `XDG_CONFIG_HOME` nor `HOME` is set.
  package var configHome: String?

  /// The user's folder for files that can be made again; nil if neither `XDG_CACHE_HOME` nor `HOME` is set.
  package var cacheHome: String?

  /// The user's folder for states such as histories; nil if neither `XDG_STATE_HOME` nor `HOME` is set.
  package var stateHome: String?

  /// The folder for files of running programs, which ends with the session; nil if `XDG_RUNTIME_DIR` is
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
