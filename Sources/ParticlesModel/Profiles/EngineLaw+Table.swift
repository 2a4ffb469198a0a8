extension ParticleSystem.EngineLaw {
  /// A named law.
  public struct Row: Sendable {
    /// The profile: the name in `asset.profile`.
    public let profile: ParticleSystem.Profile
    /// The engine and its version.
    public let engine: String
    /// Where the law comes from.
    public let source: Source
    /// The switches.
    public let law: ParticleSystem.EngineLaw
  }

  /// Where a law comes from.
  public enum Source: String, Sendable {
    /// The specification.
    case specification
    /// Recordings of the running engine.
    case recordings
    /// The published source of the engine, which was read and not run.
    case reading
    /// The documentation of the engine, which leaves most switches open: these are neutral.
    case documentation
  }

  /// The laws that are known by name, `neutral` first.
  public static let all: [Row] = [
    row(.neutral, "none", .specification) { _ in },
    row(.cocos2d, "cocos2d-html5 3.17", .recordings) {
      $0.order = .emissionFirst
      $0.firstStep = .whole
      $0.account = .whileRoom
      $0.clock = .afterEmission
      $0.clamping = .samples
    },
    row(.cocos2dX, "cocos2d-x 3.7", .reading) {
      $0.order = .emissionFirst
      $0.firstStep = .whole
      $0.account = .whileRoom
      $0.clock = .afterEmission
      $0.clamping = .samples
    },
    row(.starling, "Starling particle extension 2.x, July 2024", .recordings) {
      $0.account = .stretched
      $0.death = .afterLastFrame
      $0.clock = .afterEmission
      $0.clamping = .sizeSamples
      $0.leastSize = 0.1
    },
    row(.libgdx, "libGDX 1.9.8", .recordings) {
      $0.order = .emissionFirst
      $0.firstStep = .whole
      $0.account = .milliseconds
      $0.ages = .milliseconds
      $0.clock = .afterEmission
      $0.ellipse = .cutDisc
      $0.initialAge = .moved
      $0.alignment = .direction
    },
    row(.pixi3, "PixiJS particle emitter 3.2.0", .recordings) {
      $0.account = .intervals
      $0.clock = .perEmission
      $0.lifetimes = .emission
      $0.motion = .keptSpeed
    },
    row(.pixi5, "PixiJS particle emitter 5.0.8", .recordings) {
      $0.account = .intervals
      $0.clock = .perEmission
      $0.death = .pastLifetime
      $0.integrator = .trapezoid
      $0.motion = .keptSpeed
    },
    row(.godot3, "Godot 3.2.3, CPUParticles2D", .recordings) {
      $0.firstStep = .shifted
      $0.account = .slots
      $0.death = .nextStep
      $0.motion = .orbitSpeedDrag
      $0.share = .emitter
    },
    row(.godot4, "Godot 4.3, CPUParticles2D", .reading) {
      $0.firstStep = .shifted
      $0.account = .slots
      $0.death = .nextStep
      $0.motion = .orbitSpeedDrag
    },
    row(.love, "LÖVE 11.4", .recordings) {
      $0.firstStep = .none
      $0.account = .counter
      $0.clock = .afterEmission
      $0.drag = .implicit
      $0.ellipse = .squareMapped
    },
    row(.quarks, "three.quarks 0.17.0", .recordings) {
      $0.order = .emissionFirst
      $0.firstStep = .whole
      $0.account = .roundedUp
      $0.clock = .afterEmission
      $0.evaluation = .before
    },
    row(.spriteKit, "SpriteKit", .documentation) { _ in },
    row(.sceneKit, "SceneKit", .documentation) { _ in },
  ]

  private static func row(
    _ profile: ParticleSystem.Profile, _ engine: String, _ source: Source,
    _ set: (inout Self) -> Void
  ) -> Row {
    var law = Self()
    set(&law)
    return Row(profile: profile, engine: engine, source: source, law: law)
  }

  // MARK: Spec/profiles.md

  /// A switch, with its values.
  private struct Switch {
    let name: String
    let values: [(name: String, meaning: String)]
    let value: (ParticleSystem.EngineLaw) -> String

    init<S: EngineSwitch>(
      _ name: String, _ value: @escaping (ParticleSystem.EngineLaw) -> S
    ) {
      self.name = name
      values = S.allCases.map { ($0.rawValue, $0.meaning) }
      self.value = { value($0).rawValue }
    }
  }

  /// Every switch with named values.
  private static var switches: [Switch] {
    [
      Switch("order") { $0.order }, Switch("firstStep") { $0.firstStep },
      Switch("account") { $0.account }, Switch("clock") { $0.clock }, Switch("death") { $0.death },
      Switch("ages") { $0.ages }, Switch("integrator") { $0.integrator },
      Switch("motion") { $0.motion }, Switch("evaluation") { $0.evaluation },
      Switch("share") { $0.share }, Switch("lifetimes") { $0.lifetimes },
      Switch("clamping") { $0.clamping }, Switch("drag") { $0.drag },
      Switch("ellipse") { $0.ellipse }, Switch("initialAge") { $0.initialAge },
      Switch("alignment") { $0.alignment },
    ]
  }

  /// A table of all switches for the specification, in Markdown.
  package static var switchesMarkdown: String {
    var page = row(["switch", "value", "meaning"]) + rule(3)
    for item in switches {
      for (index, value) in item.values.enumerated() {
        page += row([index == 0 ? "`\(item.name)`" : "", "`\(value.name)`", value.meaning])
      }
    }
    return String(page.dropLast())
  }

  /// A table of all laws for the specification, in Markdown: what differs from `neutral`.
  package static var markdown: String {
    var page =
      row(["profile", "engine", "source", "switches that differ from `neutral`"]) + rule(4)
    let neutral = ParticleSystem.EngineLaw()
    let switches = switches
    for law in all {
      var differences =
        switches
        .filter { $0.value(law.law) != $0.value(neutral) }
        .map { "\($0.name) `\($0.value(law.law))`" }
      if let size = law.law.leastSize { differences.append("leastSize \(size)") }
      page += row([
        "`\(law.profile.rawValue)`", law.engine, law.source.rawValue,
        differences.isEmpty ? "none" : differences.joined(separator: ", "),
      ])
    }
    return String(page.dropLast())
  }

  private static func row(_ cells: [String]) -> String { "| \(cells.joined(separator: " | ")) |\n" }

  private static func rule(_ count: Int) -> String {
    "|\(String(repeating: "---|", count: count))\n"
  }
}

extension ParticleSystem.Profile {
  /// The law of this profile; nil if the name is not known.
  public var law: ParticleSystem.EngineLaw? {
    ParticleSystem.EngineLaw.all.first { $0.profile == self }?.law
  }
}
