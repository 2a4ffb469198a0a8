public import ParticlesCore
public import ParticlesImages

/// Frames in a grid, in one picture, with a description in JSON: `Spec/output.md`.
public struct SpriteSheet: Sendable {
  /// The layout of the JSON description, both after TexturePacker.
  public enum AtlasForm: Sendable, CaseIterable {
    /// `frames` is an object whose keys are the names of the frames.
    case hash
    /// `frames` is an array of objects with `filename`.
    case array
  }

  /// The number of frames in a row.
  public let columns: Int
  /// The picture. Frames that were not appended yet are transparent.
  public private(set) var bitmap: Bitmap

  private let plan: FramePlan
  private let padding: Int
  private var count = 0

  /// Creates an empty sheet.
  /// - Parameters:
  ///   - timing: the number of frames and their durations.
  ///   - width: the width of every frame in pixels.
  ///   - height: the height of every frame in pixels.
  ///   - columns: frames in a row; nil (default) for a sheet that is about square.
  ///   - padding: transparent pixels between neighbouring frames, 0 to 64.
  ///   - limits: bounds for `pixels` of the sheet and the number of `frames`.
  /// - Throws: ``ParticlesCore/Rule/imageOutput`` if the arguments are out of range,
  ///   ``ParticlesCore/Rule/limit`` if the sheet has too many pixels.
  public init(
    _ timing: FrameTiming, width: Int, height: Int, columns: Int? = nil, padding: Int = 0,
    limits: Limits = .standard
  ) throws {
    try AnimationFormat.png.check(width: width, height: height, limits: limits)
    try timing.check(limits)
    let count = timing.count
    guard (0...64).contains(padding), (1...count).contains(columns ?? 1) else {
      throw Diagnostic(
        .imageOutput, "the grid of a sheet", expected: "1 to \(count) columns, padding 0 to 64",
        found: "\(columns ?? 1) columns, padding \(padding)")
    }
    let (cellWidth, cellHeight) = (width + padding, height + padding)
    let square = (Double(count * cellHeight) / Double(cellWidth)).squareRoot()
    self.columns = columns ?? min(count, max(1, Int(saturating: square.rounded(.up))))
    self.padding = padding
    let rows = (count + self.columns - 1) / self.columns
    // Padding is only between frames.
    let (sheetWidth, sheetHeight) = (
      self.columns * cellWidth - padding, rows * cellHeight - padding
    )
    try AnimationFormat.png.check(width: sheetWidth, height: sheetHeight, limits: limits)
    plan = FramePlan(width: width, height: height, timing: timing, options: .init())
    bitmap = Bitmap(width: sheetWidth, height: sheetHeight)
  }

  /// Draws the next frame.
  /// - Throws: ``ParticlesCore/Rule/imageOutput`` if the size differs or there were enough frames.
  public mutating func append(_ frame: Bitmap) throws {
    try plan.check(frame, number: count)
    let place = place(of: count)
    bitmap.place(frame, x: place.x, y: place.y)
    count += 1
  }

  private func place(of frame: Int) -> (x: Int, y: Int) {
    (
      frame % columns * (plan.width + padding), frame / columns * (plan.height + padding)
    )
  }

  /// Returns the description of the sheet.
  /// - Parameters:
  ///   - form: the layout.
  ///   - image: the name of the file with the picture, beside the description.
  ///   - names: the names of the frames; those of ``FrameNames`` with the stem of `image` by default.
  ///   - version: the version of the program that wrote it.
  public func atlas(
    _ form: AtlasForm = .hash, image: String, names: FrameNames? = nil, version: String = "1"
  ) -> JSONValue {
    let stem = Files.stem(of: image)
    let names = names ?? FrameNames(stem: stem, count: plan.timing.count)
    let durations = DelaySchedule(plan.timing, unit: 1000, least: 0).items.map(\.delay)
    let frames = (0..<plan.timing.count).map { frame in
      let place = place(of: frame)
      var object: JSONObject = form == .array ? ["filename": .string(names[frame])] : [:]
      object["frame"] = Self.rectangle(place.x, place.y, plan.width, plan.height)
      object["rotated"] = .bool(false)
      object["trimmed"] = .bool(false)
      object["spriteSourceSize"] = Self.rectangle(0, 0, plan.width, plan.height)
      object["sourceSize"] = ["w": .int(plan.width), "h": .int(plan.height)]
      object["duration"] = .int(durations[frame])
      return object
    }
    let list: JSONValue
    switch form {
    case .array: list = .array(frames.map { .object($0) })
    case .hash:
      var object = JSONObject()
      for (index, frame) in frames.enumerated() { object[names[index]] = .object(frame) }
      list = .object(object)
    }
    return [
      "frames": list,
      "animations": .object([stem: .array((0..<frames.count).map { .string(names[$0]) })]),
      "meta": [
        "app": "particles", "version": .string(version), "image": .string(image),
        "format": "RGBA8888", "size": ["w": .int(bitmap.width), "h": .int(bitmap.height)],
        "scale": "1",
      ],
    ]
  }

  private static func rectangle(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> JSONValue {
    ["x": .int(x), "y": .int(y), "w": .int(width), "h": .int(height)]
  }
}
