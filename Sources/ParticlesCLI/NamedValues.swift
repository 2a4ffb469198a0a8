/// Lists of words by name. An array, as there are few: the first use of a dictionary type makes the
/// runtime search all protocol conformances, which takes longer than most commands.
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
