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
  public enum EmitterShape { case point, box, sphere }

  // https://developer.apple.com/documentation/realitykit/particleemittercomponent/birthlocation-swift.enum
  public enum BirthLocation { case surface, volume, vertices }

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
  }

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
  public mutating func burst() {}
}
