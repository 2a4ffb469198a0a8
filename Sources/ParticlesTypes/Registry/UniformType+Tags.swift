extension UniformType {
  /// The type of files with an extension.
  ///
  /// A dynamic type if no declared type has the extension; nil if the extension is not valid.
  /// - Parameters:
  ///   - filenameExtension: the extension without its full stop; upper and lower case are equal.
  ///   - supertype: the type that it has to conform to. The default is any data; pass ``package`` to
  ///     find packages.
  ///   - registry: the declared types.
  public init?(
    filenameExtension: String, conformingTo supertype: UniformType = .data,
    in registry: TypeRegistry = .standard
  ) {
    self.init(
      tag: filenameExtension, tagClass: .filenameExtension, conformingTo: supertype, in: registry)
  }

  /// The type with a MIME type; a dynamic one if no declared type has it.
  public init?(
    mimeType: String, conformingTo supertype: UniformType = .data,
    in registry: TypeRegistry = .standard
  ) {
    self.init(tag: mimeType, tagClass: .mimeType, conformingTo: supertype, in: registry)
  }

  /// The type with a tag: the best declared one, or a dynamic one; nil if the tag is not valid.
  public init?(
    tag: String, tagClass: TagClass, conformingTo supertype: UniformType?,
    in registry: TypeRegistry = .standard
  ) {
    if let claims = registry.graph.claims(tag, tagClass), claims.others.isEmpty {
      // The common case: there is nothing to rank.
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

  /// All declared types that have a tag and conform to `supertype`, the best first; one dynamic type
  /// if there are none.
  public static func types(
    tag: String, tagClass: TagClass, conformingTo supertype: UniformType?,
    in registry: TypeRegistry = .standard
  ) -> [UniformType] {
    let selection = registry.select(tag: tag, tagClass: tagClass, conformingTo: supertype)
    let declared = selection.candidates.map(\.type)
    return declared.isEmpty ? selection.type.map { [$0] } ?? [] : declared
  }

  /// Whether both types are equal, or both are dynamic and all tags of one are tags of the other.
  public func isCompatible(with other: UniformType) -> Bool {
    guard let mine = dynamicIdentifier, let theirs = other.dynamicIdentifier else {
      return self == other
    }
    return mine.isCompatible(with: theirs)
  }

  /// Whether it has all tags of a dynamic type.
  func hasTags(of dynamic: DynamicIdentifier) -> Bool {
    dynamic.tags.entries.allSatisfy { entry in
      let tags = typeTags[entry.tagClass].map(entry.tagClass.folded)
      return entry.values.allSatisfy { tags.contains(entry.tagClass.folded($0)) }
    }
  }
}
