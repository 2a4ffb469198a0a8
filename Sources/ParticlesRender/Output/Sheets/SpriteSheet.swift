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
  ///   - columns: frames in a row. With nil, the default, the sheet is about square.
  ///   - padding: transparent pixels between neighbouring frames, 0 to 64.
  ///   - limits: bounds for `pixels` of the sheet and the number of `frames`.
  /// - Throws: ``ParticlesCore/Rule/imageOutput`` if the arguments are out of range,
  ///   ``ParticlesCore/Rule/limit`` if the sheet has too many pixels.
  public init(
    _ timing: FrameTiming, width: Int, height: Int, columns: Int? = nil, padding: Int = 0,
    limits: Limits = .standard
  ) throws(Failure) {
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
  public mutating func append(_ frame: Bitmap) throws(Failure) {
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
  ///   - names: the names of the frames. By default, ``FrameNames`` with the stem of `image`.
  ///   - version: the version of the program that wrote it.
  public func atlas(
    _ form: AtlasForm = .hash, image: String, names: FrameNames? = nil, version: String = "1"
  ) -> JSONValue {
    let stem = Files.stem(of: image)
    let names = names ?? FrameNames(stem: stem, count: plan.timing.count)
    let durations = DelaySchedule(plan.timing, unit: 1000, least: 0).items.map { $0.delay }
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

/// Many pictures in one, each with a label below it.
public struct ContactSheet: Sendable {
  /// The picture so far.
  public private(set) var bitmap: Bitmap

  private let columns: Int
  private let count: Int
  private let cell: (width: Int, height: Int)
  private let scale: Int
  private let background: (UInt8, UInt8, UInt8)
  private var placed = 0

  private static let margin = 8

  /// Creates an empty sheet.
  /// - Parameters:
  ///   - count: the number of pictures, at least 1.
  ///   - width: the greatest width of a picture in pixels, 16 to 4,096. Larger pictures are made smaller.
  ///   - height: the greatest height of a picture in pixels, 16 to 4,096.
  ///   - columns: pictures in a row. With nil, the default, the sheet is about square.
  ///   - background: red, green and blue behind everything, by default dark grey. The text is white or
  ///     black, whichever has more contrast.
  ///   - limits: bounds for `pixels` of the sheet and the number of pictures (`frames`).
  /// - Throws: ``ParticlesCore/Rule/imageOutput`` if an argument is out of range,
  ///   ``ParticlesCore/Rule/limit`` if the sheet has too many pixels.
  public init(
    count: Int, width: Int, height: Int, columns: Int? = nil,
    background: (red: UInt8, green: UInt8, blue: UInt8) = (22, 22, 26), limits: Limits = .standard
  ) throws(Failure) {
    guard count > 0, (16...4096).contains(width), (16...4096).contains(height),
      (1...count).contains(columns ?? 1)
    else {
      throw Diagnostic(
        .imageOutput, "the grid of a contact sheet",
        expected: "at least 1 picture and column, and cells of 16 to 4,096 pixels",
        found: "\(count) pictures of \(width) × \(height) in \(columns ?? 1) columns")
    }
    try limits.check(count, { $0.frames }, "pictures of a contact sheet")
    self.count = count
    cell = (width, height)
    // Labels are readable on screens when a sheet is shown whole.
    scale = width >= 220 ? 2 : 1
    self.background = background
    let (wide, high) = (width + Self.margin, height + Self.labelHeight(scale) + Self.margin)
    let square = (Double(count * high) / Double(wide)).squareRoot()
    self.columns = columns ?? min(count, max(1, Int(saturating: square.rounded(.up))))
    let rows = (count + self.columns - 1) / self.columns
    let (allWidth, allHeight) = (
      self.columns * wide + Self.margin, rows * high + Self.margin
    )
    try AnimationFormat.png.check(width: allWidth, height: allHeight, limits: limits)
    bitmap = Bitmap(width: allWidth, height: allHeight)
    bitmap.fill(PixelRectangle(x: 0..<allWidth, y: 0..<allHeight), background)
  }

  private static func labelHeight(_ scale: Int) -> Int { (PixelFont.height + 3) * scale }

  /// Draws the next picture in the middle of its cell, and its label.
  /// - Throws: ``ParticlesCore/Rule/imageOutput`` if there were enough pictures.
  public mutating func append(_ picture: Bitmap, label: String) throws(Failure) {
    guard placed < count else {
      throw Diagnostic(
        .imageOutput, "too many pictures", expected: "\(count)", found: "\(placed + 1)")
    }
    let left = Self.margin + placed % columns * (cell.width + Self.margin)
    let top =
      Self.margin
      + placed / columns * (cell.height + Self.labelHeight(scale) + Self.margin)
    let small = picture.fitting(width: cell.width, height: cell.height)
    bitmap.draw(
      small, x: left + (cell.width - small.width) / 2, y: top + (cell.height - small.height) / 2)
    let text = shortened(label.escapingControls)
    let length = text.count * PixelFont.advance * scale - scale
    let isDark =
      Int(background.0) * 3 + Int(background.1) * 6 + Int(background.2) < 1280
    let gray: UInt8 = isDark ? 225 : 30
    bitmap.draw(
      text, x: left + max(0, cell.width - length) / 2, y: top + cell.height + 2 * scale,
      scale: scale, color: (gray, gray, gray))
    placed += 1
  }

  /// Returns as much of a label as fits below a picture. Its end is kept, which often differs.
  private func shortened(_ label: String) -> String {
    let room = max(1, (cell.width + scale) / (PixelFont.advance * scale))
    guard label.count > room else { return label }
    let kept = max(0, room - 1)
    return String(label.prefix(kept - kept / 3)) + "…" + String(label.suffix(kept / 3))
  }
}

/// Names of the frames of an animation: a stem, a hyphen and the number from 0, with as many digits as
/// the last one has, such as `fire-07.png`.
public struct FrameNames: Sendable, Hashable {
  /// The part of the name before the number.
  public let stem: String
  /// The number of frames.
  public let count: Int

  /// Creates names.
  public init(stem: String, count: Int) {
    self.stem = stem
    self.count = count
  }

  /// Returns the name of a frame.
  /// - Parameter index: the number of the frame, from 0.
  public subscript(index: Int) -> String {
    let (digits, last) = (String(index), String(max(0, count - 1)))
    let zeros = String(repeating: "0", count: max(0, last.utf8.count - digits.utf8.count))
    return "\(stem)-\(zeros)\(digits).png"
  }
}

/// Writes frames as PNG files, one for each. Not thread-safe.
public final class PictureSequence {
  private let names: FrameNames
  private let plan: FramePlan
  private let sink: (_ name: String, _ bytes: [UInt8]) throws(Failure) -> Void
  private var waiting: [Bitmap] = []
  private var appended = 0
  private var written = 0

  /// Creates a writer.
  /// - Parameters:
  ///   - names: the names and the number of the files.
  ///   - width: the width of every frame in pixels.
  ///   - height: the height of every frame in pixels.
  ///   - limits: bounds for `pixels` of a frame and the number of `frames`.
  ///   - sink: receives each file, on any thread, but never on two at once.
  /// - Throws: ``ParticlesCore/Rule/imageOutput`` or ``ParticlesCore/Rule/limit`` for frames that are
  ///   too large or too many.
  public init(
    _ names: FrameNames, width: Int, height: Int, limits: Limits = .standard,
    sink: @escaping (_ name: String, _ bytes: [UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    try AnimationFormat.png.check(width: width, height: height, limits: limits)
    let timing = FrameTiming(count: names.count, rate: 1)
    try timing.check(limits)
    self.names = names
    self.sink = sink
    plan = FramePlan(width: width, height: height, timing: timing, options: .init())
  }

  /// Encodes the next frame.
  /// - Throws: ``ParticlesCore/Rule/imageOutput`` if the size differs or there were enough frames,
  ///   `CancellationError` if the current task is cancelled, and errors of the sink.
  public func append(_ frame: Bitmap) throws(Failure) {
    try plan.check(frame, number: appended)
    try WorkBudget.checkCancellation()
    appended += 1
    waiting.append(frame)
    if waiting.count >= plan.groupSize { try encode() }
  }

  /// Writes the remaining files.
  /// - Throws: ``ParticlesCore/Rule/imageOutput`` if frames are missing, errors of the sink.
  public func finish() throws(Failure) {
    try plan.checkEnd(appended)
    try encode()
  }

  private func encode() throws(Failure) {
    let (frames, whole) = (waiting, plan.whole)
    waiting.removeAll(keepingCapacity: true)
    try Parallel.ordered(frames.count, state: { PNGRows() }) { index, rows in
      PNGFile.head(width: whole.x.count, height: whole.y.count)
        + PNGFile.chunk(
          "IDAT", rows.compress(frames[index].pixels, width: whole.x.count, whole)) + PNGFile.end
    } emit: { bytes throws(Failure) in
      try sink(names[written], bytes)
      written += 1
    }
  }
}
