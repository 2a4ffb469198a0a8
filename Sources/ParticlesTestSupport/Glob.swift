/// Patterns of file names.
package enum Glob {
  /// A name that a pattern matches.
  package static func example(of pattern: String) -> String {
    var name = ""
    var rest = Substring(pattern)
    while let character = rest.popFirst() {
      switch character {
      case "*": name += "x"
      case "[":
        if let first = rest.first { name.append(first) }
        rest = rest.drop { $0 != "]" }.dropFirst()
      default: name.append(character)
      }
    }
    return name
  }
}
