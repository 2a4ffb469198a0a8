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
    /// Whether another background may be chosen where that one does not show what there is to see; false by
    /// default.
    public var isBackgroundOpen = false
    /// The camera; automatic by default.
    public var view = View.automatic
    /// A factor of the size at which everything is shown, about the middle of the picture; 1 by default.
    public var scale = 1.0
    /// Samples of a pixel in each direction, 1 to 4; 1 by default. With 2, edges are smoother, and drawing
    /// takes up to four times as long.
    public var samples = 1
    /// The number of threads; that of the processors by default.
    package var threads: Int?
    /// The most texels that all textures keep at one resolution, of 16 bytes each.
    package var mostTexels = SpriteTexture.mostTexels

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
    /// The camera of the document (`preview.camera`, `preview.size`); without one, all that is visible,
    /// except outliers.
    case automatic
    /// The plane z = 0 from the front, so that all that is visible is in it.
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
  /// The camera that the view or the document states; nil if it is chosen.
  /// - Parameter height: of the picture in pixels.
  func given(for system: ParticleSystem, height: Double) -> Camera? {
    let isFlat = system.asset.dimension == .plane
    var camera = Camera()
    switch self {
    case .automatic:
      if let camera = system.preview.camera {
        return camera.completed(isFlat: isFlat, height: system.preview.size?.y ?? height)
      }
      guard isFlat, let size = system.preview.size else { return nil }
      camera.orthoHeight = size.y
      return camera
    case .plane: return nil
    case .space: return Framing.scene
    case .pixels:
      camera.orthoHeight = height
      return camera
    case .camera(let camera): return camera.completed(isFlat: isFlat, height: height)
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
