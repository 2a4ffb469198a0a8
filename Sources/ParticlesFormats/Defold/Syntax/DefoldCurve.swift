internal import ParticlesCore
internal import ParticlesModel

/// A property of Defold: points with one slope each, connected by cubic curves, and a spread.
struct DefoldCurve {
  private(set) var points: [(x: Double, y: Double, slope: Double)] = []
  private(set) var spread = 0.0

  /// Whether points were added, because the curve has two slopes at a point.
  private(set) var isRounded = false

  // MARK: Reading

  /// The curve of a property. Without points it is 0.
  init(points read: [JSONValue], spread: Double) {
    self.spread = spread
    points = (read.isEmpty ? [["y": .int(0)]] : read).map { point in
      let (tx, ty) = (point["t_x"]?.double ?? 1, point["t_y"]?.double ?? 0)
      let slope = tx == 0 ? 0 : (ty / tx)
      return (
        (point["x"]?.double ?? 0).tidy, (point["y"]?.double ?? 0).tidy,
        slope.isFinite ? slope.rounded : 0
      )
    }.sorted { $0.x < $1.x }
  }

  /// The number of a curve that does not change; nil for others.
  var constant: Double? {
    points.count == 1
      || Set(points.map(\.y)).count == 1 && points.allSatisfy { $0.slope == 0 }
      ? points.first?.y : nil
  }

  var curve: Curve {
    Curve(
      points.map { CurveKey($0.x, $0.y, inSlope: $0.slope, outSlope: $0.slope) }, .cubic)
  }

  /// The value of a new particle, over the period of the emitter.
  var value: Value {
    if let constant { return Value(center: constant, halfWidth: spread) }
    return .ramp(
      .init(
        low: Value(center: 0, halfWidth: spread), high: 1, curve: curve, relative: true))
  }

  // MARK: Writing

  /// The points of a curve; a corner becomes two points close to each other.
  init(_ curve: Curve) {
    let keys = curve.keys
    isRounded = curve.extend != .clamp
    for (index, key) in keys.enumerated() {
      let isStep = index + 1 < keys.count && (key.interpolation ?? curve.interpolation) == .step
      if isStep { isRounded = true }
      let (before, behind) = curve.slopes(index)
      if let before, let behind, (before - behind).magnitude > 1e-9 * (1 + before.magnitude) {
        points.append((key.time, key.value, before))
        points.append(((key.time + 0.002).rounded, (key.value + 0.002 * behind).rounded, behind))
        isRounded = true
      } else {
        points.append((key.time, key.value, behind ?? before ?? 0))
      }
      if isStep {
        points.append(((keys[index + 1].time - 0.002).rounded, key.value, 0))
      }
    }
    points.sort { $0.x < $1.x }
  }

  /// The points as they are in files.
  var json: JSONValue {
    .array(
      points.map { point in
        // A direction of length 1.
        let length = (1 + point.slope * point.slope).squareRoot()
        return [
          "x": .real(point.x), "y": .real(point.y), "t_x": .real(1 / length),
          "t_y": .real(point.slope / length),
        ]
      })
  }
}

extension JSONValue {
  /// A rotation: an object of `x`, `y`, `z` and `w`, of which `w` is 1 if it is absent.
  func quaternion(_ key: String) -> Quaternion {
    let axis = vector(key)
    return Quaternion(axis.x, axis.y, axis.z, self["\(key).w"]?.double ?? 1).normalized
  }

  static func quaternion(_ rotation: Quaternion) -> JSONValue {
    [
      "x": .real(rotation.x), "y": .real(rotation.y), "z": .real(rotation.z),
      "w": .real(rotation.w),
    ]
  }
}
