public import ParticlesCore
public import ParticlesModel

extension ParticleStatistics {
  /// The file that was simulated, and the program.
  public struct Origin: Sendable {
    /// The name of the file.
    public var file: String
    /// The SHA-256 digest of its bytes, in hexadecimal digits; nil for a folder.
    public var sha256: String?
    /// The version of the program.
    public var version: String
    /// The unit of length of the effect; nil if it is not known.
    public var unit: ParticleSystem.LengthUnit?

    /// Creates a description.
    public init(
      file: String, sha256: String? = nil, version: String,
      unit: ParticleSystem.LengthUnit? = nil
    ) {
      self.unit = unit
      self.file = file
      self.sha256 = sha256
      self.version = version
    }
  }

  /// The statistics as one JSON document, in the form of recordings of engines.
  ///
  /// `emitters` has an object for each emitter with one member for each column. A column that is the
  /// same at every frame is a single number; `null` is a frame without particles. Numbers have six
  /// significant digits.
  public func json(_ origin: Origin, plan: Plan, profile: ParticleSystem.Profile) -> JSONValue {
    let view = EngineView(profile, dimension)
    var members = Self.header(origin, plan: plan, profile: profile, view: view)
    members.append(
      JSONObject.Member(key: "sampledFrames", value: .array(sampledFrames.map { .int($0) })))
    members.append(JSONObject.Member(key: "seeds", value: .int(plan.seeds)))
    let emitters = emitters.map { emitter in
      var members = emitter.name.map { [JSONObject.Member(key: "name", value: .string($0))] } ?? []
      members += emitter.columns.map {
        JSONObject.Member(key: $0.name, value: Self.column($0.values))
      }
      return JSONValue.object(JSONObject(members: members))
    }
    members.append(JSONObject.Member(key: "emitters", value: .array(emitters)))
    return .object(JSONObject(members: members))
  }

  /// The first members of a recording.
  static func header(
    _ origin: Origin, plan: Plan, profile: ParticleSystem.Profile, view: EngineView
  ) -> [JSONObject.Member] {
    var members: [(String, JSONValue)] = [
      ("engine", "particles"), ("version", .string(origin.version)),
      ("profile", .string(profile.rawValue)), ("file", .string(origin.file)),
    ]
    if let digest = origin.sha256 { members.append(("sha256", .string(digest))) }
    members += [
      ("dt", .double(1 / plan.framesPerSecond)), ("frames", .int(plan.frames)),
      ("units", .string(view.units)), ("axis", .string(view.axis)),
    ]
    if let unit = origin.unit { members.append(("unit", .string(unit.rawValue))) }
    return members.map { JSONObject.Member(key: $0.0, value: $0.1) }
  }

  private static func column(_ values: [Double?]) -> JSONValue {
    let rounded = values.map { $0.map { $0.significant(6) } }
    let present = Set(rounded.compactMap { $0 })
    if present.count == 1, let number = present.first { return .double(number) }
    return .array(rounded.map { $0.map { .double($0) } ?? .null })
  }
}
