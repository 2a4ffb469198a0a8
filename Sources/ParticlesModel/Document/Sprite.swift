public import ParticlesCore

extension ParticleSystem {
  /// An image, or a region of one, that particles show.
  public struct Sprite: Sendable, Hashable {
    /// The index of the image.
    public var image = 0

    /// The region of the image in pixels from its top left corner. Default: nil (the whole image).
    public var region: Rectangle?

    /// The anchor point, as a fraction of width and height from the top left corner. Default: the centre.
    public var pivot = Vector2(0.5, 0.5)

    /// Whether the region is stored rotated by 90° clockwise. Default: false.
    public var rotated = false

    /// Pixels of the image per unit of distance. Default: 1.
    public var scale = 1.0

    /// The texture filter. Default: linear.
    public var filter = SpriteFilter.linear

    /// The grid of frames. Default: nil (a single frame).
    public var grid: SpriteGrid?

    /// Unknown JSON members, preserved on save. See ``Extensible``.
    public var additions = JSONObject()

    /// Creates a sprite that shows the first image.
    public init() {}

    /// Creates a sprite that shows an image, or a region of the image.
    public init(image: Int, region: Rectangle? = nil) {
      self.image = image
      self.region = region
    }
  }
}

extension Sprite: ModelObject {
  package static let title = "Sprite"
  package static let about = "An image, or a region of one, that particles show."

  package static let properties: [Property<Sprite>] = [
    .required("image", { $1(&$0.image) }, "The index of the image."),
    .optional(
      "region", { $1(&$0.region) }, unit: "px",
      "The region of the image, from its top left corner; the whole image if null."),
    .value(
      "pivot", { $1(&$0.pivot) },
      "The anchor point, as a fraction of width and height from the top " + "left corner."),
    .value(
      "rotated", { $1(&$0.rotated) }, "Whether the region is stored rotated by 90° clockwise."),
    .value(
      "scale", { $1(&$0.scale) }, unit: "px/unit", in: .positive,
      label: "Pixels per unit", "Pixels of the image per unit of distance."),
    .value("filter", { $1(&$0.filter) }, "The texture filter."),
    .optional("grid", { $1(&$0.grid) }, "The grid of frames."),
  ]

  package func checkWhole(at path: JSONPath, into diagnostics: inout [Diagnostic]) {
    guard let region, !region.isPartOfSomeImage else { return }
    diagnostics.add(
      .range, at: path.appending("region").location,
      expected: "x and y of at least 0, width and height of more than 0", found: region.json.line)
  }
}

extension ParticleSystem {
  /// The texture filter.
  public enum SpriteFilter: String, ClosedName {
    /// Linear interpolation of the four nearest pixels.
    case linear
    /// The nearest pixel.
    case nearest
  }

  /// A grid of frames of equal size in a sprite, from the top left corner.
  public struct SpriteGrid: Sendable, Hashable {
    /// The number of columns. Default: 1.
    public var columns = 1

    /// The number of rows. Default: 1.
    public var rows = 1

    /// The number of frames. Default: nil (columns times rows).
    public var count: Int?

    /// The order of the frames. Default: row by row.
    public var order = GridOrder.row

    /// Unknown JSON members, preserved on save. See ``Extensible``.
    public var additions = JSONObject()

    /// Creates a grid of a single frame.
    public init() {}

    /// Creates a grid.
    public init(columns: Int, rows: Int, count: Int? = nil) {
      self.columns = columns
      self.rows = rows
      self.count = count
    }
  }
}

extension SpriteGrid: ModelObject {
  package static let title = "Grid"
  package static let about = "A grid of frames of equal size in a sprite."

  package static let properties: [Property<SpriteGrid>] = [
    .value("columns", { $1(&$0.columns) }, in: .atLeast(1), "The number of columns."),
    .value("rows", { $1(&$0.rows) }, in: .atLeast(1), "The number of rows."),
    .optional(
      "count", { $1(&$0.count) }, in: .atLeast(1),
      label: "Frames", "The number of frames; columns times rows if null."),
    .value("order", { $1(&$0.order) }, "The order of the frames."),
  ]

  package func checkWhole(at path: JSONPath, into diagnostics: inout [Diagnostic]) {
    let (places, isTooMany) = columns.multipliedReportingOverflow(by: rows)
    guard let count, columns > 0, rows > 0, !isTooMany, count > places else { return }
    diagnostics.add(
      .range, at: path.appending("count").location,
      expected: "at most columns times rows (\(places))", found: "\(count)")
  }
}

extension ParticleSystem {
  /// The order of the frames in a grid.
  public enum GridOrder: String, ClosedName {
    /// From left to right, then the next row.
    case row
    /// From top to bottom, then the next column.
    case column
  }

  /// An image in the package, with metadata that can be read without decoding it.
  public struct ImageReference: Sendable, Hashable {
    /// A display name. Default: empty.
    public var name = ""

    /// Where the image is: a path in the package, relative to the document.
    public var uri = ""

    /// The media type, such as `image/png`. Default: nil (unknown).
    public var mimeType: String?

    /// The width in pixels. Default: nil (unknown).
    public var width: Int?

    /// The height in pixels. Default: nil (unknown).
    public var height: Int?

    /// Whether colours are premultiplied by alpha. Default: straight.
    public var alpha = AlphaMode.straight

    /// The colour space of the pixels. Default: sRGB.
    public var colorSpace = ColorSpace.srgb

    /// The SHA-256 of the file, in lower case hexadecimal digits. Default: nil (not recorded).
    public var sha256: String?

    /// Unknown JSON members, preserved on save. See ``Extensible``.
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

extension ParticleSystem {
  /// A surface that emits particles: a file in the package or a primitive.
  public struct Mesh: Sendable, Hashable {
    /// A display name. Default: empty.
    public var name = ""

    /// A path in the package, relative to the document. Default: nil.
    public var uri: String?

    /// The name of a primitive provided by the program. Default: nil.
    public var primitive: String?

    /// Unknown JSON members, preserved on save. See ``Extensible``.
    public var additions = JSONObject()

    /// Creates the defaults.
    public init() {}
  }
}

extension Mesh: ModelObject {
  package static let title = "Mesh"
  package static let about = "A surface that emits particles."

  package static let properties: [Property<Mesh>] = [
    .value("name", { $1(&$0.name) }, "A display name."),
    .optional(
      "uri", { $1(&$0.uri) }, schema: .address, "A path in the package, relative to the document."),
    .optional(
      "primitive", { $1(&$0.primitive) }, "The name of a primitive provided by the program."),
  ]

  package func checkWhole(at path: JSONPath, into diagnostics: inout [Diagnostic]) {
    guard let uri else {
      if primitive == nil {
        diagnostics.add(
          .range, at: path.location, expected: "a uri or a primitive", found: "neither")
      }
      return
    }
    checkAddress(uri, at: path.appending("uri"), into: &diagnostics)
  }
}
