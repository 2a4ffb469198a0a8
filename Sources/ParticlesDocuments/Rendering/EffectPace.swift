internal import ParticlesCore
internal import ParticlesModel

/// When an effect has begun, and how long a picture of it lasts.
struct EffectPace {
  /// The `preview.warmup`, in seconds.
  let warmup: Double
  /// When all that it shows has appeared, in seconds.
  let start: Double
  /// The duration of an animation, in seconds.
  let duration: Double
  /// The time after which nothing new happens, in seconds: 20 at most.
  let end: Double
  /// The same without a limit.
  let whole: Double
  /// Whether as much is visible at the beginning as later: endless emitters that have run for most of a
  /// life.
  let isComplete: Bool
  /// Warnings about times of the document that are beyond the limits.
  let (startProblems, durationProblems): ([Diagnostic], [Diagnostic])

  /// The cycle that repeats.
  let cycle: EffectCycle

  init(_ system: ParticleSystem, profile: ParticleSystem.Profile?, limits: Limits) {
    let preview = system.preview
    let (warmup, startProblems) = Self.bounded(
      preview.warmup, limits.warmupSeconds, "preview.warmup", "warmupSeconds",
      hint: "name the time of the first frame with --at")
    let (wanted, durationProblems) = Self.bounded(
      preview.duration ?? 0, limits.previewSeconds, "preview.duration", "previewSeconds",
      hint: "name the duration with --duration")
    (self.startProblems, self.durationProblems) = (startProblems, durationProblems)
    let shown = preview.duration == nil ? nil : wanted
    let emitters = system.emitters.filter(\.enabled)
    func most(_ value: (Emitter) -> Double) -> Double {
      min(max(emitters.map { value($0) / max($0.timing.speed, 0.01) }.max() ?? 0, 0), 600)
    }
    let life = most { $0.lifetime.bounds.upper }
    let delay = most { $0.timing.delay.bounds.upper }
    let period = most { emitter in
      emitter.timing.duration.map { $0.bounds.upper + emitter.timing.idle.bounds.upper } ?? 0
    }
    let cycle = EffectCycle(system, profile: profile)
    self.cycle = cycle
    isComplete = emitters.allSatisfy { emitter in
      let needed = emitter.timing.delay.bounds.upper + 0.9 * emitter.lifetime.mean
      return emitter.timing.duration == nil && emitter.timing.prewarm >= needed
    }
    whole = delay + period + life
    end = min(whole, 20)
    if cycle.isEndless {
      // A life after it began, an endless emitter shows all that it will ever show.
      start = max(warmup, min(delay + life, 10))
      duration = shown ?? cycle.duration
    } else {
      start = max(warmup, 0)
      let all = max(delay + period, cycle.settled) + cycle.longestLife - start
      duration = shown ?? min(max(all, 0.5), EffectCycle.longest)
    }
    self.warmup = max(warmup, 0)
  }

  /// A time of a document, and a warning if it is more than a limit.
  private static func bounded(
    _ seconds: Double, _ limit: Int, _ key: String, _ name: String, hint: String
  ) -> (seconds: Double, problems: [Diagnostic]) {
    guard seconds > Double(limit) else { return (seconds, []) }
    let problem = Diagnostic(
      .limit, "'\(key)' is shortened", expected: "at most \(limit) seconds (limit '\(name)')",
      found: "\(seconds)", severity: .warning, hint: hint)
    return (Double(limit), [problem])
  }
}
