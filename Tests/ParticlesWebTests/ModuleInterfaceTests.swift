import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesImages
import ParticlesModel
import ParticlesRender
import ParticlesSimulation
import ParticlesTestSupport
import Testing

@testable import ParticlesWeb

/// The functions of the module, called as a page does: numbers, bytes and addresses. See `Spec/player.md`.
@Suite("Calls of the module for web pages", .serialized)
struct ModuleInterfaceTests {
  private func create(_ document: String, _ options: String = "") -> Int32 {
    let (document, options) = (Array(document.utf8), Array(options.utf8))
    return particlesCreate(document, Int32(document.count), options, Int32(options.count))
  }

  private func fire(_ options: String = "") throws -> Int32 {
    let package = try #require(try EffectTemplate.named("fire")?.package())
    let number = create(String(decoding: try package.document(), as: UTF8.self), options)
    #expect(number > 0)
    return number
  }

  private func set(_ number: Int32, _ path: String, _ json: String, beyond: Int32 = 0) -> Int32 {
    let (path, json) = (Array(path.utf8), Array(json.utf8))
    return particlesSet(number, path, Int32(path.count), json, Int32(json.count), beyond)
  }

  private func view(_ number: Int32, _ options: String = "") -> Int32 {
    let options = Array(options.utf8)
    return particlesView(number, 64, 48, options, Int32(options.count))
  }

  private func report(_ number: Int32, _ kind: ReportKind) throws -> JSONValue {
    #expect(particlesReport(number, kind.rawValue) == 0)
    let text = UnsafeBufferPointer(start: particlesText(), count: Int(particlesTextBytes()))
    return try JSONValue(parsing: Array(text))
  }

  /// The last failure.
  private func failure() throws -> String? {
    try report(0, .failure).object?["code"]?.string
  }

  @Test("a destroyed effect has no number, and the next effect gets the free one")
  func numbers() throws {
    let effects = try (0..<3).map { _ in try fire() }
    #expect(Set(effects).count == 3)
    #expect(particlesAdvance(effects[0], 0.5, 0, 0, 0) == 0)
    #expect(effects.map { particlesTime($0) } == [0.5, 0, 0])
    particlesDestroy(effects[1])
    for wrong in [effects[1], 0, -1, 100, .max, .min] {
      #expect(particlesAdvance(wrong, 0.1, 0, 0, 0) == -1)
      #expect(try failure() == "document/range")
      #expect(particlesEmitters(wrong) == 0 && particlesTime(wrong) == 0)
      #expect(particlesRestart(wrong) == -1 && particlesCompose(wrong) == -1)
      particlesDestroy(wrong)
    }
    #expect(try fire() == effects[1])
    #expect(particlesTime(effects[0]) == 0.5 && particlesEmitters(effects[2]) > 1)
    for effect in effects { particlesDestroy(effect) }
  }

  @Test("documents, options and values are bytes; a single byte is a value")
  func bytes() throws {
    #expect(create("") == 0 && create("{") == 0 && create("{}", "[]") == 0)
    let effect = try fire()
    defer { particlesDestroy(effect) }
    #expect(set(effect, "emitters[0].emission.rate", "7") == 0)
    #expect(set(effect, "extras", "{}") == 0 && set(effect, "extras.x", "1") == 0)
    #expect(set(effect, "", "1") == -1 && set(effect, "emitters[0].emission.rate", "") == -1)
    let document = try report(effect, .document).object
    #expect(document?["extras"]?.object?["x"] == .int(1))
    #expect(
      document?["emitters"]?.array?[0].object?["emission"]?.object?["rate"] == .int(7))
    #expect(particlesAllocate(-1) == nil)
    let memory = particlesAllocate(0)
    #expect(memory != nil)
    particlesFree(memory)
  }

  @Test(
    "images have a size and an index of the document",
    arguments: [
      (0, 2, 3, 0), (0, 1, 1, 0), (0, 0, 1, -1), (0, 1, 0, -1), (0, -1, 1, -1), (0, 1, -1, -1),
      (-1, 1, 1, -1), (99, 1, 1, -1), (0, 65536, 65536, -1), (0, Int(Int32.max), 2, -1),
    ])
  func images(index: Int, width: Int, height: Int, status: Int) throws {
    let effect = try fire()
    defer { particlesDestroy(effect) }
    let pixels = [UInt8](repeating: 255, count: 64)
    #expect(
      particlesImage(effect, Int32(index), Int32(width), Int32(height), pixels) == Int32(status))
    #expect(particlesImage(effect, Int32(index), Int32(width), Int32(height), nil) == -1)
  }

  @Test(
    "a step has seconds of at least 0 and a finite place",
    arguments: [
      (0.0, 0.0, 0), (0.1, -5, 0), (-0.1, 0, -1), (.infinity, 0, -1), (.nan, 0, -1),
      (0.1, .infinity, -1), (0.1, .nan, -1),
    ])
  func steps(seconds: Double, place: Double, status: Int) throws {
    let effect = try fire()
    defer { particlesDestroy(effect) }
    let places = [(place, 0.0, 0.0), (0, place, 0), (0, 0, place)]
    for (x, y, z) in places {
      #expect(particlesAdvance(effect, seconds, x, y, z) == Int32(status))
    }
    #expect(abs(particlesTime(effect) - (status == 0 ? seconds * 3 : 0)) < 1e-9)
  }

  @Test("columns are those of the emitter that was asked for, at the moment")
  func columns() throws {
    let effect = try fire()
    defer { particlesDestroy(effect) }
    let simulation = try PlayedEffect(
      try #require(try EffectTemplate.named("fire")?.package()).document(),
      PlayedEffect.Options()
    ).simulation
    for _ in 0..<2 {
      #expect(particlesAdvance(effect, 0.5, 0, 0, 0) == 0)
      simulation.advance(by: 0.5)
      for emitter in [0, 1, 0] {
        let look = Appearance()
        simulation.appearance(ofEmitter: emitter, into: look)
        let count = Int(particlesPopulation(effect, Int32(emitter)))
        #expect(count > 2 && count == look.count)
        let expected = [
          look.x, look.y, look.z, look.velocityX, look.velocityY, look.velocityZ, look.width,
          look.height, look.angle, look.red, look.green, look.blue, look.alpha, look.intensity,
          look.mix, look.depth, look.age, look.life,
        ]
        for (index, column) in expected.enumerated() {
          let found = particlesColumn(effect, Int32(emitter), Int32(index))
          #expect((found == nil) == (column.numbers.baseAddress == nil))
          guard let found else { continue }
          #expect((0..<count).allSatisfy { found[$0] == column.numbers[$0] }, "column \(index)")
        }
        #expect(particlesColumn(effect, Int32(emitter), 18) == nil)
      }
    }
    #expect(particlesColumn(effect, -1, 0) == nil && particlesColumn(effect, 99, 0) == nil)
    let statistics = try report(effect, .statistics).object
    let rows = statistics?["emitters"]?.array?.compactMap(\.object) ?? []
    for name in ["alive", "emitted"] {
      let sum = rows.reduce(0) { $0 + ($1[name]?.int ?? 0) }
      #expect(sum > 0 && statistics?[name] == .int(sum))
    }
    #expect(statistics?["alive"] == .int(Int(particlesCount(effect))))
  }

  @Test("records of quads, blend states and textures have the layout of the specification")
  func records() throws {
    let effect = try fire()
    defer { particlesDestroy(effect) }
    let pixels = [UInt8](repeating: 128, count: 4 * 4 * 4)
    for index in 0..<3 { #expect(particlesImage(effect, Int32(index), 4, 4, pixels) == 0) }
    #expect(particlesAdvance(effect, 1, 0, 0, 0) == 0 && view(effect) == 0)
    let count = Int(particlesCompose(effect))
    let (states, textures) = (Int(particlesStates(effect)), Int(particlesTextures(effect)))
    #expect(count > 50 && states > 1 && textures > 2)
    let start = try #require(particlesQuads(effect))
    func number(_ quad: Int, _ offset: Int) -> Float {
      Float(bitPattern: start[quad * 24 + offset / 4])
    }
    func whole(_ quad: Int, _ offset: Int) -> Int {
      Int(Int32(bitPattern: start[quad * 24 + offset / 4]))
    }
    var (usedStates, usedTextures) = (Set<Int>(), Set<Int>())
    for quad in 0..<count {
      #expect((0..<8).allSatisfy { abs(number(quad, 4 * $0)) < 1000 })
      // Without perspective, all corners are equally near.
      #expect([32, 36, 40].allSatisfy { number(quad, $0) == number(quad, 32) })
      #expect((0..<4).map { number(quad, 44 + 4 * $0) } == [0, 0, 1, 1])
      #expect((0...1).contains(number(quad, 72)))
      usedTextures.insert(whole(quad, 76))
      #expect(whole(quad, 80) == -1 && number(quad, 84) == 0)
      usedStates.insert(whole(quad, 88))
      #expect((0...3).contains(whole(quad, 92)))
    }
    #expect(usedStates == Set(0..<states))
    #expect(usedTextures.isSubset(of: 0..<textures) && usedTextures.count > 2)
    let texture = try #require(particlesTexture(effect))
    let rows = usedTextures.sorted().map { row in
      (0..<8).map { Int(Int32(bitPattern: texture[row * 8 + $0])) }
    }
    #expect(rows.map { $0[0] }.sorted() == [0, 1, 2])
    #expect(rows.allSatisfy { $0[1...] == [0, 0, 4, 4, 0, 0, 0] || $0[3] > 0 })
    #expect(rows.allSatisfy { $0[5...].allSatisfy { (0...1).contains($0) } })
    let state = try #require(particlesState(effect))
    for row in 0..<states {
      let words = (0..<8).map { Int(Int32(bitPattern: state[row * 8 + $0])) }
      #expect((0...2).contains(words[0]) && (0...4).contains(words[6]), "\(words)")
      #expect([1, 7].allSatisfy { (0...1).contains(words[$0]) }, "\(words)")
    }
  }

  @Test(
    "every word of a record is the part of the drawing at its offset",
    arguments: [false, true])
  func layout(isTurned: Bool) throws {
    let effect = try PlayedEffect(
      try #require(try EffectTemplate.named("fire")?.package()).document(),
      PlayedEffect.Options())
    effect.advance(by: 1, to: .zero)
    let renderer = try effect.renderer()
    var quad = try #require(renderer.quads(of: effect.shown).quads.first)
    var texture = try #require(renderer.shownTextures.first)
    quad.corners = (SIMD2(1, 2), SIMD2(3, 4), SIMD2(5, 6), SIMD2(7, 8))
    (quad.nearness, quad.part) = (SIMD3(9, 10, 11), SIMD4(12, 13, 14, 15))
    (quad.color, quad.texture, quad.next) = (SIMD4(16, 17, 18, 19), 20, 21)
    (quad.share, quad.state) = (22, 23)
    (quad.isNearest, quad.isTriangle) = (isTurned, !isTurned)
    texture.image = isTurned ? nil : 3
    texture.region = (1, 2, 3, 4)
    (texture.isRotated, texture.isStoredPremultiplied) = (isTurned, !isTurned)
    texture.isLight = isTurned
    let drawn = DrawingRecords()
    // More than there was room for, and less.
    for number in [3, 1] {
      drawn.set(
        (Array(repeating: quad, count: number), []), Array(repeating: texture, count: number))
      #expect((drawn.quadCount, drawn.stateCount, drawn.textureCount) == (number, 0, number))
      for row in 0..<number {
        let words = (0..<24).map { drawn.quads.start[row * 24 + $0] }
        #expect(words[..<19].map { Float(bitPattern: $0) } == (1...19).map(Float.init))
        #expect([19, 20, 22, 23].map { words[$0] } == [20, 21, 23, isTurned ? 1 : 2])
        #expect(Float(bitPattern: words[21]) == 22)
        let others = (0..<8).map { Int32(bitPattern: drawn.textures.start[row * 8 + $0]) }
        let flags: [Int32] = isTurned ? [1, 0, 1] : [0, 1, 0]
        #expect(others == [isTurned ? -1 : 3, 1, 2, 3, 4] + flags)
      }
    }
  }

  @Test("a stopped effect ends when its last particle does, also in a loop")
  func stopping() throws {
    for length in [0.0, 0.5] {
      let effect = try fire()
      defer { particlesDestroy(effect) }
      #expect(particlesLoop(effect, length) == 0)
      for _ in 0..<60 { #expect(particlesAdvance(effect, 1 / 60, 0, 0, 0) == 0) }
      #expect(particlesCount(effect) > 0 && particlesOver(effect) == 0)
      #expect(particlesStop(effect) == 0)
      for _ in 0..<20 { #expect(particlesAdvance(effect, 1, 0, 0, 0) == 0) }
      #expect(particlesCount(effect) == 0 && particlesOver(effect) == 1)
    }
  }

  @Test("a round of a loop has 0.1 to 600 seconds, or there is none")
  func loops() throws {
    let effect = try fire()
    defer { particlesDestroy(effect) }
    for (seconds, status) in [
      (0.0, 0), (0.1, 0), (600, 0), (0.09, -1), (601, -1), (-1, -1), (.nan, -1), (.infinity, -1),
    ] {
      #expect(particlesLoop(effect, seconds) == Int32(status), "\(seconds)")
    }
  }

  @Test(
    "options are an object with members in their ranges, or no bytes",
    arguments: [
      ("", 0), ("{}", 0), ("[]", -1), ("{", -1), (#"{"samples": 1}"#, 0), (#"{"samples": 4}"#, 0),
      (#"{"samples": 0}"#, -1), (#"{"samples": 5}"#, -1), (#"{"scale": 0}"#, -1),
      (#"{"background": null}"#, 0), (#"{"background": [1, 0, 0]}"#, 0),
      (#"{"background": [1, 0, 0, 0.5]}"#, 0), (#"{"background": [1, 0]}"#, -1),
      (#"{"background": [1, 0, 0, 1, 1]}"#, -1), (#"{"background": [1, 0, "a"]}"#, -1),
      (#"{"background": "auto"}"#, 0), (#"{"view": "plane"}"#, 0), (#"{"view": "side"}"#, -1),
    ])
  func viewOptions(options: String, status: Int) throws {
    let effect = try fire()
    defer { particlesDestroy(effect) }
    #expect(view(effect, options) == Int32(status))
  }

  @Test(
    "an effect is created with seed, engine, rate, place and limits",
    arguments: [
      (#"{"seed": 5}"#, true), (#"{"seed": "18446744073709551615"}"#, true),
      (#"{"seed": -1}"#, false), (#"{"seed": 1.5}"#, false), (#"{"profile": "pixi-5"}"#, true),
      (#"{"profile": "none"}"#, false), (#"{"rate": 0}"#, true), (#"{"rate": -1}"#, false),
      (#"{"place": [1, 2, 3]}"#, true), (#"{"place": [1, 2]}"#, false),
      (#"{"place": [1, 2, 3, 4]}"#, false), (#"{"limits": {"particles": 1}}"#, true),
      (#"{"limits": {"particles": 0}}"#, false), (#"{"limits": 5}"#, false),
    ])
  func options(options: String, isRight: Bool) throws {
    let package = try #require(try EffectTemplate.named("fire")?.package())
    let number = create(String(decoding: try package.document(), as: UTF8.self), options)
    #expect((number > 0) == isRight, "\(options)")
    particlesDestroy(number)
  }

  @Test("an effect with a place begins there")
  func place() throws {
    let still = """
      {"asset": {"version": "1.0"}, "emitters": [{"lifetime": 9, "emission": {"rate": 50},
      "launch": {"speed": 0}}]}
      """
    for place in [[0.0, 0, 0], [30, -20, 10]] {
      let effect = create(still, #"{"place": \#(place)}"#)
      defer { particlesDestroy(effect) }
      #expect(particlesAdvance(effect, 0.5, place[0], place[1], place[2]) == 0)
      #expect(particlesPopulation(effect, 0) > 20)
      for axis in 0..<3 {
        let column = try #require(particlesColumn(effect, 0, Int32(axis)))
        let places = (0..<Int(particlesPopulation(effect, 0))).map { Double(column[$0]) }
        // Places are relative to the effect.
        #expect(places.allSatisfy { abs($0) < 1e-3 }, "\(places)")
      }
    }
  }
}
