internal import ParticlesCore

/// The well-known folders of the user (`user-dirs.dirs`, xdg-user-dirs).
struct UserFolders {
  let roots: [ProviderRoot]

  private static let names: [(key: String, kind: ProviderRoot.Kind)] = [
    ("XDG_DESKTOP_DIR", .desktop), ("XDG_DOCUMENTS_DIR", .documents),
    ("XDG_DOWNLOAD_DIR", .downloads), ("XDG_PICTURES_DIR", .pictures),
    ("XDG_TEMPLATES_DIR", .templates), ("XDG_PUBLICSHARE_DIR", .publicShare),
  ]

  init(_ environment: BrowserEnvironment) {
    guard let home = environment.variables["HOME"], home.hasPrefix("/") else {
      roots = []
      return
    }
    var folders: [String: String] = [:]
    if let config = environment.directories.configHome,
      let bytes = try? Files.read(Files.joined(config, "user-dirs.dirs"))
    {
      folders = Self.read(String(decoding: bytes, as: UTF8.self), home: home)
    }
    var found = [ProviderRoot(path: home, name: Files.lastComponent(of: home), kind: .home)]
    for (key, kind) in Self.names {
      // A folder that the user does not want is the home folder itself.
      guard let path = folders[key], path != home,
        (try? Files.status(path))??.kind == .directory
      else { continue }
      found.append(ProviderRoot(path: path, name: Files.lastComponent(of: path), kind: kind))
    }
    roots = found
  }

  /// Lines such as `XDG_DESKTOP_DIR="$HOME/Desktop"`. Relative paths do not count.
  static func read(_ text: String, home: String) -> [String: String] {
    var folders: [String: String] = [:]
    for line in text.split(whereSeparator: \.isNewline) where !line.hasPrefix("#") {
      let parts = line.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, parts[1].hasPrefix("\""), parts[1].hasSuffix("\""), parts[1].count > 1
      else { continue }
      var value = ""
      var isEscaped = false
      for character in parts[1].dropFirst().dropLast() {
        if character == "\\", !isEscaped {
          isEscaped = true
        } else {
          value.append(character)
          isEscaped = false
        }
      }
      var path = value
      if value == "$HOME" || value.hasPrefix("$HOME/") {
        path = home + value.dropFirst(5)
      }
      while path.count > 1, path.hasSuffix("/") { path.removeLast() }
      if path.hasPrefix("/") { folders[String(parts[0])] = path }
    }
    return folders
  }
}
