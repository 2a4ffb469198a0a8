/// Types that have been declared, and what they conform to.
///
/// A registry is a value that never changes: it is made of declarations, and asking it costs no
/// more than a look into a table. The one that needs nothing is ``standard``.
public struct TypeRegistry: Sendable {
  let graph: TypeGraph

  /// A registry of these declarations. Whatever they say, it comes about: what is wrong with them
  /// is told by ``cycles`` and ``unknownSupertypes``.
  /// - Parameters:
  ///   - declarations: the types; the order decides where nothing else does.
  ///   - owner: who asks, as ``DeclarationSource/owner``. What that application exports comes before
  ///     everything else.
  public init(_ declarations: [TypeDeclaration], owner: String? = nil) {
    graph = TypeGraph(declarations, owner: owner)
  }

  /// The system's types and those of this project.
  public static let standard = bundled()

  /// The same, made anew.
  package static func bundled() -> TypeRegistry {
    TypeRegistry(BundledTypes.declarations(), owner: DeclarationSource.particles.owner)
  }

  /// A registry that has more declarations.
  public func adding(
    _ declarations: [TypeDeclaration], owner: String? = nil
  ) -> TypeRegistry {
    TypeRegistry(self.declarations + declarations, owner: owner ?? self.owner)
  }

  /// Who asks.
  public var owner: String? { graph.owner }

  /// All declarations: those that count, and behind them those that do not.
  public var declarations: [TypeDeclaration] {
    graph.declarations + graph.shadowed.sorted { $0.key < $1.key }.flatMap(\.value)
  }

  /// The declarations of a type, the one that counts first.
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

  /// Types that conform to themselves by way of others: the identifiers along each circle. The last
  /// conformance of a circle does not count.
  public var cycles: [[String]] { graph.cycles.map { $0.map(graph.identifier) } }

  /// The conformances to types that nobody declares.
  public var unknownSupertypes: [(type: String, supertype: String)] {
    graph.parents.enumerated().flatMap { node, parents in
      parents.filter { !graph.isDeclared($0) }.map {
        (graph.identifier(node), graph.identifier($0))
      }
    }
  }
}
