extension Diagnostic {
  /// The location of a finding: a file on disk, an entry of the package in that file, and a position
  /// in that entry. Each part may be unknown.
  public struct Location: Sendable, Hashable {
    /// The path of the file or folder on disk, as the caller gave it.
    public var file: String?

    /// The path of the entry in the package.
    public var entry: String?

    /// The position in the entry, or in the file if there is no entry.
    public var position: Position?

    /// The line and column of ``position`` if the file or entry is a text and was searched; nil by
    /// default.
    public var textPlace: TextPlace?

    /// A line and a column of a text.
    public struct TextPlace: Sendable, Hashable {
      /// The path of the text if it is a file on disk and not ``Location/file``; nil otherwise.
      public var file: String?
      /// The line; the first is 1.
      public var line: Int
      /// The column in Unicode code points; the first is 1.
      public var column: Int

      /// Creates a place.
      public init(line: Int, column: Int, file: String? = nil) {
        self.file = file
        self.line = line
        self.column = column
      }
    }

    /// A position in a file or an entry.
    public enum Position: Sendable, Hashable {
      /// An offset in bytes from the beginning.
      case offset(Int)
      /// A path of keys and indices, such as `emitters[0].emission.rate`.
      case key(String)
    }

    /// Creates a location; the default is "unknown".
    public init(file: String? = nil, entry: String? = nil, position: Position? = nil) {
      self.file = file
      self.entry = entry
      self.position = position
    }

    /// A location `offset` bytes from the beginning.
    public static func offset(_ offset: Int) -> Location { Location(position: .offset(offset)) }

    /// An entry of a package.
    public static func entry(_ path: String) -> Location { Location(entry: path) }

    /// A path of keys and indices.
    public static func key(_ path: String) -> Location { Location(position: .key(path)) }

    /// A location without any known part.
    public static let unknown = Location()

    /// Returns this location with its missing parts taken from `outer`.
    public func inside(_ outer: Location) -> Location {
      var copy = Location(
        file: file ?? outer.file, entry: entry ?? outer.entry, position: position ?? outer.position)
      copy.textPlace = textPlace
      return copy
    }
  }
}

extension Location: CustomStringConvertible {
  /// The known parts, outermost first, with a colon between them. In a text that was searched, the
  /// position is `line:column`.
  public var description: String {
    let file = textPlace?.file ?? [self.file, entry].compactMap { $0 }.joined(separator: ":")
    let position = textPlace.map { "\($0.line):\($0.column)" } ?? self.position?.description
    return [file.isEmpty ? nil : file, position].compactMap { $0 }.joined(separator: ":")
  }

  /// The key that the description replaces by line and column, with a colon; otherwise empty.
  package var replacedKey: String {
    guard textPlace != nil, case .key(let path) = position else { return "" }
    return "\(path.escapingControls): "
  }
}

extension Location.Position: CustomStringConvertible {
  /// `byte 120`, or the key path.
  public var description: String {
    switch self {
    case .offset(let offset): "byte \(offset)"
    case .key(let path): path
    }
  }
}

extension String {
  /// Whether this key path is equal to `other` or leads to a part of its value.
  package func isPath(at other: String) -> Bool {
    guard utf8.starts(with: other.utf8) else { return false }
    let next = utf8.dropFirst(other.utf8.count).first
    return next == nil || next == UInt8(ascii: ".") || next == UInt8(ascii: "[")
  }
}
