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
  static func values(of law: Self) -> [(String, String)] {
    [
      ("order", law.order.rawValue), ("firstStep", law.firstStep.rawValue),
      ("account", law.account.rawValue), ("clock", law.clock.rawValue),
      ("death", law.death.rawValue), ("ages", law.ages.rawValue),
      ("integrator", law.integrator.rawValue), ("motion", law.motion.rawValue),
      ("evaluation", law.evaluation.rawValue), ("share", law.share.rawValue),
      ("lifetimes", law.lifetimes.rawValue), ("clamping", law.clamping.rawValue),
      ("drag", law.drag.rawValue), ("ellipse", law.ellipse.rawValue),
      ("initialAge", law.initialAge.rawValue), ("alignment", law.alignment.rawValue),
      ("spreading", law.spreading.rawValue), ("leastSize", law.leastSize.map { "\($0)" } ?? "none"),
    ]
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
