import ParticlesCore
import ParticlesTestSupport
import Testing

@testable import ParticlesModel

/// The short look at an effect agrees with the list of its faults.
@Suite("Soundness without a list of faults") struct SoundnessTests {
  private func expectAgreement(_ system: ParticleSystem, _ hint: @autoclosure () -> String = "") {
    let faults = system.diagnostics().filter { $0.rule == .range || $0.rule == .keys }
    #expect(system.isSound == faults.isEmpty, "\(hint()) \(faults.prefix(3))")
  }

  @Test("it agrees for random documents, sound or not", arguments: MenderTests.seeds)
  func random(seed: UInt64) throws {
    var random = RandomDocuments(seed: seed)
    expectAgreement(try ParticleSystem(json: random.document()))
    expectAgreement(try random.validDocument())
  }

  /// Numbers in place of others.
  private static let extremes: [JSONValue] = [
    .double(-1), .double(0), .double(2), .double(1e308), .double(-1e308), .double(0.5), .int(400),
  ]

  @Test("it agrees for every number of sound documents that is replaced")
  func mutants() throws {
    var (mutants, unsound) = (0, 0)
    for seed in 0..<30 as Range<UInt64> {
      var random = RandomDocuments(seed: seed &* 7919)
      let json = try random.validDocument().json
      let text = try JSONText(Array(json.text.utf8))
      var paths: [[JSONText.Step]] = []
      Self.collect(json, [], &paths)
      for (number, path) in paths.enumerated() {
        for turn in 0..<2 {
          var mutant = text
          let extreme = Self.extremes[(number + 3 * turn) % Self.extremes.count]
          guard try mutant.set(extreme, at: path),
            let system = try? ParticleSystem(json: mutant.value)
          else { continue }
          expectAgreement(system, "\(path)")
          mutants += 1
          unsound += system.isSound ? 0 : 1
        }
      }
    }
    #expect(mutants > 200 && unsound > 50, "\(mutants) \(unsound)")
  }

  private static func collect(
    _ json: JSONValue, _ path: [JSONText.Step], _ paths: inout [[JSONText.Step]]
  ) {
    switch json {
    case .number: paths.append(path)
    case .array(let elements):
      for (index, element) in elements.enumerated() {
        collect(element, path + [.index(index)], &paths)
      }
    case .object(let object):
      for member in object.members { collect(member.value, path + [.key(member.key)], &paths) }
    default: break
    }
  }

  @Test("numbers that JSON does not have are unsound wherever they are")
  func infinite() {
    let set: [(inout Emitter) -> Void] = [
      { $0.lifetime = .constant(.nan) }, { $0.launch.speed = .range(.nan, 1) },
      { $0.size.width = Track(from: .constant(.infinity)) }, { $0.timing.speed = -.infinity },
      { $0.color.base = ColorTrack(.constant(Color(.nan, 0, 0))) },
      { $0.transform.translation = Vector(.nan, 0) },
      {
        $0.shape = Shape(.points); $0.shape.positions = [Vector(.nan, 0)]
      },
      {
        $0.size.width = Track(from: 0, to: 1); $0.size.width.curve = Curve([CurveKey(0, .nan)])
      },
      {
        $0.size.width = Track(from: 0, to: 1); $0.size.width.curve = Curve([CurveKey(.nan, 0)])
      },
      {
        let keys = [GradientKey(0, Color(1, .infinity, 0)), GradientKey(1, .white)]
        $0.color.base.gradient = Gradient(keys)
      },
      { $0.color.base.gradient = Gradient([GradientKey(.nan, .white), GradientKey(1, .black)]) },
      { $0.color.base.rate.alpha = .infinity },
    ]
    for change in set {
      var emitter = Emitter(name: "a")
      #expect(ParticleSystem(name: "a", emitters: [emitter]).isSound)
      change(&emitter)
      var system = ParticleSystem(name: "a", emitters: [Emitter(name: "b"), emitter])
      expectAgreement(system)
      #expect(!system.isSound)
      #expect(!system.settle().isEmpty)
      #expect(system.isSound)
    }
  }

  @Test("regions beyond their image are unsound")
  func regions() {
    var system = ParticleSystem(name: "a", emitters: [Emitter(name: "a")])
    var image = ImageReference(uri: "Images/a.png")
    (image.width, image.height) = (8, 8)
    system.images = [image]
    for (width, isSound) in [(8.0, true), (9, false)] {
      system.sprites = [
        Sprite(image: 0, region: Rectangle(x: 0, y: 0, width: width, height: 8))
      ]
      expectAgreement(system)
      #expect(system.isSound == isSound)
    }
  }

  @Test(
    "the default of each property that may be missing is sound, so that it need not be looked at")
  func defaults() {
    var rows = 0
    func look<Root: ModelObject>(_ type: Root.Type) {
      for property in type.properties where !property.reading.isRequired {
        rows += 1
        var (root, faults) = (Root(), [] as [Diagnostic])
        withUnsafeMutablePointer(to: &root) {
          property.reading.check(UnsafeMutableRawPointer($0), at: .root, into: &faults)
        }
        #expect(faults.allSatisfy { $0.rule != .range && $0.rule != .keys }, "\(type) \(faults)")
      }
    }
    for type in ModelTypes.all { look(type) }
    #expect(rows > 200, "\(rows)")
  }
}
