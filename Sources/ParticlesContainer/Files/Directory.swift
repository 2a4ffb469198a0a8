package import ParticlesCore

extension FileNode {
  /// The children of a directory, in the order of their names' bytes.
  package struct Directory: Sendable {
    package private(set) var children: [Child] = []
    /// The folded names of all children. Collected when a name is first added, so most directories never need it.
    private var taken: Set<String>?
    /// The first number that may be free, by the text before and behind the number. Smaller numbers are taken, so that
    /// a thousand files of one name do not try a thousand numbers each.
    private var free: [String: Int] = [:]

    package init() {}

    /// Creates a directory of children in any order, with checked names. Checks for twins.
    package init(_ children: [Child]) throws(Failure) {
      func ascend(_ a: Child, _ b: Child) -> Bool {
        a.name.utf8.lexicographicallyPrecedes(b.name.utf8)
      }
      let isSorted = zip(children, children.dropFirst()).allSatisfy(ascend)
      self.children = isSorted ? children : children.sorted(by: ascend)
      // Different names without capital letters are no twins.
      if isSorted, children.allSatisfy({ Self.isLowerCase($0.name) }) { return }
      taken = []
      for child in self.children { try reserve(child.name) }
      taken = nil
    }

    private static func isLowerCase(_ name: String) -> Bool {
      name.utf8.allSatisfy { $0 < 0x80 && !(0x41...0x5A).contains($0) }
    }

    func hasTwin(of name: String) -> Bool {
      let folded = UnicodeForms.folded(name)
      return taken?.contains(folded) ?? children.contains { UnicodeForms.folded($0.name) == folded }
    }

    /// Returns the first free name with a number of at least `first` between two texts, and remembers the number.
    mutating func uniqueName(_ start: Substring, _ end: Substring, from first: Int) -> String {
      collectTaken()
      let key = Self.key(start, end)
      var number = max(first, free[key] ?? first)
      while hasTwin(of: "\(start)\(number)\(end)") { number += 1 }
      free[key] = number
      return "\(start)\(number)\(end)"
    }

    private static func key(_ start: Substring, _ end: Substring) -> String {
      UnicodeForms.folded("\(start)/\(end)")
    }

    /// Takes a removed name into account.
    private mutating func release(_ name: String) {
      if free.isEmpty { return }
      // Any number in a name may be the number of a unique name.
      var rest = name[...]
      while let first = rest.firstIndex(where: { $0.isASCIIDigit }) {
        let end = name[first...].firstIndex { !$0.isASCIIDigit } ?? name.endIndex
        let key = Self.key(name[..<first], name[end...])
        if let number = Int(name[first..<end]), let known = free[key] {
          free[key] = min(known, number)
        }
        rest = name[end...]
      }
    }

    package subscript(name: String) -> FileNode? {
      let index = index(of: name)
      return index < children.count && children[index].name == name ? children[index].node : nil
    }

    /// Adds a child under exactly this name, composed.
    mutating func insert(_ node: FileNode, named name: String) throws(Failure) {
      let name = UnicodeForms.composed(name)
      try EntryPath.check(name: name)
      try reserve(name)
      children.insert(Child(name: name, node: node), at: index(of: name))
    }

    /// Appends a child whose name was checked, has no twin, and is greater than all others.
    mutating func append(_ node: FileNode, named name: String) {
      children.append(Child(name: name, node: node))
    }

    /// Replaces the child of this name. Does nothing if there is none.
    /// - Returns: the node that was there, or nil if there is no such child.
    package mutating func replace(_ name: String, with node: FileNode) -> FileNode? {
      let index = index(of: name)
      guard index < children.count, children[index].name == name else { return nil }
      let old = children[index].node
      children[index] = Child(name: name, node: node)
      return old
    }

    mutating func remove(_ name: String) -> FileNode? {
      guard self[name] != nil else { return nil }
      taken?.remove(UnicodeForms.folded(name))
      release(name)
      return children.remove(at: index(of: name)).node
    }

    /// Returns a directory with these names and other nodes, made in order.
    func mapped(_ body: (FileNode) -> FileNode) -> Directory {
      var copy = self
      copy.children = children.map { Child(name: $0.name, node: body($0.node)) }
      return copy
    }

    private mutating func collectTaken() {
      if taken == nil { taken = Set(children.map { UnicodeForms.folded($0.name) }) }
    }

    private mutating func reserve(_ name: String) throws(Failure) {
      let folded = UnicodeForms.folded(name)
      collectTaken()
      guard taken?.insert(folded).inserted == true else {
        let twin = children.first { UnicodeForms.folded($0.name) == folded }?.name ?? ""
        throw Diagnostic(.twins, at: .entry(name), found: "'\(twin)' beside it")
      }
    }

    /// Returns the index of a name, or the index at which to insert it.
    private func index(of name: String) -> Int {
      var low = 0
      var high = children.count
      while low < high {
        let middle = (low + high) / 2
        if children[middle].name.utf8.lexicographicallyPrecedes(name.utf8) {
          low = middle + 1
        } else {
          high = middle
        }
      }
      return low
    }
  }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
}
