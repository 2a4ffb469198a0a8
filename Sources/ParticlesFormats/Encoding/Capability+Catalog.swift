// The rows of the capability matrix. Each format states its column; see
// ``ParticleFormat/capabilities``. The last argument of each is its documentation.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Capability {
  // MARK: Emission
  public static let rate = Capability("rate", .high, "emission rate")
  public static let rateRand = Capability("rateRand", .medium, "random rate of each period")
  public static let rateCurve = Capability("rateCurve", .medium, "rate that changes over time")
  public static let rateWay = Capability("rateWay", .high, "emission by distance moved")
  public static let burst = Capability("burst", .high, "burst")
  public static let burstList = Capability("burstList", .high, "several bursts")
  public static let duration = Capability("duration", .medium, "duration")
  public static let loop = Capability("loop", .high, "looping")
  public static let idle = Capability("idle", .high, "pause between periods")
  public static let delay = Capability("delay", .medium, "start delay")
  public static let prewarm = Capability("prewarm", .high, "prewarm")
  public static let speed = Capability("speed", .high, "playback speed")
  public static let total = Capability("total", .high, "end after a number of particles")
  public static let maxAlive = Capability("maxAlive", .low, "limit of living particles")
  public static let explos = Capability("explos", .low, "emission gathered within a period")
  public static let prob = Capability("prob", .medium, "spawn probability")

  // MARK: Space and shape
  public static let space = Capability("space", .medium, "coordinate space")
  public static let place = Capability("place", .medium, "place and rotation of the emitter")
  public static let shRect = Capability("shRect", .medium, "rectangle as shape")
  public static let shDisc = Capability("shDisc", .medium, "disc as shape")
  public static let shRing = Capability("shRing", .high, "ring as shape")
  public static let shLine = Capability("shLine", .medium, "line as shape")
  public static let shPoly = Capability("shPoly", .high, "points as shape")
  public static let sh3D = Capability("sh3D", .high, "shape in space (box, sphere, cone …)")
  public static let shMesh = Capability("shMesh", .high, "mesh as shape")
  public static let shCurve = Capability("shCurve", .medium, "shape that changes over time")
  public static let shOffset = Capability("shOffset", .low, "random offset of a shape")

  // MARK: Launch and motion
  public static let dirNormal = Capability("dirNormal", .high, "direction away from the shape")
  public static let spread2D = Capability("spread2D", .high, "spread of directions in the plane")
  public static let cone3D = Capability("cone3D", .high, "cone of directions")
  public static let speedRange = Capability("speedRange", .high, "launch speed")
  public static let gravity = Capability("gravity", .high, "gravity")
  public static let radial = Capability("radial", .high, "radial acceleration")
  public static let tangent = Capability("tangent", .high, "tangential acceleration")
  public static let linAcc = Capability("linAcc", .medium, "acceleration along the velocity")
  public static let dragExp = Capability("dragExp", .high, "drag by a share of the speed")
  public static let dragConst = Capability("dragConst", .high, "constant deceleration")
  public static let dragLin = Capability("dragLin", .high, "linear drag")
  public static let speedCurve = Capability("speedCurve", .high, "speed over life")
  public static let dirCurve = Capability("dirCurve", .high, "direction over life")
  public static let drift = Capability("drift", .medium, "wind")
  public static let orbit = Capability("orbit", .high, "orbit")
  public static let orbitVel = Capability("orbitVel", .high, "orbital velocity")
  public static let attract = Capability("attract", .high, "attraction to a point")
  public static let noise = Capability("noise", .high, "turbulence")
  public static let path = Capability("path", .high, "path")
  public static let inherit = Capability("inherit", .medium, "inherited velocity")
  public static let collide = Capability("collide", .high, "collision")

  // MARK: Life, size and rotation
  public static let life = Capability("life", .high, "lifetime")
  public static let size = Capability("size", .high, "size")
  public static let sizeSE = Capability("sizeSE", .high, "random end size")
  public static let sizeCurve = Capability("sizeCurve", .high, "size over life")
  public static let sizeXY = Capability("sizeXY", .high, "width and height")
  public static let sizeAbs = Capability("sizeAbs", .medium, "size in units")
  public static let stretch = Capability("stretch", .medium, "stretching along the motion")
  public static let rot = Capability("rot", .medium, "start rotation")
  public static let rotVel = Capability("rotVel", .high, "rotation speed")
  public static let rotSE = Capability("rotSE", .high, "random end rotation")
  public static let rotCurve = Capability("rotCurve", .high, "rotation over life")
  public static let rotAcc = Capability("rotAcc", .low, "angular acceleration")
  public static let align = Capability("align", .low, "alignment with the motion")
  public static let rot3D = Capability("rot3D", .medium, "rotation in space")

  // MARK: Colour
  public static let colRand = Capability("colRand", .medium, "random colour")
  public static let colHSB = Capability("colHSB", .high, "random hue, saturation and brightness")
  public static let colSE = Capability("colSE", .high, "random end colour")
  public static let grad = Capability("grad", .high, "colours over life")
  public static let alphaCv = Capability("alphaCv", .high, "opacity over life")
  public static let mix = Capability("mix", .low, "mix of image and colour")
  public static let initRamp = Capability(
    "initRamp", .medium, "random start colour from a gradient")

  // MARK: Image
  public static let tex = Capability("tex", .high, "image")
  public static let embed = Capability("embed", .low, "embedded image")
  public static let flip = Capability("flip", .medium, "flip-book animation")
  public static let randSpr = Capability("randSpr", .low, "random images")

  // MARK: Render
  public static let blAlpha = Capability("blAlpha", .high, "alpha blending")
  public static let blAdd = Capability("blAdd", .high, "additive blending")
  public static let blMul = Capability("blMul", .high, "multiply blending")
  public static let blScr = Capability("blScr", .high, "screen blending")
  public static let blSub = Capability("blSub", .high, "subtractive blending")
  public static let blCustom = Capability("blCustom", .high, "blending by factors")
  public static let premult = Capability("premult", .medium, "premultiplied alpha")
  public static let sort = Capability("sort", .low, "drawing order")
  public static let billb = Capability("billb", .low, "orientation towards the camera")
  public static let soft = Capability("soft", .low, "soft particles")
  public static let trail = Capability("trail", .high, "trails")

  // MARK: Several emitters
  public static let subDeath = Capability("subDeath", .high, "emission when a particle dies")
  public static let subBirth = Capability("subBirth", .high, "emission when a particle is spawned")
  public static let subLive = Capability("subLive", .high, "emission by living particles")
  public static let subColl = Capability("subColl", .high, "emission at a collision")
  public static let multi = Capability("multi", .high, "several emitters")
  public static let seed = Capability("seed", .low, "seed")

  // MARK: Document
  public static let meta = Capability("meta", .low, "names and comments")
  public static let frame2D = Capability(
    "frame2D", .medium, "2D or 3D, and the unit of length")
  public static let preview = Capability("preview", .low, "preview settings")
  public static let extra = Capability("extra", .low, "other settings")

  /// Every capability, in the order of the matrix.
  public static let all: [Capability] = [
    rate, rateRand, rateCurve, rateWay, burst, burstList, duration, loop, idle, delay, prewarm,
    speed, total, maxAlive, explos, prob, space, place, shRect, shDisc, shRing, shLine, shPoly,
    sh3D,
    shMesh, shCurve, shOffset, dirNormal, spread2D, cone3D, speedRange, gravity, radial, tangent,
    linAcc, dragExp,
    dragConst, dragLin, speedCurve, dirCurve, drift, orbit, orbitVel, attract, noise, path, inherit,
    collide,
    life, size, sizeSE, sizeCurve, sizeXY, sizeAbs, stretch, rot, rotVel, rotSE, rotCurve, rotAcc,
    align, rot3D, colRand, colHSB, colSE, grad, alphaCv, mix, initRamp, tex, embed, flip, randSpr,
    blAlpha, blAdd, blMul, blScr, blSub, blCustom, premult, sort, billb, soft, trail, subDeath,
    subBirth, subLive, subColl, multi, seed, meta, frame2D, preview, extra,
  ]
}
