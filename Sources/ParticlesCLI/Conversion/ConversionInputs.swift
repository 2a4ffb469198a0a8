internal import ParticlesContainer
internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesFormats

/// What is to be converted, and what each result is called.
struct ConversionInputs: Sendable {
  /// A document and the path of its result.
  struct Pair: Sendable {
    var input: String
    var output: String
    /// Whether it was found in a folder rather than named.
    var isFound = false
  }

  private(set) var pairs: [Pair] = []

  /// Whether results go into a folder.
  let isBatch: Bool

  /// The folders that results go into, outer ones first.
  private(set) var folders: [String] = []

  /// - Parameters:
  ///   - paths: what was named.
  ///   - output: where results go; nil if nothing is written.
  ///   - isRecursive: whether folders stand for the documents in them.
  ///   - kind: the extension of results, where they are not named.
  init(
    _ paths: [String], output: String?, isRecursive: Bool, extension kind: String
  ) throws {
    let finder = PackageFinder()
    let isSearch = isRecursive && paths.contains { (try? finder.isPlainFolder($0)) == true }
    isBatch = try paths.count > 1 || isSearch || Self.isFolder(output)
    guard isBatch else {
      let path = paths[0]
      pairs = [Pair(input: path, output: output ?? Self.name(for: path, kind))]
      return
    }
    let output = output ?? ""
    if !output.isEmpty { folders.append(output) }
    for path in paths {
      if isRecursive, (try? finder.isPlainFolder(path)) == true {
        addDocuments(in: path, output, kind)
      } else {
        pairs.append(
          Pair(input: path, output: Self.joined(output, Self.name(for: path, kind))))
      }
    }
    try checkNames()
  }

  /// An existing directory that is a package is a result to be replaced; any other takes results.
  private static func isFolder(_ path: String?) throws -> Bool {
    guard let path, path != Invocation.standardStream else { return false }
    guard try Files.status(path)?.kind == .directory else { return path.hasSuffix("/") }
    return try Files.status(Files.joined(path, EffectPackage.documentPath)) == nil
  }

  private static func name(for input: String, _ kind: String) -> String {
    "\(input == Invocation.standardStream ? "effect" : Files.stem(of: input)).\(kind)"
  }

  private static func joined(_ folder: String, _ name: String) -> String {
    folder.isEmpty ? name : Files.joined(folder, name)
  }

  // MARK: Folders

  private static let extensions: Set<String> = Set(
    ["particles"] + ParticleFormat.all.filter { !$0.isArchive }.flatMap(\.extensions))

  /// The documents in a folder and below, by the names that they might have.
  private mutating func addDocuments(in root: String, _ output: String, _ kind: String) {
    let finder = PackageFinder()
    var waiting = [(path: root, output: output)]
    while let folder = waiting.popLast() {
      if folder.output != output { folders.append(folder.output) }
      var isWhole = true
      let all = try? Files.list(folder.path) { _ in isWhole = false }
      if all == nil || !isWhole {
        // Whoever opens it is told why it cannot be listed.
        pairs.append(Pair(input: folder.path, output: folder.output))
      }
      let names = (all ?? []).filter { !$0.hasPrefix(".") }.sorted()
      var below: [(path: String, output: String)] = []
      for name in names {
        let path = Files.joined(folder.path, name)
        guard let status = try? Files.status(path, followingLinks: false) else { continue }
        if status.kind == .directory, (try? finder.isPlainFolder(path)) == true {
          below.append((path, Self.joined(folder.output, name)))
        } else if status.kind == .directory
          || status.kind == .file && Self.extensions.contains(Files.pathExtension(of: name))
        {
          pairs.append(
            Pair(
              input: path, output: Self.joined(folder.output, Self.name(for: path, kind)),
              isFound: true))
        }
      }
      waiting += below.reversed()
    }
  }

  // MARK: Names

  /// Two documents must not become one file, not even where case makes no difference.
  private func checkNames() throws {
    var taken: [String: Pair] = [:]
    for pair in pairs {
      guard let other = taken.updateValue(pair, forKey: pair.output.lowercased()) else { continue }
      // What is no document at all does not become anything.
      guard Self.isDocument(pair), Self.isDocument(other) else {
        if !Self.isDocument(pair) { taken[pair.output.lowercased()] = other }
        continue
      }
      throw UsageError(
        "'\(other.input)' and '\(pair.input)' would both become '\(pair.output)'",
        hint: "convert them into different folders; nothing has been written")
    }
  }

  private static func isDocument(_ pair: Pair) -> Bool {
    guard pair.isFound, let bytes = try? Files.read(pair.input) else { return true }
    return Container.isFlatPackage(bytes)
      || (try? ParticleFormat.recognising(
        bytes, fileName: Files.lastComponent(of: pair.input))) != nil
  }
}
