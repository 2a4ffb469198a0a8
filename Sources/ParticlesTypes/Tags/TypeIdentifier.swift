/// The syntax of type identifiers, in reverse-DNS style: `com.example.drawing`.
package enum TypeIdentifier {
  /// The fault in an identifier, as a phrase; nil if it is valid.
  ///
  /// An identifier consists of components between full stops; a component has at least one
  /// character, each an ASCII letter or digit, a hyphen, or a character above U+007F.
  package static func fault(in identifier: String) -> String? {
    if identifier.isEmpty { return "it is empty" }
    for scalar in identifier.unicodeScalars where !isAllowed(scalar) {
      return "'\(scalar)' is not allowed"
    }
    let components = identifier.split(separator: ".", omittingEmptySubsequences: false)
    return components.contains("") ? "a component is empty" : nil
  }

  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "-", ".": true
    default: scalar.value > 0x7F
    }
  }

  /// Whether only the system may declare an identifier: those that begin with `public.` or `dyn.`.
  package static func isReserved(_ identifier: String) -> Bool {
    let identifier = identifier.caseFolded
    return identifier.hasPrefix("public.") || identifier.hasPrefix("dyn.")
  }

  /// Whether two identifiers name the same type; compared without case.
  package static func areEqual(_ a: String, _ b: String) -> Bool {
    a == b || a.caseFolded == b.caseFolded
  }
}
