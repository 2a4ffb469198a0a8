/// Lists of words by name. There are never more than a handful, and the first dictionary of a kind
/// makes a process look through everything that conforms to anything, which takes longer than
/// most commands.
struct NamedValues: Sendable {
  private var all: [(name: String, values: [String])] = []

  subscript(name: String) -> [String]? {
    get { all.first { $0.name == name }?.values }
    set {
      all.removeAll { $0.name == name }
      if let newValue { all.append((name, newValue)) }
    }
  }
}
