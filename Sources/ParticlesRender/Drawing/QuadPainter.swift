internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesSimulation

/// Paints the pixels of a quad, by the fastest loop that gives the result of its blend state.
struct QuadPainter {
  private let mapping: Mapping
  private let plane: TexelPlane
  private let second: (plane: TexelPlane, mapping: Mapping)?
  private let tint: SIMD4<Float>
  private let share: Float
  private let isNearest: Bool
  private let isFlat: Bool
  private let kind: Kind

  private enum Kind {
    case over, add
    case straight(StraightBlending)
    case factors(BlendState)
  }

  init?(_ quad: Quad, _ plane: TexelPlane, _ next: TexelPlane?, _ state: BlendState) {
    guard let mapping = Mapping(quad, plane) else { return nil }
    (self.mapping, self.plane, share, isNearest) = (mapping, plane, quad.share, quad.isNearest)
    second = next.flatMap { next in Mapping(quad, next).map { (next, $0) } }
    isFlat = plane.width == 1 && plane.height == 1 && next == nil
    var tint = quad.color
    if state.isTintPremultiplied {
      tint *= tint.w
      tint.w = quad.color.w
    }
    self.tint = tint
    // Texels are within 0…1. Fragments are, too, if the tint is.
    kind = tint == tint.inUnit ? Self.kind(state) : .factors(state)
  }

  private static func kind(_ state: BlendState) -> Kind {
    let factors = (state.source, state.destination, state.alphaSource, state.alphaDestination)
    switch (state.equation, state.texel, factors) {
    case (.add, .premultiplied, (.one, .oneMinusSourceAlpha, .one, .oneMinusSourceAlpha))
    where state.isTintPremultiplied:
      return .over
    case (.add, _, (.one, .one, .zero, .one)): return .add
    case (.add, _, (.sourceAlpha, .oneMinusSourceAlpha, .one, .oneMinusSourceAlpha)):
      return .straight(StraightBlending(isAdding: false))
    case (.add, _, (.sourceAlpha, .one, .zero, .one)):
      return .straight(StraightBlending(isAdding: true))
    default: return .factors(state)
    }
  }

  func paint(_ spans: SpanList, in tile: Tile) {
    switch kind {
    case .over: paint(spans, in: tile, OverBlending())
    case .add: paint(spans, in: tile, AddBlending())
    case .straight(let blending): paint(spans, in: tile, blending)
    case .factors(let blending): paint(spans, in: tile, blending)
    }
  }

  @inline(__always)
  private func paint(_ spans: SpanList, in tile: Tile, _ blending: some Blending) {
    let isMixed = second != nil && share > 0
    let step = Step(mapping)
    for (line, span) in spans.columns.enumerated() where span.start < span.end {
      let row = spans.firstRow + line
      let target = tile.row(row, from: span.start)
      let count = span.end - span.start
      if isFlat {
        run(FlatSampler(texel: plane.texels[0]), target, count, blending)
      } else if mapping.hasPerspective || (isMixed && isNearest) {
        // Two nearest texels are mixed here only: this sampler needs no further variant.
        let first = perspective(plane, mapping, span.start, row)
        if isMixed, let second {
          let next = perspective(second.plane, second.mapping, span.start, row)
          run(MixedSampler(first: first, second: next, share: share), target, count, blending)
        } else {
          run(first, target, count, blending)
        }
      } else {
        let walk = walk(mapping, step, span, row)
        if isMixed, let second {
          let next = linear(
            second.plane, self.walk(second.mapping, Step(second.mapping), span, row))
          run(
            MixedSampler(first: linear(plane, walk), second: next, share: share), target, count,
            blending)
        } else if isNearest {
          run(
            NearestSampler(texels: plane.texels, stride: plane.stride, walk: walk), target, count,
            blending)
        } else {
          run(linear(plane, walk), target, count, blending)
        }
      }
    }
  }

  @inline(__always)
  private func walk(
    _ mapping: Mapping, _ step: Step, _ span: (start: Int, end: Int), _ row: Int
  ) -> TexelWalk {
    let first = mapping(span.start, row)
    let count = span.end - span.start
    let (u, v) = (
      Int64(saturating: first.x * TexelWalk.one), Int64(saturating: first.y * TexelWalk.one)
    )
    let (lastU, lastV) = (
      u &+ step.u &* Int64(count - 1), v &+ step.v &* Int64(count - 1)
    )
    if step.isSmall, lastU >= step.least, lastU <= step.greatestU, lastV >= step.least,
      lastV <= step.greatestV
    {
      return TexelWalk(u: u, v: v, du: step.u, dv: step.v)
    }
    return TexelWalk(from: first, to: mapping(span.end - 1, row), count: count)
  }

  /// The step from a pixel to the next, and the coordinates of the edges, as fixed-point numbers.
  private struct Step {
    var u: Int64 = 0
    var v: Int64 = 0
    var least: Int64 = 0
    var greatestU: Int64 = 0
    var greatestV: Int64 = 0
    /// Whether no row of a tile overflows.
    var isSmall = false

    init(_ mapping: Mapping) {
      let step = mapping.step
      isSmall = step.x.magnitude < 65_536 && step.y.magnitude < 65_536
      guard isSmall else { return }
      (u, v) = (
        Int64(saturating: step.x * TexelWalk.one), Int64(saturating: step.y * TexelWalk.one)
      )
      let (low, high) = mapping.limits
      least = Int64(saturating: low * TexelWalk.one)
      (greatestU, greatestV) = (
        Int64(saturating: high.x * TexelWalk.one), Int64(saturating: high.y * TexelWalk.one)
      )
    }
  }

  @inline(__always)
  private func linear(_ plane: TexelPlane, _ walk: TexelWalk) -> LinearSampler {
    LinearSampler(texels: plane.texels, stride: plane.stride, walk: walk)
  }

  private func perspective(
    _ plane: TexelPlane, _ mapping: Mapping, _ x: Int, _ y: Int
  ) -> PerspectiveSampler {
    PerspectiveSampler(
      texels: plane.texels, stride: plane.stride, mapping: mapping, isNearest: isNearest, x: x, y: y
    )
  }

  @inline(__always)
  private func run(
    _ sampler: some TexelSampler, _ target: UnsafeMutablePointer<SIMD4<Float>>, _ count: Int,
    _ blending: some Blending
  ) {
    var sampler = sampler
    let tint = tint
    for index in 0..<count {
      target[index] = blending(sampler.next() * tint, over: target[index])
    }
  }
}

extension Quad {
  /// The smallest and the greatest coordinates.
  @inline(__always)
  var bounds: (least: SIMD2<Float>, greatest: SIMD2<Float>) {
    let (a, b, c, d) = corners
    func least(_ a: SIMD2<Float>, _ b: SIMD2<Float>) -> SIMD2<Float> {
      a.replacing(with: b, where: b .< a)
    }
    func greatest(_ a: SIMD2<Float>, _ b: SIMD2<Float>) -> SIMD2<Float> {
      a.replacing(with: b, where: b .> a)
    }
    return (least(least(a, b), least(c, d)), greatest(greatest(a, b), greatest(c, d)))
  }

  var isFinite: Bool {
    let sum = corners.0 + corners.1 + corners.2 + corners.3
    return sum.x.isFinite && sum.y.isFinite && (color.x + color.y + color.z + color.w).isFinite
      && (nearness.x + nearness.y + nearness.z).isFinite
  }

  /// The lengths of the first and the last edge in pixels.
  var size: SIMD2<Float> {
    let (x, y) = (corners.1 - corners.0, corners.3 - corners.0)
    return SIMD2((x * x).sum().squareRoot(), (y * y).sum().squareRoot())
  }

  /// The rectangle of this quad's texture without fully transparent borders, or nil if there is
  /// nothing to see.
  func trimmed(to plane: TexelPlane) -> Quad? {
    guard let covered = plane.covered else { return nil }
    guard !isTriangle, nearness.x == nearness.y, nearness.x == nearness.z,
      part == SIMD4(0, 0, 1, 1)
    else { return self }
    // Filtering reaches half a texel beyond the outermost texels.
    let left = Float(max(0, (Double(covered.x.lowerBound) - 0.5) / plane.width))
    let right = Float(min(1, (Double(covered.x.upperBound) + 0.5) / plane.width))
    let top = Float(max(0, (Double(covered.y.lowerBound) - 0.5) / plane.height))
    let bottom = Float(min(1, (Double(covered.y.upperBound) + 0.5) / plane.height))
    if left == 0, right == 1, top == 0, bottom == 1 { return self }
    var quad = self
    let (x, y) = (corners.1 - corners.0, corners.3 - corners.0)
    quad.corners = (
      corners.0 + x * left + y * top, corners.0 + x * right + y * top,
      corners.0 + x * right + y * bottom, corners.0 + x * left + y * bottom
    )
    quad.part = SIMD4(left, top, right, bottom)
    return quad
  }
}
