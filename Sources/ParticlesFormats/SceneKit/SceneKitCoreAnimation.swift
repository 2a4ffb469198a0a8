internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesPropertyLists

// The older syntax of key frames: a nested archive of a `CAKeyframeAnimation`. It is also written,
// because all versions read it.

extension KeyFrames {
  /// Reads an animation; nil, after a report, if it cannot be used.
  init?(coreAnimation object: ArchivedObject) throws {
    guard object.isA("CAKeyframeAnimation") else {
      object.mismatch(
        "$class", expected: "a CAKeyframeAnimation",
        found: object.className?.excerpt ?? "a dictionary")
      return nil
    }
    guard let values = try object.keyFrameValues("values") else { return nil }
    let count = values.count
    self.init(times: try object.numbers("keyTimes") ?? [], values: values)
    if times.isEmpty { times = Self.evenTimes(count) }
    // Steps may include the end time of the last one, which is the end of life.
    if object.string("calculationMode") == "discrete", times.count == count + 1 {
      times.removeLast()
    }
    guard times.count == count else {
      object.mismatch("keyTimes", expected: "\(count) times", found: "\(times.count)")
      return nil
    }
    let mode = object.string("calculationMode") ?? "linear"
    switch mode {
    case "linear": break
    case "discrete": interpolation = .step
    case "cubic": interpolation = .cubic
    case "paced", "cubicPaced":
      interpolation = mode == "paced" ? .linear : .cubic
      object.note(.approximated, "calculationMode", "paced keys keep their stated times")
    default:
      object.mismatch("calculationMode", expected: "a known mode", found: "'\(mode.excerpt)'")
    }
    if interpolation == .cubic, case .numbers = values {
      bend(
        tension: try object.numbers("tensionValues") ?? [],
        continuity: try object.numbers("continuityValues") ?? [],
        bias: try object.numbers("biasValues") ?? [])
    }
    // These keys have no effect on particles.
    for key in ["duration", "__CACodingContents", "keyPath", "repeatCount"] {
      _ = object.index(of: key)
    }
    object.reportUnasked()
  }
}

extension Archivable {
  static func coreAnimation(
    _ times: [Double], _ values: [Archivable], _ interpolation: Interpolation
  ) -> Archivable {
    let mode =
      switch interpolation {
      case .linear: "linear"
      case .step: "discrete"
      case .cubic: "cubic"
      }
    func proxy(_ elements: [Archivable]) -> Archivable {
      .object(
        ["LKNSArrayCodingProxy", "CACodingProxy", "NSObject"], [.init("array", .array(elements))])
    }
    let names = ["calculationMode", "duration", "keyTimes", "values"]
    let root = Archivable.object(
      ["CAKeyframeAnimation", "CAPropertyAnimation", "CAAnimation", "NSObject"],
      [
        .init("keyTimes", proxy(times.map { .shared(.real($0, width: 8)) })),
        .init("calculationMode", .string(mode)), .init("duration", .shared(.real(1, width: 8))),
        .init("__CACodingContents", .array(names.map { .string($0) }, mutable: false)),
        .init("values", proxy(values)),
      ])
    return .data(KeyedArchiver.encode(root))
  }
}
