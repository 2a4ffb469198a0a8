/// The reachability of the nodes of a graph, computed in one walk.
struct Closure {
  /// The edges without those that close a circle.
  private(set) var parents: [[Int]]

  /// For each node, the nodes that it reaches, itself included.
  private(set) var ancestors: BitMatrix

  /// The nodes of each circle that was cut, in the order of its edges.
  private(set) var cycles: [[Int]] = []

  private enum State { case new, open, done }

  /// Walks the graph. A circle is cut at the edge that closes it.
  /// - Parameters:
  ///   - parents: the edges of the first nodes; the nodes after them have none.
  ///   - order: the nodes to begin at; it decides where circles are cut.
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
          cycles.append(path.map(\.node).drop { $0 != parent }.map(\.self))
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

  /// Whether a bit of a row is set.
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
