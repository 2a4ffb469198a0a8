public import ParticlesCore
public import ParticlesImages

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
  ///   - width: the greatest width of a picture in pixels, 16 to 4,096; larger ones are made smaller.
  ///   - height: the greatest height of a picture in pixels, 16 to 4,096.
  ///   - columns: pictures in a row; nil (default) for a sheet that is about square.
  ///   - background: red, green and blue behind everything; dark grey by default. The text is white or
  ///     black, whichever has more contrast.
  ///   - limits: bounds for `pixels` of the sheet and the number of pictures (`frames`).
  /// - Throws: ``ParticlesCore/Rule/imageOutput`` if an argument is out of range,
  ///   ``ParticlesCore/Rule/limit`` if the sheet has too many pixels.
  public init(
    count: Int, width: Int, height: Int, columns: Int? = nil,
    background: (red: UInt8, green: UInt8, blue: UInt8) = (22, 22, 26), limits: Limits = .standard
  ) throws {
    guard count > 0, (16...4096).contains(width), (16...4096).contains(height),
      (1...count).contains(columns ?? 1)
    else {
      throw Diagnostic(
        .imageOutput, "the grid of a contact sheet",
        expected: "at least 1 picture and column, and cells of 16 to 4,096 pixels",
        found: "\(count) pictures of \(width) × \(height) in \(columns ?? 1) columns")
    }
    try limits.check(count, \.frames, "pictures of a contact sheet")
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
  public mutating func append(_ picture: Bitmap, label: String) throws {
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
