extension ParticleSystem.EngineLaw.Evidence {
  package var meaning: String {
    switch self {
    case .specified: "it is what the specification states"
    case .recorded: "the engine ran. Its behaviour was recorded and agrees"
    case .read: "the published source of the engine was read, but the engine was not run"
    case .assumed: "neither recorded nor read. The value of `neutral` is used"
    case .unused: "files of the engine have nothing that depends on it"
    }
  }
}

extension ParticleSystem.EngineLaw {
  /// How the switches of a law are known. The module for pages leaves it out.
  struct Grounds: Sendable {
    let engine: String
    let evidence: Evidence
    let source: String
    /// Switches with other evidence than most, made when they are asked for.
    let exceptions: @Sendable () -> [Exception]

    init(
      _ engine: String, _ evidence: Evidence, _ source: String,
      _ exceptions: @escaping @Sendable @autoclosure () -> [Exception]
    ) {
      (self.engine, self.evidence) = (engine, evidence)
      (self.source, self.exceptions) = (source, exceptions)
    }
  }

  /// A switch of a law, with the evidence for it.
  package struct Line: Sendable, Hashable {
    /// The profile whose law it is.
    package let profile: ParticleSystem.Profile
    /// The engine and its version.
    package let engine: String
    /// The name of the switch.
    package let name: String
    /// Its value.
    package let value: String
    /// How it is known.
    package let evidence: Evidence
    /// Where it was recorded or read. Empty if the evidence is `unused`.
    package let source: String
  }

  /// An engine whose law is not known: its effects run by the law of `neutral`.
  package struct Unknown: Sendable {
    /// The engine.
    package let engine: String
    /// The profile that its effects name, or ``ParticleSystem/Profile/neutral`` without a name.
    package let profile: ParticleSystem.Profile
    /// The names of its formats.
    package let formats: [String]
    /// Facts about it.
    package let source: String

    init(
      _ engine: String, _ source: String, profile: ParticleSystem.Profile = .neutral,
      formats: String...
    ) {
      (self.engine, self.profile) = (engine, profile)
      (self.formats, self.source) = (formats, source)
    }
  }

  /// Engines whose files are read or written, but whose laws are not known. All switches are assumed.
  package static let unknown: [Unknown] = [
    Unknown(
      "Core Animation", "the documentation leaves it open", formats: "caemitter", "swift-caemitter"),
    Unknown("Defold", "the documentation leaves it open", profile: .defold, formats: "defold"),
    Unknown("Effekseer", "the documentation leaves it open", formats: "effekseer"),
    Unknown("RealityKit", "the documentation leaves it open", formats: "swift-realitykit"),
    Unknown("Unity, by code", "the documentation leaves it open", formats: "unity-csharp"),
    Unknown("Vortex", "the files' keys only", formats: "vortex"),
  ]

  /// Switches of a law with other evidence than most of the law.
  struct Exception: Sendable {
    let evidence: Evidence
    let source: String
    let names: [String]

    init(_ evidence: Evidence, _ source: String, _ names: String...) {
      (self.evidence, self.source, self.names) = (evidence, source, names)
    }
  }

  /// A switch, with its values.
  fileprivate struct Switch {
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
  fileprivate static var switches: [Switch] {
    [
      Switch("order") { $0.order }, Switch("firstStep") { $0.firstStep },
      Switch("account") { $0.account }, Switch("clock") { $0.clock }, Switch("death") { $0.death },
      Switch("ages") { $0.ages }, Switch("integrator") { $0.integrator },
      Switch("motion") { $0.motion }, Switch("evaluation") { $0.evaluation },
      Switch("share") { $0.share }, Switch("lifetimes") { $0.lifetimes },
      Switch("clamping") { $0.clamping }, Switch("drag") { $0.drag },
      Switch("ellipse") { $0.ellipse }, Switch("initialAge") { $0.initialAge },
      Switch("alignment") { $0.alignment }, Switch("spreading") { $0.spreading },
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
      row(["profile", "engine", "evidence", "switches that differ from `neutral`"]) + rule(4)
    let neutral = ParticleSystem.EngineLaw()
    let switches = switches
    for law in all {
      var differences =
        switches
        .filter { $0.value(law.law) != $0.value(neutral) }
        .map { "\($0.name) `\($0.value(law.law))`" }
      if let size = law.law.leastSize { differences.append("leastSize \(size)") }
      page += row([
        "`\(law.profile.rawValue)`", law.engine, law.evidence.rawValue,
        differences.isEmpty ? "none" : differences.joined(separator: ", "),
      ])
    }
    return String(page.dropLast())
  }

  /// A Markdown table of the evidence for each switch of each law. A row lists the switches with equal evidence.
  package static var evidenceMarkdown: String {
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
  package static var evidenceKindsMarkdown: String {
    let rows = Evidence.allCases.map { row(["`\($0.rawValue)`", $0.meaning]) }
    return String((row(["evidence", "meaning"]) + rule(2) + rows.joined()).dropLast())
  }

  private static func row(_ cells: [String]) -> String { "| \(cells.joined(separator: " | ")) |\n" }

  private static func rule(_ count: Int) -> String {
    "|\(String(repeating: "---|", count: count))\n"
  }
}

extension ParticleSystem.EngineLaw.Row {
  /// The engine and its version.
  package var engine: String { grounds.engine }

  /// How most of the switches are known.
  package var evidence: ParticleSystem.EngineLaw.Evidence { grounds.evidence }

  /// The recorded or read source: files and functions of the engine, or a document.
  package var source: String { grounds.source }

  /// Switches that are known in another way than most.
  var exceptions: [ParticleSystem.EngineLaw.Exception] { grounds.exceptions() }

  /// Every switch of the law, with the evidence for it.
  package var lines: [ParticleSystem.EngineLaw.Line] {
    let exceptions = exceptions
    return ParticleSystem.EngineLaw.values(of: law).map { name, value in
      let exception = exceptions.first { $0.names.contains(name) }
      return ParticleSystem.EngineLaw.Line(
        profile: profile, engine: engine, name: name, value: value,
        evidence: exception?.evidence ?? evidence, source: exception?.source ?? source)
    }
  }
}

extension ParticleSystem.EngineLaw.Drawing.Row {
  /// How it is known.
  package var evidence: ParticleSystem.EngineLaw.Evidence { grounds.evidence }

  /// Where it comes from.
  package var source: String { grounds.source }
}

extension ParticleSystem.EngineLaw.Drawing {
  /// A table of all rows for the specification, in Markdown.
  package static var markdown: String {
    let switches: [(name: String, value: (Self) -> String)] = [
      ("texture", { $0.texture.rawValue }), ("tintAlpha", { $0.tintAlpha.rawValue }),
      ("blending", { $0.blending.rawValue }), ("space", { $0.space.rawValue }),
      ("order", { $0.order.rawValue }), ("shape", { $0.shape.rawValue }),
      ("ahead", { $0.ahead.rawValue }), ("y", { $0.y.rawValue }),
      ("rotation", { $0.rotation.rawValue }),
    ]
    func line(_ cells: [String]) -> String { "| \(cells.joined(separator: " | ")) |\n" }
    var page = line(["profile"] + switches.map { "`\($0.name)`" } + ["evidence", "source"])
    page += "|\(String(repeating: "---|", count: switches.count + 3))\n"
    for row in all {
      page += line(
        ["`\(row.profile.rawValue)`"] + switches.map { $0.value(row.drawing) } + [
          row.evidence.rawValue, row.source,
        ])
    }
    return String(page.dropLast())
  }
}

extension ParticleSystem.EngineLaw.Unknown {
  /// Every switch of the law of `neutral`, assumed.
  package var lines: [ParticleSystem.EngineLaw.Line] {
    ParticleSystem.EngineLaw.values(of: ParticleSystem.EngineLaw()).map { name, value in
      ParticleSystem.EngineLaw.Line(
        profile: profile, engine: engine, name: name, value: value, evidence: .assumed,
        source: source)
    }
  }
}

extension ParticleSystem.EngineLaw {
  /// The name and the value of every switch of a law.
  fileprivate static func values(of law: Self) -> [(String, String)] {
    switches.map { ($0.name, $0.value(law)) }
      + [("leastSize", law.leastSize.map { "\($0)" } ?? "none")]
  }
}

extension ParticleSystem.Profile {
  /// Every switch of the law of this profile: its value, the evidence and the source. Effects of an unknown name run by
  /// the law of `neutral`, with assumed switches.
  package var evidence: [ParticleSystem.EngineLaw.Line] {
    if let row = ParticleSystem.EngineLaw.all.first(where: { $0.profile == self }) {
      return row.lines
    }
    let known = ParticleSystem.EngineLaw.unknown.first { $0.profile == self }
    return
      (known
      ?? ParticleSystem.EngineLaw.Unknown(
        rawValue, "the profile is not known", profile: self)).lines
  }
}
