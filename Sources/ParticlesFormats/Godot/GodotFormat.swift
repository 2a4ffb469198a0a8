internal import ParticlesModel

/// Scenes of Godot with particle nodes, and process materials as files of their own.
///
/// Rows name properties as nodes for the CPU in Godot 4 do. A property of another class or generation is
/// found by its path from the node: `process_material/scale_curve/curve/_data`.
struct GodotFamily: EmitterFormat {
  typealias Reader = GodotReader
  typealias Field = GodotValue
  typealias Surroundings = GodotPlace

  static let three = GodotFamily(.three, .godot3)
  static let four = GodotFamily(.four, .godot4)

  let generation: GodotGeneration
  var name: String { "godot\(generation.rawValue)" }
  let engine = "Godot"
  let randomness = Randomness.full
  let table: MappingTable<GodotFamily>

  private init(_ generation: GodotGeneration, _ profile: Profile) {
    self.generation = generation
    table = MappingTable(
      unit: .pixel, profile: profile, exact: [.severalEmitters], approximated: [.frame2D], Self.rows
    )
  }

  func real(_ number: Double) -> GodotValue { .number(number) }

  func integer(_ number: Int) -> GodotValue { .integer(number) }

  func flag(_ flag: Bool) -> GodotValue { .flag(flag) }

  func adapt(_ writer: inout EmitterWriter<GodotFamily>) {
    writer.endAtTotal()
    let kind = writer.kind
    if kind.path("emission_shape_offset") == nil, kind.hasNode { writer.placeShape() }
    if kind.hasNode, !kind.isGPU { writer.placeNormals() }
    if !writer.isAligned { writer.releaseAlignment() }
  }
}

extension GodotClass {
  /// How directions deviate by the spread.
  var spreadLaw: SpreadLaw {
    isSpace ? generation == .three ? .azimuthElevation : .sideElevation : .planar
  }
}

extension ParticleFormat {
  /// Scenes and process materials of Godot 3.
  public static let godot3 = godot(.three, title: "Godot 3 particles").declaring(.godot3)

  /// Scenes and process materials of Godot 4.
  public static let godot4 = godot(.four, title: "Godot 4 particles").declaring(.godot4)

  private static func godot(_ family: GodotFamily, title: String) -> ParticleFormat {
    var format = ParticleFormat(
      name: family.name, title: title, extensions: ["tscn", "tres"],
      recognise: { bytes, _ in GodotGeneration(header: bytes) == family.generation },
      decode: { try GodotDecoder(family: family, context: $1).open($0).imported },
      encode: { try GodotEncoder(family, $0, $1).encode() })
    format.decimalCommas = .assignments
    format.makeCapabilities = {
      var capabilities = family.table.capabilities
      capabilities.unitInSpace = .meter
      return capabilities
    }
    format.table = { (family.table.keys, family.table.markdown) }
    return format
  }
}
