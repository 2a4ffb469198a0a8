internal import ParticlesImages
internal import ParticlesModel
internal import ParticlesRender
internal import ParticlesSimulation

/// Quads, blend states and textures as `Spec/player.md` lays them out, in memory that grows with their number.
final class DrawingRecords {
  private(set) var quads = Words()
  private(set) var states = Words()
  private(set) var textures = Words()
  private(set) var quadCount = 0
  private(set) var stateCount = 0
  private(set) var textureCount = 0

  /// The words of a quad, and of a blend state and a texture.
  private static let (quadWords, otherWords) = (24, 8)

  /// Numbers of 32 bits.
  final class Words {
    private(set) var start: UnsafeMutablePointer<UInt32> = .allocate(capacity: 8)
    private var capacity = 8
    private var count = 0

    deinit { start.deallocate() }

    /// Begins anew, with room for words.
    func begin(_ words: Int) {
      count = 0
      guard words > capacity else { return }
      start.deallocate()
      capacity = words + words / 4
      start = .allocate(capacity: capacity)
    }

    func append(_ number: UInt32) {
      start[count] = number
      count += 1
    }

    func append(_ number: Float) { append(number.bitPattern) }
    func append(_ number: Int32) { append(UInt32(bitPattern: number)) }
    func append(_ number: Int) { append(Int32(clamping: number)) }
    func append(_ flag: Bool) { append(flag ? 1 : 0 as UInt32) }
    func append(_ point: SIMD2<Float>) {
      append(point.x)
      append(point.y)
    }
  }

  /// Notes what a drawing consists of.
  func set(_ drawing: (quads: [Quad], states: [BlendState]), _ shown: [ShownTexture]) {
    quadCount = drawing.quads.count
    quads.begin(quadCount * Self.quadWords)
    for quad in drawing.quads { append(quad) }
    stateCount = drawing.states.count
    states.begin(stateCount * Self.otherWords)
    for state in drawing.states { append(state) }
    textureCount = shown.count
    textures.begin(textureCount * Self.otherWords)
    for texture in shown { append(texture) }
  }

  private func append(_ quad: Quad) {
    let corners = quad.corners
    quads.append(corners.0)
    quads.append(corners.1)
    quads.append(corners.2)
    quads.append(corners.3)
    for place in 0..<3 { quads.append(quad.nearness[place]) }
    for place in 0..<4 { quads.append(quad.part[place]) }
    for place in 0..<4 { quads.append(quad.color[place]) }
    quads.append(quad.texture)
    quads.append(quad.next)
    quads.append(quad.share)
    quads.append(quad.state)
    quads.append((quad.isNearest ? 1 : 0) | (quad.isTriangle ? 2 : 0) as Int32)
  }

  private func append(_ state: BlendState) {
    let texel: Int =
      switch state.texel {
      case .straight: 0
      case .premultiplied: 1
      case .stored: 2
      }
    let equation: Int =
      switch state.equation {
      case .add: 0
      case .subtract: 1
      case .reverseSubtract: 2
      case .min: 3
      case .max: 4
      }
    states.append(texel)
    states.append(state.isTintPremultiplied)
    states.append(state.source.rawValue)
    states.append(state.destination.rawValue)
    states.append(state.alphaSource.rawValue)
    states.append(state.alphaDestination.rawValue)
    states.append(equation)
    states.append(state.ignoresTransparent)
  }

  private func append(_ texture: ShownTexture) {
    textures.append(texture.image ?? -1)
    textures.append(texture.region.x)
    textures.append(texture.region.y)
    textures.append(texture.region.width)
    textures.append(texture.region.height)
    textures.append(texture.isRotated)
    textures.append(texture.isStoredPremultiplied)
    textures.append(texture.isLight)
  }
}
