internal import ParticlesCore
internal import ParticlesModel

/// Engines that have no file format, or none that is known: an emitter is made by code. The values of
/// the code are kept as JSON for the audit; they are in the units of the document.
struct CodeFamily: FieldFormat {
  enum Target: String, Sendable, CaseIterable {
    case coreAnimation = "swift-caemitter"
    case realityKit = "swift-realitykit"
    case unity = "unity-csharp"
    case love = "lua-love"
  }

  typealias Reader = FieldReader<CodeFamily>
  typealias Field = FieldValue
  typealias Surroundings = Void

  static let widthSuffix = " ±"

  static let sources = [
    (name: "ca", title: "Apple's documentation of `CAEmitterLayer` and `CAEmitterCell`"),
    (name: "rk", title: "Apple's documentation of `ParticleEmitterComponent`"),
    (name: "u", title: "Unity 2022.3, scripting reference of `ParticleSystem`"),
    (name: "lv", title: "LÖVE 11.5, `ParticleSystem.cpp`, read, and the wiki"),
  ]

  let target: Target
  let table: MappingTable<CodeFamily>

  /// One for each target, since its rows are made once: each file of an export needs them.
  private static let tables = Dictionary(
    uniqueKeysWithValues: Target.allCases.map { ($0, table(of: $0)) })

  init(_ target: Target) {
    self.target = target
    table = Self.tables[target] ?? Self.table(of: target)
  }

  var name: String { target.rawValue }
  var engine: String {
    switch target {
    case .coreAnimation: "Core Animation"
    case .realityKit: "RealityKit"
    case .unity: "Unity"
    case .love: "LÖVE"
    }
  }
  var rootKeys: [String] { ["rate"] }
  var nameKey: String { "name" }
  var imageKeys: (name: String, data: String)? { ("image", "imageData") }

  static func citation(of target: Target) -> String {
    switch target {
    case .coreAnimation: "ca"
    case .realityKit: "rk"
    case .unity: "u"
    case .love: "lv"
    }
  }

  /// Whether directions and shapes have a depth.
  var isSpatial: Bool { target == .realityKit || target == .unity }

  var dimension: Dimension { isSpatial ? .space : .plane }

  /// Whether sizes are lengths; they are factors of the image otherwise.
  var hasLengths: Bool { isSpatial }

  static func unit(of target: Target) -> LengthUnit {
    switch target {
    case .coreAnimation: .point
    case .love: .pixel
    case .realityKit: .meter
    case .unity: .unit
    }
  }

  func grid(for grid: SpriteGrid) -> SpriteGrid? {
    guard grid.columns > 1 || grid.rows > 1 else { return nil }
    // The code for LÖVE lists the frames; Core Animation shows the first.
    guard target != .love, target != .coreAnimation else { return grid }
    let count = grid.count == grid.columns * grid.rows ? grid.count : nil
    return SpriteGrid(columns: grid.columns, rows: grid.rows, count: count)
  }

  func grid(of reader: FieldReader<CodeFamily>) -> SpriteGrid? { reader.grid }

  /// The modes of blending that code can state, the usual one first.
  var blendModes: [BlendMode] { Self.blends(target) }

  /// The kinds of shapes besides points and rectangles.
  var shapes: Set<ShapeKind> {
    switch target {
    case .coreAnimation, .love: [.ellipse]
    case .realityKit: [.box, .sphere]
    case .unity: [.box]
    }
  }

  func adapt(_ writer: inout EmitterWriter<CodeFamily>) { writer.fillPlaces() }
}

extension ParticleFormat {
  /// Swift code that makes an emitter layer of Core Animation. It is only written.
  public static let swiftCoreAnimation = code(
    .coreAnimation, "Swift code for Core Animation", "swift", .coreAnimation)
  /// Swift code that makes a particle component of RealityKit. It is only written.
  public static let swiftRealityKit = code(
    .realityKit, "Swift code for RealityKit", "swift", .realityKit)
  /// C# code that makes a particle system of Unity. It is only written.
  public static let unityCSharp = code(.unity, "C# code for Unity", "cs", .unity)
  /// Lua code that makes a particle system of LÖVE. It is only written.
  public static let luaLove = code(.love, "Lua code for LÖVE", "lua", .love)

  private static func code(
    _ target: CodeFamily.Target, _ title: String, _ fileExtension: String,
    _ typesetter: @autoclosure @escaping @Sendable () -> Typesetter
  ) -> ParticleFormat {
    let family = CodeFamily(target)
    var base = ParticleFormat(
      family, in: JSONSyntax.self, title: title, extensions: [fileExtension]
    ) { _, _ in false }
    base.content = .effect(
      decode: { try FieldDecoder<CodeFamily, JSONSyntax>(format: family, context: $1).decode($0) },
      encode: { system, context in
        // Code cannot hold an image.
        var beside = context
        beside.images = .beside
        var exported = try FieldEncoder<CodeFamily, JSONSyntax>(format: family, context: beside)
          .encode(system)
        exported.explainPlacement(context, engine: "code")
        return exported
      })
    return ParticleFormat(
      code: target.rawValue, title: title, extensions: [fileExtension], of: base, typesetter())
  }
}
