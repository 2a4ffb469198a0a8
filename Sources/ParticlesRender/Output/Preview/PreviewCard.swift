/// A picture on a web page with its name, format, parameters and problems; part of a ``PreviewPage``.
public struct PreviewCard: Sendable {
  /// A picture as it is embedded.
  public enum Media: Sendable {
    /// A file that browsers show by themselves.
    case picture(bytes: [UInt8], mimeType: String, width: Int, height: Int)
    /// A picture for each frame, which the page plays, with a button, a slider and a choice of speeds.
    case frames(PreviewFrames)
  }

  /// A name and a value in the table of parameters.
  public struct Parameter: Sendable, Hashable {
    /// The name.
    public var name: String
    /// The value with its unit.
    public var value: String

    /// Creates a parameter.
    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The heading, such as the name of a file.
  public var name: String
  /// The format of the file; shown beside the name.
  public var format: String?
  /// A sentence below the picture.
  public var caption: String?
  /// The picture; nil shows a message in its place.
  public var media: Media?
  /// The table of parameters.
  public var parameters: [Parameter] = []
  /// Problems, one line each.
  public var problems: [String] = []

  /// Creates a card without picture, parameters and problems.
  public init(name: String, format: String? = nil, caption: String? = nil, media: Media? = nil) {
    self.name = name
    self.format = format
    self.caption = caption
    self.media = media
  }
}

/// Compressed frames with their durations, for a page that plays them.
public struct PreviewFrames: Sendable {
  /// The width of every frame in pixels.
  public let width: Int
  /// The height of every frame in pixels.
  public let height: Int
  /// How often they are played; 0 for ever.
  public var plays: Int
  /// The media type of the frames.
  let mimeType: String
  /// Each frame in base64.
  var pictures: [String] = []
  /// Milliseconds of each frame.
  var durations: [Double]
}
