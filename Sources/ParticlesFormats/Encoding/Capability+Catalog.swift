internal import ParticlesCore

// The rows of the capability matrix. Each format states its column; see
// ``ParticleFormat/capabilities``. The last argument of each is its documentation.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Capability {
  // MARK: Emission
  public static let rate = Capability("rate", .high, "constant emission rate")
  public static let rateRand = Capability("rateRand", .low, "random rate per cycle")
  public static let rateCurve = Capability("rateCurve", .medium, "rate over emitter time")
  public static let rateWay = Capability("rateWay", .high, "emission by distance moved")
  public static let burst = Capability("burst", .high, "N particles at one instant")
  public static let burstList = Capability("burstList", .high, "several timed bursts")
  public static let duration = Capability("duration", .medium, "finite emission time")
  public static let loop = Capability("loop", .high, "repeat finite cycles")
  public static let idle = Capability("idle", .medium, "pause between cycles")
  public static let delay = Capability("delay", .medium, "start delay")
  public static let prewarm = Capability("prewarm", .low, "prewarm")
  public static let speed = Capability("speed", .high, "playback speed")
  public static let total = Capability("total", .high, "stop after N particles")
  public static let maxAlive = Capability("maxAlive", .medium, "cap on living particles")
  public static let explos = Capability("explos", .low, "cycle explosiveness/jitter")
  public static let prob = Capability("prob", .medium, "spawn probability per particle")

  // MARK: Space and shape
  public static let space = Capability("space", .medium, "local/world simulation choice")
  public static let shRect = Capability("shRect", .medium, "rectangle")
  public static let shDisc = Capability("shDisc", .medium, "disc / ellipse area")
  public static let shRing = Capability("shRing", .high, "ring / outline")
  public static let shLine = Capability("shLine", .medium, "line")
  public static let shPoly = Capability("shPoly", .high, "poly-line / point set")
  public static let sh3D = Capability("sh3D", .high, "box, sphere, cone, … (3-D)")
  public static let shMesh = Capability("shMesh", .high, "mesh surface")

  // MARK: Launch and motion
  public static let dirNormal = Capability("dirNormal", .high, "direction from shape normal")
  public static let spread2D = Capability("spread2D", .high, "planar fan")
  public static let cone3D = Capability("cone3D", .high, "3-D cone")
  public static let speedRange = Capability("speedRange", .high, "random speed")
  public static let gravity = Capability("gravity", .high, "constant acceleration")
  public static let radial = Capability("radial", .high, "radial acceleration")
  public static let tangent = Capability("tangent", .high, "tangential acceleration")
  public static let linAcc = Capability("linAcc", .medium, "acceleration along velocity")
  public static let dragExp = Capability("dragExp", .high, "exponential / per-frame drag")
  public static let dragConst = Capability("dragConst", .high, "constant deceleration")
  public static let dragLin = Capability("dragLin", .high, "linear Euler drag")
  public static let speedCurve = Capability("speedCurve", .high, "speed over life")
  public static let drift = Capability("drift", .medium, "velocity offset (wind)")
  public static let orbit = Capability("orbit", .high, "orbit (radius) mode")
  public static let orbitVel = Capability("orbitVel", .high, "orbital velocity")
  public static let attract = Capability("attract", .high, "point attractor")
  public static let noise = Capability("noise", .high, "noise / turbulence")
  public static let path = Capability("path", .high, "explicit path")
  public static let inherit = Capability("inherit", .medium, "inherit emitter velocity")
  public static let collide = Capability("collide", .high, "collision / bounce")

  // MARK: Life, size and rotation
  public static let life = Capability("life", .high, "random lifetime")
  public static let size = Capability("size", .high, "random start size")
  public static let sizeSE = Capability("sizeSE", .low, "independent random end size")
  public static let sizeCurve = Capability("sizeCurve", .high, "multi-key size curve")
  public static let sizeXY = Capability("sizeXY", .medium, "different x / y size")
  public static let sizeAbs = Capability("sizeAbs", .medium, "size in units (not texture scale)")
  public static let stretch = Capability("stretch", .medium, "velocity stretch")
  public static let rot = Capability("rot", .medium, "random start rotation")
  public static let rotVel = Capability("rotVel", .medium, "random spin")
  public static let rotSE = Capability("rotSE", .low, "independent random end rotation")
  public static let rotCurve = Capability("rotCurve", .medium, "multi-key rotation")
  public static let rotAcc = Capability("rotAcc", .low, "angular acceleration")
  public static let align = Capability("align", .low, "align to velocity")
  public static let rot3D = Capability("rot3D", .medium, "3-D rotation")

  // MARK: Colour
  public static let colRand = Capability("colRand", .medium, "per-channel random colour")
  public static let colHSB = Capability("colHSB", .medium, "hue/saturation/brightness jitter")
  public static let colSE = Capability("colSE", .low, "independent random end colour")
  public static let grad = Capability("grad", .high, "multi-key colour gradient")
  public static let alphaCv = Capability("alphaCv", .high, "separate opacity curve")
  public static let mix = Capability("mix", .low, "texture/colour mix factor")
  public static let initRamp = Capability("initRamp", .medium, "random initial colour from ramp")

  // MARK: Image
  public static let tex = Capability("tex", .high, "texture reference")
  public static let embed = Capability("embed", .low, "texture inside the file")
  public static let flip = Capability("flip", .medium, "flip-book")
  public static let randSpr = Capability("randSpr", .low, "random sprite per particle")

  // MARK: Render
  public static let blAlpha = Capability("blAlpha", .high, "alpha blending")
  public static let blAdd = Capability("blAdd", .high, "additive")
  public static let blMul = Capability("blMul", .high, "multiply")
  public static let blScr = Capability("blScr", .high, "screen")
  public static let blSub = Capability("blSub", .high, "subtract")
  public static let blCustom = Capability("blCustom", .high, "arbitrary GL factors")
  public static let premult = Capability("premult", .medium, "premultiplied alpha")
  public static let sort = Capability("sort", .low, "draw order choice")
  public static let billb = Capability("billb", .low, "billboard modes")
  public static let soft = Capability("soft", .low, "soft particles / lighting")
  public static let trail = Capability("trail", .high, "trails")

  // MARK: Several emitters
  public static let subDeath = Capability("subDeath", .high, "sub-emitter on death")
  public static let subBirth = Capability("subBirth", .high, "sub-emitter on spawn")
  public static let subLive = Capability("subLive", .high, "continuous sub-emission")
  public static let subColl = Capability("subColl", .high, "sub-emitter on collision")
  public static let multi = Capability("multi", .high, "several emitters per file")
  public static let seed = Capability("seed", .low, "fixed seed")

  // MARK: Document
  public static let meta = Capability("meta", .low, "names, author and comments")
  public static let frame2D = Capability(
    "frame2D", .medium, "2D or 3D, and the unit of length")
  public static let preview = Capability("preview", .low, "preview settings")
  public static let extra = Capability("extra", .low, "data of other programs")

  /// Every capability, in the order of the matrix.
  public static let all: [Capability] = [
    rate, rateRand, rateCurve, rateWay, burst, burstList, duration, loop, idle, delay, prewarm,
    speed, total, maxAlive, explos, prob, space, shRect, shDisc, shRing, shLine, shPoly, sh3D,
    shMesh, dirNormal, spread2D, cone3D, speedRange, gravity, radial, tangent, linAcc, dragExp,
    dragConst, dragLin, speedCurve, drift, orbit, orbitVel, attract, noise, path, inherit, collide,
    life, size, sizeSE, sizeCurve, sizeXY, sizeAbs, stretch, rot, rotVel, rotSE, rotCurve, rotAcc,
    align, rot3D, colRand, colHSB, colSE, grad, alphaCv, mix, initRamp, tex, embed, flip, randSpr,
    blAlpha, blAdd, blMul, blScr, blSub, blCustom, premult, sort, billb, soft, trail, subDeath,
    subBirth, subLive, subColl, multi, seed, meta, frame2D, preview, extra,
  ]
}
