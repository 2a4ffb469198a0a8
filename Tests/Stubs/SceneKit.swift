// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
@_exported import QuartzCore

// https://developer.apple.com/documentation/scenekit/scnvector3
public struct SCNVector3 { public init(_ x: CGFloat, _ y: CGFloat, _ z: CGFloat) {} }

// https://developer.apple.com/documentation/scenekit/scnvector4
public struct SCNVector4 {
  public init(_ x: CGFloat, _ y: CGFloat, _ z: CGFloat, _ w: CGFloat) {}
}

// https://developer.apple.com/documentation/scenekit/scngeometry
open class SCNGeometry {}

// https://developer.apple.com/documentation/scenekit/scnplane
open class SCNPlane: SCNGeometry { public init(width: CGFloat, height: CGFloat) {} }

// https://developer.apple.com/documentation/scenekit/scnbox
open class SCNBox: SCNGeometry {
  public init(width: CGFloat, height: CGFloat, length: CGFloat, chamferRadius: CGFloat) {}
}

// https://developer.apple.com/documentation/scenekit/scnsphere
open class SCNSphere: SCNGeometry { public init(radius: CGFloat) {} }

// https://developer.apple.com/documentation/scenekit/scncylinder
open class SCNCylinder: SCNGeometry { public init(radius: CGFloat, height: CGFloat) {} }

// https://developer.apple.com/documentation/scenekit/scncapsule
open class SCNCapsule: SCNGeometry { public init(capRadius: CGFloat, height: CGFloat) {} }

// https://developer.apple.com/documentation/scenekit/scntube
open class SCNTube: SCNGeometry {
  public init(innerRadius: CGFloat, outerRadius: CGFloat, height: CGFloat) {}
}

// https://developer.apple.com/documentation/scenekit/scntorus
open class SCNTorus: SCNGeometry { public init(ringRadius: CGFloat, pipeRadius: CGFloat) {} }

// https://developer.apple.com/documentation/scenekit/scncone
open class SCNCone: SCNGeometry {
  public init(topRadius: CGFloat, bottomRadius: CGFloat, height: CGFloat) {}
}

// https://developer.apple.com/documentation/scenekit/scnparticlepropertycontroller
open class SCNParticlePropertyController {
  public init(animation: CAAnimation) {}
  open var inputMode = SCNParticleInputMode.overLife
  open var inputScale: CGFloat = 1
  open var inputBias: CGFloat = 0
  open var inputProperty: SCNParticleSystem.ParticleProperty?
}

// https://developer.apple.com/documentation/scenekit/scnparticleinputmode
public enum SCNParticleInputMode { case overLife, overDistance, overOtherProperty }

// https://developer.apple.com/documentation/scenekit/scnparticlebirthlocation
public enum SCNParticleBirthLocation { case surface, volume, vertex }

// https://developer.apple.com/documentation/scenekit/scnparticlebirthdirection
public enum SCNParticleBirthDirection { case constant, surfaceNormal, random }

// https://developer.apple.com/documentation/scenekit/scnparticleimagesequenceanimationmode
public enum SCNParticleImageSequenceAnimationMode { case `repeat`, clamp, autoReverse }

// https://developer.apple.com/documentation/scenekit/scnparticleblendmode
public enum SCNParticleBlendMode { case additive, subtract, multiply, screen, alpha, replace }

// https://developer.apple.com/documentation/scenekit/scnparticlesortingmode
public enum SCNParticleSortingMode {
  case none, projectedDepth, distance, oldestFirst, youngestFirst
}

// https://developer.apple.com/documentation/scenekit/scnparticleorientationmode
public enum SCNParticleOrientationMode {
  case billboardScreenAligned, billboardViewAligned, free, billboardYAligned
}

// https://developer.apple.com/documentation/scenekit/scnparticlesystem
open class SCNParticleSystem {
  // https://developer.apple.com/documentation/scenekit/scnparticlesystem/particleproperty
  public struct ParticleProperty: Hashable, Sendable {
    let name: String
    public static let size = ParticleProperty(name: "size")
    public static let opacity = ParticleProperty(name: "opacity")
    public static let angle = ParticleProperty(name: "angle")
    public static let angularVelocity = ParticleProperty(name: "angularVelocity")
    public static let color = ParticleProperty(name: "color")
    public static let velocity = ParticleProperty(name: "velocity")
  }

  public init() {}
  open var emissionDuration: CGFloat = 1
  open var emissionDurationVariation: CGFloat = 0
  open var idleDuration: CGFloat = 0
  open var idleDurationVariation: CGFloat = 0
  open var loops = true
  open var birthRate: CGFloat = 1
  open var birthRateVariation: CGFloat = 0
  open var warmupDuration: CGFloat = 0
  open var speedFactor: CGFloat = 1
  open var emitterShape: SCNGeometry?
  open var birthLocation = SCNParticleBirthLocation.surface
  open var birthDirection = SCNParticleBirthDirection.constant
  open var emittingDirection = SCNVector3(0, 0, 1)
  open var spreadingAngle: CGFloat = 0
  open var acceleration = SCNVector3(0, 0, 0)
  open var orientationDirection = SCNVector3(0, 0, 0)
  open var isLocal = false
  open var particleLifeSpan: CGFloat = 1
  open var particleLifeSpanVariation: CGFloat = 0
  open var particleVelocity: CGFloat = 0
  open var particleVelocityVariation: CGFloat = 0
  open var particleMass: CGFloat = 1
  open var particleMassVariation: CGFloat = 0
  open var particleCharge: CGFloat = 0
  open var particleChargeVariation: CGFloat = 0
  open var particleBounce: CGFloat = 0.7
  open var particleBounceVariation: CGFloat = 0
  open var particleFriction: CGFloat = 1
  open var particleFrictionVariation: CGFloat = 0
  open var particleDiesOnCollision = false
  open var isAffectedByGravity = false
  open var isAffectedByPhysicsFields = false
  open var dampingFactor: CGFloat = 0
  open var particleAngle: CGFloat = 0
  open var particleAngleVariation: CGFloat = 0
  open var particleAngularVelocity: CGFloat = 0
  open var particleAngularVelocityVariation: CGFloat = 0
  open var particleSize: CGFloat = 1
  open var particleSizeVariation: CGFloat = 0
  open var stretchFactor: CGFloat = 0
  open var particleIntensity: CGFloat = 1
  open var particleIntensityVariation: CGFloat = 0
  open var particleImage: Any?
  open var particleColor = PlatformColor(red: 1, green: 1, blue: 1, alpha: 1)
  open var particleColorVariation = SCNVector4(0, 0, 0, 0)
  open var imageSequenceColumnCount = 1
  open var imageSequenceRowCount = 1
  open var imageSequenceInitialFrame: CGFloat = 0
  open var imageSequenceInitialFrameVariation: CGFloat = 0
  open var imageSequenceFrameRate: CGFloat = 0
  open var imageSequenceFrameRateVariation: CGFloat = 0
  open var imageSequenceAnimationMode = SCNParticleImageSequenceAnimationMode.repeat
  open var blendMode = SCNParticleBlendMode.additive
  open var sortingMode = SCNParticleSortingMode.none
  open var orientationMode = SCNParticleOrientationMode.billboardScreenAligned
  open var isLightingEnabled = false
  open var isBlackPassEnabled = false
  open var writesToDepthBuffer = false
  open var propertyControllers: [ParticleProperty: SCNParticlePropertyController]?
  open var systemSpawnedOnCollision: SCNParticleSystem?
  open var systemSpawnedOnDying: SCNParticleSystem?
  open var systemSpawnedOnLiving: SCNParticleSystem?
}
