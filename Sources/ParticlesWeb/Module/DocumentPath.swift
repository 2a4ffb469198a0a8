internal import ParticlesCore
internal import ParticlesModel

/// The path of a value in a document, such as `emitters[0].emission.rate`: keys with dots between them, and
/// indices in brackets.
struct DocumentPath {
  enum Step {
    case key(String)
    case index(Int)
  }

  let text: String
  let steps: [Step]

  /// Whether it leads to an emitter, or to what one has.
  var isOfEmitter: Bool {
    guard case .key(let key)? = steps.first else { return false }
    return key == "emitters"
  }

  /// Whether a location is one of the values on the way.
  func leads(to location: Location) -> Bool {
    var path = JSONPath.root
    return steps.contains { step in
      switch step {
      case .key(let key): path = path.appending(key)
      case .index(let index): path = path.appending(index)
      }
      return path.location == location
    }
  }

  /// - Throws: a ``Diagnostic`` of ``Rule/range`` if the text is no path.
  init(_ text: String) throws(Diagnostic) {
    self.text = text
    var steps: [Step] = []
    var key: [UInt8] = []
    var digits: Int?
    var (isInBrackets, isAfterIndex) = (false, false)
    func failure() -> Diagnostic {
      Diagnostic(
        .range, "a path", expected: "keys with dots between them and indices in brackets",
        found: "'\(text.excerpt)'", hint: "write it like emitters[0].emission.rate")
    }
    for byte in text.utf8 {
      switch (byte, isInBrackets) {
      case (UInt8(ascii: "]"), true):
        guard let index = digits else { throw failure() }
        steps.append(.index(index))
        (isInBrackets, isAfterIndex, digits) = (false, true, nil)
      case (0x30...0x39, true):
        let next = (digits ?? 0) * 10 + Int(byte - 0x30)
        guard next < 1_000_000 else { throw failure() }
        digits = next
      case (_, true): throw failure()
      case (UInt8(ascii: "."), false), (UInt8(ascii: "["), false):
        guard !key.isEmpty || isAfterIndex else { throw failure() }
        if !key.isEmpty { steps.append(.key(String(decoding: key, as: UTF8.self))) }
        key = []
        (isInBrackets, isAfterIndex) = (byte == UInt8(ascii: "["), false)
      default:
        guard !isAfterIndex else { throw failure() }
        key.append(byte)
      }
    }
    if !key.isEmpty { steps.append(.key(String(decoding: key, as: UTF8.self))) }
    guard isAfterIndex || !key.isEmpty else { throw failure() }
    self.steps = steps
  }
}

extension JSONValue {
  /// Returns this document with another value at a path. `null` removes a member. Adds objects on the way that the
  /// document leaves out because all their properties have defaults.
  func replacing(_ value: JSONValue, at path: DocumentPath) throws(Diagnostic) -> JSONValue {
    try replacing(value, at: path.steps[...], of: path)
  }

  private func replacing(
    _ value: JSONValue, at steps: ArraySlice<DocumentPath.Step>, of path: DocumentPath
  ) throws(Diagnostic) -> JSONValue {
    guard let step = steps.first else { return value }
    let rest = steps.dropFirst()
    switch (self, step) {
    case (.object(var object), .key(let key)):
      if rest.isEmpty {
        object[key] = value == .null ? nil : value
      } else {
        let part = object[key] ?? .object(JSONObject())
        object[key] = try part.replacing(value, at: rest, of: path)
      }
      return .object(object)
    case (.array(var array), .index(let index)) where array.indices.contains(index):
      array[index] = try array[index].replacing(value, at: rest, of: path)
      return .array(array)
    default:
      throw Diagnostic(
        .range, at: .key(path.text), "there is no such value",
        expected: step.expected, found: kind)
    }
  }
}

extension DocumentPath.Step {
  fileprivate var expected: String {
    switch self {
    case .key(let key): "an object with the key '\(key)'"
    case .index(let index): "an array with an element \(index)"
    }
  }
}
