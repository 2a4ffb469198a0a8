// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
@_exported import CoreGraphics

// https://developer.apple.com/documentation/spritekit/skcolor
public typealias SKColor = PlatformColor

// https://developer.apple.com/documentation/spritekit/sknode
open class SKNode {
  public init() {}
  open var name: String?
  open var position = CGPoint(x: 0, y: 0)
  open var zPosition: CGFloat = 0
  open var zRotation: CGFloat = 0
  open var xScale: CGFloat = 1
  open var yScale: CGFloat = 1
  open var isHidden = false
  open func addChild(_ node: SKNode) {}
}

// https://developer.apple.com/documentation/spritekit/sktexturefilteringmode
public enum SKTextureFilteringMode { case nearest, linear }

// https://developer.apple.com/documentation/spritekit/sktexture
open class SKTexture {
  public init(imageNamed name: String) {}
  public init(rect: CGRect, in texture: SKTexture) {}
  open var filteringMode = SKTextureFilteringMode.linear
}

// https://developer.apple.com/documentation/spritekit/skinterpolationmode
public enum SKInterpolationMode { case linear, spline, step }

// https://developer.apple.com/documentation/spritekit/skkeyframesequence
open class SKKeyframeSequence {
  public init(keyframeValues values: [Any], times: [NSNumber]) {}
  open var interpolationMode = SKInterpolationMode.linear
}

// https://developer.apple.com/documentation/spritekit/skblendmode
public enum SKBlendMode {
  case alpha, add, subtract, multiply, multiplyX2, screen, replace, multiplyAlpha
}

// https://developer.apple.com/documentation/spritekit/skparticlerenderorder
public enum SKParticleRenderOrder { case oldestLast, oldestFirst, dontCare }

// https://developer.apple.com/documentation/spritekit/skemitternode
open class SKEmitterNode: SKNode {
  open var particleTexture: SKTexture?
  open var particleBirthRate: CGFloat = 0
  open var numParticlesToEmit: Int = 0
  open var particleLifetime: CGFloat = 0
  open var particleLifetimeRange: CGFloat = 0
  open var particlePosition = CGPoint(x: 0, y: 0)
  open var particlePositionRange = CGVector(dx: 0, dy: 0)
  open var particleZPosition: CGFloat = 0
  open var particleZPositionRange: CGFloat = 0
  open var particleZPositionSpeed: CGFloat = 0
  open var emissionAngle: CGFloat = 0
  open var emissionAngleRange: CGFloat = 0
  open var particleSpeed: CGFloat = 0
  open var particleSpeedRange: CGFloat = 0
  open var xAcceleration: CGFloat = 0
  open var yAcceleration: CGFloat = 0
  open var fieldBitMask: UInt32 = 0
  open var particleRotation: CGFloat = 0
  open var particleRotationRange: CGFloat = 0
  open var particleRotationSpeed: CGFloat = 0
  open var particleSize = CGSize(width: 0, height: 0)
  open var particleScale: CGFloat = 1
  open var particleScaleRange: CGFloat = 0
  open var particleScaleSpeed: CGFloat = 0
  open var particleScaleSequence: SKKeyframeSequence?
  open var particleAlpha: CGFloat = 1
  open var particleAlphaRange: CGFloat = 0
  open var particleAlphaSpeed: CGFloat = 0
  open var particleAlphaSequence: SKKeyframeSequence?
  open var particleColor = SKColor(red: 0, green: 0, blue: 0, alpha: 0)
  open var particleColorRedRange: CGFloat = 0
  open var particleColorGreenRange: CGFloat = 0
  open var particleColorBlueRange: CGFloat = 0
  open var particleColorAlphaRange: CGFloat = 0
  open var particleColorRedSpeed: CGFloat = 0
  open var particleColorGreenSpeed: CGFloat = 0
  open var particleColorBlueSpeed: CGFloat = 0
  open var particleColorAlphaSpeed: CGFloat = 0
  open var particleColorSequence: SKKeyframeSequence?
  open var particleColorBlendFactor: CGFloat = 0
  open var particleColorBlendFactorRange: CGFloat = 0
  open var particleColorBlendFactorSpeed: CGFloat = 0
  open var particleColorBlendFactorSequence: SKKeyframeSequence?
  open var particleBlendMode = SKBlendMode.alpha
  open var particleRenderOrder = SKParticleRenderOrder.oldestLast
}
