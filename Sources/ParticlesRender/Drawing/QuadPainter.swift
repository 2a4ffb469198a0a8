internal import ParticlesModel

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
    case factors(FactorBlending)
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
    // Texels are within 0…1; so are fragments, if the tint is.
    kind = tint == tint.inUnit ? Self.kind(state) : .factors(FactorBlending(state: state))
  }

  private static func kind(_ state: BlendState) -> Kind {
    let covers = (state.alphaSource, state.alphaDestination) == (.one, .oneMinusSourceAlpha)
    let keeps = (state.alphaSource, state.alphaDestination) == (.zero, .one)
    switch (state.source, state.destination, state.equation) {
    case (.one, .oneMinusSourceAlpha, .add) where covers: return .over
    case (.one, .one, .add) where keeps: return .add
    case (.sourceAlpha, .oneMinusSourceAlpha, .add) where covers:
      return .straight(StraightBlending(isAdding: false))
    case (.sourceAlpha, .one, .add) where keeps:
      return .straight(StraightBlending(isAdding: true))
    default: return .factors(FactorBlending(state: state))
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
    for (line, span) in spans.columns.enumerated() where span.start < span.end {
      let row = spans.firstRow + line
      let target = tile.row(row, from: span.start)
      let count = span.end - span.start
      if isFlat {
        run(FlatSampler(texel: plane.texels[0]), target, count, blending)
      } else if mapping.hasPerspective {
        let first = perspective(plane, mapping, span.start, row)
        if isMixed, let second {
          let next = perspective(second.plane, second.mapping, span.start, row)
          run(MixedSampler(first: first, second: next, share: share), target, count, blending)
        } else {
          run(first, target, count, blending)
        }
      } else {
        let walk = walk(mapping, span, row)
        if isMixed, let second {
          let next = linear(second.plane, self.walk(second.mapping, span, row))
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
  private func walk(_ mapping: Mapping, _ span: (start: Int, end: Int), _ row: Int) -> TexelWalk {
    TexelWalk(
      from: mapping(span.start, row), to: mapping(span.end - 1, row), count: span.end - span.start)
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
