extension ParticleSystem.EngineLaw {
  /// A named law.
  public struct Row: Sendable {
    /// The profile: the name in `asset.profile`.
    public let profile: ParticleSystem.Profile
    /// The engine and its version.
    public let engine: String
    /// Where the law comes from.
    public let source: String
    /// The switches.
    public let law: ParticleSystem.EngineLaw
  }

  /// The laws that are known by name, `neutral` first.
  public static let all: [Row] = [
    Row(
      profile: .neutral, engine: "none", source: "Spec/document.md, Simulation",
      law: ParticleSystem.EngineLaw()),
    Row(
      profile: .cocos2d, engine: "cocos2d-html5 3.17", source: "traces of the engine",
      law: law {
        $0.order = .emissionFirst
        $0.firstStep = .whole
        $0.account = .whileRoom
        $0.clock = .afterEmission
        $0.clamping = .samples
      }),
    Row(
      profile: .starling, engine: "Starling particle extension 2.x, July 2024",
      source: "traces of the engine",
      law: law {
        $0.account = .stretched
        $0.death = .afterLastFrame
        $0.clock = .afterEmission
        $0.clamping = .sizeSamples
        $0.leastSize = 0.1
      }),
    Row(
      profile: .love, engine: "LÖVE 11.4", source: "traces of the engine",
      law: law {
        $0.firstStep = .none
        $0.account = .counter
        $0.clock = .afterEmission
        $0.drag = .implicit
      }),
  ]

  /// A table of all laws for the specification, in Markdown.
  package static var markdown: String {
    let switches: [(name: String, value: (ParticleSystem.EngineLaw) -> String)] = [
      ("order", { $0.order.rawValue }), ("firstStep", { $0.firstStep.rawValue }),
      ("account", { $0.account.rawValue }), ("death", { $0.death.rawValue }),
      ("integrator", { $0.integrator.rawValue }), ("clamping", { $0.clamping.rawValue }),
      ("leastSize", { $0.leastSize.map(\.description) ?? "" }),
      ("drag", { $0.drag?.rawValue ?? "own" }), ("clock", { $0.clock.rawValue }),
    ]
    func row(_ cells: [String]) -> String { "| \(cells.joined(separator: " | ")) |\n" }
    var page = row(["profile", "engine"] + switches.map { "`\($0.name)`" })
    page += "|\(String(repeating: "---|", count: switches.count + 2))\n"
    for law in all {
      page += row(["`\(law.profile.rawValue)`", law.engine] + switches.map { $0.value(law.law) })
    }
    return String(page.dropLast())
  }

  private static func law(_ set: (inout ParticleSystem.EngineLaw) -> Void) -> Self {
    var law = ParticleSystem.EngineLaw()
    set(&law)
    return law
  }
}

extension ParticleSystem.Profile {
  /// The law of this profile; nil if the name is not known.
  public var law: ParticleSystem.EngineLaw? {
    ParticleSystem.EngineLaw.all.first { $0.profile == self }?.law
  }
}
