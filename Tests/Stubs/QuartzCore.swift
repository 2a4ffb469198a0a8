// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
@_exported import CoreGraphics

// https://developer.apple.com/documentation/quartzcore/caanimation
open class CAAnimation {}

// https://developer.apple.com/documentation/quartzcore/caanimationcalculationmode
public struct CAAnimationCalculationMode: Sendable {
  public static let linear = CAAnimationCalculationMode()
  public static let discrete = CAAnimationCalculationMode()
  public static let cubic = CAAnimationCalculationMode()
}

// https://developer.apple.com/documentation/quartzcore/cakeyframeanimation
open class CAKeyframeAnimation: CAAnimation {
  public override init() {}
  open var values: [Any]?
  open var keyTimes: [NSNumber]?
  open var calculationMode = CAAnimationCalculationMode.linear
}

// https://developer.apple.com/documentation/quartzcore/caemitterlayeremittershape
public struct CAEmitterLayerEmitterShape: Sendable {
  public static let point = CAEmitterLayerEmitterShape()
  public static let rectangle = CAEmitterLayerEmitterShape()
  public static let circle = CAEmitterLayerEmitterShape()
}

// https://developer.apple.com/documentation/quartzcore/caemitterlayeremittermode
public struct CAEmitterLayerEmitterMode: Sendable {
  public static let surface = CAEmitterLayerEmitterMode()
}

// https://developer.apple.com/documentation/quartzcore/caemitterlayerrendermode
public struct CAEmitterLayerRenderMode: Sendable {
  public static let oldestFirst = CAEmitterLayerRenderMode()
  public static let additive = CAEmitterLayerRenderMode()
}

// https://developer.apple.com/documentation/quartzcore/caemitterlayer
open class CAEmitterLayer {
  public init() {}
  open var emitterPosition = CGPoint(x: 0, y: 0)
  open var emitterShape = CAEmitterLayerEmitterShape.point
  open var emitterMode = CAEmitterLayerEmitterMode.surface
  open var emitterSize = CGSize(width: 0, height: 0)
  open var renderMode = CAEmitterLayerRenderMode.oldestFirst
  open var emitterCells: [CAEmitterCell]?
}

// https://developer.apple.com/documentation/quartzcore/caemittercell
open class CAEmitterCell {
  public init() {}
  open var name: String?
  open var contents: Any?
  // https://developer.apple.com/documentation/quartzcore/caemittercell/contentsrect
  open var contentsRect = CGRect(x: 0, y: 0, width: 1, height: 1)
  open var birthRate: Float = 0
  open var beginTime: Double = 0
  open var duration: Double = 0
  open var lifetime: Float = 0
  open var lifetimeRange: Float = 0
  open var velocity: CGFloat = 0
  open var velocityRange: CGFloat = 0
  open var emissionLongitude: CGFloat = 0
  open var emissionRange: CGFloat = 0
  open var xAcceleration: CGFloat = 0
  open var yAcceleration: CGFloat = 0
  open var scale: CGFloat = 1
  open var scaleRange: CGFloat = 0
  open var scaleSpeed: CGFloat = 0
  open var spin: CGFloat = 0
  open var spinRange: CGFloat = 0
  open var color: CGColor?
  open var redRange: Float = 0
  open var greenRange: Float = 0
  open var blueRange: Float = 0
  open var alphaRange: Float = 0
  open var redSpeed: Float = 0
  open var greenSpeed: Float = 0
  open var blueSpeed: Float = 0
  open var alphaSpeed: Float = 0
  // https://developer.apple.com/documentation/quartzcore/caemittercell/emittercells
  open var emitterCells: [CAEmitterCell]?
}
