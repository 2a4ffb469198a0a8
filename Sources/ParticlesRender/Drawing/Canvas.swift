package import ParticlesCore
package import ParticlesImages
package import ParticlesModel
package import ParticlesSimulation

/// A picture to draw quads on, in parts that are drawn on all cores.
///
/// One thread draws each part, in the order of the quads, so that the result does not depend on the
/// number of threads.
package struct Canvas {
  /// The size in pixels of the picture.
  package let width: Int
  package let height: Int
  /// The number of samples of a pixel in each direction. Quads are placed in samples.
  package let samples: Int
  /// The colour behind the particles, multiplied by alpha. It is in light if `isLinear`.
  package var background = SIMD4<Float>.zero
  /// Whether components are linear in light and are encoded for the bitmap.
  package var isLinear = false
  package var threads: Int?

  /// The size in samples of a part: 128 KiB.
  static let (tileWidth, tileHeight) = (240, 36)

  /// - Throws: a ``Diagnostic`` of ``Rule/limit`` if there are more samples than pixels are allowed.
  package init(width: Int, height: Int, samples: Int = 1, limits: Limits = .standard)
    throws(Diagnostic)
  {
    precondition(width > 0 && height > 0 && 1...4 ~= samples)
    let (size, isTooLarge) = width.multipliedReportingOverflow(by: height)
    let (count, isTooMany) = size.multipliedReportingOverflow(by: samples * samples)
    try limits.check(
      isTooLarge || isTooMany ? .max : count, { $0.pixels },
      samples == 1
        ? "pixels of a picture (\(width) × \(height))"
        : "samples of a picture (\(width) × \(height) pixels, \(samples * samples) samples each)")
    (self.width, self.height, self.samples) = (width, height, samples)
  }

  /// The size in samples.
  package var columns: Int { width * samples }
  package var rows: Int { height * samples }

  /// The part of the picture that a quad may cover, in samples, or nil if there is none.
  func extent(of quad: Quad) -> (x: Range<Int>, y: Range<Int>)? {
    guard quad.isFinite else { return nil }
    let (least, greatest) = quad.bounds
    func range(_ lower: Float, _ upper: Float, _ count: Int) -> Range<Int>? {
      let first = max(0, (lower - 0.5).rounded(.up))
      let end = min(Float(count), (upper - 0.5).rounded(.up))
      return first < end ? Int(saturating: first)..<Int(saturating: end) : nil
    }
    guard let x = range(least.x, greatest.x, columns), let y = range(least.y, greatest.y, rows)
    else { return nil }
    return (x, y)
  }

  /// Draws quads, the first lowest.
  /// - Parameter most: the most samples to paint. If the quads cover more, some are left out.
  /// - Returns: the picture, and the number of quads that were left out.
  package func draw(
    _ quads: [Quad], textures: [SpriteTexture], states: [BlendState], most: Int = .max
  ) throws(Failure) -> (bitmap: Bitmap, omitted: Int) {
    let scene = try Scene(quads, textures: textures, states: states, canvas: self, most: most)
    try WorkBudget.spend(paintedSamples: Int(clamping: scene.area))
    let count = width * height
    let finish = PixelConversion(self)
    var failure: Failure?
    let pixels = [UInt8](unsafeUninitializedCapacity: count * 4) { buffer, filled in
      guard let bytes = UnsafeMutableRawPointer(buffer.baseAddress) else { return }
      nonisolated(unsafe) let output = bytes.bindMemory(to: UInt32.self, capacity: count)
      defer {
        bytes.bindMemory(to: UInt8.self, capacity: count * 4)
        filled = count * 4
      }
      nonisolated(unsafe) let scene = scene
      // Starting a thread takes as long as painting some thousand pixels.
      let threads = scene.area < 60_000 ? 1 : threads
      do throws(Failure) {
        try Parallel.forEach(
          scene.tiles.count, threads: threads,
          state: { Tile(canvas: self) },
          work: { index, tile in
            scene.paint(index, in: tile)
            finish.write(tile, to: output)
          })
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return (Bitmap(width: width, height: height, pixels: pixels), scene.omitted)
  }
}

/// A part of the picture, in samples.
final class Tile {
  let samples: UnsafeMutablePointer<SIMD4<Float>>
  private(set) var x = 0..<0
  private(set) var y = 0..<0
  private let background: SIMD4<Float>

  init(canvas: Canvas) {
    samples = .allocate(capacity: Canvas.tileWidth * Canvas.tileHeight)
    background = canvas.background
  }

  deinit { samples.deallocate() }

  func begin(x: Range<Int>, y: Range<Int>) {
    (self.x, self.y) = (x, y)
    samples.initialize(repeating: background, count: x.count * y.count)
  }

  /// The samples of a row from a column on.
  @inline(__always)
  func row(_ row: Int, from column: Int) -> UnsafeMutablePointer<SIMD4<Float>> {
    samples + ((row - y.lowerBound) * x.count + column - x.lowerBound)
  }
}

/// Turns samples into pixels with 8 bits.
struct PixelConversion {
  private let width: Int
  private let samples: Int
  private let isOpaque: Bool
  private let isLinear: Bool

  init(_ canvas: Canvas) {
    (width, samples, isLinear) = (canvas.width, canvas.samples, canvas.isLinear)
    isOpaque = canvas.background.w >= 1
  }

  func write(_ tile: Tile, to output: UnsafeMutablePointer<UInt32>) {
    let scale = 1 / Float(samples * samples)
    let columns = tile.x.lowerBound / samples..<tile.x.upperBound / samples
    for row in tile.y.lowerBound / samples..<tile.y.upperBound / samples {
      let line = output + (row * width + columns.lowerBound)
      if samples == 1 {
        let from = tile.row(row, from: tile.x.lowerBound)
        for index in 0..<columns.count { line[index] = pixel(from[index]) }
        continue
      }
      for index in 0..<columns.count {
        var color = SIMD4<Float>.zero
        for part in 0..<samples {
          let from = tile.row(
            row * samples + part, from: (columns.lowerBound + index) * samples)
          for place in 0..<samples { color += from[place] }
        }
        line[index] = pixel(color * scale)
      }
    }
  }

  /// The four bytes of a pixel, for components within 0…1.
  @inline(__always)
  private func pixel(_ sum: SIMD4<Float>) -> UInt32 {
    var color = sum
    if !isOpaque {
      // Light without cover covers as much as it is bright.
      let alpha = max(color.w, color.x, color.y, color.z)
      if alpha > 0 { color /= alpha }
      color.w = alpha
    }
    // The last bits of the sum with 2²³ are the nearest whole number.
    var bytes = SIMD4<UInt8>(
      truncatingIfNeeded: unsafeBitCast(color * 255 + 8_388_608, to: SIMD4<UInt32>.self))
    if isLinear {
      for channel in 0..<3 { bytes[channel] = LightCurve.byte(color[channel]) }
    }
    if isOpaque { bytes.w = 0xFF }
    return unsafeBitCast(bytes, to: UInt32.self)
  }
}

extension LightCurve {
  private static let bytes: [UInt8] = (0...16_384).map {
    UInt8(saturating: encoded(Float($0) / 16_384) * 255 + 0.5)
  }

  /// The encoded component with 8 bits of light, 0…1. Off by at most 0.1 beside rounding.
  static func byte(_ light: Float) -> UInt8 {
    bytes[Int(saturating: min(max(light, 0), 1) * 16_384 + 0.5)]
  }
}

/// Combines a fragment with the picture.
protocol Blending {
  func callAsFunction(_ fragment: SIMD4<Float>, over picture: SIMD4<Float>) -> SIMD4<Float>
}

/// F + D · (1 − A), for fragments within 0…1.
struct OverBlending: Blending {
  @inline(__always)
  func callAsFunction(_ fragment: SIMD4<Float>, over picture: SIMD4<Float>) -> SIMD4<Float> {
    fragment + picture * (1 - fragment.w)
  }
}

/// F + D, for fragments that are not negative.
struct AddBlending: Blending {
  @inline(__always)
  func callAsFunction(_ fragment: SIMD4<Float>, over picture: SIMD4<Float>) -> SIMD4<Float> {
    var fragment = fragment
    fragment.w = 0
    let sum = picture + fragment
    return sum.replacing(with: 1, where: sum .> 1)
  }
}

/// F · A + D · (1 − A) or F · A + D, for fragments within 0…1.
struct StraightBlending: Blending {
  let isAdding: Bool

  @inline(__always)
  func callAsFunction(_ fragment: SIMD4<Float>, over picture: SIMD4<Float>) -> SIMD4<Float> {
    let alpha = fragment.w
    var product = fragment * alpha
    if isAdding {
      product.w = 0
      let sum = picture + product
      return sum.replacing(with: 1, where: sum .> 1)
    }
    product.w = alpha
    return product + picture * (1 - alpha)
  }
}

extension BlendState: Blending {}

/// A part of the time of an effect. The frame is chosen for its visible particles.
package struct VisibleSpan {
  /// Its ends, in seconds.
  package let start: Double
  package let end: Double
  let seed: UInt64?
  private let system: ParticleSystem

  /// The number of moments that are looked at.
  private static let moments = 24
  /// The most particles of all emitters.
  private static let mostLiving = 100_000
  /// The most particles that are looked at, of an emitter and of all.
  private static let (most, mostOfAll) = (6_000, 240_000)
  /// The most particles of an emitter.
  private static let mostOfEmitter = 20_000
  /// The longest time that is looked at where the caller does not name one, in seconds.
  private static let longest = 4.0

  package init(_ system: ParticleSystem, from start: Double, to end: Double, seed: UInt64? = nil) {
    (self.system, self.start, self.end, self.seed) = (system, start, end, seed)
  }

  /// The time in which everything shows that there is: the longest first period, and a life.
  package static func firstSeconds(of system: ParticleSystem) -> Double {
    let ends = system.emitters.filter { $0.enabled }.map { emitter in
      let timing = emitter.timing
      let speed = timing.speed > 0 ? timing.speed : 1
      let life = max(0, emitter.lifetime.bounds.upper)
      let active = timing.duration.map { max(0, $0.bounds.upper) } ?? life
      return (max(0, timing.delay.bounds.upper) + min(active, 2 * life) + life) / speed
    }
    return min(system.preview.duration ?? max(ends.max() ?? 1, 0.5), longest)
  }

  /// The visible spots at moments that are spread over the time.
  func spots(
    profile: ParticleSystem.Profile?, limits: Limits, threads: Int?,
    look: (Simulation, _ moment: Int, _ most: Int) -> [VisibleSpot]
  ) throws(Failure) -> [VisibleSpot] {
    let interval = max(end - start, 0.05) / Double(Self.moments)
    let capacity = min(limits.particles, Self.mostOfEmitter)
    let simulation = Simulation(
      system, profile: profile, seed: seed, capacity: capacity,
      team: .suited(to: system, capacity: capacity, atMost: threads),
      budget: SimulationBudget(
        steps: limits.particleSteps / 8, particles: Self.mostLiving,
        duration: Simulation.stepCount(of: start)
          + Self.moments * Simulation.stepCount(of: interval)))
    let emitters = max(1, system.emitters.count)
    let most = max(1, min(Self.most, Self.mostOfAll / emitters) / Self.moments)
    simulation.advance(by: start)
    var found = start > 0 ? look(simulation, 0, most) : []
    for moment in 1...Self.moments {
      simulation.advance(by: interval)
      found += look(simulation, moment, most)
    }
    try WorkBudget.spend(particleSteps: simulation.usedSteps)
    return found
  }
}

extension EffectRenderer {
  /// The visible spots of the effect in a part of its time.
  /// - Parameter profile: the engine whose law is followed. By default, the effect names it.
  package func spots(
    in span: VisibleSpan, profile: ParticleSystem.Profile?
  ) throws(Failure) -> [VisibleSpot] {
    try span.spots(profile: profile, limits: limits, threads: settings.threads) {
      spots(of: $0, moment: $1, most: $2)
    }
  }
}
