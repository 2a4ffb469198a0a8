internal import ParticlesCore
internal import ParticlesModel

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

  /// The pairs whose distance is below the greatest one: in the order of the later particle of a pair, and of each
  /// one the newest partner in the same cell first.
  ///
  /// A cell of the grid has the greatest distance as its side, so that particles of a pair are in the same cell or in two
  /// neighbours. Many particles in a cell are many pairs: the limit bounds the comparisons, too.
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

  /// A number for a cell; other cells near it have other numbers.
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
