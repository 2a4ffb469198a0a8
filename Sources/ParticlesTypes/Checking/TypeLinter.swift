package import ParticlesCore

/// Checks the declarations and claims of a file: not whether they can be read, but whether a system
/// will treat the files as their author intended.
package struct TypeLinter: Sendable {
  /// The file.
  package let file: TypesFile

  /// The types that the file and the system declare, as the program of the file sees them.
  let registry: TypeRegistry

  /// The types that the system and this library declare without the file.
  let known: TypeRegistry

  /// The identifiers that the file exports, and the best rank of each that it claims; without case.
  let exports: Set<String>
  let ranks: [String: HandlerRank]

  /// Declared types by the last part of their identifiers, as far as it belongs to one type only.
  let endings: [Substring: UniformType?]

  /// Creates a linter.
  /// - Parameters:
  ///   - file: the file to check.
  ///   - known: the types that are declared without the file.
  package init(_ file: TypesFile, known: TypeRegistry = .standard) {
    self.file = file
    self.known = known
    registry = known.adding([file], owner: file.source.owner)
    exports = Set(
      file.declarations.map(\.value).filter { $0.kind == .exported }
        .map(\.identifier.caseFolded))
    var ranks: [String: HandlerRank] = [:]
    for claim in file.claims.map(\.value.claim) where !claim.isPreview {
      for name in claim.types.map(\.caseFolded) {
        ranks[name] = min(ranks[name] ?? .none, claim.rank)
      }
    }
    self.ranks = ranks
    var endings: [Substring: UniformType?] = [:]
    for type in registry.types {
      guard let last = type.identifier.caseFolded.split(separator: ".").last else { continue }
      endings.updateValue(endings[last] == nil ? type : nil, forKey: last)
    }
    self.endings = endings
  }

  /// All findings, in the order of the file: first entries that could not be read, then declarations,
  /// then claims and other mentions of types.
  /// - Parameter sizeOfTemplate: returns the size of a template in bytes by its path in the file, or
  ///   nil if there is no such file.
  package func findings(
    sizeOfTemplate: (String) -> Int? = { _ in nil }
  ) -> [Diagnostic] {
    var findings = file.faults
    for entry in file.declarations { findings += check(entry) }
    findings += twins() + circles()
    for entry in file.claims { findings += check(entry) }
    findings += repeatedClaims() + mentions() + unclaimedExports() + saving()
    for template in file.templates where sizeOfTemplate(template.value) == 0 {
      findings.append(Diagnostic(.typesTemplate, at: .key(template.key), "'\(template.value)'"))
    }
    return findings
  }

  /// Whether a name has a build variable, such as `$(PRODUCT_BUNDLE_IDENTIFIER).drawing`. Such names
  /// are not checked.
  static func isPlaceholder(_ name: String) -> Bool { name.contains("$(") || name.contains("${") }

  func type(_ identifier: String) -> UniformType {
    UniformType(importedAs: identifier, in: registry)
  }
}
