internal import ParticlesCore
internal import ParticlesModel

/// The values of one emitter, for typesetters: numbers and ranges of the file, with conversions.
struct CodeValues {
  let reader: FieldReader<CodeFamily>
  let language: CodeLanguage

  init(_ values: [UInt8], _ target: CodeFamily.Target, _ language: CodeLanguage, _ limits: Limits)
    throws(Failure)
  {
    reader = FieldReader(try JSONSyntax(decoding: values, limits: limits), CodeFamily(target))
    self.language = language
  }

  var name: String { reader.text("name") ?? "emitter" }

  func number(_ key: String, _ standard: Double = 0) -> Double { reader.number(key, standard) }

  /// A number as a literal, times a factor.
  func text(_ key: String, _ standard: Double = 0, times factor: Double = 1) -> String {
    language.number((number(key, standard) * factor).rounded)
  }

  /// The half width of a range.
  func half(_ key: String) -> Double { number(key + CodeFamily.widthSuffix) }

  /// The ends of a range as two literals, in ascending order. Ends below the minimum become the minimum.
  func range(_ key: String, times factor: Double = 1, from minimum: Double = -.infinity) -> String {
    let (center, half) = (number(key) * factor, (half(key) * factor).magnitude)
    return language.list([center - half, center + half].map { max($0, minimum).rounded })
  }

  static let radians = Double.pi / 180
}

extension Typesetter {
  static let love = Typesetter(
    conventions:
      "Lengths are in pixels, y points down, angles are in radians and clockwise, times in seconds.",
    write: { bytes, sheet throws(Failure) in
      let values = try CodeValues(bytes, .love, .lua, sheet.limits)
      var text = CodeText(.lua)
      sheet.describe(in: &text, "the particle system and its blend mode")
      text.block("local function \(sheet.function)()", "end") { $0.love(values) }
      text.line()
      text.line("return \(sheet.function)")
      return text
    })
}

extension CodeText {
  fileprivate mutating func love(_ values: CodeValues) {
    let (reader, radians) = (values.reader, CodeValues.radians)
    func call(_ name: String, _ arguments: String) -> String { "system:\(name)(\(arguments))" }
    if let image = reader.text("image") {
      line("local image = love.graphics.newImage(\(language.string(image)))")
    } else {
      comment("A white square: the effect has no image.")
      line("local data = love.image.newImageData(32, 32)")
      line("data:mapPixel(function() return 1, 1, 1, 1 end)")
      line("local image = love.graphics.newImage(data)")
    }
    line("local system = love.graphics.newParticleSystem(image, \(values.capacity))")
    if let grid = reader.grid { loveFrames(values, grid) }
    let place = (
      values.number("x") + values.number("shapeX"), values.number("y") + values.number("shapeY")
    )
    line(call("setPosition", language.list([place.0.rounded, -place.1.rounded])))
    line(call("setEmissionRate", values.text("rate")))
    line(call("setEmitterLifetime", values.text("duration", -1)))
    // LÖVE refuses lifetimes below 0.
    line(call("setParticleLifetime", values.range("life", from: 0)))
    let size = (values.number("shapeWidth"), values.number("shapeHeight"))
    switch reader.text("shape") {
    case "rect":
      line(call("setEmissionArea", "\"uniform\", \(language.list([size.0 / 2, size.1 / 2]))"))
    case "ellipse": line(call("setEmissionArea", "\"ellipse\", \(language.list([size.0, size.1]))"))
    default: break
    }
    line(call("setDirection", values.text("angle", 90, times: -radians)))
    line(call("setSpread", values.text("spread", times: 2 * radians)))
    line(call("setSpeed", values.range("speed")))
    let gravity = [values.number("gravityX"), -values.number("gravityY")]
    if gravity != [0, 0] { line(call("setLinearAcceleration", language.list(gravity + gravity))) }
    if values.number("radial") != 0 || values.half("radial") != 0 {
      line(call("setRadialAcceleration", values.range("radial")))
    }
    if values.number("tangential") != 0 || values.half("tangential") != 0 {
      line(call("setTangentialAcceleration", values.range("tangential", times: -1)))
    }
    let drag = values.text("drag")
    if drag != "0" { line(call("setLinearDamping", "\(drag), \(drag)")) }
    line(call("setSizes", language.list(reader.list("sizes") ?? [1])))
    line(call("setRotation", values.range("rotation", times: -radians)))
    let spin = values.text("spin", times: -radians)
    line(call("setSpin", "\(spin), \(spin)"))
    let (center, half) = (values.number("spin").magnitude, values.half("spin"))
    if half != 0, center != 0 {
      line(call("setSpinVariation", language.number(min(2 * half / center, 1).rounded)))
    }
    if reader.flag("isRelative") == true { line(call("setRelativeRotation", "true")) }
    loveColors(reader.lists("colors"))
    let modes = ["top", "bottom", "random"]
    line(call("setInsertMode", "\"\(modes[min(Int(saturating: values.number("order")), 2)])\""))
    if values.number("burst") > 0 { line(call("emit", values.text("burst"))) }
    let blends = ["alpha", "add", "subtract", "multiply", "screen", "replace"]
    let blend = blends[min(Int(saturating: values.number("blend")), 5)]
    let isPremultiplied = ["multiply", "screen"].contains(blend)
    if isPremultiplied { comment("With love.graphics.setBlendMode(mode, \"premultiplied\").") }
    line("return system, \"\(blend)\"")
  }

  /// LÖVE shows quads in sequence over the life.
  private mutating func loveFrames(_ values: CodeValues, _ grid: SpriteGrid) {
    let frames = values.frames(of: grid.count ?? grid.columns * grid.rows)
    let (across, down) = ("frame % \(grid.columns)", "math.floor(frame / \(grid.columns))")
    let (right, below) = ("math.floor(frame / \(grid.rows))", "frame % \(grid.rows)")
    let place =
      grid.order == .row
      ? "\(across) * width, \(down) * height" : "\(right) * width, \(below) * height"
    line(
      "local width, height = image:getWidth() / \(grid.columns), image:getHeight() / \(grid.rows)")
    line("local quads = {}")
    block("for _, frame in ipairs({\(frames.map(String.init).joined(separator: ", "))}) do", "end")
    {
      $0.line(
        "quads[#quads + 1] = love.graphics.newQuad(\(place), width, height, image:getDimensions())")
    }
    line("system:setQuads(quads)")
  }

  private mutating func loveColors(_ colors: [[Double]]) {
    guard colors.count > 1 else {
      return line(
        "system:setColors(\(language.list(Array((colors.first ?? [0, 1, 1, 1, 1]).dropFirst()))))")
    }
    block("system:setColors(", ")") { text in
      for (index, color) in colors.enumerated() {
        let end = index == colors.count - 1 ? "" : ","
        text.line(text.language.list(Array(color.dropFirst())) + end)
      }
    }
  }
}

extension CodeValues {
  /// The frames that a particle shows, in sequence over its life, or over the mean lifetime.
  fileprivate func frames(of count: Int) -> [Int] {
    let (rate, first) = (
      number("frameRate"), Int(saturating: min(max(number("frameStart"), 0), 65536))
    )
    guard rate != 0 else { return [min(first, count - 1)] }
    let isLifelong = rate == CodeFamily.lifelong
    let shown = isLifelong ? Double(count) : (rate * number("life", 1)).rounded(.up)
    return (0..<Int(saturating: min(max(shown, 1), 512))).map { step in
      let frame = first + step
      switch CodeFamily.frameModes[min(max(Int(saturating: number("frameMode")), 0), 2)] {
      case .loop: return frame % count
      case .once: return min(frame, count - 1)
      case .pingpong:
        let turn = frame % max(2 * count - 2, 1)
        return turn < count ? turn : 2 * count - 2 - turn
      }
    }
  }

  /// The number of particles that LÖVE makes room for.
  fileprivate var capacity: Int {
    if let stated = reader.integer("capacity") { return min(max(stated, 1), 1_000_000) }
    let alive = number("rate") * (number("life", 1) + half("life")) + number("burst")
    return Int(saturating: min(alive.rounded(.up) + 8, 1_000_000))
  }
}
