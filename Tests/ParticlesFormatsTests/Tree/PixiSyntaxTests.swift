import ParticlesCore
import ParticlesModel
import Testing

@testable import ParticlesFormats

/// How PixiJS spells keys in both generations, lists over life, chains of lines and images.
@Suite struct PixiSyntaxTests {
  private let flat = PixiKeys(isFlat: true)
  private let behaviors = PixiKeys(isFlat: false)

  @Test(
    "keys of behaviours have a spelling in each generation",
    arguments: [
      ("lifetime.min", "lifetime.min", "lifetime.min"),
      ("moveSpeed/speed.start", "behaviors[moveSpeed].config.speed.start", "speed.start"),
      (
        "moveSpeed/minMult", "behaviors[moveSpeed].config.minMult", "speed.minimumSpeedMultiplier"
      ),
      ("moveAcceleration/accel.x", "behaviors[moveAcceleration].config.accel.x", "acceleration.x"),
      ("noRotation/", "behaviors[noRotation].config", "noRotation"),
      ("rect/w", "behaviors[spawnShape].config.data.w", "spawnRect.w"),
      ("circle/x", "behaviors[spawnShape].config.data.x", "spawnCircle.x"),
      ("circle/radius", "behaviors[spawnShape].config.data.radius", "spawnCircle.r"),
      ("polygonalChain/", "behaviors[spawnShape].config.data", "spawnPolygon"),
      ("moveSpeedStatic/min", "behaviors[moveSpeedStatic].config.min", nil),
      ("moveSpeed/other", "behaviors[moveSpeed].config.other", nil),
    ])
  func spelling(path: String, new: String, old: String?) {
    #expect(behaviors.spelling(of: path, in: nil) == new)
    #expect(flat.spelling(of: path, in: nil) == old)
  }

  @Test func ofSeveralSpellingsTheOneInTheFileIsUsed() {
    let outer: JSONValue = ["minimumSpeedMultiplier": .double(0.5), "angle": ["min": .int(3)]]
    #expect(flat.spelling(of: "moveSpeed/minMult", in: outer) == "minimumSpeedMultiplier")
    #expect(flat.spelling(of: "rotation/minStart", in: outer) == "angle.min")
    #expect(flat.spelling(of: "rotation/maxStart", in: outer) == "startRotation.max")
  }

  @Test func anEditKeepsTheSpellingOfTheFile() throws {
    let text = """
      {"lifetime": {"min": 1, "max": 1}, "frequency": 0.1, "angle": {"min": 10, "max": 20}, \
      "speed": {"start": 100, "end": 50}, "minimumSpeedMultiplier": 0.5, "spawnType": "point"}
      """
    let format = ParticleFormat.pixiLegacy
    let bytes = Array(text.utf8)
    var system = try format.decode(bytes, DecodingContext(fileName: "a.json")).system
    #expect(system.emitters[0].launch.direction.angle == .range(-20, -10))
    #expect(system.emitters[0].motion.speed?.to == .range(0.5, 1))
    system.emitters[0].launch.direction.angle = .range(-30, -10)
    system.emitters[0].motion.speed?.to = .range(0.25, 1)
    let context = EncodingContext(
      fileName: "a.json", source: .init(name: "a.json", bytes: bytes))
    let written = try format.export(system, context).parts[0].bytes
    let expected = text.replacing("\"max\": 20", with: "\"max\": 30")
      .replacing("0.5", with: "0.25")
    #expect(String(decoding: written, as: UTF8.self) == expected)
  }

  @Test func rowsListTheKeysOfTheirGeneration() {
    let paths = ["rotation/minStart", "rotation/maxStart", "rotationStatic/min"]
    #expect(flat.listed(paths) == ["startRotation", "angle"])
    #expect(
      behaviors.listed(paths) == [
        "behaviors[rotation].config.minStart", "behaviors[rotation].config.maxStart",
        "behaviors[rotationStatic].config.min",
      ])
    #expect(flat.listed(["movePath/path", "movePath/speed"]) == ["extraData.path"])
    #expect(behaviors.listed(["rect/", "circle/"]) == ["behaviors[spawnShape].config.data"])
  }

  @Test func aListKeepsItsForm() throws {
    let ends: JSONValue = ["start": .int(1), "end": .int(3)]
    let list = try #require(PixiList(ends))
    #expect(list.points.map(\.time) == [0, 1])
    #expect(list.members(like: ends, prefersEnds: false).map(\.key) == ["start", "end"])
    #expect(list.members(like: nil, prefersEnds: true).map(\.key) == ["start", "end"])
    #expect(list.members(like: nil, prefersEnds: false).map(\.key) == ["list"])
    let old: JSONValue = ["list": .array([]), "isStepped": .bool(true)]
    #expect(list.members(like: old, prefersEnds: true).map(\.key) == ["list", "isStepped"])
    let stepped = PixiList(list.points, isStepped: true)
    #expect(stepped.members(like: nil, prefersEnds: true).map(\.key) == ["list", "isStepped"])
    #expect(PixiList(["list": .array([])]) == nil)
    #expect(PixiList(.int(3)) == nil)
  }

  @Test(
    "steps are ignored if the second point is at the end",
    arguments: [([0.0, 1], false), ([0, 0.5, 1], true), ([0], true), ([0.5, 0], true)])
  func steps(times: [Double], isStepped: Bool) throws {
    let points = times.map { ["value": .int(1), "time": .double($0)] as JSONValue }
    let list = try #require(PixiList(["list": .array(points), "isStepped": .bool(true)]))
    #expect(list.isStepped == isStepped)
    #expect(list.points.map(\.time) == times.sorted())
  }

  @Test func easesAreSegments() throws {
    #expect(PixiEase(.string("bounce")) == nil)
    let segment: JSONValue = ["s": .int(0), "cp": .int(0), "e": .int(1)]
    let ease = try #require(PixiEase(.array([segment])))
    #expect(ease.curve.value(at: 0.5) == 0.25)
    #expect(ease.followed(by: ease).curve.value(at: 0.5) == 0.0625)
    #expect(PixiEase(.array(Array(repeating: segment, count: 65))) == nil)
  }

  private func emitter(_ keys: String, isFlat: Bool = true) throws -> Emitter {
    let start =
      "{\"lifetime\": {\"min\": 1, \"max\": 1}, \"frequency\": 0.1, \"spawnType\": \"point\", "
    let format = isFlat ? ParticleFormat.pixiLegacy : .pixi
    return try format.decode(
      Array((start + keys + "}").utf8), DecodingContext(fileName: "a.json")
    ).system.emitters[0]
  }

  private static let squared = "\"ease\": [{\"s\": 0, \"cp\": 0, \"e\": 1}]"

  @Test("the ease of a list and that of the emitter act on colours", arguments: [true, false])
  func easedColors(isOfList: Bool) throws {
    let list =
      "\"list\": [{\"value\": \"000000\", \"time\": 0}, {\"value\": \"ff0000\", \"time\": 1}]"
    let keys =
      isOfList
      ? "\"color\": {\(list), \(Self.squared)}" : "\"color\": {\(list)}, \(Self.squared)"
    let gradient = try #require(try emitter(keys).color.base.gradient)
    for share in [0.0, 0.1, 0.5, 0.8, 1] {
      #expect(abs(gradient.color(at: share).red - share * share) < 0.002, "\(share)")
    }
    // Both act in turn.
    let both = try #require(
      try emitter("\"color\": {\(list), \(Self.squared)}, \(Self.squared)").color.base.gradient)
    #expect(abs(both.color(at: 0.5).red - 0.0625) < 0.005)
  }

  @Test func anEaseMovesSteps() throws {
    let list =
      "\"list\": [{\"value\": \"000000\", \"time\": 0}, {\"value\": \"ff0000\", \"time\": 0.25}, "
      + "{\"value\": \"00ff00\", \"time\": 0.81}], \"isStepped\": true"
    let gradient = try #require(
      try emitter("\"color\": {\(list), \(Self.squared)}").color.base.gradient)
    #expect(gradient.keys.count == 3)
    for (share, hex) in [
      (0.49, "#000000"), (0.51, "#ff0000"), (0.89, "#ff0000"), (0.91, "#00ff00"),
    ] {
      #expect(gradient.color(at: share) == Color(hexadecimal: hex), "\(share)")
    }
  }

  @Test("a number that is null is 0, where the engine has no default for it")
  func nulls() throws {
    let flat = try emitter(
      "\"alpha\": {\"start\": 1, \"end\": null}, \"speed\": {\"start\": 100, \"end\": null, "
        + "\"minimumSpeedMultiplier\": null}, \"startRotation\": {\"min\": null, \"max\": 90}, "
        + "\"emitterLifetime\": null, \"maxParticles\": null, \"spawnChance\": null, "
        + "\"pos\": {\"x\": null, \"y\": 5}")
    #expect(flat.color.opacity == Track(from: 1, to: 0))
    #expect(flat.motion.speed == Track(from: 100, to: 0))
    #expect(flat.launch.direction.angle == .range(-90, 0))
    #expect(flat.timing.duration == nil)
    #expect(flat.emission.maxAlive == 1000)
    #expect(flat.emission.probability == 1)
    let new = try emitter(
      "\"behaviors\": [{\"type\": \"alpha\", \"config\": {\"alpha\": {\"list\": "
        + "[{\"value\": 1, \"time\": null}, {\"value\": null, \"time\": 1}]}}}, "
        + "{\"type\": \"scaleStatic\", \"config\": {\"min\": null, \"max\": 2}}]", isFlat: false)
    #expect(new.color.opacity == Track(from: 1, to: 0))
    #expect(new.size.width == Track(.range(0, 2)))
  }

  @Test(
    "colours with or without a mark; alpha comes first and has no effect",
    arguments: ["#ff8000", "ff8000", "0xff8000", "80ff8000", "#80ff8000"])
  func colors(text: String) {
    #expect(PixiList.color(.string(text)) == Color(hexadecimal: "#ff8000"))
  }

  @Test func chainsAreOneOrMoreLines() {
    let lines = [[Vector(1, -2), Vector(3, 4)], [Vector(0, 0)]]
    for lines in [lines, [lines[0]]] {
      let value = PixiChain.value(lines) { .double($0) }
      #expect(PixiChain.lines(value.array ?? []) == lines)
    }
    #expect(PixiChain.lines([]).isEmpty)
  }

  @Test func imagesAreNamesCountsOrAnimations() {
    let counted: JSONValue = ["texture": .string("b"), "count": .int(2)]
    let animation: JSONValue = ["textures": .array([.string("c"), .string("d")])]
    let list = JSONValue.array([.string("a"), counted, animation, .int(3)])
    #expect(PixiImages.names(list) == ["a", "b", "b", "c"])
    #expect(PixiImages.names(.string("a")) == ["a"])
    #expect(PixiImages.names(nil).isEmpty)
  }
}
