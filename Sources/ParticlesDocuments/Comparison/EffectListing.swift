internal import ParticlesContainer
package import ParticlesCore
internal import ParticlesModel

/// Every property that a document states, and every file of its package: lines for programs that compare
/// lines, such as git.
package struct EffectListing: Sendable {
  /// A property that the document states.
  struct Property: Sendable, Hashable {
    /// The key, with names of elements where they are unique: `emitters[Smoke].emission.rate`.
    var key: String
    var value: JSONValue
    var unit: String?
  }

  /// A file of the package.
  struct File: Sendable, Hashable {
    var path: String
    /// The facts about its contents: size and digest, or the target of a link.
    var size: Int?
    var digest: String?
    var target: String?
  }

  /// The properties in the order of the document; empty if the package has none.
  private(set) var properties: [Property] = []

  /// The files in the order of the package, without the document if its properties are listed, and without
  /// previews.
  private(set) var files: [File] = []

  /// Lists the contents of a document. Reads all files.
  /// - Throws: read errors, and the syntax error of a document that is not JSON.
  package init(_ opened: OpenedEffect, limits: Limits = .standard) throws {
    let root = EffectPackage(opened.package.container).withoutPreviews
    if root[EffectPackage.documentPath] != nil {
      let editor = try EffectEditor(opened.package, limits: limits)
      let document = try JSONParser.parse(opened.package.document(limits: limits))
      list(document, at: "", editor)
    }
    var failure: (any Error)?
    root.forEachDescendant { path, node in
      guard !node.isDirectory, path != EffectPackage.documentPath, failure == nil else { return }
      do {
        var file = File(path: path, target: node.symbolicLinkDestination)
        if let bytes = try node.contents?.bytes() {
          (file.size, file.digest) = (bytes.count, SHA256.digest(bytes).description)
        }
        files.append(file)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
  }

  /// Adds the values without members, and arrays of such as one value.
  private mutating func list(_ value: JSONValue, at key: String, _ editor: EffectEditor) {
    if let members = value.object?.members, !members.isEmpty {
      for member in members {
        list(member.value, at: key.isEmpty ? member.key : "\(key).\(member.key)", editor)
      }
    } else if let elements = value.array, elements.contains(where: \.hasMembers) {
      let names = elements.map { $0.object?["name"]?.string ?? "" }
      let areKeys = Set(names).count == names.count && names.allSatisfy(\.isPlainName)
      for (index, element) in elements.enumerated() {
        list(element, at: "\(key)[\(areKeys ? names[index] : "\(index)")]", editor)
      }
    } else {
      properties.append(Property(key: key, value: value, unit: editor.unit(of: key)))
    }
  }

  /// One line for each property and file.
  package var text: String {
    let lines =
      properties.map { property in
        "\(property.key): \(property.value.line)" + (property.unit.map { " \($0)" } ?? "")
      }
      + files.map { file in
        "\(file.path.escapingControls): "
          + (file.target.map { "link to \($0.escapingControls)" }
            ?? "\(file.size ?? 0) bytes, sha256 \(file.digest ?? "")")
      }
    return lines.map { $0 + "\n" }.joined()
  }

  /// The members `properties` and `entries` of JSON output.
  package var members: JSONObject {
    let properties = properties.map { property -> JSONValue in
      var object: JSONObject = ["key": .string(property.key), "value": property.value]
      object["unit"] = property.unit.map(JSONValue.string)
      return .object(object)
    }
    let entries = files.map { file -> JSONValue in
      var object: JSONObject = ["path": .string(file.path)]
      object["size"] = file.size.map(JSONValue.int)
      object["sha256"] = file.digest.map(JSONValue.string)
      object["target"] = file.target.map(JSONValue.string)
      return .object(object)
    }
    return ["properties": .array(properties), "entries": .array(entries)]
  }
}

extension JSONValue {
  fileprivate var hasMembers: Bool {
    switch self {
    case .object(let object): !object.members.isEmpty
    case .array(let elements): elements.contains(where: \.hasMembers)
    default: false
    }
  }
}

extension String {
  /// Whether this is a name that can be in brackets of a key without quotes, and is no index.
  fileprivate var isPlainName: Bool {
    !isEmpty && Int(self) == nil && !["*", "+"].contains(self)
      && !contains { $0 == "[" || $0 == "]" || $0 == "\"" || $0.isNewline }
  }
}
