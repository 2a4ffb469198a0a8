internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesPropertyLists

/// The objects that stand in an archive of SceneKit's, with the classes and keys that they have there.
enum SceneKitArchive {
  private typealias Member = ArchivableObject.Member

  static let systemClasses = [SceneKitDecoder.className, "NSObject"]

  // MARK: Colours

  /// A colour in an archive of its own.
  static func colorData(_ color: Color) -> Archivable {
    .data(KeyedArchiver.encode(.sRGBColor(color)))
  }

  // MARK: Controllers

  static func controllers(_ controllers: [(key: String, value: Archivable)]) -> Archivable {
    .dictionary(controllers.map { Member($0.key, $0.value) }, mutable: false)
  }

  static func controller(
    _ animation: Archivable, mode: Int, property: String?, scale: Double, bias: Double
  ) -> Archivable {
    var members = [
      Member("inputScale", .double(scale)), Member("inputMode", .integer(mode)),
      Member("inputBias", .double(bias)),
    ]
    if let property { members.append(Member("inputProperty", .string(property))) }
    members.append(Member("animation", animation))
    return .object(["SCNParticlePropertyController", "NSObject"], members)
  }

  /// An animation as all versions of SceneKit read it: an archive of Core Animation's.
  static func animation(
    times: [Double], values: [Archivable], mode: Interpolation
  ) -> Archivable {
    let name =
      switch mode {
      case .linear: "linear"
      case .step: "discrete"
      case .cubic: "cubic"
      }
    let names = ["calculationMode", "duration", "keyTimes", "values"]
    let root = Archivable.object(
      ["CAKeyframeAnimation", "CAPropertyAnimation", "CAAnimation", "NSObject"],
      [
        Member("keyTimes", proxy(times.map { .shared(.real($0, width: 8)) })),
        Member("calculationMode", .string(name)),
        Member("duration", .shared(.real(1, width: 8))),
        Member("__CACodingContents", .array(names.map { .string($0) }, mutable: false)),
        Member("values", proxy(values)),
      ])
    return .data(KeyedArchiver.encode(root))
  }

  private static func proxy(_ elements: [Archivable]) -> Archivable {
    .object(
      ["LKNSArrayCodingProxy", "CACodingProxy", "NSObject"], [Member("array", .array(elements))])
  }

  // MARK: Geometries

  /// A plane, the only geometry whose keys do not carry the name of the class.
  static func plane(_ width: Double, _ height: Double) -> Archivable {
    .object(
      ["SCNPlane", "SCNGeometry", "NSObject"],
      [
        Member("width", .double(width.rounded)), Member("height", .double(height.rounded)),
        Member("cornerRadius", .double(0)), Member("widthSegmentCount", .integer(0)),
        Member("heightSegmentCount", .integer(1)), Member("cornerSegmentCount", .integer(10)),
        Member("primitiveType", .integer(0)),
      ] + common)
  }

  static func sphere(_ radius: Double, isHalf: Bool) -> Archivable {
    .object(
      ["SCNSphere", "SCNGeometry", "NSObject"],
      [
        Member("sphereradius", .double(radius)), Member("spheresegmentCount", .integer(24)),
        Member("spheregeodesic", .bool(false)), Member("spherehemispheric", .bool(isHalf)),
        Member("sphereradialSpan", .double(0)), Member("sphereprimitiveType", .integer(0)),
      ] + common)
  }

  /// A geometry by its class and its lengths.
  static func geometry(_ name: String, _ lengths: [(key: String, value: Double)]) -> Archivable {
    let prefix = name.lowercased()
    let members = lengths.map { Member(prefix + $0.key, .double($0.value)) }
    let counts: [(String, Int)] =
      name == "Box"
      ? [
        ("widthSegmentCount", 1), ("heightSegmentCount", 1), ("lengthSegmentCount", 1),
        ("chamferSegmentCount", 10), ("primitiveType", 0),
      ] : [("primitiveType", 0)]
    let rest = name == "Box" ? [Member("boxchamferRadius", .double(0))] : []
    return .object(
      ["SCN\(name)", "SCNGeometry", "NSObject"],
      members + rest + counts.map { Member(prefix + $0.0, .integer($0.1)) } + common)
  }

  private static let common = [
    Member("subdivisionLevel", .integer(0)), Member("materials", .array([])),
  ]
}
