internal import ParticlesCore

extension Diagnostic {
  /// This fault, with the next step if it is a path that does not exist.
  ///
  /// The step is looked for when the fault is reported, and not where it occurs: most callers only ask whether there is a
  /// file.
  var withNextStep: Diagnostic {
    guard rule == .fileNotFound, hint == nil, detail == nil, location.entry == nil,
      let path = location.file, !path.isEmpty
    else { return self }
    var copy = self
    copy.hint = MissingPath.hint(for: path)
    return copy
  }
}

private enum MissingPath {
  /// The most names of a folder that are compared.
  private static let mostNames = 2_000

  static func hint(for path: String) -> String {
    var (missing, folder) = (path, Files.folder(of: path))
    while kind(folder) == nil, folder != ".", folder != "/" {
      (missing, folder) = (folder, Files.folder(of: folder))
    }
    guard kind(folder) == .directory else {
      return "'\(folder)' is a file, and not a folder; correct the path"
    }
    let names = (try? Files.list(folder, passingOver: { _ in })) ?? []
    let name = Files.lastComponent(of: missing)
    if names.contains(name) {
      return "'\(missing)' is a link that leads nowhere; restore its target, or remove it"
    }
    let shown = names.filter { !$0.hasPrefix(".") }.prefix(mostNames)
    let guess = Suggestion.nearest(to: name, among: Array(shown)).map { near in
      "did you mean '\(missing.hasPrefix("./") || folder != "." ? Files.joined(folder, near) : near)'?"
    }
    guard missing == path else {
      return "there is no folder '\(missing)'; \(guess ?? "create it, or correct the path")"
    }
    return guess ?? "no name in the folder is like it; list them with 'ls \(folder)'"
  }

  private static func kind(_ path: String) -> FileStatus.Kind? {
    (try? Files.status(path))??.kind
  }
}
