public import ParticlesCore

extension ParticleSystem {
  /// A surface that emits particles: a file in the package or a primitive.
  public struct Mesh: Sendable, Hashable {
    /// A display name; empty by default.
    public var name = ""

    /// A path in the package, relative to the document; nil by default.
    public var uri: String?

    /// The name of a primitive provided by the program; nil by default.
    public var primitive: String?

    /// Unknown JSON members, preserved on save; see ``Extensible``.
    public var additions = JSONObject()

    /// Creates the defaults.
    public init() {}
  }
}

extension Mesh: ModelObject {
  package static let title = "Mesh"
  package static let about = "A surface that emits particles."

  package static let properties: [Property<Mesh>] = [
    .value("name", { $1(&$0.name) }, "A display name."),
    .optional(
      "uri", { $1(&$0.uri) }, schema: .address, "A path in the package, relative to the document."),
    .optional(
      "primitive", { $1(&$0.primitive) }, "The name of a primitive provided by the program."),
  ]

  package func checkWhole(at path: JSONPath, into diagnostics: inout [Diagnostic]) {
    guard let uri else {
      if primitive == nil {
        diagnostics.append(
          Diagnostic(
            .range, at: path.location, expected: "a uri or a primitive", found: "neither"))
      }
      return
    }
    checkAddress(uri, at: path.appending("uri"), into: &diagnostics)
  }
}
