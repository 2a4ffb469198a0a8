public import ParticlesCore

extension ParticleSystem {
  /// An image in the package, with metadata that can be read without decoding it.
  public struct ImageReference: Sendable, Hashable {
    /// A display name; empty by default.
    public var name = ""

    /// Where the image is: a path in the package, relative to the document.
    public var uri = ""

    /// The media type, such as `image/png`; nil, the default, if unknown.
    public var mimeType: String?

    /// The width in pixels; nil, the default, if unknown.
    public var width: Int?

    /// The height in pixels; nil, the default, if unknown.
    public var height: Int?

    /// Whether colours are premultiplied by alpha; straight by default.
    public var alpha = AlphaMode.straight

    /// The colour space of the pixels; sRGB by default.
    public var colorSpace = ColorSpace.srgb

    /// The SHA-256 of the file, in lower case hexadecimal digits; nil, the default, if not
    /// recorded.
    public var sha256: String?

    /// Unknown JSON members, preserved on save; see ``Extensible``.
    public var additions = JSONObject()

    /// Creates the defaults, without image.
    public init() {}

    /// Creates a reference to an image at a path in the package.
    public init(name: String = "", uri: String) {
      self.name = name
      self.uri = uri
    }
  }
}

extension ImageReference: ModelObject {
  package static let title = "Image"
  package static let about = "An image in the package."

  package static let properties: [Property<ImageReference>] = [
    .value("name", { $1(&$0.name) }, "A display name."),
    .required(
      "uri", { $1(&$0.uri) }, schema: .address,
      "Where the image is: a path in the package, relative to the document."),
    .optional("mimeType", { $1(&$0.mimeType) }, "The media type, such as `image/png`."),
    .optional("width", { $1(&$0.width) }, unit: "px", in: .atLeast(1), "The width."),
    .optional("height", { $1(&$0.height) }, unit: "px", in: .atLeast(1), "The height."),
    .value("alpha", { $1(&$0.alpha) }, "Whether colours are premultiplied by alpha."),
    .value(
      "colorSpace", { $1(&$0.colorSpace) },
      "The colour space of the pixels: `srgb`, `linear`, `display-p3`, or another name."),
    .optional(
      "sha256", { $1(&$0.sha256) }, schema: .checksum,
      "The SHA-256 of the file: 64 hexadecimal digits in lower case."),
  ]

  package func checkWhole(at path: JSONPath, into diagnostics: inout [Diagnostic]) {
    checkAddress(uri, at: path.appending("uri"), into: &diagnostics)
    guard let sha256, !Self.isChecksum(sha256) else { return }
    diagnostics.add(
      .range, at: path.appending("sha256").location,
      expected: "64 hexadecimal digits in lower case", found: "'\(sha256)'")
  }

  static func isChecksum(_ text: String) -> Bool {
    text.utf8.count == 64
      && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }
}

extension ParticleSystem {
  /// Whether an image has straight or premultiplied alpha.
  public enum AlphaMode: String, ClosedName {
    /// Straight: colours are independent of alpha.
    case straight
    /// Premultiplied: colours are multiplied by alpha.
    case premultiplied
  }

  /// The colour space of an image. An open set.
  public struct ColorSpace: OpenName {
    /// The name as it is in the document.
    public let rawValue: String

    /// Creates a name, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// sRGB.
    public static let srgb = ColorSpace(rawValue: "srgb")
    /// Linear sRGB.
    public static let linear = ColorSpace(rawValue: "linear")
    /// Display P3.
    public static let displayP3 = ColorSpace(rawValue: "display-p3")
  }
}

/// Appends a diagnostic unless `uri` is a path relative to the document and inside the package.
func checkAddress(_ uri: String, at path: JSONPath, into diagnostics: inout [Diagnostic]) {
  let parts = uri.split(separator: "/", omittingEmptySubsequences: false)
  let leadsOut = parts.contains { $0.isEmpty || $0 == "." || $0 == ".." }
  guard leadsOut || uri.contains(":") || uri.contains("\\") else { return }
  diagnostics.add(
    .reference, at: path.location, expected: "a path inside the package", found: "'\(uri)'")
}
