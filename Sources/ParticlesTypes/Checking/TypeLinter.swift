package import ParticlesCore

/// Checks the declarations and claims of a file: not whether they can be read, but whether a system
/// will treat the files as their author intended.
package struct TypeLinter: Sendable {
  /// The file.
  package let file: TypesFile

  /// The types that the file, the files beside it and the system declare, as the program of the file
  /// sees them.
  let registry: TypeRegistry

  /// The types that are declared without the file.
  let known: TypeRegistry

  /// Whether ``known`` has everything that the file may refer to. The declarations of its application
  /// are missing if the file is a single extension.
  let isComplete: Bool

  /// The identifiers that the file and the files beside it export, without case.
  let exports: Set<String>

  /// The first two components of the identifiers of the program and of its exported types.
  let ownVendors: Set<String>

  /// The best rank of each type that the file and the files beside it claim, by identifier without
  /// case.
  let ranks: [String: HandlerRank]

  /// The identifiers that declarations conform to, without case.
  let conformedTo: Set<String>

  /// The identifiers of types in circular conformances, without case.
  let inCircles: Set<String>

  /// Declared types by the last component of their identifiers, if it belongs to one type only.
  let endings: [Substring: UniformType?]

  /// Creates a linter.
  /// - Parameters:
  ///   - file: the file to check.
  ///   - known: the types that are declared without the file.
  ///   - others: the files of the other parts of the same bundle.
  ///   - isComplete: whether the declarations of the application are known, if the file is an
  ///     extension.
  package init(
    _ file: TypesFile, known: TypeRegistry = .standard, beside others: [TypesFile] = [],
    isComplete: Bool = false
  ) {
    self.file = file
    self.isComplete = isComplete || !file.bundle.isExtension
    self.known = others.isEmpty ? known : known.adding(others, owner: file.source.owner)
    registry = self.known.adding([file], owner: file.source.owner)
    let all = [file] + others
    exports = Set(
      all.flatMap(\.declarations).map(\.value).filter { $0.kind == .exported }
        .map(\.identifier.caseFolded))
    ownVendors = Set(([file.source.owner] + exports).compactMap(Self.vendor))
    var ranks: [String: HandlerRank] = [:]
    for claim in all.flatMap(\.claims).map(\.value.claim) where !claim.isPreview {
      for name in claim.types.map(\.caseFolded) {
        ranks[name] = min(ranks[name] ?? .none, claim.rank)
      }
    }
    self.ranks = ranks
    conformedTo = Set(registry.declarations.lazy.flatMap(\.supertypes).map(\.caseFolded))
    inCircles = Set(registry.cycles.joined().map(\.caseFolded))
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
    findings += repeatedClaims() + mentions() + unclaimedExports() + saving() + opening()
    for template in file.templates where sizeOfTemplate(template.value) == 0 {
      findings.append(Diagnostic(.typesTemplate, at: .key(template.key), "'\(template.value)'"))
    }
    return isComplete ? findings : Self.joined(findings)
  }

  /// The findings of a single extension: undeclared types are one note that asks for the application.
  private static func joined(_ findings: [Diagnostic]) -> [Diagnostic] {
    let undeclared = findings.filter { $0.rule == .typesUndeclared }
    guard let first = undeclared.first else { return findings }
    let names = undeclared.compactMap(\.found)
    let shown = names.prefix(3).joined(separator: ", ")
    let rest = names.count > 3 ? " and \(names.count - 3) more" : ""
    let note = Diagnostic(
      .typesUndeclared, at: first.location, "the file is an extension without its application",
      found: shown + rest, severity: .note,
      hint: "check the application with its extensions: particles types lint NAME.app")
    return findings.filter { $0.rule != .typesUndeclared } + [note]
  }

  /// Whether a name has a build variable, such as `$(PRODUCT_BUNDLE_IDENTIFIER).drawing`. Such names
  /// are not checked.
  static func isPlaceholder(_ name: String) -> Bool { name.contains("$(") || name.contains("${") }

  func type(_ identifier: String) -> UniformType {
    UniformType(importedAs: identifier, in: registry)
  }

  /// The first two components of a name in reverse-DNS style; nil if it has only one, or a build
  /// variable.
  static func vendor(of identifier: String) -> String? {
    let parts = identifier.caseFolded.split(separator: ".")
    guard parts.count > 1, !isPlaceholder(identifier) else { return nil }
    return parts.prefix(2).joined(separator: ".")
  }

  /// Whether an identifier has the vendor of the file. True if the file does not name its vendor.
  func isOwn(_ identifier: String) -> Bool {
    guard let vendor = Self.vendor(of: file.source.owner) else { return true }
    return Self.vendor(of: identifier) == vendor
  }

  /// Whether an identifier belongs to the system: `public.` and `com.apple.`.
  static func isSystems(_ identifier: String) -> Bool {
    TypeIdentifier.isReserved(identifier) || identifier.caseFolded.hasPrefix("com.apple.")
  }
}
