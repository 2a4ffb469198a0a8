public import ParticlesCore

extension ParticleSystem {
  /// An image, or a region of one, that particles show.
  public struct Sprite: Sendable, Hashable {
    /// The index of the image.
    public var image = 0

    /// The region of the image in pixels from its top left corner; nil, the default, for the whole
    /// image.
    public var region: Rectangle?

    /// The anchor point, as a fraction of width and height from the top left corner; the centre by
    /// default.
    public var pivot = Vector2(0.5, 0.5)

    /// Whether the region is stored rotated by 90° clockwise; false by default.
    public var rotated = false

    /// Pixels of the image per unit of distance; 1 by default.
    public var scale = 1.0

    /// The texture filter; linear by default.
    public var filter = SpriteFilter.linear

    /// The grid of frames; nil, the default, for a single frame.
    public var grid: SpriteGrid?

    /// Unknown JSON members, preserved on save; see ``Extensible``.
    public var additions = JSONObject()

    /// Creates a sprite that shows the first image.
    public init() {}

    /// Creates a sprite that shows an image, or a region of it.
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
      "Pixels of the image per unit of distance."),
    .value("filter", { $1(&$0.filter) }, "The texture filter."),
    .optional("grid", { $1(&$0.grid) }, "The grid of frames."),
  ]

  package func checkWhole(at path: JSONPath, into diagnostics: inout [Diagnostic]) {
    guard let region, !region.isPartOfSomeImage else { return }
    diagnostics.append(
      Diagnostic(
        .range, at: path.appending("region").location,
        expected: "x and y of at least 0, width and height of more than 0",
        found: region.json.line))
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
    /// The number of columns; 1 by default.
    public var columns = 1

    /// The number of rows; 1 by default.
    public var rows = 1

    /// The number of frames; nil, the default, for columns times rows.
    public var count: Int?

    /// The order of the frames; row by row by default.
    public var order = GridOrder.row

    /// Unknown JSON members, preserved on save; see ``Extensible``.
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
      "The number of frames; columns times rows if null."),
    .value("order", { $1(&$0.order) }, "The order of the frames."),
  ]

  package func checkWhole(at path: JSONPath, into diagnostics: inout [Diagnostic]) {
    let (places, isTooMany) = columns.multipliedReportingOverflow(by: rows)
    guard let count, columns > 0, rows > 0, !isTooMany, count > places else { return }
    diagnostics.append(
      Diagnostic(
        .range, at: path.appending("count").location,
        expected: "at most columns times rows (\(places))", found: "\(count)"))
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
}
