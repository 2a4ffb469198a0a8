internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesModel
internal import ParticlesRender

extension Command {
  /// Prints statistics of a running effect.
  static let simulate = Command(
    name: "simulate", group: .documents,
    summary: "Run an effect and print statistics of its particles as JSON.",
    discussion: """
      Runs the effect several times with different random numbers, and prints means and deviations \
      over all living particles: counts, places, sizes, angles and colours. Units and axes are those \
      of the engine whose law is simulated. The same file, options and version give the same numbers \
      on every machine.
      """,
    arguments: [Argument(.file("file"), "A document, or - for standard input.")],
    options: [.frames, .fps, .seeds, .every, .profile, .output, .force, .from, .images],
    examples: [
      Example("particles simulate fire.particles", "Print statistics over 300 frames and 16 runs."),
      Example(
        "particles simulate smoke.pex --profile starling --frames 60 -o smoke.json",
        "Run the first second as Starling does."),
    ],
    run: { invocation in
      let input = try invocation.argument("file")
      var plan = ParticleStatistics.Plan()
      plan.frames = try invocation.integer(.frames, in: 1...100_000) ?? plan.frames
      plan.framesPerSecond = try invocation.number(.fps, in: 1...1_000) ?? plan.framesPerSecond
      plan.seeds = try invocation.integer(.seeds, in: 1...1_000) ?? plan.seeds
      plan.every = try invocation.integer(.every, in: 1...100_000) ?? plan.every
      let system = try invocation.effect(at: input).package.system()
      let profile =
        invocation.value(.profile).map { ParticleSystem.Profile(rawValue: $0) }
        ?? system.asset.profile
      let statistics = ParticleStatistics(of: system, profile: profile, plan: plan)
      let json = statistics.json(
        file: Files.lastComponent(of: input), plan: plan, profile: profile)
      guard let output = invocation.value(.output), output != Invocation.standardStream else {
        try invocation.print(json)
        return .done
      }
      try SafeSave.file(output, replacing: invocation.flag(.force)) {
        try $0.write(Array(json.text.utf8))
      }
      return .done
    })
}

extension Option {
  fileprivate static let frames = Option(
    "frames", value: .text("number"), default: "300", "How many frames to run.")
  fileprivate static let fps = Option(
    "fps", value: .text("number"), default: "60", "Frames per second.")
  fileprivate static let seeds = Option(
    "seeds", value: .text("number"), default: "16", "How many runs, with different random numbers.")
  fileprivate static let every = Option(
    "every", value: .text("number"), default: "5", "Print every nth frame.")
  fileprivate static let profile = Option(
    "profile", value: .choice("engine") { ParticleSystem.EngineLaw.all.map(\.profile.rawValue) },
    default: "that of the effect", "The engine whose law is simulated.")
}
