import Testing

@testable import ParticlesModel

/// The types of all objects of a document. The catalogue has them as values, which tests cannot make objects of.
struct ModelTypes {
  static let all: [any ModelObject.Type] = [
    ParticleSystem.self, Asset.self, Preview.self, Camera.self, Sprite.self, SpriteGrid.self,
    ImageReference.self, Mesh.self, Emitter.self, Emission.self, Burst.self, Trigger.self,
    Transform.self, Timing.self, Flipbook.self, Force.self, Physics.self, Launch.self,
    Direction.self, Motion.self, Orbit.self, MotionPath.self, Render.self, Softness.self,
    Trail.self, Links.self, Blend.self, Tint.self, Rotation.self, Shape.self, Size.self,
    Stretch.self, ColorValue.Varied.self, ColorValue.Range.self, ColorValue.Pick.self,
    ColorValue.Choice.self, ColorTrack.self, Curve.self, Gradient.self, Track.self,
    Value.Uniform.self, Value.Choice.self, Value.Ramp.self,
  ]

  @Test("the catalogue has these objects, and no others")
  func catalogue() {
    #expect(PropertyCatalog().objects.map(\.title).sorted() == Self.all.map { $0.title }.sorted())
  }
}
