/// Types that have been declared, and what they conform to.
///
/// A registry is immutable; lookups take constant time. ``standard`` has the system's types and those
/// of this project.
public struct TypeRegistry: Sendable {
  let graph: TypeGraph

  /// Creates a registry. Faulty declarations are accepted; ``cycles`` and ``unknownSupertypes`` report
  /// them.
  /// - Parameters:
  ///   - declarations: the types; their order breaks ties.
  ///   - owner: the application that uses the registry, as ``DeclarationSource/owner``. Its exported
  ///     types take precedence.
  public init(_ declarations: [TypeDeclaration], owner: String? = nil) {
    graph = TypeGraph(declarations, owner: owner)
  }

  /// The system's types and those of this project.
  public static let standard = bundled()

  /// A new registry with the contents of ``standard``.
  package static func bundled() -> TypeRegistry {
    TypeRegistry(BundledTypes.declarations(), owner: DeclarationSource.particles.owner)
  }

  /// Returns a registry with more declarations.
  public func adding(
    _ declarations: [TypeDeclaration], owner: String? = nil
  ) -> TypeRegistry {
    TypeRegistry(self.declarations + declarations, owner: owner ?? self.owner)
  }

  /// The application that uses the registry.
  public var owner: String? { graph.owner }

  /// All declarations: the effective ones first.
  public var declarations: [TypeDeclaration] {
    graph.declarations + graph.shadowed.sorted { $0.key < $1.key }.flatMap(\.value)
  }

  /// The declarations of a type, the effective one first.
  public func declarations(of identifier: String) -> [TypeDeclaration] {
    guard let node = graph.node(identifier), graph.isDeclared(node) else { return [] }
    return [graph.declarations[node]] + graph.shadowed[node, default: []]
  }

  /// The declared types, in the order of their declarations.
  public var types: [UniformType] {
    graph.declarations.indices.map { UniformType(node: $0, in: graph) }
  }

  /// The declared types that conform to one, itself not included.
  public func subtypes(of type: UniformType) -> [UniformType] {
    types.filter { $0.isSubtype(of: type) }
  }

  /// Circular conformances: the identifiers along each circle. The last conformance of a circle is
  /// ignored.
  public var cycles: [[String]] { graph.cycles.map { $0.map(graph.identifier) } }

  /// The conformances to types that are neither declared nor dynamic.
  public var unknownSupertypes: [(type: String, supertype: String)] {
    graph.declarations.indices.flatMap { node in
      graph.parents[node].filter {
        !graph.isDeclared($0) && DynamicIdentifier(graph.identifier($0).caseFolded) == nil
      }.map { (graph.identifier(node), graph.identifier($0)) }
    }
  }
}
