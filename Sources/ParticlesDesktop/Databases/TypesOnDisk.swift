package import ParticlesCore
internal import ParticlesSystem
package import ParticlesTypes

extension TypesFile {
  /// Reads the file at a path: a property list (binary or XML), the property list of a bundle, a
  /// `types.json`, or a desktop entry. The contents decide which one it is.
  /// - Throws: a ``ParticlesCore/Diagnostic`` if the file is of another kind, or cannot be read.
  package init(contentsOf path: String, limits: Limits = .standard) throws {
    let file = try Self.file(at: path)
    // Opening a named pipe waits until another program writes into it.
    if let status = try Files.status(file), status.kind != .file {
      throw Diagnostic(
        .fileUnreadable, at: Location(file: file), expected: "a file",
        found: status.special.map { "a \($0.rawValue)" } ?? "another kind of item")
    }
    try self.init(Files.read(file, limits: limits), path: file, limits: limits)
  }

  /// The path of the property list of a bundle, or the path itself if it is not a directory.
  private static func file(at path: String) throws -> String {
    guard try Files.status(path)?.kind == .directory else { return path }
    let places = ["Contents/Info.plist", "Info.plist"].map { Files.joined(path, $0) }
    guard let place = try places.first(where: { try Files.status($0) != nil }) else {
      throw Diagnostic(
        .fileNotFound, at: Location(file: path),
        expected: "a bundle with Contents/Info.plist or Info.plist")
    }
    return place
  }
}

extension TypesBundle {
  /// Reads the bundle or the file at a path.
  /// - Throws: a ``ParticlesCore/Diagnostic`` if the property list of the bundle itself cannot be read,
  ///   or if there are more parts than the limits allow.
  package init(contentsOf path: String, limits: Limits = .standard) throws {
    var files = [try TypesFile(contentsOf: path, limits: limits)]
    var faults: [Diagnostic] = []
    for part in try Self.parts(of: path) {
      do {
        files.append(try TypesFile(contentsOf: part, limits: limits))
      } catch let fault as Diagnostic where fault.rule != .limit {
        faults.append(fault)
      }
      let count = files.reduce(0) { $0 + $1.namedTypes }
      try limits.check(count, \.types, "types that a bundle names")
    }
    let outer = files[0].bundle.isExtension ? Self.application(around: path) : nil
    let application = outer.flatMap { try? TypesFile(contentsOf: $0, limits: limits) }
    self.init(files, faults: faults, application: application)
  }

  /// The folders of a bundle that hold further bundles, with their extensions: on macOS below
  /// `Contents`, on iOS directly in the bundle.
  private static let folders: [(path: String, suffix: String)] = [
    ("Contents/PlugIns", ".appex"), ("Contents/Extensions", ".appex"),
    ("Contents/Library/QuickLook", ".qlgenerator"), ("Contents/Library/Spotlight", ".mdimporter"),
    ("PlugIns", ".appex"), ("Extensions", ".appex"),
  ]

  private static func parts(of path: String) throws -> [String] {
    guard try Files.status(path)?.kind == .directory else { return [] }
    var parts: [String] = []
    for (name, suffix) in folders {
      let folder = Files.joined(path, name)
      guard try Files.status(folder)?.kind == .directory else { continue }
      parts += try Files.list(folder, passingOver: { _ in }).filter { $0.hasSuffix(suffix) }
        .map { Files.joined(folder, $0) }
    }
    return parts
  }

  /// The nearest folder above a path whose name ends in `.app`.
  private static func application(around path: String) -> String? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    let place = parts.dropLast().lastIndex { $0.hasSuffix(".app") }
    return place.map { parts[...$0].joined(separator: "/") }
  }
}
