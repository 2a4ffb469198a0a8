internal import ParticlesCore
internal import ParticlesModel

// Reductions that formats with nested values share.

extension EmitterWriter {
  /// The bounds of a uniform value; reports any other distribution.
  mutating func bounds(
    of value: Value, _ capability: Capability, at place: String, scope: Scope = .particle
  ) -> (least: Double, most: Double) {
    if case .uniform(let range) = value, range.scope == scope, range.min < range.max {
      return (range.min, range.max)
    }
    explain(value, capability, at: place, scope: scope)
    let (center, half, _) = value.spread
    return ((center - half).rounded, (center + half).rounded)
  }

  /// Reports the part of a range below 0, which the engine never uses.
  mutating func clampNegative(_ value: Value, _ capability: Capability, at place: String) -> Value {
    guard value.bounds.lower < 0 else { return value }
    lose(.clamped, capability, at: place, "values below 0 are 0")
    return value.notNegative
  }

  /// The number for a value that the format cannot randomise.
  mutating func single(
    _ value: Value, _ capability: Capability, at place: String, _ detail: String
  ) -> Double {
    if !value.isNumber {
      lose(.approximated, capability, at: place, detail, recipe: "the mean")
    }
    return value.mean
  }

  /// The value of new particles for a track that the format cannot let change.
  mutating func start(
    of track: Track, _ capability: Capability, at place: String, _ detail: String
  ) -> Value {
    if track.isPlainValue { return track.from }
    lose(.approximated, capability, at: place, detail, recipe: "the mean")
    return .constant(track.mean(lifetime: lifetime))
  }

  /// A track as points with lines between them, from 0 to 1, and the range of a factor for each
  /// particle; reports what that cannot express.
  /// - Parameters:
  ///   - isRandom: whether the format has such a factor.
  mutating func points(
    of track: Track, _ capability: Capability, at place: String, isRandom: Bool = false
  ) -> (points: [(time: Double, value: Double)], factor: (least: Double, most: Double)) {
    if isRandom, track.isPlainCurve, track.from == 0 || track.to == nil {
      let value = track.to ?? track.from
      if case .uniform(let range) = value, range.min <= range.max, range.max > 0, range.min >= 0,
        range.scope == .particle
      {
        let curve = track.to == nil ? Curve.constant(1) : track.curve
        if let linear = curve.linearPoints {
          let points = linear.map { (time: $0.time, value: ($0.value * range.max).rounded) }
          let least = (range.min / range.max).rounded
          if Track(points: points, times: .between(least, 1)) != track {
            lose(.restated, capability, at: place, "written as points and a factor")
          }
          return (points, (least, 1))
        }
      }
    }
    let (curve, isExact) = track.curve(lifetime: lifetime)
    let points = curve.linearPoints
    let isPlain = [track.from, track.to ?? 0, track.rate].allSatisfy(\.isNumber)
    if !isPlain {
      lose(
        .approximated, capability, at: place, "values over life are the same for all particles",
        recipe: "the mean")
    } else if points == nil {
      lose(
        .approximated, capability, at: place, "only lines between points are supported",
        recipe: "17 points", level: .low)
    } else if !isExact {
      lose(
        .approximated, capability, at: place, "only change over life is supported",
        recipe: "points")
    }
    let sampled = Curve.through(16, curve.value).keys.map { (time: $0.time, value: $0.value) }
    let result = (points ?? sampled).map { (time: $0.time.rounded, value: $0.value.rounded) }
    if !hasLine(at: place), Track(points: result) != track {
      lose(.restated, capability, at: place, "written as points with lines between them")
    }
    return (result, (1, 1))
  }

  /// The launch direction as bounds of an angle in degrees, anticlockwise.
  mutating func launchAngles() -> (least: Double, most: Double) {
    let launch = emitter.launch
    var bounds: (least: Double, most: Double)
    switch launch.direction.mode {
    case .angle:
      bounds = self.bounds(of: launch.direction.angle, .spread2D, at: "launch.direction")
    case .vector:
      let vector = launch.direction.vector
      let angle = Angle.direction(vector.x, vector.y) ?? 0
      bounds = (angle, angle)
      lose(
        vector.z == 0 ? .restated : .approximated, .cone3D, at: "launch.direction",
        vector.z == 0 ? "the direction is written as an angle" : "depth is not supported")
    case .random, .none:
      bounds = (-180, 180)
      lose(.restated, .spread2D, at: "launch.direction", "written as a full range of angles")
    case .normal:
      bounds = (-180, 180)
      lose(
        .lost, .directionNormal, at: "launch.direction", "shape normals are not supported",
        recipe: "a random direction")
    }
    if launch.spread != 0 {
      let isExact = bounds.least == bounds.most && spreadLaw == .planar
      bounds = (
        (bounds.least - launch.spread).rounded, (bounds.most + launch.spread).rounded
      )
      lose(
        isExact ? .restated : .approximated, isExact ? .spread2D : .cone3D, at: "launch.spread",
        also: ["launch.direction", "launch.spreadLaw"], "the spread is a range of the angle")
    } else {
      dropSpreadLaw()
    }
    return bounds
  }

  /// The sum of constant accelerations; reports the forces that the format does not support.
  /// - Parameters:
  ///   - supported: kinds that other rows write.
  ///   - space: the coordinate space in which they act; nil if another line reports it.
  mutating func gravity(
    besides supported: Set<ForceKind> = [], isSupported: Bool = true, in space: ForceSpace? = .world
  ) -> Vector {
    var sum = Vector.zero
    for (index, force) in emitter.forces.enumerated() where !supported.contains(force.kind) {
      let place = "forces[\(index)]"
      guard force.kind == .gravity, isSupported else {
        dropForce(index)
        continue
      }
      let acceleration = acceleration(of: force, at: place)
      if let space, force.space != space, !hasLine(at: place) {
        lose(
          .restated, .gravity, at: place, "accelerations act in the coordinate space of the engine")
      }
      sum = Vector(sum.x + acceleration.x, sum.y + acceleration.y, sum.z + acceleration.z)
    }
    return sum
  }

  /// The sum of constant accelerations, of which the format has one; reports also that they are added up.
  mutating func addedGravity() -> Vector {
    if emitter.forces.lazy.filter({ $0.kind == .gravity }).count > 1 {
      lose(.restated, .gravity, at: "forces", "accelerations are added up")
    }
    return gravity()
  }

  /// Reports a force that is left out, by its place in the document.
  mutating func dropForce(_ index: Int) {
    let kind = emitter.forces[index].kind
    lose(.lost, kind.capability, at: "forces[\(index)]", kind.lossDetail)
  }

  /// Writes the duration; looped periods without a pause become one endless period.
  /// - Returns: nil for an endless period.
  mutating func plainDuration() -> Double? {
    let timing = emitter.timing
    guard let duration = timing.duration else {
      dropRepetition()
      return nil
    }
    if timing.loop {
      if timing.idle == 0 {
        lose(
          .restated, .loop, at: "timing.loop", also: ["timing.duration"],
          "periods without pause become one endless period")
        return nil
      }
      lose(.lost, .loop, at: "timing.loop", also: ["timing.idle"], "cannot loop; plays once")
    } else {
      dropIdle()
    }
    return single(duration, .duration, at: "timing.duration", "the duration cannot be random")
  }

}

extension ForceKind {
  /// The report text for a force that is dropped.
  var lossDetail: String {
    switch self {
    case .gravity: "constant acceleration is not supported; dropped"
    case .drag: "drag is not supported; dropped"
    default: consequence
    }
  }
}

extension Curve {
  /// The points of a curve of straight lines; jumps are two points at one time. nil for others.
  var linearPoints: [(time: Double, value: Double)]? {
    guard extend == .clamp, !keys.isEmpty else { return nil }
    var points: [(time: Double, value: Double)] = []
    for (index, key) in keys.enumerated() {
      points.append((key.time, key.value))
      let kind = key.interpolation ?? interpolation
      guard index + 1 < keys.count else { break }
      if kind == .cubic { return nil }
      if kind == .step, keys[index + 1].value != key.value {
        points.append((keys[index + 1].time, key.value))
      }
    }
    return points
  }

  /// A curve through points with straight lines; the line itself for 0, 0 and 1, 1.
  static func lines(_ points: [(time: Double, value: Double)]) -> Curve {
    let sorted = points.enumerated().sorted {
      ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
    }
    let curve = Curve(through: sorted.map(\.element))
    return curve == .linear ? .linear : curve
  }
}

extension Track {
  /// Whether values depend on the curve over life only: nothing grows, and nothing is clamped or eased.
  var isPlainCurve: Bool { rate == 0 && range == nil && warp == .linear && over == .life }

  /// A track of points, times a factor for each particle; a value if nothing changes.
  init(points: [(time: Double, value: Double)], times factor: Value = 1) {
    let values = Set(points.map(\.value))
    if let value = values.first, values.count == 1 {
      self = Track(factor.scaled(by: value))
    } else if factor == 1, points.count == 2, points[0].time == 0, points[1].time == 1 {
      self = Track(from: .constant(points[0].value), to: .constant(points[1].value))
    } else {
      self = Track(from: 0, to: factor, curve: .lines(points))
    }
  }
}
