package import ParticlesCore

/// A bundle with the extensions, importers and generators inside of it, whose property lists are
/// checked together: extensions use the types that their application declares.
package struct TypesBundle: Sendable {
  /// The property lists: that of the bundle first, then those of its parts in the order of their
  /// paths.
  package private(set) var files: [TypesFile] = []

  /// Parts whose property lists cannot be read, with the reasons.
  package private(set) var faults: [Diagnostic] = []

  /// The application around a single extension, for its declarations; nil if there is none.
  package private(set) var application: TypesFile?

  /// Reads the bundle or the file at a path.
  /// - Throws: a ``ParticlesCore/Diagnostic`` if the property list of the bundle itself cannot be read,
  ///   or if there are more parts than the limits allow.
  package init(contentsOf path: String, limits: Limits = .standard) throws {
    files = [try TypesFile(contentsOf: path, limits: limits)]
    for part in try Self.parts(of: path) {
      do {
        files.append(try TypesFile(contentsOf: part, limits: limits))
      } catch let fault as Diagnostic where fault.rule != .limit {
        faults.append(fault)
      }
      let count = files.reduce(0) { $0 + $1.namedTypes }
      try limits.check(count, \.types, "types that a bundle names")
    }
    guard files[0].bundle.isExtension, let outer = Self.application(around: path) else { return }
    application = try? TypesFile(contentsOf: outer, limits: limits)
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

  /// The findings in each file, in the order of ``files``. Declarations of each apply to all.
  /// - Parameters:
  ///   - known: the types that are declared without the bundle.
  ///   - isComplete: whether `known` has the declarations of the application around a single extension.
  ///   - sizeOfTemplate: returns the size of a template in bytes by its path in the file; nil if there is
  ///     no such file.
  package func findings(
    known: TypeRegistry = .standard, isComplete: Bool = false,
    sizeOfTemplate: (String) -> Int? = { _ in nil }
  ) -> [(file: TypesFile, findings: [Diagnostic])] {
    files.indices.map { index in
      var others = files
      others.remove(at: index)
      others += application.map { [$0] } ?? []
      let linter = TypeLinter(
        files[index], known: known, beside: others, isComplete: isComplete || !others.isEmpty)
      return (files[index], linter.findings(sizeOfTemplate: sizeOfTemplate))
    }
  }
}
