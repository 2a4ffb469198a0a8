// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
@_exported import CoreGraphics

// https://developer.apple.com/documentation/realitykit/textureresource
public class TextureResource {}

// https://developer.apple.com/documentation/realitykit/particleemittercomponent
public struct ParticleEmitterComponent {
  // https://developer.apple.com/documentation/realitykit/particleemittercomponent/timing-swift.enum
  public enum Timing {
    public struct VariableDuration {
      public init(duration: Double, variation: Double = 0) {}
    }
    case once(warmUp: Double = 0, emit: VariableDuration)
    case repeating(warmUp: Double = 0, emit: VariableDuration, idle: VariableDuration)
  }

  // https://developer.apple.com/documentation/realitykit/particleemittercomponent/emittershape-swift.enum
  public enum EmitterShape { case point, plane, box, sphere, cone, cylinder, torus }

  // https://developer.apple.com/documentation/realitykit/particleemittercomponent/birthlocation-swift.enum
  public enum BirthLocation {
    case surface, volume
    case vertices(count: SIMD3<UInt>)
  }

  // https://developer.apple.com/documentation/realitykit/particleemittercomponent/birthdirection-swift.enum
  public enum BirthDirection { case normal, world, local }

  // https://developer.apple.com/documentation/realitykit/particleemittercomponent/particleemitter
  public struct ParticleEmitter {
    public typealias Color = PlatformColor

    // https://developer.apple.com/documentation/realitykit/particleemittercomponent/particleemitter/particlecolor
    public enum ParticleColor {
      public enum ColorValue { case single(Color), random(a: Color, b: Color) }
      case constant(ColorValue)
      case evolving(start: ColorValue, end: ColorValue)
    }

    public enum BlendMode { case alpha, additive, opaque }

    public enum OpacityCurve { case constant, quickFadeInOut }

    // https://developer.apple.com/documentation/realitykit/particleemittercomponent/particleemitter/imagesequence-swift.struct
    public struct ImageSequence {
      // https://developer.apple.com/documentation/realitykit/particleemittercomponent/particleemitter/imagesequence-swift.struct/animationrepeatmode
      public enum AnimationRepeatMode { case autoReverse, looping, playOnce }
      public init() {}
      public var rowCount = 1
      public var columnCount = 1
      public var initialFrame = 0
      public var initialFrameVariation = 0
      public var frameRate: Float = 0
      public var frameRateVariation: Float = 0
      public var animationMode = AnimationRepeatMode.looping
    }

    public var birthRate: Float = 100
    public var lifeSpan: Double = 1
    public var lifeSpanVariation: Double = 0.2
    public var size: Float = 0.02
    public var sizeVariation: Float = 0.01
    public var sizeMultiplierAtEndOfLifespan: Float = 0.1
    public var angle: Float = 0
    public var angleVariation: Float = 0
    public var angularSpeed: Float = 0
    public var angularSpeedVariation: Float = 0
    public var spreadingAngle: Float = 0
    public var acceleration = SIMD3<Float>(0, 0, 0)
    public var color = ParticleColor.constant(.single(Color(red: 1, green: 1, blue: 1, alpha: 1)))
    public var opacityCurve = OpacityCurve.quickFadeInOut
    public var blendMode = BlendMode.alpha
    public var image: TextureResource?
    // https://developer.apple.com/documentation/realitykit/particleemittercomponent/particleemitter/imagesequence-swift.property
    public var imageSequence: ImageSequence?
    // https://developer.apple.com/documentation/realitykit/particleemittercomponent/particleemitter/dampingfactor
    public var dampingFactor: Float = 0
    // https://developer.apple.com/documentation/realitykit/particleemittercomponent/particleemitter/stretchfactor
    public var stretchFactor: Float = 0
    // https://developer.apple.com/documentation/realitykit/particleemittercomponent/particleemitter/noisestrength
    public var noiseStrength: Float = 0
    // https://developer.apple.com/documentation/realitykit/particleemittercomponent/particleemitter/noisescale
    public var noiseScale: Float = 1
    // https://developer.apple.com/documentation/realitykit/particleemittercomponent/particleemitter/noiseanimationspeed
    public var noiseAnimationSpeed: Float = 0
  }

  // https://developer.apple.com/documentation/realitykit/particleemittercomponent/spawnoccasion-swift.enum
  public enum SpawnOccasion { case onBirth, onDeath, onUpdate }

  public init() {}
  public var timing = Timing.repeating(emit: .init(duration: 1), idle: .init(duration: 0))
  public var emitterShape = EmitterShape.point
  public var emitterShapeSize = SIMD3<Float>(1, 1, 1)
  public var birthLocation = BirthLocation.surface
  public var birthDirection = BirthDirection.normal
  public var emissionDirection = SIMD3<Float>(0, 1, 0)
  public var speed: Float = 0.5
  public var speedVariation: Float = 0
  public var particlesInheritTransform = false
  public var burstCount = 100
  public var mainEmitter = ParticleEmitter()
  // https://developer.apple.com/documentation/realitykit/particleemittercomponent/spawnedemitter
  public var spawnedEmitter: ParticleEmitter?
  public var spawnOccasion = SpawnOccasion.onDeath
  // https://developer.apple.com/documentation/realitykit/particleemittercomponent/spawnvelocityfactor
  public var spawnVelocityFactor: Float = 1
  // https://developer.apple.com/documentation/realitykit/particleemittercomponent/spawninheritsparentcolor
  public var spawnInheritsParentColor = false
  public mutating func burst() {}
}
