public import ParticlesCore
public import ParticlesModel

extension ParticleStatistics {
  /// The statistics as one JSON document, in the form of recordings of engines: `dt`, `frames`,
  /// `sampledFrames`, `seeds`, and `emitters` with one member for each column. A column that is the
  /// same at every frame is a single number; `null` is a frame without particles. Numbers have six
  /// significant digits.
  public func json(
    file: String, plan: Plan, profile: ParticleSystem.Profile
  ) -> JSONValue {
    let emitters = emitters.map { emitter in
      JSONValue.object(
        JSONObject(
          members: emitter.columns.map {
            JSONObject.Member(key: $0.name, value: Self.column($0.values))
          }))
    }
    return [
      "version": .int(1), "file": .string(file), "profile": .string(profile.rawValue),
      "framesPerSecond": .double(plan.framesPerSecond), "frames": .int(plan.frames),
      "sampledFrames": .array(sampledFrames.map { .int($0) }), "seeds": .int(plan.seeds),
      "emitters": .array(emitters),
    ]
  }

  private static func column(_ values: [Double?]) -> JSONValue {
    let rounded = values.map { $0.map(significant) }
    let present = Set(rounded.compactMap { $0 })
    if present.count == 1, let number = present.first { return .double(number) }
    return .array(rounded.map { $0.map { .double($0) } ?? .null })
  }

  /// A number with six significant digits.
  private static func significant(_ number: Double) -> Double {
    guard number != 0, number.isFinite else { return 0 }
    var scale = 1.0
    while number.magnitude * scale < 100_000, scale < 1e30 { scale *= 10 }
    while number.magnitude * scale >= 1_000_000, scale > 1e-30 { scale /= 10 }
    return (number * scale).rounded() / scale
  }
}
