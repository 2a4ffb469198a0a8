public import ParticlesCore
public import ParticlesModel

/// A path along which an effect moves while it is drawn, relative to where it is otherwise.
public struct EffectPath: Sendable, Hashable {
  /// The form of a path.
  enum Course: Sendable, Hashable {
    /// To the right, to the left, and back to the middle.
    case line
    /// A circle, counter-clockwise.
    case circle
    /// From point to point, at constant speed.
    case points([Vector], lengths: [Double])
    /// A point for each time, in a straight line between them.
    case times([Double], [Vector])
  }

  let course: Course

  /// To the right, to the left, and back, once in the duration of the animation. Its width is chosen to fit.
  public static let line = EffectPath(course: .line)
  /// A circle, counter-clockwise, once in the duration of the animation. In a 3D effect, on the ground.
  public static let circle = EffectPath(course: .circle)

  /// The most points of a path.
  public static let mostPoints = 100_000

  private init(course: Course) { self.course = course }

  /// A path from point to point at constant speed, once in the duration of the animation.
  /// - Parameter points: at least 2, in units of the effect, x to the right, y up.
  /// - Throws: ``ParticlesCore/Rule/imageOutput`` if there are fewer, too many, or if all are equal.
  public init(points: [ParticleSystem.Vector]) throws(Failure) {
    let lengths = points.indices.dropFirst().reduce(into: [0.0]) { sums, index in
      let (a, b) = (points[index - 1], points[index])
      let (x, y, z) = (b.x - a.x, b.y - a.y, b.z - a.z)
      sums.append(sums[index - 1] + (x * x + y * y + z * z).squareRoot())
    }
    guard (2...Self.mostPoints).contains(points.count), let length = lengths.last, length > 0,
      length.isFinite
    else {
      throw Self.fault(
        "at least 2 different points, and no more than \(Self.mostPoints)",
        "\(points.count) points")
    }
    course = .points(points, lengths: lengths)
  }

  /// A path with a time for each point. Between them, the effect moves in a straight line.
  /// - Parameters:
  ///   - times: in seconds, ascending. The first time is the begin of the animation.
  ///   - points: one for each time.
  /// - Throws: ``ParticlesCore/Rule/imageOutput`` if there are fewer than 2, too many, or times do not
  ///   ascend.
  public init(times: [Double], points: [ParticleSystem.Vector]) throws(Failure) {
    guard times.count == points.count, (2...Self.mostPoints).contains(times.count) else {
      throw Self.fault("2 to \(Self.mostPoints) lines", "\(times.count)")
    }
    for (before, after) in zip(times, times.dropFirst()) where !(after > before) {
      throw Self.fault("times that ascend", "\(after) after \(before)")
    }
    guard times.allSatisfy({ $0.isFinite }), times[times.count - 1] - times[0] <= 3_600 else {
      throw Self.fault("times of at most an hour", "\(times[times.count - 1])")
    }
    course = .times(times.map { $0 - times[0] }, points)
  }

  /// Reads `line`, `circle`, or a list of points: `0,0 100,0 100,50`, with two or three numbers for each
  /// one.
  /// - Returns: nil if it is none of these, such as the name of a file.
  /// - Throws: ``ParticlesCore/Rule/imageOutput`` if it is a list with an error.
  public init?(_ text: String) throws(Failure) {
    switch text {
    case "line": self = .line
    case "circle": self = .circle
    default:
      guard let first = text.unicodeScalars.first, "-+.0123456789".unicodeScalars.contains(first),
        text.unicodeScalars.allSatisfy({ "-+.,;0123456789eE \t\n".unicodeScalars.contains($0) })
      else { return nil }
      let words = text.split { " ;\t\n".contains($0) }
      // `0 0 100 0` is a list of coordinates, as in SVG.
      guard text.contains(",") else {
        let numbers = try words.map { word throws(Failure) in try Self.number(word) }
        guard numbers.count > 2, numbers.count.isMultiple(of: 2) else { return nil }
        let points = stride(from: 0, to: numbers.count, by: 2).map {
          Vector(numbers[$0], numbers[$0 + 1])
        }
        try self.init(points: points)
        return
      }
      try self.init(
        points: words.map { word throws(Failure) in try Self.point(word.split(separator: ",")) })
    }
  }

  /// Reads the lines of a file: time in seconds, x, y and, if wanted, z, separated by spaces, tabs or commas. Empty
  /// lines, and text after a `#`, are ignored. Or JSON: an array of such arrays, `[[0, 0, 0], [1, 100, 0]]`, or of
  /// objects with `time`, `x`, `y` and `z`.
  /// - Throws: ``ParticlesCore/Rule/imageOutput`` with the number of the line, or the syntax error of JSON.
  public init(lines bytes: [UInt8]) throws(Failure) {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Self.fault("text in UTF-8", "other bytes")
    }
    if text.unicodeScalars.first(where: { !" \t\r\n".unicodeScalars.contains($0) }) == "[" {
      try self.init(json: JSONParser.parse(bytes))
      return
    }
    var times: [Double] = []
    var points: [Vector] = []
    let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
    for (number, line) in lines.enumerated() {
      let words = line.prefix { $0 != "#" }.split { " \t,;".contains($0) }
      guard !words.isEmpty else { continue }
      do throws(Failure) {
        times.append(try Self.number(words[0]))
        points.append(try Self.point(words.dropFirst()))
        guard times.count <= Self.mostPoints else {
          throw Self.fault("at most \(Self.mostPoints) lines", "more")
        }
      } catch {
        guard var fault = Diagnostic.of(error) else { throw error }
        fault.location.textPlace = Location.TextPlace(line: number + 1, column: 1)
        throw fault
      }
    }
    try self.init(times: times, points: points)
  }

  private init(json: JSONValue) throws(Failure) {
    var times: [Double] = []
    var points: [Vector] = []
    for (index, step) in (json.array ?? []).enumerated() {
      let values =
        step.array
        ?? step.object.map { step in ["time", "x", "y", "z"].compactMap { step[$0] } } ?? []
      let numbers = values.compactMap { $0.double }
      guard numbers.count == values.count, (3...4).contains(numbers.count),
        numbers.allSatisfy({ abs($0) <= 1e9 }), index < Self.mostPoints
      else {
        throw Self.fault(
          "[time, x, y] or [time, x, y, z], at most \(Self.mostPoints) of them",
          "element \(index): \(step.line.excerpt)")
      }
      times.append(numbers[0])
      points.append(Vector(numbers[1], numbers[2], numbers.count == 4 ? numbers[3] : 0))
    }
    try self.init(times: times, points: points)
  }

  private static func point(_ words: some Collection<Substring>) throws(Failure) -> Vector {
    let numbers = try words.map { word throws(Failure) in try number(word) }
    guard (2...3).contains(numbers.count) else {
      throw fault("x and y, or x, y and z", "\(numbers.count) numbers")
    }
    return Vector(numbers[0], numbers[1], numbers.count == 3 ? numbers[2] : 0)
  }

  private static func number(_ text: Substring) throws(Failure) -> Double {
    guard let number = Double(text), abs(number) <= 1e9 else {
      throw fault("a number from -1e9 to 1e9", String(text).escapingControls)
    }
    return number
  }

  private static func fault(_ expected: String, _ found: String) -> Diagnostic {
    Diagnostic(
      .imageOutput, "the path of the effect", expected: expected, found: found,
      hint: "use line, circle, points such as '0,0 100,0 100,50', or a file of lines 'time x y'")
  }

  /// The seconds of the path, or nil if it takes as long as the animation.
  var duration: Double? {
    if case .times(let times, _) = course { times[times.count - 1] } else { nil }
  }
}

/// A path in units of an effect.
struct EffectRoute {
  let path: EffectPath
  /// Half the width of a line, and the radius of a circle.
  let reach: Double
  /// Whether the effect is in the plane.
  let isFlat: Bool

  /// The place at a time.
  /// - Parameters:
  ///   - time: seconds since the first frame. May be negative.
  ///   - length: seconds of a round, for paths without times.
  func place(at time: Double, of length: Double) -> Vector {
    let round = path.duration ?? length
    let turns = time / round
    // The end of a round counts as its end, not as the begin of the next round.
    var share = turns - (turns - 1e-9).rounded(.down)
    if share > 1 - 1e-9 { share = 1 }
    return place(share: turns == 0 ? 0 : max(share, 0))
  }

  /// Where the next round begins, if it does so between two times and the path does not lead there.
  func jump(from: Double, to: Double, of length: Double) -> Vector? {
    let round = path.duration ?? length
    let (first, last) = ((from / round + 1e-9).rounded(.down), (to / round - 1e-9).rounded(.down))
    guard first != last || abs(from / round - first) < 1e-9 else { return nil }
    let (begin, end) = (place(share: 0), place(share: 1))
    return begin == end ? nil : begin
  }

  /// - Parameter share: of the path, from 0 to 1.
  func place(share: Double) -> Vector {
    switch path.course {
    case .line: return Vector(reach * sineAndCosine(degrees: 360 * share).sine, 0)
    case .circle:
      let (sine, cosine) = sineAndCosine(degrees: share < 1 ? 360 * share : 0)
      return isFlat
        ? Vector(reach * cosine, reach * sine) : Vector(reach * cosine, 0, -reach * sine)
    case .points(let points, let lengths):
      return Self.place(share * (lengths.last ?? 0), at: lengths, points)
    case .times(let times, let points):
      return Self.place(share * (times.last ?? 0), at: times, points)
    }
  }

  private static func place(_ value: Double, at values: [Double], _ points: [Vector]) -> Vector {
    var (low, high) = (0, values.count - 1)
    while high - low > 1 {
      let middle = (low + high) / 2
      if values[middle] <= value { low = middle } else { high = middle }
    }
    let span = values[high] - values[low]
    let share = span > 0 ? min(max((value - values[low]) / span, 0), 1) : 0
    let (a, b) = (points[low], points[high])
    return Vector(
      a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share, a.z + (b.z - a.z) * share)
  }

  /// The least and the greatest coordinates.
  var bounds: (least: Vector, most: Vector) {
    let places: [Vector] =
      switch path.course {
      case .line, .circle: (0..<64).map { place(share: Double($0) / 64) }
      case .points(let points, _), .times(_, let points): points
      }
    return places.dropFirst().reduce((places[0], places[0])) { bounds, place in
      (
        Vector(
          min(bounds.0.x, place.x), min(bounds.0.y, place.y), min(bounds.0.z, place.z)),
        Vector(max(bounds.1.x, place.x), max(bounds.1.y, place.y), max(bounds.1.z, place.z))
      )
    }
  }
}

extension Camera {
  /// The height that is in view at the target, in units.
  var visibleHeight: Double {
    if let orthoHeight { return orthoHeight }
    let (sine, cosine) = sineAndCosine(degrees: min(max((fov ?? 60) / 2, 0.5), 89.5))
    let (x, y, z) = (position.x - target.x, position.y - target.y, position.z - target.z)
    return 2 * (x * x + y * y + z * z).squareRoot() * sine / cosine
  }

  /// The camera with this direction whose view contains the view of this camera at each place of the route.
  /// - Parameter aspect: the width of the picture divided by its height.
  func containing(_ route: EffectRoute, aspect: Double) -> Camera {
    let (least, most) = route.bounds
    let (width, height, depth) = (most.x - least.x, most.y - least.y, most.z - least.z)
    let center = Vector(
      (least.x + most.x) / 2, (least.y + most.y) / 2, (least.z + most.z) / 2)
    var camera = self
    let old = visibleHeight
    let needed = max(old + height, old + width / aspect)
    func moved(_ place: Vector) -> Vector {
      Vector(place.x + center.x, place.y + center.y, place.z + center.z)
    }
    camera.target = moved(target)
    guard orthoHeight == nil else {
      camera.position = moved(position)
      camera.orthoHeight = needed
      return camera
    }
    // Parts that are nearer by half of the depth have to fit, too.
    let factor = (needed + depth) / max(old, 1e-9)
    camera.position = moved(
      Vector(
        target.x + (position.x - target.x) * factor, target.y + (position.y - target.y) * factor,
        target.z + (position.z - target.z) * factor))
    return camera
  }
}

/// When an effect has begun, and how long its animation lasts.
package struct EffectPace {
  /// The `preview.warmup`, in seconds.
  package let warmup: Double
  /// When everything visible has appeared, in seconds.
  package let start: Double
  /// The duration of an animation, in seconds.
  package let duration: Double
  /// The time after which nothing new happens, in seconds: 20 at most.
  package let end: Double
  /// ``end`` without its limit.
  package let whole: Double
  /// Whether the beginning shows as much as later moments: endless emitters that have run for most of a life.
  package let isComplete: Bool
  /// Warnings about times of the document that are beyond the limits.
  let (startProblems, durationProblems): ([Diagnostic], [Diagnostic])

  /// The cycle that repeats.
  package let cycle: EffectCycle

  package init(_ system: ParticleSystem, profile: ParticleSystem.Profile?, limits: Limits) {
    let preview = system.preview
    let (warmup, startProblems) = Self.bounded(
      preview.warmup, limits.warmupSeconds, "preview.warmup", "warmupSeconds",
      hint: "name the time of the first frame with --at")
    let (wanted, durationProblems) = Self.bounded(
      preview.duration ?? 0, limits.previewSeconds, "preview.duration", "previewSeconds",
      hint: "name the duration with --duration")
    (self.startProblems, self.durationProblems) = (startProblems, durationProblems)
    let shown = preview.duration == nil ? nil : wanted
    let emitters = system.emitters.filter { $0.enabled }
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
