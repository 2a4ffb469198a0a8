internal import ParticlesCore

/// Names of documents.
package enum DocumentNames {
  /// Returns the path that a document gets by a new name: in the same folder, with the extension of the
  /// old name if the new one has none.
  /// - Parameters:
  ///   - path: the path of the document.
  ///   - name: the new name, without folders.
  /// - Throws: ``ParticlesCore/Rule/name`` if it is not a valid name.
  package static func path(renaming path: String, to name: String) throws -> String {
    let kind = Files.pathExtension(of: path)
    var name = name
    if !kind.isEmpty, Files.pathExtension(of: name).isEmpty { name += ".\(kind)" }
    try check(name)
    return path.contains("/") ? Files.joined(Files.folder(of: path), name) : name
  }

  /// Throws unless a name is one that a document can have on common systems: not empty or hidden, without
  /// slashes and control characters, and at most 255 bytes.
  /// - Throws: ``ParticlesCore/Rule/name``.
  package static func check(_ name: String) throws {
    func fault(_ expected: String) -> Diagnostic {
      Diagnostic(.name, "'\(name)'", expected: expected, hint: "choose another name")
    }
    guard !name.isEmpty else { throw fault("at least one character") }
    guard !name.hasPrefix(".") else { throw fault("a name that does not begin with '.'") }
    guard !name.contains("/") else { throw fault("a name without folders") }
    guard name.utf8.count <= 255 else { throw fault("at most 255 bytes") }
    guard !name.unicodeScalars.contains(where: \.isControl) else {
      throw fault("no control characters")
    }
  }

  /// The name to show for a document: that of the file without its extension.
  package static func displayName(of path: String) -> String { Files.stem(of: path) }

  /// Returns an unused path beside a document: `fire 2.particles`, or with a comment in parentheses. Upper
  /// and lower case are not distinguished.
  /// - Parameters:
  ///   - path: the path of the document.
  ///   - comment: the text in parentheses; nil for none.
  package static func free(beside path: String, _ comment: String? = nil) throws -> String {
    let folder = Files.folder(of: path)
    let taken = Set(try Files.list(folder, passingOver: { _ in }).map { $0.lowercased() })
    let kind = Files.pathExtension(of: path)
    let ending = kind.isEmpty ? "" : ".\(kind)"
    let stem = Files.stem(of: path) + (comment.map { " (\($0))" } ?? "")
    var number = comment == nil ? 2 : 1
    while true {
      let name = stem + (number == 1 ? "" : " \(number)") + ending
      if !taken.contains(name.lowercased()) {
        return path.contains("/") ? Files.joined(folder, name) : name
      }
      number += 1
    }
  }
}
