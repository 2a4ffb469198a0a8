package import ParticlesCore

/// What one file says of types and of who opens them: the property list of a bundle, a `types.json`,
/// a desktop entry.
///
/// Reading is lenient: what is no good is left out, and ``faults`` says so. Everything that was read
/// keeps its place in the file, so that a ``TypeLinter`` can say where something is wrong.
package struct TypesFile: Sendable {
  /// Something that was read, and where it stands: a path of keys and indices.
  package struct Entry<Value: Sendable>: Sendable {
    /// What was read.
    package var value: Value
    /// Where.
    package var key: String

    init(_ value: Value, at key: String) {
      self.value = value
      self.key = key
    }
  }

  /// What a file says in a claim, besides what the claim means.
  package struct ClaimForm: Sendable {
    /// What it means.
    package var claim: HandlerClaim
    /// The role as it stands there; nil if it does not.
    var role: String?
    /// Where the types stand, one for each.
    var typeKeys: [String]
    /// The old keys of the claim that say what files it is about.
    var legacyKeys: [String] = []
    /// Whether the file says that such documents are directories; nil if it says nothing.
    var isPackage: Bool?
    /// Whether the types are named by their identifiers.
    var namesTypes = true
  }

  /// A type that something else than a claim is about.
  struct Mention: Sendable {
    enum Purpose: String, Sendable {
      case preview, action, export
    }

    var identifier: String
    var purpose: Purpose
  }

  /// The program that the file belongs to.
  package internal(set) var handler: Handler

  /// Where declarations and claims say that they come from.
  package internal(set) var source: DeclarationSource

  /// The declared types.
  package internal(set) var declarations: [Entry<TypeDeclaration>] = []

  /// The claims, in the order of the file.
  package internal(set) var claims: [Entry<ClaimForm>] = []

  /// What people chose.
  package internal(set) var choices: [HandlerChoice] = []

  /// What was left out, and why.
  package internal(set) var faults: [Diagnostic] = []

  /// Files that new documents are copies of.
  var templates: [Entry<String>] = []
  var mentions: [Entry<Mention>] = []

  /// What the file says of the system that it is for.
  var isForTouch = false
  var opensInPlace = false

  init(handler: Handler, source: DeclarationSource) {
    self.handler = handler
    self.source = source
  }

  /// What a program says, made without a file.
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

  /// What this project says of its own types.
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

  /// How many types are declared, claimed, conformed to or named otherwise. What is made of them grows
  /// with the square of that.
  var namedTypes: Int {
    declarations.reduce(0) { $0 + 1 + $1.value.supertypes.count }
      + claims.reduce(0) { $0 + $1.value.claim.types.count } + mentions.count + choices.count
  }
}

extension TypeRegistry {
  /// A registry that knows also what files say.
  /// - Parameters:
  ///   - files: what was read; what several declare counts as in one.
  ///   - owner: who asks; by default, the program of the first of them that has one.
  package func adding(_ files: [TypesFile], owner: String? = nil) -> TypeRegistry {
    let owners = files.map(\.source.owner).filter { !$0.isEmpty }
    return adding(
      files.flatMap { $0.declarations.map(\.value) }, owner: owner ?? owners.first)
  }
}

extension HandlerRegistry {
  /// Who opens files, as far as these files say.
  package init(_ files: [TypesFile], types: TypeRegistry) {
    self.init(
      types: types, claims: files.flatMap { $0.claims.map(\.value.claim) },
      choices: files.flatMap(\.choices))
  }
}
