import ParticlesCore
import ParticlesFormats
import ParticlesModel
import ParticlesTestSupport
import Testing

/// A format made up for these tests: a file holds the lifetime, as text, and nothing else.
@Suite struct AuditTests {
  private static func format(
    losses: [Diagnostic] = [], writes: @escaping @Sendable (Double) -> Double = { $0 }
  ) -> ParticleFormat {
    ParticleFormat(
      name: "lifetime", title: "Lifetime", extensions: ["life"],
      recognise: { bytes, _ in bytes.first == UInt8(ascii: "L") },
      capabilities: Capabilities(exact: [.life], approximated: []),
      decode: { bytes, context in
        let text = String(decoding: bytes.dropFirst(), as: UTF8.self)
        var emitter = Emitter(name: "read")
        emitter.lifetime = .constant(Double(text) ?? 0)
        return Imported(
          system: ParticleSystem(name: "read", emitters: [emitter]), sourceName: context.fileName,
          source: bytes)
      },
      encode: { system, context in
        let life = writes(system.emitters[0].lifetime.sample(0))
        return Exported(
          parts: [.init(name: context.fileName, bytes: Array("L\(life)".utf8), emitters: [0])],
          losses: losses)
      })
  }

  private func losses(
    _ format: ParticleFormat = format(), _ edit: (inout Emitter) -> Void
  ) throws -> [Diagnostic] {
    var emitter = Emitter(name: "fire")
    edit(&emitter)
    let system = ParticleSystem(name: "Fire", emitters: [emitter])
    return try format.export(system, EncodingContext(fileName: "a.life")).losses
  }

  @Test func whatComesBackIsNotReported() throws {
    let lines = try losses { $0.lifetime = 3 }
    // The names are lost, and one line reports it.
    #expect(lines.map(\.loss?.feature) == ["meta"])
    #expect(lines.map(\.loss?.level) == [.info])
  }

  @Test func whatTheEncoderKeepsSilentAboutIsReported() throws {
    let lines = try losses { $0.launch.speed = 5 }.filter { $0.rule == .changed }
    let line = try #require(lines.first)
    #expect(lines.count == 1)
    #expect(line.loss?.path == "emitters[0].launch.speed")
    #expect(line.loss?.emitter == "fire")
    #expect(line.loss?.source?.value == .int(5))
    #expect(line.loss?.target?.value == .int(0))
    #expect(line.severity == .warning && line.lossLevel == .medium)
  }

  @Test func aWrongNumberIsFoundWhateverTheEncoderBelieves() throws {
    let doubling = Self.format(writes: { $0 * 2 })
    let lines = try losses(doubling) { $0.lifetime = 3 }.filter { $0.rule == .changed }
    #expect(lines.map(\.loss?.path) == ["emitters[0].lifetime"])
    let rounding = Self.format(writes: { Double(Float($0)) })
    #expect(try losses(rounding) { $0.lifetime = 0.1 }.allSatisfy { $0.rule != .changed })
  }

  @Test func aLineSpeaksForAllBelowItsPlaces() throws {
    let line = Diagnostic(
      .lost, .radial, at: "emitters[0].forces", also: ["emitters[0].launch"],
      "particles stand still")
    let lines = try losses(Self.format(losses: [line])) {
      $0.forces = [.gravity(Vector(0, 1))]
      $0.launch.speed = 5
      $0.launch.spread = 5
    }
    #expect(lines.allSatisfy { $0.rule != .changed })
    let told = try #require(lines.first { $0.rule == .lost && $0.loss?.feature == "radial" })
    #expect(told.loss?.emitter == "fire")
    #expect(told.loss?.level == .high)
    // Half a name is not a place above.
    let near = Diagnostic(.lost, .life, at: "emitters[0].launch.spe", "nothing")
    let rest = try losses(Self.format(losses: [near])) { $0.launch.speed = 5 }
    #expect(rest.contains { $0.rule == .changed })
  }

  @Test func whatTheModeOfADirectionDoesNotAskForIsDead() throws {
    func lines(_ edit: (inout Direction) -> Void) throws -> [Diagnostic] {
      try losses { edit(&$0.launch.direction) }.filter { $0.loss?.feature != "meta" }
    }
    // The format of these tests has one direction: upwards, as an angle.
    let vector = try lines { $0.vector = Vector(1, 0) }
    #expect(vector.map(\.rule) == [.dead])
    #expect(vector.map(\.loss?.path) == ["emitters[0].launch.direction.vector"])
    #expect(vector.map(\.loss?.emitter) == ["fire"])
    #expect(vector.map(\.lossLevel) == [.info])
    let both = try lines {
      $0.mode = .random
      $0.angle = 30
    }
    #expect(both.map(\.rule) == [.dead, .changed])
    #expect(both.map(\.loss?.path).first == "emitters[0].launch.direction.angle")
    // What says nothing by default says nothing.
    #expect(try lines { $0.mode = .random }.map(\.rule) == [.changed])
    // What the encoder spoke for is not told twice.
    let line = Diagnostic(.restated, .spread2D, at: "emitters[0].launch.direction", "up")
    let told = try losses(Self.format(losses: [line])) {
      $0.launch.direction.vector = Vector(1, 0)
    }
    #expect(told.allSatisfy { $0.rule != .dead })
  }

  @Test func parametersOfOtherKindsAreDead() throws {
    func lines(_ edit: (inout Emitter) -> Void) throws -> [String] {
      var emitter = Emitter(name: "fire")
      edit(&emitter)
      let system = ParticleSystem(name: "Fire", emitters: [emitter])
      return try ParticleFormat.cocos2d.export(system, EncodingContext(fileName: "a.plist")).losses
        .filter { $0.rule == .dead || $0.rule == .changed }
        .map { "\($0.rule.code) \($0.loss?.path.dropFirst("emitters[0].".count) ?? "")" }
    }
    #expect(
      try lines {
        $0.forces = [.gravity(Vector(0, -1)), Force(.radial, strength: 2)]
        $0.forces[0].falloff = 2
        $0.forces[0].strength = 5
        $0.forces[1].octaves = 3
      } == [
        "convert/dead forces[0].strength.from", "convert/dead forces[0].falloff",
        "convert/dead forces[1].octaves",
      ])
    #expect(
      try lines {
        $0.size.width = Track(from: 1, to: 2)
        $0.size.width.domain = Interval(0, 3)
      } == ["convert/dead size.width.domain"])
    var box = Emitter(name: "box")
    box.shape = .box(Vector(1, 2, 3))
    (box.shape.radius, box.shape.inner) = (5, 0.5)
    let system = ParticleSystem(name: "Box", emitters: [box])
    let losses = try ParticleFormat.sceneKit.export(system, EncodingContext(fileName: "a.scnp"))
      .losses
    #expect(
      losses.filter { $0.rule == .dead }.map(\.loss?.path)
        == ["emitters[0].shape.radius", "emitters[0].shape.inner"])
    #expect(losses.allSatisfy { $0.rule != .changed })
  }

  @Test func namingThoseThatStartAnywayIsToldAsWell() throws {
    var system = ParticleSystem(name: "Fire", emitters: [Emitter(name: "fire")])
    system.roots = [0]
    let lines = try Self.format().export(system, EncodingContext(fileName: "a.life")).losses
    #expect(lines.contains { $0.rule == .changed && $0.loss?.path == "roots" })
    // Real encoders say that it is no loss.
    for format in FormatRegistry.standard.formats where format.canWrite && !format.isArchive {
      let lines = try format.export(
        system, EncodingContext(fileName: "a.\(format.extensions[0])")
      ).losses
      #expect(
        lines.filter { $0.loss?.path == "roots" }.map(\.rule) == [.restated], "\(format.name)")
    }
  }

  @Test func aNumberIsTheSameHoweverItIsWritten() throws {
    for value: Value in [.range(3, 3), .oneOf([3]), .range(3, 3, scope: .cycle)] {
      let lines = try losses { $0.lifetime = value }
      #expect(lines.map(\.loss?.feature) == ["meta"])
    }
  }

  @Test func levelsComeFromTheMatrixUnlessStated() {
    func level(_ rule: Rule, _ capability: Capability) -> Loss.Level {
      Diagnostic(rule, capability, at: "seed", "").lossLevel
    }
    #expect(level(.lost, .radial) == .high)
    #expect(level(.approximated, .radial) == .medium)
    #expect(level(.lost, .seed) == .low)
    #expect(level(.approximated, .seed) == .low)
    #expect(level(.restated, .radial) == .info)
    #expect(Diagnostic(.lost, .radial, at: "seed", "", level: .low).lossLevel == .low)
    // A missing image is no loss of the effect.
    #expect(Diagnostic(.missingImage).lossLevel == .info)
    #expect(Diagnostic(.assumed).lossLevel == .info)
  }

  @Test func unitsAreConverted() throws {
    let spaces = ParticleFormat(
      name: "space", title: "Space", extensions: ["space"], recognise: { _, _ in false },
      capabilities: Capabilities(unit: .unit, exact: [], approximated: []),
      decode: { try Self.format().decode($0, $1) },
      encode: { system, context in
        #expect(system.emitters[0].launch.speed == 2)
        #expect(system.emitters[0].launch.spread == 45)
        #expect(system.emitters[0].forces[0].vector.y == -0.5)
        #expect(system.emitters[0].size.width == 0.25)
        return Exported(
          parts: [.init(name: context.fileName, bytes: Array("L1".utf8), emitters: [0])])
      })
    let lines = try losses(spaces) {
      $0.launch.speed = 200
      $0.launch.spread = 45
      $0.forces = [.gravity(Vector(0, -50))]
      $0.size.width = 25
    }
    #expect(lines.contains { $0.detail == "100 points become 1 unit" })
  }

  @Test func aFormatThatIsOnlyReadCannotBeWritten() {
    let format = ParticleFormat(
      name: "x", title: "X", extensions: ["x"], recognise: { _, _ in false },
      decode: { _, _ in throw Diagnostic(.json) })
    let fault = #expect(throws: Diagnostic.self) {
      try format.export(ParticleSystem(), EncodingContext(fileName: "a.x"))
    }
    #expect(fault?.rule == .unknownFormat)
  }
}
