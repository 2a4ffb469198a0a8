internal import ParticlesPropertyLists
internal import ParticlesCore
internal import ParticlesModel

// An archived `SKKeyframeSequence`: values over life.

/// The keys of a number with a start value and a constant change, or a sequence.
struct SpriteKitTrackKeys {
  let start, width, speed, sequence: String

  static let opacity = SpriteKitTrackKeys(
    start: "_startOpacity", width: "_startOpacityVariance", speed: "_opacitySpeed",
    sequence: "_particleAlphaSequence")
  static let mix = SpriteKitTrackKeys(
    start: "_startColorMix", width: "_startColorBlendVariance", speed: "_colorBlendSpeed",
    sequence: "_particleColorBlendFactorSequence")
  static let scale = SpriteKitTrackKeys(
    start: "_startScale", width: "_startScaleVariance", speed: "_scaleSpeed",
    sequence: "_particleScaleSequence")

  var all: [String] { [start, width, speed, sequence] }
}

extension KeyedEmitter<SpriteKitFamily> {
  func track(_ keys: SpriteKitTrackKeys, _ standard: Double, times factor: Double = 1) throws
    -> Track
  {
    if let curve = try sequence(keys.sequence)?.curve(times: factor) {
      return Track(from: 0, to: 1, curve: curve)
    }
    return Track(
      from: value(keys.start, width: keys.width, standard, times: factor),
      rate: .constant((number(keys.speed) * factor).rounded))
  }

  /// The sequence under a key; nil, after a report, if there is none that can be used.
  func sequence(_ name: String) throws -> KeyFrames? {
    let key = key(name)
    guard let sequence = try object.object(key) else { return nil }
    guard sequence.isA("SKKeyframeSequence") else {
      object.mismatch(
        key, expected: "an SKKeyframeSequence", found: sequence.className?.excerpt ?? "an object")
      return nil
    }
    return try sequence.keyFrames()
  }
}

extension ArchivedObject {
  fileprivate func keyFrames() throws -> KeyFrames? {
    func key(_ archived: String, _ name: String) -> String {
      index(of: archived) == nil ? name : archived
    }
    let (valuesKey, timesKey) = (key("_values", "keyframeValues"), key("_times", "keyframeTimes"))
    guard let values = try keyFrameValues(valuesKey) else { return nil }
    let times = try numbers(timesKey, below: 1e6) ?? []
    guard times.count == values.count else {
      mismatch(timesKey, expected: "\(values.count) times", found: "\(times.count)")
      return nil
    }
    var frames = KeyFrames(times: times, values: values)
    frames.interpolation = choice("_interpolationMode", [.linear, .linear, .cubic, .step], .linear)
    if frames.interpolation == .cubic, times.count > 1 {
      note(
        .assumed, "_interpolationMode", "a spline is assumed to have automatic slopes"
      )
    }
    frames.extend = choice("_repeatMode", [.clamp, .clamp, .loop], .clamp)
    if !frames.isSorted { note(.approximated, "_times", "unsorted keys are sorted by time") }
    if frames.extend == .loop, frames.gradient != nil, times.count > 1 {
      note(.approximated, "_repeatMode", "repetition of colour sequences is not supported")
    }
    reportUnasked()
    return frames
  }
}

extension EmitterWriter<SpriteKitFamily> {
  /// Writes a track as a start value with a constant change, or as a sequence.
  /// - Parameters:
  ///   - curve: the capability for a change over life.
  ///   - detail: the report text if the change differs between particles.
  mutating func set(
    _ keys: SpriteKitTrackKeys, _ track: Track, _ capability: Capability, _ curve: Capability,
    at place: String, _ detail: String, times factor: Double = 1
  ) {
    var track = track
    if let ramp = TrackRamp(track, lifetime: emitter.lifetime) {
      lose(
        .approximated, capability, at: place, "the change per second is the same for all particles",
        recipe: "start, range and speed")
      track = Track(from: ramp.from, rate: .constant(ramp.rate))
    }
    let isStraight = track.isStraight
    set(
      keys.start, width: keys.width, isStraight ? track.from : 1, capability, at: place,
      times: factor)
    set(keys.speed, isStraight ? track.rate.mean * factor : 0)
    guard isStraight else {
      return set(keys.sequence, over: track, curve, at: place, times: factor)
    }
    set(keys.sequence, .null)
    if !track.rate.isNumber {
      lose(.approximated, curve, at: place, detail, recipe: "the mean")
    }
  }

  /// Writes the values of a track over life as a sequence, and reports differences.
  mutating func set(
    _ key: String, over track: Track, _ capability: Capability, at place: String,
    times factor: Double = 1
  ) {
    var (curve, isExact) = track.curve(lifetime: lifetime)
    if track.over != .life { isExact = false }
    if !curve.hasOneInterpolation {
      (curve, isExact) = (.through(16) { [curve] in curve.value(at: $0) }, false)
    }
    if !isExact {
      lose(
        .approximated, capability, at: place,
        "sequences are over life and the same for all particles",
        recipe: "the mean, sampled over life")
    } else if track != Track(from: 0, to: 1, curve: curve) {
      lose(.restated, capability, at: place, "a sequence contains the values themselves")
    }
    if curve.interpolation == .cubic {
      lose(.assumed, capability, at: place, "a spline with automatic slopes is assumed")
    }
    set(
      key,
      .sequence(
        curve.keys.map(\.time), curve.keys.map { .sharedReal($0.value * factor) },
        curve.keys.first?.interpolation ?? curve.interpolation))
  }
}

extension Archivable {
  /// A number behind a reference, as in properties of nodes.
  static func sharedReal(_ number: Double) -> Archivable {
    .shared(.real(Double(Float(number)), width: 8))
  }

  static func sequence(_ times: [Double], _ values: [Archivable], _ mode: Interpolation)
    -> Archivable
  {
    .object(
      ["SKKeyframeSequence", "NSObject"],
      [
        .init("_values", .array(values)), .init("_times", .array(times.map(sharedReal))),
        .init("_interpolationMode", .integer(mode == .cubic ? 2 : mode == .step ? 3 : 1)),
        .init("_repeatMode", .integer(1)),
      ])
  }
}
