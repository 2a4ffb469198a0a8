internal import ParticlesCore
internal import ParticlesModel

// Rotation: a start angle and an angular velocity, both with a random range, in degrees; controllers of
// both are in radians.

extension EmitterWriter<SceneKitFamily> {
  mutating func encodeRotation() {
    let rotation = emitter.rotation
    var (angle, velocity) = (rotation.angle, rotation.velocity)
    if velocity.isPlainValue, let (start, change) = straightAngle {
      if angle != Track(start) {
        let isExact = emitter.lifetime.isNumber || angle.to == nil
        lose(
          isExact && start.isNumber && change.isNumber ? .restated : .approximated,
          .randomEndRotation,
          at: "rotation.angle", also: ["rotation.velocity"],
          "an angle that changes over life is written as an angular velocity",
          recipe: "change / mean lifetime", level: isExact ? nil : .low)
      }
      angle = Track(start)
      velocity = Track(velocity.from.plus(change))
    }
    encode(angle, "particleAngle", "Angle", .rotationCurve, at: "rotation.angle")
    encode(
      velocity, "particleAngularVelocity", "AngularVelocity", .rotationCurve,
      at: "rotation.velocity")
  }

  /// The start angle and the angular velocity of an angle that changes evenly; nil for others.
  private var straightAngle: (start: Value, change: Value)? {
    let angle = emitter.rotation.angle
    guard angle.range == nil, angle.over == .life else { return nil }
    guard let to = angle.to else { return (angle.from, angle.rate) }
    guard angle.curve == .linear, angle.warp == .linear, angle.rate == 0, lifetime > 0 else {
      return nil
    }
    let (start, end) = (angle.from.spread, to.spread)
    guard start.isExact, end.isExact else { return nil }
    let (change, half) =
      angle.relative
      ? (end.center, end.half)
      : (end.center - start.center, (start.half * start.half + end.half * end.half).squareRoot())
    return (
      angle.from,
      Value(center: (change / lifetime).rounded, halfWidth: (half / lifetime).rounded)
    )
  }

  /// A number that is replaced by a property controller if it changes over life.
  private mutating func encode(
    _ track: Track, _ key: String, _ controller: String, _ capability: Capability, at place: String
  ) {
    let isPlain = track.isPlainValue
    set(key, isPlain ? track.from : 0, capability, at: isPlain ? "\(place).from" : place)
    guard !isPlain else { return }
    encodeController(controller, track, capability, at: place, times: .pi / 180)
  }
}

extension Value {
  /// The sum of two independent random numbers, as a uniform range of the same deviation.
  fileprivate func plus(_ other: Value) -> Value {
    if other == 0 { return self }
    if self == 0 { return other }
    let (a, b) = (spread, other.spread)
    return Value(
      center: (a.center + b.center).rounded,
      halfWidth: (a.half * a.half + b.half * b.half).squareRoot().rounded)
  }
}
