internal import ParticlesCore
internal import ParticlesModel

/// Where the particles of an emitter have been, for their trails.
final class TrailHistory {
  private struct Sample {
    var time: Double
    var place: SIMD3<Double>
    var velocity: SIMD3<Double>
  }

  private var trail: Trail
  /// The samples of each particle, by its ordinal, oldest first.
  private var samples: [UInt64: [Sample]] = [:]
  private var lastTime = -Double.infinity
  private var firstTime = 0.0

  /// About the most samples of a particle in the length that its trail can have.
  private static let most = 48
  private let mostOfAll: Int
  private let longestLife: Double
  /// Whether trails have fewer samples because there are many particles.
  private(set) var isReduced = false

  /// - Parameters:
  ///   - longestLife: the most seconds that a particle lives: no trail is longer.
  ///   - mostOfAll: about the most samples of all particles.
  init(_ trail: Trail, longestLife: Double = .infinity, mostOfAll: Int = 1_000_000) {
    self.trail = trail
    self.longestLife = longestLife
    self.mostOfAll = mostOfAll
  }

  /// Continues this history with another trail. Returns nil if that trail covers another length of time.
  func continued(as other: TrailHistory) -> TrailHistory? {
    guard trail.length == other.trail.length, longestLife == other.longestLife,
      mostOfAll == other.mostOfAll
    else { return nil }
    trail = other.trail
    return self
  }

  /// Lengths up to this many seconds are sampled evenly from the start on, and longer ones as they grow.
  private static let evenLength = 10.0

  /// Notes where the particles are.
  /// - Parameter origin: the origin of their coordinates.
  func record(_ look: Appearance, at time: Double, from origin: SIMD3<Double> = .zero) {
    // A time that runs backwards belongs to another simulation.
    let isRestart = time < lastTime
    if isRestart || samples.isEmpty { firstTime = time }
    let old = isRestart ? [:] : samples
    lastTime = time
    let parts = min(max(mostOfAll / max(look.count, 1), 2), Self.most)
    if parts < Self.most { isReduced = true }
    let length = min(
      trail.length, longestLife, max(Self.evenLength, time - firstTime))
    var new: [UInt64: [Sample]] = [:]
    new.reserveCapacity(look.count)
    for particle in 0..<look.count {
      let ordinal = look.ordinal[particle]
      var list = old[ordinal] ?? []
      if let index = list.firstIndex(where: { $0.time >= time - trail.length }), index > 1 {
        list.removeFirst(index - 1)
      }
      // The newest but one is at least a part of the length old.
      if list.count > 1,
        list[list.count - 1].time - list[list.count - 2].time < length / Double(parts)
      {
        list.removeLast()
      }
      if list.count > 2 * parts + 4 {
        // Drops every second sample: older ones were taken at shorter intervals.
        list = list.indices.compactMap { $0 % 2 == 0 ? list[$0] : nil }
      }
      list.append(
        Sample(
          time: time,
          place: SIMD3(
            Double(look.x[particle]), Double(look.y[particle]), Double(look.z[particle])) + origin,
          velocity: SIMD3(
            Double(look.velocityX[particle]), Double(look.velocityY[particle]),
            Double(look.velocityZ[particle]))))
      new[ordinal] = list
    }
    samples = new
  }

  /// The points of a trail, from the particle on: the share of the length, and the place.
  func points(of ordinal: UInt64, age: Double, at time: Double) -> [(
    share: Double, place: SIMD3<Double>
  )] {
    let length = min(trail.length, age)
    guard length > 0, let list = samples[ordinal] else { return [] }
    var points: [(share: Double, place: SIMD3<Double>)] = []
    for index in list.indices.reversed() {
      let sample = list[index]
      let behind = time - sample.time
      guard behind < length else {
        // The end is between two samples.
        if index + 1 < list.count {
          let newer = list[index + 1]
          let x = (time - length - sample.time) / (newer.time - sample.time)
          points.append((length, sample.place + (newer.place - sample.place) * x))
        }
        break
      }
      points.append((behind, sample.place))
      if index == 0 {
        points.append((length, sample.place - sample.velocity * (length - behind)))
      }
    }
    return points.map { ($0.share / trail.length, $0.place) }
  }

  /// Appends the ribbon of a particle.
  func append(
    _ particle: Int, of look: Appearance, at time: Double, width: Double, color: SIMD4<Float>,
    texture: Int32, state: Int32, isLinear: Bool, _ projection: Projection, to quads: inout [Quad]
  ) {
    let points = points(
      of: look.ordinal[particle], age: Double(look.age[particle]), at: time
    ).compactMap { point in
      projection(point.place).map { (share: point.share, at: $0) }
    }
    guard points.count > 1 else { return }
    var before: (left: SIMD2<Float>, right: SIMD2<Float>)?
    for index in points.indices {
      let (here, last, next) = (
        points[index].at, points[max(index - 1, 0)].at, points[min(index + 1, points.count - 1)].at
      )
      let along = next.pixel - last.pixel
      let length = (along * along).sum().squareRoot()
      guard length > 0, length.isFinite else { continue }
      let half = max(0, width * trail.width.value(at: points[index].share)) * here.scale / 2
      let side = SIMD2(-along.y, along.x) / length * min(half, 1e6)
      let now = (left: SIMD2<Float>(here.pixel - side), right: SIMD2<Float>(here.pixel + side))
      defer { before = now }
      guard let before, index > 0 else { continue }
      let shares = (points[index - 1].share, points[index].share)
      let color = tint(color, at: (shares.0 + shares.1) / 2, isLinear: isLinear)
      let (start, end) = (Float(shares.0), Float(shares.1))
      var first = Quad(
        before.left, before.right, before.right, now.left, color: color, texture: texture,
        state: state)
      first.part = SIMD4(0, start, 1, end)
      first.isTriangle = true
      var second = Quad(
        now.right, now.left, now.left, before.right, color: color, texture: texture, state: state)
      second.part = SIMD4(1, end, 0, start)
      second.isTriangle = true
      quads.append(first)
      quads.append(second)
    }
  }

  private func tint(_ color: SIMD4<Float>, at share: Double, isLinear: Bool) -> SIMD4<Float> {
    guard let gradient = trail.color else { return color }
    let factor = gradient.color(at: share)
    var tint = SIMD4(
      Float(factor.red), Float(factor.green), Float(factor.blue), Float(factor.alpha))
    if isLinear {
      for channel in 0..<3 { tint[channel] = LightCurve.quickLight(tint[channel]) }
    }
    return color * tint
  }
}

/// Finds the pairs of near particles of an emitter, and draws a line between the particles of each pair.
struct LinkLines {
  /// The most pairs of all emitters in a picture. Above, the pairs of later particles have no lines.
  static let most = 20_000

  let links: Links
  let look: Appearance

  /// Two particles and their distance, as a share of the greatest one.
  struct Pair: Equatable {
    var first: Int
    var second: Int
    var share: Double
  }

  /// Coordinates are in cells of the greatest distance. Farther out, a cell is smaller than the precision of places.
  private static let farthest = 1e15

  /// The pairs whose distance is below the greatest distance, ordered by the later particle of a pair. For each
  /// later particle, the newest partners in a cell come first.
  ///
  /// A cell of the grid has the greatest distance as its side, so both particles of a pair are in one cell or in two
  /// neighbours. Many particles in a cell make many pairs, so that the limit also bounds the comparisons.
  /// - Returns: at most `most` pairs, and whether there are more.
  func pairs(atMost most: Int) -> (pairs: [Pair], isCut: Bool) {
    var found: [Pair] = []
    guard links.distance > 0, look.count > 1 else { return (found, false) }
    var newest: [UInt64: Int] = [:]
    var before = [Int](repeating: -1, count: look.count)
    let isFlat = (1..<look.count).allSatisfy { look.z[$0] == look.z[0] }
    let depths = isFlat ? 0...0 : -1...1
    for particle in 0..<look.count {
      let place = self.place(particle) / links.distance
      let cell = place.rounded(.down)
      guard cell.x.magnitude < Self.farthest, cell.y.magnitude < Self.farthest,
        cell.z.magnitude < Self.farthest
      else { continue }
      for z in depths {
        for y in -1...1 {
          for x in -1...1 {
            let key = Self.key(cell + SIMD3(Double(x), Double(y), Double(z)))
            var other = newest[key] ?? -1
            while other >= 0 {
              let way = self.place(other) / links.distance - place
              let square = (way * way).sum()
              if square < 1 {
                guard found.count < most else { return (found, true) }
                found.append(Pair(first: other, second: particle, share: square.squareRoot()))
              }
              other = before[other]
            }
          }
        }
      }
      let key = Self.key(cell)
      before[particle] = newest[key] ?? -1
      newest[key] = particle
    }
    return (found, false)
  }

  /// A number for a cell. Nearby cells have different numbers.
  private static func key(_ cell: SIMD3<Double>) -> UInt64 {
    func bits(_ number: Double) -> UInt64 {
      UInt64(bitPattern: Int64(saturating: number)) & 0x1F_FFFF
    }
    return bits(cell.x) | bits(cell.y) << 21 | bits(cell.z) << 42
  }

  @inline(__always)
  private func place(_ particle: Int) -> SIMD3<Double> {
    SIMD3(Double(look.x[particle]), Double(look.y[particle]), Double(look.z[particle]))
  }

  /// Appends the lines of all pairs. The opacity of a line falls linearly, to 0 at the greatest distance
  /// (particles.js 2.0.0 `linkParticles`, tsParticles 2 `Linker.interact`).
  /// - Parameters:
  ///   - most: the most lines.
  ///   - least: the least width of a line in samples. A thinner line is as much fainter as it should be thinner.
  /// - Returns: how many there are, and whether lines were left out.
  func append(
    atMost most: Int, state: Int32, isLinear: Bool, floor: QuadFloor, least: Double,
    _ projection: Projection, to quads: inout [Quad]
  ) -> (count: Int, isCut: Bool) {
    let opacity = links.opacity * links.color.alpha
    guard opacity > 0, links.width > 0 else { return (0, false) }
    var color = SIMD4(
      Float(links.color.red), Float(links.color.green), Float(links.color.blue), 0)
    if isLinear {
      for channel in 0..<3 { color[channel] = LightCurve.quickLight(color[channel]) }
    }
    let (pairs, isCut) = pairs(atMost: most)
    for pair in pairs {
      guard let start = projection(place(pair.first)), let end = projection(place(pair.second))
      else { continue }
      let way = end.pixel - start.pixel
      let length = (way * way).sum().squareRoot()
      guard length > 0, length.isFinite else { continue }
      color.w = Float(min(opacity * (1 - pair.share), 1))
      let width = links.width * (start.scale + end.scale) / 2
      if width < least { color.w *= Float(max(width / least, floor.faintest)) }
      let side = SIMD2(-way.y, way.x) / length * (min(max(width, least), 1e6) / 2)
      quads.append(
        Quad(
          SIMD2<Float>(start.pixel - side), SIMD2<Float>(end.pixel - side),
          SIMD2<Float>(end.pixel + side), SIMD2<Float>(start.pixel + side), color: color,
          texture: 0, state: state))
    }
    return (pairs.count, isCut)
  }
}
