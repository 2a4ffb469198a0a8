package import ParticlesCore
internal import ParticlesPropertyLists

/// The types that one file declares and the claims that it makes: the property list of a bundle, a
/// `types.json`, or a desktop entry.
///
/// Reading is lenient: faulty entries are left out and reported in ``faults``. Each entry has its key
/// path, for the findings of a ``TypeLinter``.
package struct TypesFile: Sendable {
  /// A value and its key path.
  package struct Entry<Value: Sendable>: Sendable {
    /// The value.
    package var value: Value
    /// Its path of keys and indices, such as `exports[0].magic[1]`.
    package var key: String

    init(_ value: Value, at key: String) {
      self.value = value
      self.key = key
    }
  }

  /// A claim and its spelling in the file.
  package struct ClaimForm: Sendable {
    /// The claim.
    package var claim: HandlerClaim
    /// The role as written; nil if it is absent.
    var role: String?
    /// The key path of each type.
    var typeKeys: [String]
    /// The keys of the claim for extensions, MIME types and OSTypes.
    var legacyKeys: [String] = []
    /// The claimed extensions, MIME types and OSTypes.
    var tags: [ClaimedTag] = []
    /// The value of `LSTypeIsPackage`; nil if it is absent.
    var isPackage: Bool?
    /// Whether a property list states `LSHandlerRank`.
    var hasRank = true
    /// Whether the claim is on `*`: any file.
    var claimsAnyFile = false
    /// Whether the claim names types by their identifiers.
    var namesTypes = true
  }

  /// A type that is named outside of claims.
  struct Mention: Sendable {
    enum Purpose: String, Sendable {
      case preview, action, export
    }

    var identifier: String
    var purpose: Purpose
  }

  /// The program that the file describes.
  package internal(set) var handler: Handler

  /// The source of its declarations and claims.
  package internal(set) var source: DeclarationSource

  /// The declared types.
  package internal(set) var declarations: [Entry<TypeDeclaration>] = []

  /// The claims, in the order of the file.
  package internal(set) var claims: [Entry<ClaimForm>] = []

  /// The user's choices.
  package internal(set) var choices: [HandlerChoice] = []

  /// The entries that were left out, and why.
  package internal(set) var faults: [Diagnostic] = []

  /// Templates of new documents.
  var templates: [Entry<String>] {
    declarations.compactMap { entry in
      entry.value.templatePath.map { Entry($0, at: "\(entry.key).template") }
    }
  }

  /// The types that previews, actions and exports name.
  var mentions: [Entry<Mention>] = []

  /// The actions, with their types.
  var actions: [(identifier: String?, types: [String])] = []

  /// The kind of bundle.
  var bundle = BundleTraits()

  /// The property list that was read, whole; nil for other files.
  var original: PropertyListValue?

  /// Whether the property list that was read has comments.
  var hasComments = false

  init(handler: Handler, source: DeclarationSource) {
    self.handler = handler
    self.source = source
  }

  /// Creates declarations and claims without a file.
  package init(
    handler: Handler, source: DeclarationSource, declarations: [TypeDeclaration],
    claims: [HandlerClaim] = []
  ) {
    self.init(handler: handler, source: source)
    var counts: [TypeDeclaration.Kind: Int] = [:]
    self.declarations = declarations.map { declaration in
      let list = declaration.kind == .imported ? "imports" : "exports"
      defer { counts[declaration.kind, default: 0] += 1 }
      return Entry(declaration, at: "\(list)[\(counts[declaration.kind, default: 0])]")
    }
    self.claims = claims.enumerated().map { index, claim in
      let key = "claims[\(index)]"
      let keys = claim.types.indices.map { "\(key).types[\($0)]" }
      let form = ClaimForm(claim: claim, role: claim.role.rawValue, typeKeys: keys)
      return Entry(form, at: key)
    }
  }

  /// The types of this project.
  package static let particles = TypesFile(
    handler: Handler(DeclarationSource.particles.owner, name: "Particles"), source: .particles,
    declarations: BundledTypes.particles,
    claims: [
      HandlerClaim(
        by: Handler(DeclarationSource.particles.owner, name: "Particles"),
        to: ["org.particles-format.particles", "org.particles-format.particles-package"],
        name: "Particles document", rank: .owner, source: .particles),
      HandlerClaim(
        by: Handler(DeclarationSource.particles.owner, name: "Particles"),
        to: ["com.example.apple-samplecode.particles.particles"],
        name: "Particles document of Apple's sample", role: .viewer, rank: .alternate,
        source: .particles),
    ])

  /// The number of types that are declared, claimed, conformed to or named otherwise. Conformance takes
  /// memory that is quadratic in it.
  var namedTypes: Int {
    declarations.reduce(0) { $0 + 1 + $1.value.supertypes.count }
      + claims.reduce(0) { $0 + $1.value.claim.types.count } + mentions.count + choices.count
  }
}

extension TypeRegistry {
  /// Returns a registry with the declarations of files.
  /// - Parameters:
  ///   - files: the files, in the order in which they break ties.
  ///   - owner: the application that uses the registry; by default, the program of the first file that
  ///     has one.
  package func adding(_ files: [TypesFile], owner: String? = nil) -> TypeRegistry {
    let owners = files.map(\.source.owner).filter { !$0.isEmpty }
    return adding(
      files.flatMap { $0.declarations.map(\.value) }, owner: owner ?? owners.first)
  }
}

extension HandlerRegistry {
  /// Creates a registry of the claims and choices of files.
  package init(_ files: [TypesFile], types: TypeRegistry) {
    self.init(
      types: types, claims: files.flatMap { $0.claims.map(\.value.claim) },
      choices: files.flatMap(\.choices))
  }
}
