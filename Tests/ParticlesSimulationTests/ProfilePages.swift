@testable import ParticlesModel

/// The tables of `Spec/profiles.md`.
extension EngineLaw {
  /// A table of all switches, in Markdown.
  static var switchesMarkdown: String {
    let switches = [
      meanings(of: "order", Order.self),
      meanings(of: "firstStep", FirstStep.self),
      meanings(of: "account", Account.self),
      meanings(of: "clock", Clock.self),
      meanings(of: "death", Death.self),
      meanings(of: "ages", Ages.self),
      meanings(of: "integrator", Integrator.self),
      meanings(of: "motion", MotionOrder.self),
      meanings(of: "evaluation", Evaluation.self),
      meanings(of: "share", Share.self),
      meanings(of: "lifetimes", Lifetimes.self),
      meanings(of: "clamping", Clamping.self),
      meanings(of: "drag", Drag.self),
      meanings(of: "ellipse", Ellipse.self),
      meanings(of: "initialAge", InitialAge.self),
      meanings(of: "alignment", Alignment.self),
      meanings(of: "spreading", Spreading.self),
    ]
    var page = row(["switch", "value", "meaning"]) + rule(3)
    for item in switches {
      for (index, value) in item.values.enumerated() {
        page += row([index == 0 ? "`\(item.name)`" : "", "`\(value.name)`", value.meaning])
      }
    }
    return String(page.dropLast())
  }

  private static func meanings<S: Explained>(
    of name: String, _ type: S.Type
  ) -> (name: String, values: [(name: String, meaning: String)]) {
    (name, S.allCases.map { ($0.rawValue, $0.meaning) })
  }

  /// A table of all laws, in Markdown: what differs from `neutral`.
  static var markdown: String {
    var page =
      row(["profile", "engine", "evidence", "switches that differ from `neutral`"]) + rule(4)
    let neutral = values(of: EngineLaw())
    for law in all {
      var differences = zip(values(of: law.law), neutral).dropLast()
        .filter { $0.1 != $1.1 }
        .map { "\($0.0.0) `\($0.0.1)`" }
      if let size = law.law.leastSize { differences.append("leastSize \(size)") }
      page += row([
        "`\(law.profile.rawValue)`", law.engine, law.evidence.rawValue,
        differences.isEmpty ? "none" : differences.joined(separator: ", "),
      ])
    }
    return String(page.dropLast())
  }

  /// A Markdown table of the evidence for each switch of each law. A row lists the switches with equal evidence.
  static var evidenceMarkdown: String {
    var page = row(["profile", "engine", "evidence", "switches", "source"]) + rule(5)
    for law in all {
      var groups: [(first: Line, names: [String])] = []
      for line in law.lines {
        let index = groups.firstIndex {
          $0.first.evidence == line.evidence && $0.first.source == line.source
        }
        if let index {
          groups[index].names.append(line.name)
        } else {
          groups.append((line, [line.name]))
        }
      }
      for group in groups {
        page += row([
          "`\(law.profile.rawValue)`", law.engine, group.first.evidence.rawValue,
          group.names.count == law.lines.count ? "all" : group.names.joined(separator: ", "),
          group.first.source,
        ])
      }
    }
    for item in unknown {
      page += row(["", item.engine, Evidence.assumed.rawValue, "all", item.source])
    }
    return String(page.dropLast())
  }

  /// The meanings of the kinds of evidence, in Markdown.
  static var evidenceKindsMarkdown: String {
    let rows = Evidence.allCases.map { row(["`\($0.rawValue)`", $0.meaning]) }
    return String((row(["evidence", "meaning"]) + rule(2) + rows.joined()).dropLast())
  }

  private static func row(_ cells: [String]) -> String { "| \(cells.joined(separator: " | ")) |\n" }

  private static func rule(_ count: Int) -> String {
    "|\(String(repeating: "---|", count: count))\n"
  }
}

/// A switch whose values have meanings.
protocol Explained: RawRepresentable<String>, CaseIterable {
  var meaning: String { get }
}

extension EngineLaw.Evidence: Explained {
  var meaning: String {
    switch self {
    case .specified: "it is what the specification states"
    case .recorded: "the engine ran. Its behaviour was recorded and agrees"
    case .read: "the published source of the engine was read, but the engine was not run"
    case .assumed: "neither recorded nor read. The value of `neutral` is used"
    case .unused: "files of the engine have nothing that depends on it"
    }
  }
}

extension EngineLaw.Order: Explained {
  var meaning: String {
    switch self {
    case .motionFirst: "living particles are moved, then particles are emitted"
    case .emissionFirst: "particles are emitted, then all are moved"
    }
  }
}

extension EngineLaw.FirstStep: Explained {
  var meaning: String {
    switch self {
    case .rest: "a new particle lives from the moment of its emission to the end of the step"
    case .whole: "it lives through the whole step"
    case .none: "its age is 0 at the end of the step. A burst was emitted before the step"
    case .shifted:
      "its age is 0 at the end of the step. It moves by its velocity, without forces, for the "
        + "rest of the step"
    }
  }
}

extension EngineLaw.Account: Explained {
  var meaning: String {
    switch self {
    case .exact: "a particle at each moment at which rate × time reaches a whole number"
    case .whileRoom:
      "time counts only while there is room. A particle while the counter exceeds 1 ÷ rate"
    case .stretched:
      "a particle at the start and then every 1 ÷ rate. If the limit would be exceeded in a "
        + "step, the interval of this step is longer"
    case .counter:
      "time always counts. A particle while the counter exceeds 1 ÷ rate, lost without "
        + "room. Counter and period are numbers of single precision"
    case .reaching:
      "time always counts. A particle, or a burst, as soon as the counter reaches 1 ÷ rate, or its time, "
        + "lost without room"
    case .intervals: "a particle at the start and then every 1 ÷ rate, lost without room"
    case .milliseconds:
      "one particle at the start. Then the counter, in whole milliseconds, emits its quotient by "
        + "1000 ÷ rate and keeps the remainder, cut to a whole number. The first period lasts a "
        + "millisecond longer. The step that begins a further period is not counted in it, and a delay "
        + "ends with a step"
    case .roundedUp:
      "the counter of the steps before, rounded up. The excess is subtracted from the next, in the next "
        + "period, too"
    case .perStep:
      "a particle, or a burst without an end, at the start and then every 1 ÷ rate, or its interval, "
        + "at most once in a step. The counter goes on in the next period, and does not count in pauses, "
        + "which last whole steps"
    case .slots:
      "slot i of `maxAlive` emits at the fraction (i + `jitter` · random) ÷ `maxAlive` · (1 − "
        + "`explosiveness`) of a lifetime, whether its particle lives or not, and as soon as its "
        + "particle has died. After the end of the emission, its particle is removed then"
    }
  }
}

extension EngineLaw.Clock: Explained {
  var meaning: String {
    switch self {
    case .beforeEmission: "emission ends exactly at the end of the period"
    case .afterEmission:
      "the clock is compared with the duration after the emission of a step"
    case .beforeStep: "the step that reaches the end of the period does not emit"
    case .perEmission: "the rest of the period falls by 1 ÷ rate for each emission"
    }
  }
}

extension EngineLaw.Death: Explained {
  var meaning: String {
    switch self {
    case .atLifetime: "in the step in which the age reaches the lifetime"
    case .pastLifetime: "in the step in which the age exceeds the lifetime"
    case .afterLastFrame:
      "one step later. The step that reaches the lifetime ends exactly there and shows it"
    case .nextStep: "one step later than `pastLifetime`"
    }
  }
}

extension EngineLaw.Ages: Explained {
  var meaning: String {
    switch self {
    case .exact: "in seconds"
    case .milliseconds:
      "in whole milliseconds, and the fraction is kept for the next step. Movement uses the exact "
        + "time"
    }
  }
}

extension EngineLaw.Integrator: Explained {
  var meaning: String {
    switch self {
    case .semiImplicit: "the velocity first, then the position with the new velocity"
    case .trapezoid: "the position with the mean of the old and the new velocity"
    }
  }
}

extension EngineLaw.MotionOrder: Explained {
  var meaning: String {
    switch self {
    case .dragSpeedOrbit:
      "after forces: drag, `motion.speed`, then position and velocity are rotated"
    case .orbitSpeedDrag:
      "after forces: the position is rotated and the velocity is not, `motion.speed` replaces the "
        + "velocity, then drag"
    case .keptSpeed:
      "as `dragSpeedOrbit`, but the particle keeps the speed that `motion.speed` and "
        + "`motion.maxSpeed` give it"
    case .placeOrbit:
      "as `dragSpeedOrbit`, but the velocity is not rotated, and origin and axis belong to the particle's "
        + "space"
    }
  }
}

extension EngineLaw.Evaluation: Explained {
  var meaning: String {
    switch self {
    case .after: "tracks are evaluated at the age at the end of the step"
    case .before: "tracks are evaluated at the age at the start of the step"
    }
  }
}

extension EngineLaw.Share: Explained {
  var meaning: String {
    switch self {
    case .particle: "relative ages are fractions of the lifetime of the particle"
    case .emitter: "relative ages are fractions of the greatest lifetime of the emitter"
    }
  }
}

extension EngineLaw.Lifetimes: Explained {
  var meaning: String {
    switch self {
    case .particle: "lifetimes are sampled as `scope` states"
    case .emission: "particles that are emitted together share a lifetime"
    }
  }
}

extension EngineLaw.Clamping: Explained {
  var meaning: String {
    switch self {
    case .result: "samples are not clamped, the result at each moment is"
    case .samples: "start and end are clamped when they are sampled, results are not"
    case .sizeSamples: "sizes are clamped when they are sampled, colours are not"
    }
  }
}

extension EngineLaw.Drag: Explained {
  var meaning: String {
    switch self {
    case .own: "as the force states"
    case .implicit: "v ÷ (1 + s · h) in place of `exponential` and `euler`"
    }
  }
}

extension EngineLaw.Ellipse: Explained {
  var meaning: String {
    switch self {
    case .uniform: "as `shape.distribution` states"
    case .cutDisc:
      "for the radii a and b, a point (x, y) with |y| ≤ b of the disc of the radius a, as (x, y · b ÷ a), "
        + "uniform unless a > b. The normal of an edge is (cos φ, sin φ)"
    case .squareMapped:
      "x · √(1 − y² ÷ 2) and y · √(1 − x² ÷ 2) of a point (x, y) of the square from −1 to 1"
    }
  }
}

extension EngineLaw.InitialAge: Explained {
  var meaning: String {
    switch self {
    case .counted: "`emission.lifeOffset` is an age"
    case .moved: "the particle is also moved, by one step of that length, when it is emitted"
    }
  }
}

extension EngineLaw.Alignment: Explained {
  var meaning: String {
    switch self {
    case .velocity:
      "`rotation.align` follows the velocity, and the direction where the speed is 0"
    case .direction: "it follows the direction of the launch or of `motion.direction`"
    }
  }
}

extension EngineLaw.Spreading: Explained {
  var meaning: String {
    switch self {
    case .emitted: "`shape.sweep` `spread` counts the particles of a burst that come to life"
    case .tried:
      "`shape.sweep` `spread` counts all particles of a burst: a particle that `probability` leaves out leaves a gap"
    }
  }
}
