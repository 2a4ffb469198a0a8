package import ParticlesCore
package import ParticlesFormats
package import ParticlesImages
package import ParticlesModel
package import ParticlesRender

/// Moving pictures of an effect before and after a conversion, side by side, at one scale and from one place.
package final class SideBySide {
  /// The width of a picture in pixels: two pictures and the line between them.
  package let width: Int
  /// The height of a picture in pixels.
  package let height: Int
  /// The number of frames, and their duration.
  package var timing: FrameTiming { before.timing }
  /// Warnings about the pictures, each once.
  package var problems: [Diagnostic] {
    before.problems + after.problems.filter { !before.problems.contains($0) }
  }

  private static let gap = 2

  private let before: EffectAnimation
  private let after: EffectAnimation

  /// Reads the result of a conversion.
  /// - Parameters:
  ///   - package: the effect.
  ///   - exported: the files that it became.
  ///   - format: their format.
  ///   - plan: the settings of one of the two pictures.
  ///   - limits: for reading, and for the number and the size of frames.
  /// - Throws: errors of reading, or ``ParticlesCore/Rule/limit`` for too many frames or pixels.
  package init(
    _ package: EffectPackage, _ exported: Exported, as format: ParticleFormat,
    plan: EffectAnimation.Plan = SideBySide.plan, limits: Limits = .standard
  ) throws(Failure) {
    let source = try package.system(limits: limits)
    let result = try format.effect(in: exported, of: source.asset.profile, limits: limits)
    let isFlat = [source, result.system].contains { $0.asset.dimension == .plane }
    var plan = plan
    // The camera of the source shows both.
    if isFlat { plan.view = .plane }
    plan.pause = 0
    let first = try EffectAnimation(source, of: package, plan: plan, isStill: false, limits: limits)
    (plan.start, plan.duration, plan.loop) = (first.start, first.timing.total, first.loop)
    plan.view = .camera(first.camera)
    if plan.background == .automatic, let color = first.background {
      plan.background = .color(color)
    }
    before = try EffectAnimation(source, of: package, plan: plan, isStill: false, limits: limits)
    let length = UnitConversion.factor(from: source.asset, to: result.system.asset)
    plan.view = .camera(first.camera.moved(from: source, to: result.system, length: length))
    after = try EffectAnimation(
      result.system, of: EffectPackage(result.system, images: result.images), plan: plan,
      isStill: false, limits: limits)
    (width, height) = (2 * plan.width + Self.gap, plan.height)
  }

  /// The usual settings: 256 × 256 pixels at 20 frames per second.
  package static var plan: EffectAnimation.Plan {
    var plan = EffectAnimation.Plan()
    (plan.width, plan.height, plan.framesPerSecond) = (256, 256, 20)
    return plan
  }

  /// Draws all frames.
  /// - Parameter body: receives the frames in order.
  /// - Throws: errors of `body`, or `CancellationError` if the current task is cancelled.
  package func draw(_ body: (Bitmap) throws(Failure) -> Void) throws(Failure) {
    var left: [Bitmap] = []
    left.reserveCapacity(timing.count)
    try before.draw { left.append($0) }
    var index = 0
    try after.draw { right throws(Failure) in
      try body(Self.join(left[index], right))
      index += 1
    }
  }

  private static func join(_ left: Bitmap, _ right: Bitmap) -> Bitmap {
    let line = [UInt8](repeating: 128, count: gap * 4)
    var pixels: [UInt8] = []
    pixels.reserveCapacity((left.width + right.width + gap) * left.height * 4)
    for row in 0..<left.height {
      pixels += left.pixels[row * left.width * 4..<(row + 1) * left.width * 4]
      pixels += line
      pixels += right.pixels[row * right.width * 4..<(row + 1) * right.width * 4]
    }
    return Bitmap(width: left.width + right.width + gap, height: left.height, pixels: pixels)
  }
}

extension ParticleFormat {
  /// The effect in written files, in the unit of the effect that they were written from, and with the first emitters
  /// at one place, so that one camera shows both.
  package func effect(
    in exported: Exported, beside source: ParticleSystem, limits: Limits = .standard
  ) throws(Failure) -> (system: ParticleSystem, images: [String: [UInt8]]) {
    let (result, images) = try effect(in: exported, of: source.asset.profile, limits: limits)
    let length = UnitConversion.factor(from: source.asset, to: result.asset)
    var system = result.scaled(by: 1 / length)
    let old = source.emitters.first?.transform.translation ?? .zero
    let new = system.emitters.first?.transform.translation ?? .zero
    for index in system.emitters.indices {
      system.emitters[index].transform.translation.x += old.x - new.x
      system.emitters[index].transform.translation.y += old.y - new.y
      system.emitters[index].transform.translation.z += old.z - new.z
    }
    return (system, images)
  }
}

extension Camera {
  /// The camera that shows a second effect as this camera shows the first: in the unit of the second effect, and with
  /// both first emitters at one place of the picture.
  fileprivate func moved(
    from source: ParticleSystem, to result: ParticleSystem, length: Double
  ) -> Camera {
    let old = source.emitters.first?.transform.translation ?? .zero
    let new = result.emitters.first?.transform.translation ?? .zero
    func moved(_ place: Vector) -> Vector {
      Vector(
        (place.x - old.x) * length + new.x, (place.y - old.y) * length + new.y,
        (place.z - old.z) * length + new.z)
    }
    var camera = self
    camera.position = moved(position)
    camera.target = moved(target)
    camera.orthoHeight = orthoHeight.map { $0 * length }
    return camera
  }
}

/// How visible the rotation of particles is: a soft dot looks alike at every angle.
struct RotationVisibility {
  /// A number for each emitter, 0 for round images to 1. It is 1 if an image is missing or the emitter
  /// has none, for nothing is known then.
  let visibility: [Double]

  init(_ package: EffectPackage, of system: ParticleSystem, limits: Limits) {
    var known: [Int: Double] = [:]
    var images = DecodedImages(package, limits: limits)
    for sprite in Set(system.emitters.flatMap({ $0.sprites })).sorted()
    where system.sprites.indices.contains(sprite) {
      let info = system.sprites[sprite]
      guard info.grid == nil, info.region == nil, system.images.indices.contains(info.image),
        let bitmap = try? images.bitmap(at: system.images[info.image].uri)
      else { continue }
      known[sprite] = bitmap.unevenness
    }
    visibility = system.emitters.map { emitter in
      emitter.sprites.map { known[$0] ?? 1 }.max() ?? 1
    }
  }
}

extension EffectPackage {
  /// How much it shows that the particles of each emitter are turned, 0 to 1.
  package func turning(of system: ParticleSystem, limits: Limits = .standard) -> [Double] {
    RotationVisibility(self, of: system, limits: limits).visibility
  }
}
