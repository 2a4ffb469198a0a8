internal import ParticlesCore
public import ParticlesModel
internal import ParticlesSimulation

extension EffectRenderer {
  /// Settings of a picture.
  public struct Settings: Sendable, Hashable {
    /// The width in pixels, at least 1; 512 by default.
    public var width = 512
    /// The height in pixels, at least 1; 512 by default.
    public var height = 512
    /// The background colour; nil, the default, for a transparent picture.
    public var background: ParticleSystem.Color?
    /// The camera; automatic by default.
    public var view = View.automatic
    /// A factor of the size at which everything is shown, about the middle of the picture; 1 by default.
    public var scale = 1.0
    /// Samples of a pixel in each direction, 1 to 4; 1 by default. With 2, edges are smoother, and drawing
    /// takes up to four times as long.
    public var samples = 1
    /// The number of threads; that of the processors by default.
    package var threads: Int?

    /// Creates settings.
    public init(
      width: Int = 512, height: Int = 512, background: ParticleSystem.Color? = nil,
      view: View = .automatic
    ) {
      (self.width, self.height) = (width, height)
      (self.background, self.view) = (background, view)
    }
  }

  /// The camera of a picture.
  public enum View: Sendable, Hashable {
    /// The camera of the document (`preview.camera`, `preview.size`); without one, all that is visible in
    /// the first seconds, except outliers.
    case automatic
    /// The plane z = 0 from the front, so that all that is visible in the first seconds is in it.
    case plane
    /// Space, in perspective, from above: at (0, 3, 6), looking at the origin with a vertical field of
    /// view of 60°, as in the scene that SceneKit's templates come with.
    case space
    /// The plane z = 0 from the front, one unit to a pixel, with the origin in the middle.
    case pixels
    /// A given camera. Without `fov` and `orthoHeight`, it is one of 60° for effects in space, and shows
    /// as many units as pixels otherwise.
    case camera(ParticleSystem.Camera)
  }
}

extension EffectRenderer.View {
  func camera(
    for system: ParticleSystem, _ frames: SpriteFrames, width: Int, height: Int,
    profile: Profile?, limits: Limits, threads: Int?
  ) throws -> Camera {
    func framing() throws -> Framing {
      let framing = Framing(
        system, frames, profile: profile, capacity: limits.particles,
        steps: limits.particleSteps / 8, threads: threads)
      try WorkBudget.spend(particleSteps: framing.usedSteps)
      return framing
    }
    let isFlat = system.asset.dimension == .plane
    switch self {
    case .automatic:
      if let camera = system.preview.camera {
        return camera.completed(isFlat: isFlat, height: system.preview.size?.y ?? Double(height))
      }
      if isFlat, let size = system.preview.size {
        var camera = Camera()
        camera.orthoHeight = size.y
        return camera
      }
      return try framing().camera(isFlat: isFlat, width: width, height: height)
    case .plane:
      return try framing().camera(isFlat: true, width: width, height: height)
    case .space: return Framing.scene
    case .pixels:
      var camera = Camera()
      camera.orthoHeight = Double(height)
      return camera
    case .camera(let camera):
      return camera.completed(isFlat: isFlat, height: Double(height))
    }
  }
}

extension Camera {
  /// This camera with a field of view or a height.
  fileprivate func completed(isFlat: Bool, height: Double) -> Camera {
    guard fov == nil, orthoHeight == nil else { return self }
    var camera = self
    if isFlat { camera.orthoHeight = height } else { camera.fov = 60 }
    return camera
  }
}
