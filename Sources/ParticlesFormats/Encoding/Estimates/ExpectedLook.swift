internal import ParticlesCore
package import ParticlesImages
internal import ParticlesModel

/// Sizes, colours and directions of the particles of an emitter: sums over all particles at each age.
struct ExpectedLook {
  private let ages: ExpectedAges
  private let law: EngineLaw

  init(_ ages: ExpectedAges, _ law: EngineLaw) { (self.ages, self.law) = (ages, law) }

  /// Width, height and the square of the width.
  /// - Parameter picture: width and height of the picture.
  func sizes(_ emitter: Emitter, picture: SIMD2<Double>) -> [SIMD4<Double>] {
    let size = emitter.size
    let least = law.clamping == .result ? -Double.infinity : law.leastSize ?? 0
    let limit = Interval(least, .infinity)
    let width = ExpectedTrack(size.width, ages, limit: limit)
    let height = size.height.map { ExpectedTrack($0, ages, limit: limit) }
    // A height of its own is a length, independent of the picture.
    var factors = SIMD2(1.0, 1.0)
    if size.mode == .textureScale {
      factors = picture
    } else if height == nil {
      let ratio = size.aspect.ratio(of: picture.y > 0 ? picture.x / picture.y : 1)
      if ratio > 0, ratio.isFinite { factors.y = 1 / ratio }
    }
    if emitter.space == .local {
      let scale = emitter.transform.scale
      factors *= SIMD2(scale.x.magnitude, scale.y.magnitude)
    }
    func value(_ particle: Int, _ age: Int) -> SIMD4<Double> {
      let own = max(width[particle, age], 0)
      let (x, y) = (own * factors.x, max(height?[particle, age] ?? own, 0) * factors.y)
      return SIMD4(x, y, x * x, 0)
    }
    return width.isCommon && height?.isCommon ?? true
      ? ages.sums { value(0, $0) } : ages.sums(value)
  }

  func colors(_ tint: Emitter.Tint) -> (sums: [SIMD4<Double>], squares: [SIMD4<Double>]) {
    let opacity = ExpectedTrack(
      tint.opacity, ages, limit: law.clamping == .samples ? .unit : .everything)
    let base = ExpectedColors(tint.base, ages, isLimited: law.clamping == .samples)
    let isTinted = tint.intensity != 1 || tint.mix != 1
    let intensity = isTinted ? ExpectedTrack(tint.intensity, ages) : nil
    let mix = isTinted ? ExpectedTrack(tint.mix, ages) : nil
    let isLimited = law.clamping == .result
    func value(_ particle: Int, _ age: Int) -> SIMD4<Double> {
      var color = base[particle, age]
      if let intensity, let mix {
        let alpha = color.w
        color = (1 + (color - 1) * mix[particle, age]) * intensity[particle, age]
        color.w = alpha
      }
      color.w *= opacity[particle, age]
      return isLimited ? color.clamped(lowerBound: .zero, upperBound: .one) : color
    }
    if base.isCommon, opacity.isCommon, intensity?.isCommon ?? true, mix?.isCommon ?? true {
      let colors = (0..<ExpectedAges.ages).map { value(0, $0) }
      return (ages.sums { colors[$0] }, ages.sums { colors[$0] * colors[$0] })
    }
    var squares = [SIMD4<Double>](repeating: .zero, count: ExpectedAges.ages)
    let sums = ages.sums { particle, age in
      let color = value(particle, age)
      squares[age] += color * color * ages.weight
      return color
    }
    return (sums, squares)
  }

  /// Cosine and sine of the angle.
  /// - Parameter along: the directions of motion in degrees, by particle and age. Nil if the angle
  ///   does not follow them.
  func directions(_ rotation: Emitter.Rotation, along: [Double]?) -> [SIMD4<Double>] {
    let angle = ExpectedTrack(rotation.angle, ages)
    let velocity = ExpectedTrack(rotation.velocity, ages)
    let acceleration = rotation.acceleration
    func unit(_ degrees: Double) -> SIMD4<Double> {
      guard degrees.isFinite else { return SIMD4(1, 0, 0, 0) }
      let (sine, cosine) = sineAndCosine(degrees: degrees)
      return SIMD4(cosine, sine, 0, 0)
    }
    if along == nil, velocity.constant == 0, acceleration == 0 {
      if let constant = angle.constant {
        let direction = unit(constant)
        return ages.sums { _ in direction }
      }
      if angle.isCommon { return ages.sums { unit(angle[0, $0]) } }
    }
    let offset = along == nil ? 0 : rotation.alignOffset
    var turned = 0.0
    var growth = 0.0
    return ages.sums { particle, age in
      let (speed, seconds) = (velocity[particle, age], ages.seconds(age))
      if age == 0 {
        turned = speed * seconds
        growth = acceleration == 0 ? 0 : acceleration.sample(ExpectedDraw.all[particle].fourth)
      } else {
        turned += (velocity[particle, age - 1] + speed) / 2 * ages.step
      }
      return unit(
        (along?[particle * ExpectedAges.ages + age] ?? 0) + offset + angle[particle, age] + turned
          + growth * seconds * seconds / 2)
    }
  }
}

/// The colours of a track: one for all, one for each particle, one for each age, or one for each of both.
private struct ExpectedColors {
  private let values: [SIMD4<Double>]
  private let (particle, age): (Int, Int)

  var isCommon: Bool { particle == 0 }

  subscript(particle: Int, age: Int) -> SIMD4<Double> {
    values[particle &* self.particle &+ age &* self.age]
  }

  /// - Parameter isLimited: whether samples are limited to 0…1.
  init(_ track: ColorTrack, _ ages: ExpectedAges, isLimited: Bool) {
    let (from, to) = (
      Self.samples(of: track.from, isEnd: false, isLimited),
      track.to.map { Self.samples(of: $0, isEnd: true, isLimited) }
    )
    guard to != nil || track.gradient != nil || track.rate != .zero else {
      (values, particle, age) = (from, from.count > 1 ? 1 : 0, 0)
      return
    }
    var shape = Track(from: 0, to: 1)
    shape.curve = track.curve
    let shares = to == nil ? nil : ExpectedTrack(shape, ages)
    let gradient = track.gradient.map { GradientTable($0) }
    let isCommon =
      from.count == 1 && to?.count ?? 1 == 1 && shares?.isCommon ?? true
      && (gradient == nil || ages.isCommon)
    let rate = SIMD4(track.rate.red, track.rate.green, track.rate.blue, track.rate.alpha)
    let (low, high) = (
      SIMD4(repeating: track.clamp.lower), SIMD4(repeating: track.clamp.upper)
    )
    var values: [SIMD4<Double>] = []
    let count = isCommon ? 1 : ExpectedAges.particles
    values.reserveCapacity(count * ExpectedAges.ages)
    for number in 0..<count {
      let start = from[from.count == 1 ? 0 : number]
      let way = to.map { $0[$0.count == 1 ? 0 : number] - start }
      for age in 0..<ExpectedAges.ages {
        var color = start
        if let way, let shares { color += way * shares[number, age] }
        color += rate * ages.seconds(age)
        color.clamp(lowerBound: low, upperBound: high)
        if let gradient { color *= gradient[ages.share(number, age)] }
        values.append(color)
      }
    }
    self.values = values
    (particle, self.age) = (isCommon ? 0 : ExpectedAges.ages, 1)
  }

  private static func samples(
    of value: ColorValue, isEnd: Bool, _ isLimited: Bool
  ) -> [SIMD4<Double>] {
    func vector(_ color: Color) -> SIMD4<Double> {
      let vector = SIMD4(color.red, color.green, color.blue, color.alpha)
      return isLimited ? vector.clamped(lowerBound: .zero, upperBound: .one) : vector
    }
    if case .constant(let color) = value { return [vector(color)] }
    return ExpectedDraw.all.map { draw in
      // The end has other random numbers than the start.
      let units =
        isEnd
        ? SIMD4(draw.second, draw.third, draw.fourth, draw.first)
        : SIMD4(draw.first, draw.second, draw.third, draw.fourth)
      return vector(
        value.sample({ .colorFrom($0) }) { units[Int($0.rawValue & 3)] })
    }
  }
}

/// The colours of a gradient at even distances.
private struct GradientTable {
  private static let intervals = 32.0
  private let colors: [SIMD4<Double>]
  private let isStepped: Bool

  init(_ gradient: Gradient) {
    isStepped = gradient.interpolation == .step
    let count = gradient.keys.count
    // Between two keys, one line is enough.
    let isLine =
      count == 2 && gradient.space == .srgb && !gradient.hasChannels
      && gradient.interpolation == .linear && gradient.keys[0].time <= 0
      && gradient.keys[1].time == 1
    let last = count == 1 && !gradient.hasChannels ? 0 : isLine ? 1 : Int(Self.intervals)
    colors = (0...last).map { index in
      let color = gradient.color(at: last == 0 ? 0 : Double(index) / Double(last))
      return SIMD4(color.red, color.green, color.blue, color.alpha)
    }
  }

  subscript(time: Double) -> SIMD4<Double> {
    let place = min(max(time, 0), 1) * Double(colors.count - 1)
    let index = Int(saturating: place.rounded(.down))
    guard index + 1 < colors.count, !isStepped else { return colors[min(index, colors.count - 1)] }
    return colors[index] + (colors[index + 1] - colors[index]) * (place - Double(index))
  }
}

/// Places of the particles of an emitter, relative to the emitter: sums over all particles at each age.
struct ExpectedMotion {
  private let emitter: Emitter
  private let isFlat: Bool
  private let axes: (x: SIMD4<Double>, y: SIMD4<Double>)
  private let isTurned: Bool

  /// Sums of places, and of their squares.
  private(set) var sums = [SIMD4<Double>](repeating: .zero, count: ExpectedAges.ages)
  private(set) var squares = [SIMD4<Double>](repeating: .zero, count: ExpectedAges.ages)
  /// The directions of motion in degrees, by particle and age. Nil if particles are not aligned to them.
  private(set) var angles: [Double]?

  /// Whether motion and shape of an emitter can be estimated.
  static func isKnown(_ emitter: Emitter) -> Bool {
    emitter.motion.mode != .path && emitter.shape.kind != .mesh
      && !emitter.forces.contains { $0.kind == .noise || $0.kind == .field }
  }

  /// - Parameters:
  ///   - isFlat: whether directions are in the plane.
  ///   - offset: the place of the emitter.
  init(_ emitter: Emitter, _ ages: ExpectedAges, isFlat: Bool, offset: SIMD4<Double>) {
    (self.emitter, self.isFlat) = (emitter, isFlat)
    let (sine, cosine) = sineAndCosine(degrees: emitter.transform.angle)
    axes = (SIMD4(cosine, sine, 0, 0), SIMD4(-sine, cosine, 0, 0))
    isTurned = emitter.transform.angle != 0 || emitter.transform.rotation != .identity
    let align = emitter.rotation.align
    if align != .none {
      angles = [Double](repeating: 0, count: ExpectedAges.particles * ExpectedAges.ages)
    }
    let course = ExpectedCourse(emitter, ages)
    for number in 0..<ExpectedAges.particles where ages.reached[number] > 0 {
      let draw = ExpectedDraw.all[number]
      var (place, velocity) = start(draw)
      let startAngle =
        align == .none || velocity == .zero ? 0 : angleInDegrees(velocity.y, velocity.x)
      for age in 0..<ages.reached[number] {
        course.advance(&place, &velocity, number, age)
        let seen = place + offset
        sums[age] += seen * ages.weight
        squares[age] += seen * seen * ages.weight
        if align != .none {
          angles?[number * ExpectedAges.ages + age] =
            align == .birth || velocity == .zero
            ? startAngle : angleInDegrees(velocity.y, velocity.x)
        }
      }
    }
  }

  private func turned(_ vector: SIMD4<Double>) -> SIMD4<Double> {
    guard isTurned else { return vector }
    return (axes.x * vector.x + axes.y * vector.y + SIMD4(0, 0, vector.z, 0))
      .turned(by: emitter.transform.rotation)
  }

  /// The place and the velocity that a particle begins with.
  private func start(_ draw: ExpectedDraw) -> (place: SIMD4<Double>, velocity: SIMD4<Double>) {
    let (place, normal) = place(draw)
    let launch = emitter.launch
    var direction: SIMD4<Double>?
    switch launch.direction.mode {
    case .angle:
      direction = Self.unit(launch.direction.angle.sample(draw.fourth, progress: draw.progress))
    case .vector:
      let vector = launch.direction.vector
      let whole = SIMD4(vector.x, vector.y, vector.z, 0)
      direction = whole == .zero ? nil : whole / whole.length
    case .normal: direction = normal
    case .random:
      direction = isFlat ? Self.unit(360 * draw.first) : Self.ball(draw.first, draw.third)
    case .none: direction = nil
    }
    if let straight = direction, launch.spread != 0, launch.direction.mode != .random {
      direction = deviated(straight, draw)
    }
    return (
      turned(place),
      turned(direction ?? .zero) * launch.speed.sample(draw.second, progress: draw.progress)
    )
  }

  static func unit(_ degrees: Double) -> SIMD4<Double> {
    let (sine, cosine) = sineAndCosine(degrees: degrees)
    return SIMD4(cosine, sine, 0, 0)
  }

  static func ball(_ u: Double, _ v: Double) -> SIMD4<Double> {
    let height = 2 * u - 1
    let around = max(0, 1 - height * height).squareRoot() * unit(360 * v)
    return SIMD4(around.x, height, around.y, 0)
  }

  private func deviated(_ direction: SIMD4<Double>, _ draw: ExpectedDraw) -> SIMD4<Double> {
    let spread = emitter.launch.spread
    func deviation(_ unit: Double) -> Double { spread * (2 * unit - 1) }
    let (side, up) = (
      deviation(draw.first), (1 - emitter.launch.flatness) * deviation(draw.third)
    )
    var tilt = Self.unit(spread * draw.first)
    switch emitter.launch.deviationLaw(isFlat: isFlat) {
    case .planar:
      let turn = Self.unit(side)
      return SIMD4(
        direction.x * turn.x - direction.y * turn.y, direction.x * turn.y + direction.y * turn.x,
        direction.z, 0)
    case .polarUniform: break
    case .solidUniform:
      let cosine = 1 - draw.first * (1 - Self.unit(spread).x)
      tilt = SIMD4(cosine, max(0, 1 - cosine * cosine).squareRoot(), 0, 0)
    case .azimuthElevation:
      return Self.direction(
        azimuth: angleInDegrees(direction.x, direction.z) + side,
        elevation: angleInDegrees(direction.y, direction.z.magnitude) + up)
    case .sideElevation:
      let tipped = Self.direction(azimuth: side, elevation: up)
      let right = SIMD4(0.0, 1, 0, 0).cross(direction).unit ?? SIMD4(0, 0, 1, 0)
      let sum = right * tipped.x + right.cross(direction) * tipped.y + direction * tipped.z
      return sum.unit ?? direction
    }
    let around = Self.unit(360 * draw.third)
    let top: SIMD4<Double> =
      direction.y.magnitude > 0.9 ? SIMD4(0, 0, 1, 0) : SIMD4(0, 1, 0, 0)
    let right = (top - direction * (top * direction).sum()).unit ?? SIMD4(1, 0, 0, 0)
    var deviated =
      direction * tilt.x + (right * around.x + direction.cross(right) * around.y) * tilt.y
    guard emitter.launch.flatness != 0 else { return deviated }
    deviated.z *= 1 - emitter.launch.flatness
    return deviated.unit ?? deviated
  }

  /// The direction at an azimuth from +z to +x and an elevation, as the simulation has it.
  private static func direction(azimuth: Double, elevation: Double) -> SIMD4<Double> {
    let (sine, cosine) = sineAndCosine(degrees: elevation)
    let level = cosine / max(0.0001, cosine.magnitude.squareRoot())
    let around = sineAndCosine(degrees: azimuth)
    return SIMD4(around.sine * level, sine, around.cosine * level, 0).unit ?? SIMD4(0, 1, 0, 0)
  }

  /// A place and the direction away from the shape, moved as the shape is.
  private func place(_ draw: ExpectedDraw) -> (place: SIMD4<Double>, normal: SIMD4<Double>) {
    let shape = emitter.shape
    var (place, normal) = ExpectedPlace.sample(shape, draw.place)
    let transform = shape.transform
    let (factor, shift) = (transform.scale, transform.translation)
    place *= SIMD4(factor.x, factor.y, factor.z, 0)
    // A sphere is equal from all sides. The places of the sample are not.
    let showsTurn =
      shape.kind != .sphere || shape.distribution == .projected || factor.x != factor.y
      || factor.y != factor.z || shape.arc.upper - shape.arc.lower < 360
    if showsTurn, transform.angle != 0 {
      let turn = Self.unit(transform.angle)
      func turned(_ vector: SIMD4<Double>) -> SIMD4<Double> {
        SIMD4(
          vector.x * turn.x - vector.y * turn.y, vector.x * turn.y + vector.y * turn.x, vector.z, 0)
      }
      (place, normal) = (turned(place), turned(normal))
    }
    let rotation = showsTurn ? transform.rotation : .identity
    place = place.turned(by: rotation) + SIMD4(shift.x, shift.y, shift.z, 0)
    let (extent, offset) = (shape.extent, shape.offset)
    func vector(
      _ x: Value, _ y: Value, _ z: Value, _ draws: (Double, Double, Double)
    ) -> SIMD4<Double> {
      SIMD4(
        x.sample(draws.0, progress: draw.progress), y.sample(draws.1, progress: draw.progress),
        z.sample(draws.2, progress: draw.progress), 0)
    }
    if extent != .one {
      place *= vector(extent.x, extent.y, extent.z, (draw.first, draw.second, draw.third))
    }
    if offset != .zero {
      place += vector(offset.x, offset.y, offset.z, (draw.second, draw.third, draw.fourth))
    }
    return (place, normal.turned(by: rotation))
  }
}

extension SIMD4<Double> {
  fileprivate func turned(by rotation: Quaternion) -> SIMD4<Double> {
    guard rotation != .identity else { return self }
    let axis = SIMD4(rotation.x, rotation.y, rotation.z, 0)
    return self + axis.cross(axis.cross(self) + self * rotation.w) * 2
  }

  var length: Double { (self * self).sum().squareRoot() }

  /// The vector of length 1 in this direction. Nil for the zero vector.
  fileprivate var unit: SIMD4<Double>? {
    let length = length
    return length > 1e-12 ? self / length : nil
  }

  fileprivate func cross(_ other: SIMD4<Double>) -> SIMD4<Double> {
    SIMD4(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x, 0)
  }
}

extension Bitmap {
  private static let circles = 8
  private static let spokes = 24

  /// How much an image changes along circles about its middle: the standard deviation of alpha there, as a
  /// share of its root mean square.
  package var unevenness: Double {
    var (squares, deviations) = (0.0, 0.0)
    for circle in 1...Self.circles {
      let radius = (Double(circle) - 0.5) / Double(Self.circles)
      var (sum, square) = (0.0, 0.0)
      for spoke in 0..<Self.spokes {
        let (sine, cosine) = sineAndCosine(degrees: 360 * Double(spoke) / Double(Self.spokes))
        let alpha = light(cosine * radius, sine * radius)
        sum += alpha
        square += alpha * alpha
      }
      let (mean, meanSquare) = (sum / Double(Self.spokes), square / Double(Self.spokes))
      squares += radius * meanSquare
      deviations += radius * max(0, meanSquare - mean * mean)
    }
    guard squares > 0 else { return 1 }
    return min(1, (deviations / squares).squareRoot() * 2)
  }

  /// The opacity times the brightness at a point from −1 to 1, interpolated between four pixels.
  private func light(_ x: Double, _ y: Double) -> Double {
    let column = min(max((x + 1) / 2 * Double(width) - 0.5, 0), Double(width - 1))
    let row = min(max((y + 1) / 2 * Double(height) - 0.5, 0), Double(height - 1))
    let (left, top) = (Int(saturating: column), Int(saturating: row))
    let (right, bottom) = (min(left + 1, width - 1), min(top + 1, height - 1))
    func pixel(_ x: Int, _ y: Int) -> Double {
      let first = (y * width + x) * 4
      let brightest = pixels[first..<first + 3].max() ?? 0
      return Double(brightest) * Double(pixels[first + 3]) / 65_025
    }
    let (u, v) = (column - Double(left), row - Double(top))
    let upper = pixel(left, top) * (1 - u) + pixel(right, top) * u
    let lower = pixel(left, bottom) * (1 - u) + pixel(right, bottom) * u
    return upper * (1 - v) + lower * v
  }
}
