extension UniformType {
  /// Whether it is `other`, or conforms to it directly or through other types.
  public func conforms(to other: UniformType) -> Bool {
    if case .declared(let node) = form, case .declared(let ancestor) = other.form,
      graph === other.graph
    {
      return graph.ancestors.contains(ancestor, in: node)
    }
    return self == other || reaches(other.identifier)
  }

  /// Whether it conforms to `other`; false for nil.
  func conforms(to other: UniformType?) -> Bool { other.map(conforms) ?? false }

  /// Whether it conforms to `other` and differs from it.
  public func isSubtype(of other: UniformType) -> Bool { self != other && conforms(to: other) }

  /// Whether `other` conforms to it and differs from it.
  public func isSupertype(of other: UniformType) -> Bool { other.isSubtype(of: self) }

  /// All types that it conforms to, declared or not, without itself.
  public var supertypes: Set<UniformType> {
    var supertypes: Set<UniformType> = []
    for parent in directSupertypes {
      supertypes.insert(parent)
      guard let node = graph.node(parent.identifier) else { continue }
      for ancestor in graph.ancestors.bits(of: node) {
        supertypes.insert(UniformType(node: ancestor, in: graph))
      }
    }
    supertypes.remove(self)
    return supertypes
  }

  /// The supertypes in its declaration, in that order, without any that would close a circle.
  public var directSupertypes: [UniformType] {
    switch form {
    case .declared(let node): graph.parents[node].map { UniformType(node: $0, in: graph) }
    case .dynamic(let dynamic): dynamic.supertypes.map(named)
    case .undeclared(let names): names.map(named)
    }
  }

  /// The length of the shortest path of conformances to `other`: 0 for the type itself, nil if it does
  /// not conform.
  public func distance(to other: UniformType) -> Int? {
    var seen: Set<UniformType> = [self]
    var (level, distance) = ([self], 0)
    while !level.isEmpty {
      if level.contains(other) { return distance }
      level = level.flatMap(\.directSupertypes).filter { seen.insert($0).inserted }
      distance += 1
    }
    return nil
  }

  private func named(_ identifier: String) -> UniformType {
    graph.node(identifier).map { UniformType(node: $0, in: graph) }
      ?? UniformType(identifier: identifier, form: .undeclared([]), graph: graph)
  }

  private func reaches(_ identifier: String) -> Bool {
    let target = graph.node(identifier)
    return switch form {
    case .declared(let node): target.map { graph.ancestors.contains($0, in: node) } ?? false
    case .dynamic(let dynamic): reaches(identifier, target, from: dynamic.supertypes)
    case .undeclared(let names): reaches(identifier, target, from: names)
    }
  }

  private func reaches(_ identifier: String, _ target: Int?, from names: [String]) -> Bool {
    names.contains { name in
      if TypeIdentifier.areEqual(name, identifier) { return true }
      guard let node = graph.node(name), let target else { return false }
      return graph.ancestors.contains(target, in: node)
    }
  }
}
