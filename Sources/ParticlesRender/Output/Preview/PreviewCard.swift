package import ParticlesCore
internal import ParticlesModel

/// A picture on a web page with its name, format, parameters and problems; part of a ``PreviewPage``.
package struct PreviewCard: Sendable {
  /// A picture as it is embedded.
  package enum Media: Sendable {
    /// A file that browsers show by themselves.
    case picture(bytes: [UInt8], mimeType: String, width: Int, height: Int)
    /// A picture for each frame, which the page plays, with a button, a slider and a choice of speeds.
    case frames(PreviewFrames)
  }

  /// A name and a value in the table of parameters.
  package struct Parameter: Sendable, Hashable {
    /// The name.
    package var name: String
    /// The value with its unit.
    package var value: String

    /// Creates a parameter.
    package init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// A problem, and where it is.
  package struct Problem: Sendable, Hashable {
    /// The message.
    package var message: String
    /// The keys or other places with this problem, each once; may be empty.
    package var places: [String]

    /// Creates a problem.
    package init(_ message: String, places: [String] = []) {
      self.message = message
      self.places = places
    }
  }

  /// The heading, such as the name of a file.
  package var name: String
  /// The format of the file; shown beside the name.
  package var format: String?
  /// A sentence below the picture.
  package var caption: String?
  /// The picture; nil shows a message in its place.
  package var media: Media?
  /// The table of parameters.
  package var parameters: [Parameter] = []
  /// Problems; each message is stated once, see ``add(problem:at:)``.
  package var problems: [Problem] = []
  /// The size of the file in bytes; 0 if it is not known, as for a folder.
  package var bytes = 0
  /// An upper bound of the number of particles alive at once.
  package var particles = 0
  /// The effect, for a page that plays it; nil, the default, for a picture only.
  package var played: PlayedEffect?

  /// Creates a card without picture, parameters and problems.
  package init(name: String, format: String? = nil, caption: String? = nil, media: Media? = nil) {
    self.name = name
    self.format = format
    self.caption = caption
    self.media = media
  }
}

extension PreviewCard {
  /// Adds a problem, or a place to one with the same message.
  package mutating func add(problem message: String, at place: String? = nil) {
    let place = place.map { [$0] } ?? []
    if let index = problems.firstIndex(where: { $0.message == message }) {
      problems[index].places += place.filter { !problems[index].places.contains($0) }
    } else {
      problems.append(Problem(message, places: place))
    }
  }

  /// The picture as an element; empty without one, and for frames, which a script plays.
  var picture: String {
    guard case .picture(let bytes, let mimeType, let width, let height) = media else { return "" }
    return """
      <img loading="lazy" decoding="async" alt="\(name.escapingHTML)" width="\(width)" \
      height="\(height)" src="data:\(mimeType.escapingHTML);base64,\(bytes.base64)">
      """
  }

  /// The problems as a list; empty without any.
  var problemList: String {
    guard !problems.isEmpty else { return "" }
    let items = problems.map { problem in
      let shown = problem.places.prefix(3).joined(separator: ", ")
      let more = problem.places.count > 3 ? " and \(problem.places.count - 3) more" : ""
      let places = shown.isEmpty ? "" : " <span>(\((shown + more).escapingHTML))</span>"
      return "<li>\(problem.message.escapingHTML)\(places)</li>\n"
    }
    return "<ul class=\"problems\">\n\(items.joined())</ul>\n"
  }

  /// The parameters as a table.
  var parameterTable: String {
    let rows = parameters.map {
      "<tr><th scope=\"row\">\($0.name.escapingHTML)</th><td>\($0.value.escapingHTML)</td></tr>\n"
    }
    return "<table>\n\(rows.joined())</table>\n"
  }
}

extension PreviewCard {
  /// An effect as a page has it in it.
  package struct PlayedEffect: Sendable {
    /// The document as a gzip stream.
    package var document: [UInt8]
    /// The moment of the picture, in seconds.
    package var start: Double
    /// The camera of the picture, as in a document.
    package var camera: JSONValue
    /// The background of the picture, as a colour of CSS.
    package var background: String
    /// The paths of its images with the numbers that they have in the page.
    var images: [(path: String, number: Int)] = []

    /// Creates an effect without images.
    package init(document: [UInt8], start: Double, camera: JSONValue, background: String) {
      (self.document, self.start) = (document, start)
      (self.camera, self.background) = (camera, background)
    }

    /// The data as attributes of an element.
    var attributes: String {
      let view: JSONValue = [
        "start": .finite(start), "camera": camera, "background": .string(background),
        "images": .array(images.map { .array([.string($0.path), .int($0.number)]) }),
      ]
      return " data-view=\"\(view.line.escapingHTML)\" data-effect=\"\(document.base64)\""
    }
  }
}

/// Compressed frames with their durations, for a page that plays them.
package struct PreviewFrames: Sendable {
  /// The width of every frame in pixels.
  package let width: Int
  /// The height of every frame in pixels.
  package let height: Int
  /// How often they are played; 0 for ever.
  package var plays: Int
  /// The media type of the frames.
  let mimeType: String
  /// Each frame in base64.
  var pictures: [String] = []
  /// Milliseconds of each frame.
  var durations: [Double]
}
