internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesModel
internal import ParticlesRender

/// The options of the commands that draw running effects.
extension Option {
  /// The option of the command line for one of pictures.
  fileprivate init(_ option: PictureOption) {
    self.init(
      option.name, short: option.short,
      value: option.choices.isEmpty
        ? .text(option.placeholder) : .choice(option.placeholder, option.choices),
      default: option.initial, option.summary)
  }

  static let pictureSize = Option(PictureOption.size)
  static let duration = Option(PictureOption.duration)
  static let framesPerSecond = Option(PictureOption.framesPerSecond)
  static let loop = Option(PictureOption.loop)
  static let background = Option(PictureOption.background)
  static let engine = Option(
    "engine", value: .choice("engine") { ParticleSystem.EngineLaw.all.map(\.profile.rawValue) },
    default: "that of the effect",
    "The engine whose law is followed, and by which a file is read that several engines read.")
  static let work = Option(
    "work", value: .text("factor"), default: "1",
    "How much work and memory an effect may take: 1 to 1,000 times the usual. Messages name the limits, such as "
      + "'work' and 'memory', which count emitters, frames and pixels.")

  /// All of them that a still picture needs.
  static let forPictures = PictureOption.forPictures.map { Option($0) } + [engine, work]
  /// All of them that an animation needs.
  static let forAnimations = PictureOption.forAnimations.map { Option($0) } + [engine, work]
}

extension Invocation {
  /// The plan that the options describe.
  func animationPlan() throws -> EffectAnimation.Plan {
    var plan = EffectAnimation.Plan()
    for option in PictureOption.forAnimations { try read(option, into: &plan) }
    plan.profile = engine
    return plan
  }

  /// Reads an option into a plan, if it is given.
  func read(_ option: PictureOption, into plan: inout EffectAnimation.Plan) throws {
    guard let text = value(Option(option)) else { return }
    do {
      try option.set(text, in: &plan)
    } catch let fault as PictureOption.Fault {
      if option.name == PictureOption.move.name {
        plan.path = try path(in: text)
      } else {
        throw UsageError(
          "'--\(option.name)' needs \(fault.expected), not '\(text)'", hint: fault.hint)
      }
    }
  }

  /// The path in a file that `--move` names.
  private func path(in name: String) throws -> EffectPath {
    do {
      let file = try OpenFile(reading: name)
      return try locating(Location(file: name)) {
        try EffectPath(lines: file.readToEnd(limits: .standard))
      }
    } catch Rule.fileNotFound {
      throw UsageError(
        "'\(name)' is neither a path nor a file",
        hint: "use line, circle, points such as '0,0 100,0', or a file of lines 'seconds x y'")
    }
  }

  /// The limits of pictures and runs, with those of `--work`.
  func pictureLimits() throws -> Limits {
    Limits.standard.times(try integer(.work, in: 1...1_000) ?? 1)
  }
}
