public import ParticlesContainer
public import ParticlesCore
internal import ParticlesModel

/// The differences between two effects: properties of the documents, and the other files of the
/// packages. Previews are not part of the effects.
public struct EffectComparison: Sendable {
  /// A property that the two effects state differently.
  public struct Property: Sendable, Hashable {
    /// The key, as ``EffectEditor/set(_:to:)`` takes it: `emitters[0].emission.rate`.
    public var key: String
    /// The first value, defaults included; nil if only the second effect has the property or element.
    public var old: JSONValue?
    /// The second value, defaults included; nil if only the first effect has the property or element.
    public var new: JSONValue?
    /// The unit; nil for values without a unit.
    public var unit: String?
  }

  /// The properties that differ, in the order of the document. Numbers are equal if they differ by
  /// at most a millionth.
  public let properties: [Property]

  /// The other differences of the trees, in the order of paths. `document.json` is included only if
  /// its bytes differ and no property does.
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
  ) throws {
    var trees = [old, new].map(\.package.container.root)
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
  /// The path of the imported file in the package; nil if there is none.
  fileprivate var sourcePath: String? {
    extensions[Self.sourceExtension]?.object?["file"]?.string
  }
}

extension FileNode {
  /// Removes a file, and its folder if that becomes empty.
  fileprivate mutating func removeFile(at path: String) {
    removeFileNode(at: path)
    let folder = Files.folder(of: path)
    if folder != ".", let node = self[folder], node.isDirectory, node.children?.isEmpty ?? false {
      removeFileNode(at: folder)
    }
  }
}

extension Container.Difference {
  /// This difference without that of the contents of a file; nil if no other is left.
  fileprivate func ignoringContents(of path: String) -> Container.Difference? {
    guard self.path == path, case .changed(let aspects) = change else { return self }
    let rest = aspects.filter { if case .contents = $0 { false } else { true } }
    return rest.isEmpty ? nil : Container.Difference(path: path, change: .changed(rest))
  }
}

extension EffectEditor {
  /// The unit of a property; nil if it has none.
  func unit(of key: String) -> String? {
    (try? place(of: TypedKey(key)))?.property?.unit
  }
}
