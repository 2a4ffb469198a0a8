/// A format in which ``AnimationWriter`` writes pictures.
public struct AnimationFormat: Sendable, Hashable {
  /// The name for users.
  public let name: String
  /// The media type.
  public let mimeType: String
  /// The extensions, lower case and without full stop; the usual one first.
  public let fileExtensions: [String]
  /// The greatest width and height in pixels.
  public let largestSide: Int
  /// Whether it stores more than one frame.
  public let isAnimated: Bool
  /// Whether a pixel can be partly transparent. If not, see ``AnimationWriter/Transparency``.
  public let hasAlpha: Bool

  /// One PNG picture (ISO 15948).
  public static let png = AnimationFormat(
    name: "PNG", mimeType: "image/png", fileExtensions: ["png"], largestSide: 0x7FFF_FFFF,
    isAnimated: false, hasAlpha: true)
  /// Animated PNG: every pixel and every duration is exact.
  public static let apng = AnimationFormat(
    name: "APNG", mimeType: "image/apng", fileExtensions: ["apng"], largestSide: 0x7FFF_FFFF,
    isAnimated: true, hasAlpha: true)
  /// GIF (89a): 256 colours in a frame, delays in hundredths of a second.
  public static let gif = AnimationFormat(
    name: "GIF", mimeType: "image/gif", fileExtensions: ["gif"], largestSide: 65_535,
    isAnimated: true, hasAlpha: false)
  /// Animated WebP, lossless or lossy.
  public static let webp = AnimationFormat(
    name: "WebP", mimeType: "image/webp", fileExtensions: ["webp"], largestSide: 16_383,
    isAnimated: true, hasAlpha: true)
  /// A web page that contains its frames and plays them without a network.
  public static let html = AnimationFormat(
    name: "HTML", mimeType: "text/html", fileExtensions: ["html", "htm"], largestSide: 16_383,
    isAnimated: true, hasAlpha: true)

  /// WebM video (VP9), with transparency; written by the program `ffmpeg`.
  public static let webm = AnimationFormat(
    name: "WebM", mimeType: "video/webm", fileExtensions: ["webm"], largestSide: 16_384,
    isAnimated: true, hasAlpha: true)
  /// MP4 video (H.264), opaque; written by the program `ffmpeg`.
  public static let mp4 = AnimationFormat(
    name: "MP4", mimeType: "video/mp4", fileExtensions: ["mp4", "m4v"], largestSide: 16_384,
    isAnimated: true, hasAlpha: false)

  /// All formats that are written without other programs.
  public static let all: [AnimationFormat] = [.png, .apng, .gif, .webp, .html]

  /// The formats that the program `ffmpeg` writes.
  public static let videos: [AnimationFormat] = [.webm, .mp4]

  /// Returns the format of files with an extension, in any case; nil if there is none.
  public static func recognised(byExtension fileExtension: String) -> AnimationFormat? {
    let name = fileExtension.lowercased()
    return (all + videos).first { $0.fileExtensions.contains(name) }
  }
}
