extension UniformType {
  /// The type of files with an extension, without full stops.
  ///
  /// Where nobody declares one, it is a dynamic type; nil if no type can have the extension.
  /// - Parameters:
  ///   - filenameExtension: the extension, in any case.
  ///   - supertype: what it has to conform to; ordinarily any data, so that packages are found only
  ///     by whoever asks for ``package``.
  ///   - registry: who declares types.
  public init?(
    filenameExtension: String, conformingTo supertype: UniformType = .data,
    in registry: TypeRegistry = .standard
  ) {
    self.init(
      tag: filenameExtension, tagClass: .filenameExtension, conformingTo: supertype, in: registry)
  }

  /// The type of what is sent as a MIME type.
  public init?(
    mimeType: String, conformingTo supertype: UniformType = .data,
    in registry: TypeRegistry = .standard
  ) {
    self.init(tag: mimeType, tagClass: .mimeType, conformingTo: supertype, in: registry)
  }

  /// The type that a tag stands for: the best of those that claim it, or a dynamic one.
  public init?(
    tag: String, tagClass: TagClass, conformingTo supertype: UniformType?,
    in registry: TypeRegistry = .standard
  ) {
    if let claims = registry.graph.claims(tag, tagClass), claims.others.isEmpty {
      // Nearly always; there is nothing to rank.
      let type = UniformType(node: claims.first.node, in: registry.graph)
      if supertype == nil || type.conforms(to: supertype) {
        self = type
        return
      }
    }
    let selection = registry.select(tag: tag, tagClass: tagClass, conformingTo: supertype)
    guard let type = selection.type else { return nil }
    self = type
  }

  /// All types that claim a tag and conform to `supertype`, the best first; a dynamic one where
  /// nobody does.
  public static func types(
    tag: String, tagClass: TagClass, conformingTo supertype: UniformType?,
    in registry: TypeRegistry = .standard
  ) -> [UniformType] {
    let selection = registry.select(tag: tag, tagClass: tagClass, conformingTo: supertype)
    let declared = selection.candidates.map(\.type)
    return declared.isEmpty ? selection.type.map { [$0] } ?? [] : declared
  }

  /// Whether both may be meant by the same tag: they are the same, or all tags of one of two dynamic
  /// types are tags of the other.
  public func isCompatible(with other: UniformType) -> Bool {
    guard let mine = dynamicIdentifier, let theirs = other.dynamicIdentifier else {
      return self == other
    }
    return mine.isCompatible(with: theirs)
  }

  /// Whether it has all tags of a dynamic type, which then stands for it.
  func hasTags(of dynamic: DynamicIdentifier) -> Bool {
    dynamic.tags.entries.allSatisfy { entry in
      let tags = typeTags[entry.tagClass].map(entry.tagClass.folded)
      return entry.values.allSatisfy { tags.contains(entry.tagClass.folded($0)) }
    }
  }
}
