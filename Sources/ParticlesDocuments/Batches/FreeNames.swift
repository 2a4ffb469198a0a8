internal import ParticlesCore

/// Names for results in the folders of their documents, such that no existing file has them.
///
/// `fire.pex` becomes `fire.gif`; if that exists, `fire 2.gif`, and so on. Upper and lower case are not
/// distinguished.
package struct FreeNames {
  /// The names in each folder, in lower case.
  private var taken: [String: Set<String>] = [:]

  package init() {}

  /// Claims a name beside a document.
  /// - Parameters:
  ///   - document: the path of the document.
  ///   - folder: the folder of the result; that of the document by default.
  ///   - kind: the file name extension of the result.
  ///   - isFamily: whether the result can be several files, `fire.pex`, `fire-2.pex` and so on. Then all
  ///     such names are free.
  /// - Throws: a ``Diagnostic`` of the family `file` if the folder cannot be listed.
  package mutating func path(
    beside document: String, in folder: String? = nil, extension kind: String,
    isFamily: Bool = false
  ) throws -> String {
    let isElsewhere = folder != nil
    let folder = folder ?? Files.folder(of: document)
    var names =
      try taken[folder]
      ?? Set(Files.list(folder, passingOver: { _ in }).map { $0.lowercased() })
    let stem = Files.stem(of: document)
    func isTaken(_ stem: String) -> Bool {
      names.contains("\(stem).\(kind)")
        || isFamily && names.contains { Self.isMember($0, of: stem, kind) }
    }
    var (free, number) = (stem, 1)
    while isTaken(free.lowercased()) {
      number += 1
      free = "\(stem) \(number)"
    }
    let name = "\(free).\(kind)"
    names.insert(name.lowercased())
    taken[folder] = names
    return isElsewhere || document.contains("/") ? Files.joined(folder, name) : name
  }

  /// Whether a name is the stem with a hyphen and a number.
  private static func isMember(_ name: String, of stem: String, _ kind: String) -> Bool {
    guard name.hasPrefix(stem + "-"), name.hasSuffix("." + kind) else { return false }
    let number = name.dropFirst(stem.count + 1).dropLast(kind.count + 1)
    return !number.isEmpty && number.allSatisfy(\.isNumber)
  }
}
