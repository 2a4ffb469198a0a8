/// Declared types and their supertypes.
///
/// A registry is immutable. Lookups take constant time. ``standard`` has the types of the system and
/// of this project.
public struct TypeRegistry: Sendable {
  let graph: TypeGraph

  /// Creates a registry. Faulty declarations are accepted, and ``cycles`` and ``unknownSupertypes``
  /// report them.
  /// - Parameters:
  ///   - declarations: the types. Their order breaks ties.
  ///   - owner: the application that uses the registry, as ``DeclarationSource/owner``. Its exported
  ///     types take precedence.
  public init(_ declarations: [TypeDeclaration], owner: String? = nil) {
    graph = TypeGraph(declarations, owner: owner)
  }

  /// The types of the system and of this project.
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
    graph.declarations + graph.shadowed.sorted { $0.key < $1.key }.flatMap { $0.value }
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

/// The types of a registry as an immutable graph, with tables for lookups.
///
/// Nodes are numbers. The first nodes are the declared types, in the order of their declarations.
/// Undeclared supertypes follow.
final class TypeGraph: Sendable {
  /// A type's claim to a tag.
  struct Claim: Sendable {
    /// The type.
    var node: Int
    /// The index among the type's tags of the class, with 0 for the preferred tag.
    var position: Int
  }

  /// The claims to one tag. Most tags have one claim, which needs no array.
  struct Claims: Sendable {
    let first: Claim
    var others: [Claim] = []
  }

  /// The effective declaration of each declared type.
  let declarations: [TypeDeclaration]

  /// Further declarations of each type, the next best first.
  let shadowed: [Int: [TypeDeclaration]]

  /// The source whose exported types take precedence.
  let owner: String?

  /// The identifiers of undeclared supertypes.
  let unknown: [String]

  /// The direct supertypes of each type.
  let parents: [[Int]]

  /// Which types each type conforms to, itself included.
  let ancestors: BitMatrix

  /// Circular conformances, each circle once.
  let cycles: [[Int]]

  private let nodes: [String: Int]
  private let claims: [TagClass: [String: Claims]]

  init(_ declarations: [TypeDeclaration], owner: String?) {
    self.owner = owner
    var nodes: [String: Int] = [:]
    nodes.reserveCapacity(declarations.count + 16)
    (self.declarations, shadowed) = Self.decide(declarations, owner: owner, &nodes)

    var unknown: [String] = []
    var parents: [[Int]] = []
    parents.reserveCapacity(self.declarations.count)
    func node(_ name: String) -> Int {
      let key = name.caseFolded
      if let node = nodes[key] { return node }
      let node = nodes.count
      nodes[key] = node
      unknown.append(name)
      return node
    }
    // By index, here and below: a copy of a declaration would take longer than its use.
    for index in self.declarations.indices {
      parents.append(self.declarations[index].supertypes.map(node))
    }
    // Dynamic supertypes contain their own supertypes. If nothing else names such a supertype, it is
    // left out: an identifier may have hundreds, and memory is quadratic in the number of nodes.
    for name in unknown {
      let supertypes = DynamicIdentifier(name.caseFolded)?.supertypes ?? []
      parents.append(supertypes.compactMap { nodes[$0.caseFolded] })
    }
    self.unknown = unknown
    self.nodes = nodes
    let closure = Closure(parents: parents, nodeCount: nodes.count)
    if closure.cycles.isEmpty {
      (self.parents, ancestors, cycles) = (parents, closure.ancestors, [])
    } else {
      // The cut must not depend on the order in which files were read.
      let order = parents.indices.sorted { [declarations = self.declarations, unknown] in
        let names = [$0, $1].map { node in
          node < declarations.count
            ? declarations[node].identifier.caseFolded
            : unknown[node - declarations.count].caseFolded
        }
        return names[0] < names[1]
      }
      let closure = Closure(parents: parents, nodeCount: nodes.count, order: order)
      (self.parents, ancestors, cycles) = (closure.parents, closure.ancestors, closure.cycles)
    }
    claims = Self.claims(self.declarations)
  }

  /// The declaration with the highest authority is effective. Among equals, it is the first.
  private static func decide(
    _ declarations: [TypeDeclaration], owner: String?, _ nodes: inout [String: Int]
  ) -> ([TypeDeclaration], [Int: [TypeDeclaration]]) {
    var chosen: [TypeDeclaration] = []
    chosen.reserveCapacity(declarations.count)
    var shadowed: [Int: [TypeDeclaration]] = [:]
    for declaration in declarations {
      let key = declaration.identifier.caseFolded
      guard let node = nodes.updateValue(chosen.count, forKey: key) else {
        chosen.append(declaration)
        continue
      }
      nodes[key] = node
      shadowed[node, default: []].append(declaration)
      if declaration.authority(owner: owner) < chosen[node].authority(owner: owner) {
        shadowed[node, default: []].removeLast()
        shadowed[node, default: []].append(chosen[node])
        chosen[node] = declaration
      }
    }
    for (node, others) in shadowed where others.count > 1 {
      let ranked = others.enumerated().sorted {
        ($0.element.authority(owner: owner), $0.offset)
          < ($1.element.authority(owner: owner), $1.offset)
      }
      shadowed[node] = ranked.map { $0.element }
    }
    return (chosen, shadowed)
  }

  private static func claims(_ declarations: [TypeDeclaration]) -> [TagClass: [String: Claims]] {
    var claims: [TagClass: [String: Claims]] = [:]
    for node in declarations.indices {
      for entry in declarations[node].tags.entries {
        add(entry, of: node, to: &claims[entry.tagClass, default: [:]])
      }
    }
    return claims
  }

  private static func add(
    _ entry: TypeTags.Entry, of node: Int, to claims: inout [String: Claims]
  ) {
    if claims.isEmpty { claims.reserveCapacity(512) }
    let isCaseSensitive = entry.tagClass.isCaseSensitive
    for (position, tag) in entry.values.enumerated() {
      let claim = Claim(node: node, position: position)
      let key = isCaseSensitive ? tag : tag.caseFolded
      if var known = claims.updateValue(Claims(first: claim), forKey: key) {
        known.others.append(claim)
        claims[key] = known
      }
    }
  }

  /// The node of an identifier that is declared or conformed to, or nil for any other.
  func node(_ identifier: String) -> Int? { nodes[identifier.caseFolded] }

  func isDeclared(_ node: Int) -> Bool { node < declarations.count }

  /// The identifier of a node as it was declared, or as it was first mentioned.
  func identifier(_ node: Int) -> String {
    isDeclared(node) ? declarations[node].identifier : unknown[node - declarations.count]
  }

  /// The types that claim a tag, in the order of their declarations, or nil if there are none.
  func claims(_ tag: String, _ tagClass: TagClass) -> Claims? {
    claims[tagClass]?[tagClass.folded(tag)]
  }
}

extension TypeDeclaration {
  /// The authority of a declaration among all declarations of its type. A lower number is more.
  /// Nothing overrides the system's declaration.
  func authority(owner: String?) -> Int {
    kind == .system ? 0 : trust(owner: owner) + 1
  }

  /// The trust in a declaration. A lower number is more. Only the system's types are more trusted than
  /// exports, except for the owner's exports.
  func trust(owner: String?) -> Int {
    switch kind {
    case .exported: source.owner == owner ? 0 : 2
    case .system: 1
    case .imported: source.owner == owner ? 3 : 4
    }
  }
}

/// The reachability of the nodes of a graph, computed in one walk.
struct Closure {
  /// The edges. Edges that close a circle are missing.
  private(set) var parents: [[Int]]

  /// For each node, the nodes that it reaches, itself included.
  private(set) var ancestors: BitMatrix

  /// The nodes of each circle that was cut, in the order of its edges.
  private(set) var cycles: [[Int]] = []

  private enum State { case new, open, done }

  /// Walks the graph. A circle is cut at the edge that closes it.
  /// - Parameters:
  ///   - parents: the edges of the first nodes. Later nodes have none.
  ///   - order: the nodes to begin at, which decides where circles are cut.
  init(parents: [[Int]], nodeCount: Int, order: [Int]? = nil) {
    self.parents = parents
    ancestors = BitMatrix(size: nodeCount)
    var states = [State](repeating: .new, count: nodeCount)
    for node in parents.count..<nodeCount {
      ancestors.insert(node, in: node)
      states[node] = .done
    }
    // Iterative, since a chain may be as long as the file that declares it.
    var path: [(node: Int, next: Int)] = []
    for start in order ?? Array(parents.indices) where states[start] == .new {
      path.append((start, 0))
      states[start] = .open
      ancestors.insert(start, in: start)
      while let (node, next) = path.last {
        guard next < self.parents[node].count else {
          states[node] = .done
          path.removeLast()
          if let child = path.last?.node { ancestors.formUnion(child, with: node) }
          continue
        }
        let parent = self.parents[node][next]
        switch states[parent] {
        case .new:
          path[path.count - 1].next += 1
          path.append((parent, 0))
          states[parent] = .open
          ancestors.insert(parent, in: parent)
        case .done:
          path[path.count - 1].next += 1
          ancestors.formUnion(node, with: parent)
        case .open:
          self.parents[node].remove(at: next)
          cycles.append(path.map { $0.node }.drop { $0 != parent }.map { $0 })
        }
      }
    }
  }
}

/// A square of bits: a row for each node, and in it a bit for each node.
struct BitMatrix: Sendable {
  private let width: Int
  private var words: [UInt64]

  init(size: Int) {
    width = (size + 63) / 64
    words = Array(repeating: 0, count: width * size)
  }

  func contains(_ bit: Int, in row: Int) -> Bool {
    words[row * width + bit >> 6] >> UInt64(bit & 63) & 1 == 1
  }

  mutating func insert(_ bit: Int, in row: Int) {
    words[row * width + bit >> 6] |= 1 << UInt64(bit & 63)
  }

  mutating func formUnion(_ row: Int, with other: Int) {
    for word in 0..<width { words[row * width + word] |= words[other * width + word] }
  }

  /// The bits of a row that are set, in ascending order.
  func bits(of row: Int) -> [Int] {
    (0..<width).flatMap { word -> [Int] in
      var (rest, bits) = (words[row * width + word], [Int]())
      while rest != 0 {
        bits.append(word << 6 + rest.trailingZeroBitCount)
        rest &= rest - 1
      }
      return bits
    }
  }
}
