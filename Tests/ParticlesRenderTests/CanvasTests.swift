import ParticlesCore
import ParticlesImages
import ParticlesModel
import ParticlesTestSupport
import Testing

@testable import ParticlesRender
@testable import ParticlesSimulation

@Suite("Rasteriser")
struct CanvasTests {
  private static let over = BlendState(Blend(.alpha), EngineLaw.Drawing())
  private static let add = BlendState(Blend(.add), EngineLaw.Drawing())

  private static func draw(
    _ quads: [Quad], _ states: [BlendState] = [over], texture: SpriteTexture = SpriteTexture(),
    size: Int = 64, background: SIMD4<Float> = .zero, samples: Int = 1, threads: Int? = nil
  ) throws -> Bitmap {
    var canvas = try Canvas(width: size, height: size, samples: samples)
    canvas.background = background
    canvas.threads = threads
    return try canvas.draw(quads, textures: [texture], states: states).bitmap
  }

  private static func pixel(_ bitmap: Bitmap, _ x: Int, _ y: Int) -> [Int] {
    let index = (y * bitmap.width + x) * 4
    return bitmap.pixels[index..<index + 4].map(Int.init)
  }

  // MARK: Coverage

  @Test("a pixel is covered if its centre is inside")
  func coverage() throws {
    for (center, size, covered) in [
      (32.0, 20.0, 22...41), (32.25, 20, 22...41), (32.6, 20, 23...42), (32, 21, 22...42),
    ] {
      let quad = Quad(
        center: SIMD2(center, center), size: SIMD2(size, size), color: .one)
      let picture = try Self.draw([quad])
      for place in 0..<64 {
        let isInside = (center - size / 2...center + size / 2).contains(Double(place) + 0.5)
        // Of two opposite edges on pixel centres, one belongs to the quad.
        let expected = size == 21 ? (21...41).contains(place) : covered.contains(place)
        #expect(size == 21 || isInside == expected)
        #expect((Self.pixel(picture, place, 32)[3] > 0) == expected, "\(center) \(place)")
        #expect((Self.pixel(picture, 32, place)[3] > 0) == expected, "\(center) \(place)")
      }
    }
  }

  @Test("a turned quad covers the centres on the inner side of its four edges")
  func turned() throws {
    let (sine, cosine) = (0.342_020_143_325_668_7, 0.939_692_620_785_908_4)
    let quad = Quad(center: SIMD2(30.3, 33.1), size: SIMD2(37, 17), degrees: 20, color: .one)
    let picture = try Self.draw([quad])
    for y in 0..<64 {
      for x in 0..<64 {
        let (dx, dy) = (Double(x) + 0.5 - 30.3, Double(y) + 0.5 - 33.1)
        let (u, v) = (dx * cosine + dy * sine, dy * cosine - dx * sine)
        guard ((u.magnitude - 18.5).magnitude > 1e-4) && ((v.magnitude - 8.5).magnitude > 1e-4)
        else { continue }
        let isInside = u.magnitude < 18.5 && v.magnitude < 8.5
        #expect((Self.pixel(picture, x, y)[3] > 0) == isInside, "\(x) \(y)")
      }
    }
  }

  @Test("two quads that share an edge cover each pixel once")
  func sharedEdges() throws {
    let corners = [SIMD2<Float>(3, 5.5), SIMD2(60.5, 9), SIMD2(52.5, 61.5), SIMD2(8, 50)]
    let color = SIMD4<Float>(1, 1, 1, 0.25)
    var first = Quad(
      corners[0], corners[1], corners[1], corners[3], color: color, texture: 0, state: 0)
    var second = Quad(
      corners[2], corners[3], corners[3], corners[1], color: color, texture: 0, state: 0)
    (first.isTriangle, second.isTriangle) = (true, true)
    let picture = try Self.draw([first, second])
    let alphas = Set(stride(from: 3, to: picture.pixels.count, by: 4).map { picture.pixels[$0] })
    #expect(alphas == [0, 64])
  }

  // MARK: Textures

  private static func texture(_ pixels: [[UInt8]], width: Int) throws -> SpriteTexture {
    try #require(
      SpriteTexture(
        Bitmap(width: width, height: pixels.count / width, pixels: pixels.flatMap { $0 })))
  }

  @Test("texels are filtered linearly, or the nearest one is shown")
  func filter() throws {
    let texture = try Self.texture([[0, 0, 0, 255], [255, 255, 255, 255]], width: 2)
    var quad = Quad(center: SIMD2(2, 2), size: SIMD2(4, 4), color: .one)
    let linear = try Self.draw([quad], texture: texture, size: 4)
    #expect((0..<4).map { Self.pixel(linear, $0, 1)[0] } == [0, 64, 191, 255])
    quad.isNearest = true
    let nearest = try Self.draw([quad], texture: texture, size: 4)
    #expect((0..<4).map { Self.pixel(nearest, $0, 1)[0] } == [0, 0, 255, 255])
    (quad.next, quad.share) = (quad.texture, 0.5)
    let mixed = try Self.draw([quad], texture: texture, size: 4)
    #expect((0..<4).map { Self.pixel(mixed, $0, 1)[0] } == [0, 0, 255, 255])
  }

  @Test("transparent black does not darken filtered edges, unless textures are straight")
  func rim() throws {
    let texture = try Self.texture([[255, 255, 255, 255], [0, 0, 0, 0]], width: 2)
    let quad = Quad(center: SIMD2(2, 2), size: SIMD2(4, 4), color: .one)
    let grey = SIMD4<Float>(0.5, 0.5, 0.5, 1)
    let clean = try Self.draw([quad], texture: texture, size: 4, background: grey)
    #expect((0..<4).map { Self.pixel(clean, $0, 1)[0] } == [255, 223, 159, 128])
    let love = BlendState(Blend(.alpha), Profile.love.drawing)
    let dark = try Self.draw([quad], [love], texture: texture, size: 4, background: grey)
    // 0.75 · 0.75 + 0.5 · 0.25, and 0.25 · 0.25 + 0.5 · 0.75.
    #expect((0..<4).map { Self.pixel(dark, $0, 1)[0] } == [255, 175, 112, 128])
  }

  @Test("a large texture on few pixels is averaged")
  func minification() throws {
    let pixels = (0..<64 * 64).map { index -> [UInt8] in
      (index % 64 + index / 64) % 2 == 0 ? [255, 255, 255, 255] : [0, 0, 0, 255]
    }
    let texture = try Self.texture(pixels, width: 64)
    let quad = Quad(center: SIMD2(4, 4), size: SIMD2(8, 8), color: .one)
    let picture = try Self.draw([quad], texture: texture, size: 8)
    for y in 0..<8 { for x in 0..<8 { #expect(127...128 ~= Self.pixel(picture, x, y)[0]) } }
  }

  @Test("an image of more than 16 million texels is reduced where sprites have room for all")
  func largeTexture() throws {
    let large = try #require(SpriteTexture(Bitmap(width: 30_000, height: 600)))
    func isReduced(_ width: Double, _ height: Double) -> Bool {
      large.isReduced(for: Quad(center: .zero, size: SIMD2(width, height), color: .one))
    }
    #expect(large.isLarge && isReduced(30_000, 600) && !isReduced(3_000, 60))
    #expect(large.level(of: Quad(center: .zero, size: SIMD2(30_000, 600), color: .one)) == 1)
    #expect(!SpriteTexture().isLarge)
  }

  @Test(
    "all textures of an effect keep a number of texels: large ones are reduced, for each blending")
  func sharedTexels() {
    var emitter = Emitter(name: "e")
    emitter.sprites = [0, 1]
    var system = ParticleSystem(name: "textures", emitters: [emitter])
    system.images = [ImageReference(uri: "Images/a.png"), ImageReference(uri: "Images/b.png")]
    system.sprites = [Sprite(image: 0), Sprite(image: 1)]
    let images = [0: Bitmap(width: 100, height: 100), 1: Bitmap(width: 10, height: 10)]
    func most(_ texels: Int) -> Int {
      SpriteSheets(system, images, mostTexels: texels).mostOfTexture
    }
    #expect(most(20_000) == 20_000 && most(5_000) == 2_500)
    system.emitters.append(emitter)
    #expect(most(5_000) == 2_500)
    system.emitters[1].render.blend = Blend(.add)
    #expect(most(5_000) == 1_250)
    system.emitters[1].enabled = false
    #expect(most(5_000) == 2_500)
  }

  @Test("the resolution of a texture is halved where at least 1.5 texels are passed over")
  func levels() throws {
    func level(_ width: Int, _ height: Int, on size: SIMD2<Double>) throws -> Int {
      let texture = try #require(SpriteTexture(Bitmap(width: width, height: height)))
      return texture.level(of: Quad(center: .zero, size: size, color: .one))
    }
    for (side, expected) in [(1_000.0, 0), (64, 0), (43, 0), (42, 1), (22, 1), (21, 2), (11, 2)] {
      #expect(try level(64, 64, on: SIMD2(side, side)) == expected, "\(side)")
    }
    // Long and thin quads stay sharp along their length.
    #expect(try level(64, 64, on: SIMD2(64, 1)) == 2)
    #expect(try level(64, 64, on: SIMD2(1, 64)) == 2)
    // Four texels by two are the least.
    #expect(try level(64, 64, on: SIMD2(1, 1)) == 4)
    #expect(try level(64, 8, on: SIMD2(1, 1)) == 2)
    #expect(try level(3, 3, on: SIMD2(0.1, 0.1)) == 0)
    // At most 16 million texels, however large the quad is.
    #expect(try level(16_100, 1_000, on: SIMD2(16_100, 1_000)) == 1)
  }

  @Test("a region that is stored turned is shown upright")
  func rotatedRegion() throws {
    // A picture of 2 × 1, red then green, stored turned clockwise: red above green.
    let image = Bitmap(
      width: 2, height: 2,
      pixels: [9, 9, 9, 255, 255, 0, 0, 255, 9, 9, 9, 255, 0, 255, 0, 255])
    let texture = try #require(
      SpriteTexture(image, region: (1, 0, 1, 2), isRotated: true))
    #expect((texture.width, texture.height) == (2, 1))
    var quad = Quad(center: SIMD2(2, 2), size: SIMD2(4, 4), color: .one)
    quad.isNearest = true
    let picture = try Self.draw([quad], texture: texture, size: 4)
    #expect(Self.pixel(picture, 0, 2) == [255, 0, 0, 255])
    #expect(Self.pixel(picture, 3, 2) == [0, 255, 0, 255])
  }

  @Test("premultiplied images look like straight ones")
  func premultipliedImage() throws {
    let straight = Bitmap(width: 1, height: 1, pixels: [200, 100, 50, 128])
    let multiplied = Bitmap(width: 1, height: 1, pixels: [100, 50, 25, 128])
    let quad = Quad(center: SIMD2(2, 2), size: SIMD2(4, 4), color: .one)
    let background = SIMD4<Float>(0.2, 0.4, 0.6, 1)
    let one = try Self.draw(
      [quad], texture: try #require(SpriteTexture(straight)), size: 4, background: background)
    let other = try Self.draw(
      [quad], texture: try #require(SpriteTexture(multiplied, isStoredPremultiplied: true)),
      size: 4, background: background)
    for channel in 0..<4 {
      #expect(abs(Self.pixel(one, 1, 1)[channel] - Self.pixel(other, 1, 1)[channel]) <= 1)
    }
  }

  // MARK: Blending

  @Test("each blend mode follows its formula")
  func modes() throws {
    let (s, a) = ([0.9, 0.4, 0.1], 0.6)
    let d = [0.3, 0.5, 0.8]
    let formulas: [(Emitter.BlendMode, (Double, Double) -> Double)] = [
      (.alpha, { s, d in s * a + d * (1 - a) }), (.add, { s, d in s * a + d }),
      (.subtract, { s, d in d - s * a }), (.multiply, { s, d in s * d }),
      (.multiplyAlpha, { s, d in d * (s * a + 1 - a) }), (.multiplyX2, { s, d in 2 * s * d }),
      (.screen, { s, d in s * a + d * (1 - s * a) }), (.replace, { s, _ in s }),
      (.premultiplied, { s, d in s + d * (1 - a) }),
    ]
    #expect(formulas.count == Emitter.BlendMode.allCases.count - 1)
    let quad = Quad(
      center: SIMD2(2, 2), size: SIMD2(4, 4), color: SIMD4(0.9, 0.4, 0.1, 0.6))
    for (mode, formula) in formulas {
      let state = BlendState(Blend(mode), EngineLaw.Drawing())
      let picture = try Self.draw([quad], [state], size: 4, background: SIMD4(0.3, 0.5, 0.8, 1))
      for channel in 0..<3 {
        let expected = min(max(formula(s[channel], d[channel]), 0), 1) * 255
        let found = Double(Self.pixel(picture, 1, 1)[channel])
        #expect((found - expected).magnitude <= 0.51, "\(mode) \(channel)")
      }
    }
  }

  @Test("custom factors and equations follow OpenGL")
  func factors() throws {
    let (s, a, d) = (0.8, 0.5, 0.4)
    let values: [Int: Double] = [
      0: 0, 1: 1, 768: s, 769: 1 - s, 770: a, 771: 1 - a, 772: 1, 773: 0, 774: d, 775: 1 - d,
      776: 0,
    ]
    let quad = Quad(
      center: SIMD2(1, 1), size: SIMD2(2, 2), color: SIMD4(0.8, 0.8, 0.8, 0.5))
    func check(_ blend: Emitter.Blend, _ expected: Double) throws {
      let state = BlendState(blend, EngineLaw.Drawing())
      let picture = try Self.draw([quad], [state], size: 2, background: SIMD4(0.4, 0.4, 0.4, 1))
      let found = Double(Self.pixel(picture, 0, 0)[0])
      #expect((found - min(max(expected, 0), 1) * 255).magnitude <= 0.51, "\(blend)")
    }
    for (source, first) in values {
      for (destination, second) in values {
        var blend = Emitter.Blend(source: source, destination: destination)
        try check(blend, s * first + d * second)
        blend.equation = .subtract
        try check(blend, s * first - d * second)
        blend.equation = .reverseSubtract
        try check(blend, d * second - s * first)
      }
    }
    var blend = Emitter.Blend(source: 1, destination: 1)
    blend.equation = .min
    try check(blend, min(s, d))
    blend.equation = .max
    try check(blend, max(s, d))
    blend.equation = .add
    blend.premultiply = .always
    try check(blend, s * a + d)
  }

  @Test("sums beyond white stay white")
  func saturation() throws {
    let texture = try Self.texture([[255, 200, 10, 0]], width: 1)
    let quad = Quad(center: SIMD2(1, 1), size: SIMD2(2, 2), color: .one)
    let state = BlendState(Blend(.premultiplied), EngineLaw.Drawing())
    let picture = try Self.draw(
      [quad, quad], [state], texture: texture, size: 2, background: SIMD4(0.4, 0.4, 0.4, 1))
    #expect(Self.pixel(picture, 0, 0) == [255, 255, 122, 255])
  }

  @Test("light that is added to nothing covers as much as it is bright")
  func transparent() throws {
    let quad = Quad(
      center: SIMD2(1, 1), size: SIMD2(2, 2), color: SIMD4(1, 0.5, 0, 0.6))
    #expect(Self.pixel(try Self.draw([quad], [Self.add], size: 2), 0, 0) == [255, 128, 0, 153])
    #expect(Self.pixel(try Self.draw([quad], size: 2), 0, 0) == [255, 128, 0, 153])
  }

  @Test("in linear light, half of white and black is brighter than in sRGB")
  func linear() throws {
    var canvas = try Canvas(width: 2, height: 2)
    canvas.background = SIMD4(0, 0, 0, 1)
    canvas.isLinear = true
    let quad = Quad(
      center: SIMD2(1, 1), size: SIMD2(2, 2), color: SIMD4(1, 1, 1, 0.5))
    let picture = try canvas.draw([quad], textures: [SpriteTexture()], states: [Self.over]).bitmap
    #expect(Self.pixel(picture, 0, 0) == [188, 188, 188, 255])
    for value in 0...255 {
      let light = LightCurve.light(Float(value) / 255)
      #expect(Int(LightCurve.byte(light)) == value)
      #expect((LightCurve.quickLight(Float(value) / 255) - light).magnitude < 1e-5)
    }
  }

  @Test("with more samples, an edge inside of a pixel covers a part of it")
  func samples() throws {
    let quad = Quad(center: SIMD2(3, 4), size: SIMD2(6, 8), color: .one)
    var half = quad
    half.corners = (SIMD2(0, 0), SIMD2(3, 0), SIMD2(3, 8), SIMD2(0, 8))
    let picture = try Self.draw([half], size: 4, samples: 2)
    #expect((0..<4).map { Self.pixel(picture, $0, 1)[3] } == [255, 128, 0, 0])
  }

  // MARK: Threads and limits

  private static func crowd(_ count: Int) -> [Quad] {
    var random = SeededGenerator(seed: 5)
    func number(_ range: ClosedRange<Double>) -> Double {
      Double.random(in: range, using: &random)
    }
    return (0..<count).map { index in
      Quad(
        center: SIMD2(number(-20...320), number(-20...320)),
        size: SIMD2(number(1...60), number(1...60)), degrees: number(0...360),
        color: SIMD4<Float>(
          Float(number(0...1)), Float(number(0...1)), Float(number(0...1)), Float(number(0...1))),
        state: index % 3 == 0 ? 1 : 0)
    }
  }

  @Test("the picture is the same for any number of threads")
  func threads() throws {
    let texture = try #require(
      SpriteTexture(Bitmap(width: 16, height: 16) { x, y in (1, 1, 1, max(0, 1 - x * x - y * y)) }))
    let pictures = try [1, 2, 3, 7].map {
      try Self.draw(
        Self.crowd(300), [Self.over, Self.add], texture: texture, size: 300, threads: $0)
    }
    #expect(Set(pictures).count == 1)
    #expect(Set(pictures[0].pixels).count > 100)
  }

  @Test("a picture of too many pixels is refused, samples counted")
  func tooLarge() throws {
    expectThrows(.limit) { try Canvas(width: 30_000, height: 30_000) }
    expectThrows(.limit) { try Canvas(width: .max, height: 2) }
    expectThrows(.limit) { try Canvas(width: 5_000, height: 5_000, samples: 2) }
    var limits = Limits()
    limits.pixels = 100
    expectThrows(.limit) { try Canvas(width: 11, height: 10, limits: limits) }
    _ = try Canvas(width: 10, height: 10, limits: limits)
  }

  @Test("coordinates that are no numbers, or far away, draw nothing and do no harm")
  func wildCoordinates() throws {
    let wild: [Float] = [.nan, .infinity, -.infinity, 3e38, -3e38, 1e20]
    var quads: [Quad] = []
    for value in wild {
      var quad = Quad(center: SIMD2(2, 2), size: SIMD2(2, 2), color: .one)
      quad.corners.0.x = value
      quads.append(quad)
      quad.corners.2.y = value
      quads.append(quad)
      quad = Quad(center: SIMD2(2, 2), size: SIMD2(2, 2), color: SIMD4(repeating: value))
      quads.append(quad)
      quad = Quad(center: SIMD2(2, 2), size: SIMD2(2, 2), color: .one)
      quad.nearness.y = value
      quads.append(quad)
      quad.part.x = value
      quads.append(quad)
    }
    let texture = try Self.texture([[0, 0, 0, 255], [255, 255, 255, 255]], width: 2)
    _ = try Self.draw(quads, texture: texture, size: 4)
  }

  @Test("of quads that cover too much, some are left out, evenly")
  func tooMuchPaint() throws {
    let canvas = try Canvas(width: 100, height: 100)
    let quads = (0..<20_000).map { _ in
      Quad(center: SIMD2(50, 50), size: SIMD2(1_000, 1_000), color: SIMD4(1, 1, 1, 0.01))
    }
    let (bitmap, omitted) = try canvas.draw(
      quads, textures: [SpriteTexture()], states: [Self.over], most: 100_000)
    #expect(omitted == 19_990)
    #expect(Self.pixel(bitmap, 50, 50)[3] > 0)
  }
}

extension Quad {
  /// A rectangle that faces the viewer.
  /// - Parameters:
  ///   - center: in pixels from the top left of the picture.
  ///   - size: in pixels.
  ///   - degrees: clockwise.
  init(
    center: SIMD2<Double>, size: SIMD2<Double>, degrees: Double = 0, color: SIMD4<Float>,
    texture: Int = 0, state: Int = 0
  ) {
    let (sine, cosine) = sineAndCosine(degrees: degrees)
    let right = SIMD2(cosine, sine) * (size.x / 2)
    let down = SIMD2(-sine, cosine) * (size.y / 2)
    self.init(
      SIMD2<Float>(center - right - down), SIMD2<Float>(center + right - down),
      SIMD2<Float>(center + right + down), SIMD2<Float>(center - right + down), color: color,
      texture: Int32(texture), state: Int32(state))
  }
}
