public import ParticlesContainer
public import ParticlesCore
internal import ParticlesModel

/// The differences between two effects: properties of the documents, and further files of the packages. Previews are
/// not part of the effects.
public struct EffectComparison: Sendable {
  /// A property that the two effects state differently.
  public struct Property: Sendable, Hashable {
    /// The key, as ``EffectEditor/set(_:to:)`` takes it: `emitters[0].emission.rate`.
    public var key: String
    /// The first value, defaults included. Nil if only the second effect has the property or element.
    public var old: JSONValue?
    /// The second value, defaults included. Nil if only the first effect has the property or element.
    public var new: JSONValue?
    /// The unit, or nil for values without a unit.
    public var unit: String?
  }

  /// The properties that differ, in the order of the document. Numbers are equal if they differ by
  /// at most a millionth.
  public let properties: [Property]

  /// Further differences of the trees, in the order of paths. `document.json` is included only if its bytes differ
  /// and no property does.
  public let files: [Container.Difference]

  /// Whether both effects have a document that was compared by properties.
  public let comparesProperties: Bool

  /// Compares two effects.
  ///
  /// If either is a file of another format, which was imported, the imported files themselves and
  /// the references to them are left out. If either package has no valid document, files are
  /// compared only.
  /// - Throws: read errors of the packages.
  public init(
    from old: OpenedEffect, to new: OpenedEffect, limits: Limits = .standard
  ) throws(Failure) {
    var trees = [old, new].map { $0.package.container.root }
    var systems = [old, new].map { try? $0.package.system(limits: limits) }
    if ![old, new].allSatisfy({ $0.isPackage || $0.isArchive }) {
      for index in trees.indices {
        if let path = systems[index]?.sourcePath { trees[index].removeFile(at: path) }
        systems[index]?.extensions[ParticleSystem.sourceExtension] = nil
      }
    }
    guard let first = systems[0], let second = systems[1] else {
      (properties, comparesProperties) = ([], false)
      files = try trees[1].differences(from: trees[0])
      return
    }
    let editors = [old, new].map { try? EffectEditor($0.package, limits: limits) }
    properties = first.differences(from: second).map { difference in
      let editor = difference.new == nil ? editors[0] : editors[1]
      return Property(
        key: difference.path, old: difference.old, new: difference.new,
        unit: editor?.unit(of: difference.path))
    }
    comparesProperties = true
    trees = trees.map { EffectPackage(Container(root: $0)).withoutPreviews }
    let files = try trees[1].differences(from: trees[0])
    self.files =
      properties.isEmpty
      ? files : files.compactMap { $0.ignoringContents(of: EffectPackage.documentPath) }
  }

  /// Whether nothing differs.
  public var isEmpty: Bool { properties.isEmpty && files.isEmpty }
}

extension ParticleSystem {
  /// The path of the imported file in the package, or nil if there is none.
  fileprivate var sourcePath: String? {
    extensions[Self.sourceExtension]?.object?["file"]?.string
  }
}

extension FileNode {
  /// Removes a file, and its folder if it becomes empty.
  fileprivate mutating func removeFile(at path: String) {
    removeFileNode(at: path)
    let folder = Files.folder(of: path)
    if folder != ".", let node = self[folder], node.isDirectory, node.children?.isEmpty ?? false {
      removeFileNode(at: folder)
    }
  }
}

extension Container.Difference {
  /// This difference without changed contents of the file at `path`. Nil if nothing is left.
  fileprivate func ignoringContents(of path: String) -> Container.Difference? {
    guard self.path == path, case .changed(let aspects) = change else { return self }
    let rest = aspects.filter { if case .contents = $0 { false } else { true } }
    return rest.isEmpty ? nil : Container.Difference(path: path, change: .changed(rest))
  }
}

extension EffectEditor {
  /// The unit of a property, or nil if it has none.
  func unit(of key: String) -> String? {
    (try? place(of: TypedKey(key)))?.property?.unit
  }
}

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

  /// The properties in the order of the document. Empty if the package has no document.
  private(set) var properties: [Property] = []

  /// The files in the order of the package, without the document if its properties are listed, and without
  /// previews.
  private(set) var files: [File] = []

  /// Lists the contents of a document. Reads all files.
  /// - Throws: read errors, and the syntax error of a document that is not JSON.
  package init(_ opened: OpenedEffect, limits: Limits = .standard) throws(Failure) {
    let root = EffectPackage(opened.package.container).withoutPreviews
    if root[EffectPackage.documentPath] != nil {
      let editor = try EffectEditor(opened.package, limits: limits)
      let document = try JSONParser.parse(opened.package.document(limits: limits))
      list(document, at: "", editor)
    }
    var failure: Failure?
    root.forEachDescendant { path, node in
      guard !node.isDirectory, path != EffectPackage.documentPath, failure == nil else { return }
      do throws(Failure) {
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
    } else if let elements = value.array, elements.contains(where: { $0.hasMembers }) {
      let names = elements.map { $0.object?["name"]?.string ?? "" }
      let areKeys = Set(names).count == names.count && names.allSatisfy { $0.isPlainName }
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
    case .array(let elements): elements.contains { $0.hasMembers }
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
