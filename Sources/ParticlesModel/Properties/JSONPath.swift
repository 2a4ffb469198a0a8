package import ParticlesCore

/// The path of a value in a document: keys and indices.
///
/// Its text, such as `emitters[0].timing.delay`, is what
/// ``ParticlesCore/Diagnostic/Location/Position/key(_:)`` holds. The text is built on demand,
/// because most paths are never printed.
package indirect enum JSONPath: Sendable, Hashable {
  /// The document itself.
  case root
  /// No path, for checks whose faults are only counted. Nothing is appended, so that no memory is needed.
  case nowhere
  /// A member of an object.
  case key(JSONPath, String)
  /// An element of an array, counted from 0.
  case index(JSONPath, Int)

  /// The member `key` of the object here.
  package func appending(_ key: String) -> JSONPath {
    if case .nowhere = self { self } else { .key(self, key) }
  }

  /// The element `index` of the array here.
  package func appending(_ index: Int) -> JSONPath {
    if case .nowhere = self { self } else { .index(self, index) }
  }

  /// How many keys and indices there are.
  package var depth: Int {
    var (depth, path) = (0, self)
    while true {
      switch path {
      case .root, .nowhere: return depth
      case .key(let parent, _), .index(let parent, _): (depth, path) = (depth + 1, parent)
      }
    }
  }

  /// This path as a location.
  package var location: Location { .key(description) }
}

extension JSONPath: CustomStringConvertible {
  /// Keys with dots between them, indices in brackets. Other keys than plain words are in brackets
  /// and quotes.
  package var description: String {
    switch self {
    case .root, .nowhere: return ""
    case .index(let parent, let index): return "\(parent)[\(index)]"
    case .key(let parent, let key):
      guard key.isPlainKey else { return "\(parent)[\"\(key)\"]" }
      let prefix = parent.description
      return prefix.isEmpty ? key : "\(prefix).\(key)"
    }
  }
}

extension String {
  fileprivate var isPlainKey: Bool {
    !isEmpty
      && utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }
}
