/// Where programs keep their files (XDG Base Directory Specification 0.8).
package struct BaseDirectories: Sendable {
  /// Where a person's data is; nil if nobody knows whose.
  package var dataHome: String?

  /// Where a person's settings are; nil if nobody knows whose.
  package var configHome: String?

  /// Where the data of the machine is, the weightiest folder first.
  package var dataFolders: [String]

  /// Where the settings of the machine are, the weightiest folder first.
  package var configFolders: [String]

  /// The variables of the environment that decide.
  package static let variables = [
    "HOME", "XDG_DATA_HOME", "XDG_DATA_DIRS", "XDG_CONFIG_HOME", "XDG_CONFIG_DIRS",
  ]

  /// The folders that an environment names. As the specification has it, a path that is not
  /// absolute counts as none.
  package init(environment: [String: String]) {
    func path(_ name: String) -> String? { environment[name].flatMap { $0.isAbsolute ? $0 : nil } }
    func paths(_ name: String, or standard: [String]) -> [String] {
      let paths = (environment[name] ?? "").split(separator: ":").map(String.init)
      let absolute = paths.filter(\.isAbsolute)
      return absolute.isEmpty ? standard : absolute
    }
    let home = path("HOME")
    dataHome = path("XDG_DATA_HOME") ?? home.map { Files.joined($0, ".local/share") }
    configHome = path("XDG_CONFIG_HOME") ?? home.map { Files.joined($0, ".config") }
    dataFolders = paths("XDG_DATA_DIRS", or: ["/usr/local/share", "/usr/share"])
    configFolders = paths("XDG_CONFIG_DIRS", or: ["/etc/xdg"])
  }

  /// All folders of data, the weightiest first.
  package var data: [String] { (dataHome.map { [$0] } ?? []) + dataFolders }

  /// All folders of settings, the weightiest first.
  package var config: [String] { (configHome.map { [$0] } ?? []) + configFolders }
}

extension String {
  fileprivate var isAbsolute: Bool { utf8.first == UInt8(ascii: "/") }
}
