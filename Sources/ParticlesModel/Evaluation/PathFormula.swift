/// A formula of `x`, such as `sin(x / 10) * 20`. See `Spec/document.md`, A step of a particle.
///
/// Only functions whose result is identical on every machine are supported.
package struct PathFormula {
  /// The most characters of a formula, and the most parts.
  private static let longest = 1_000
  /// The deepest nesting.
  private static let deepest = 50

  package enum Step {
    case number(Double)
    case x
    case negation
    case unary(UnaryFunction)
    case binary(BinaryFunction)
  }

  package enum UnaryFunction: String {
    case sin, cos, tan, abs, sqrt, floor, ceil, round, sign
  }

  package enum BinaryFunction: String {
    case min, max, pow
    case sum = "+"
    case difference = "-"
    case product = "*"
    case quotient = "/"
  }

  /// In postfix order.
  package let steps: [Step]

  /// The reason why a text is no formula.
  package struct Fault: Error {
    package let detail: String
  }

  package init(_ text: String) throws(Fault) {
    guard text.utf8.count <= Self.longest else {
      throw Fault(detail: "a formula has at most \(Self.longest) characters")
    }
    var reader = Reader(text: Array(text.utf8))
    guard reader.sum(depth: 0), reader.isAtEnd else {
      let place = "an error in the formula at character \(reader.place + 1)"
      throw Fault(detail: reader.unknown.map { "'\($0)' is not supported in formulas" } ?? place)
    }
    steps = reader.steps
  }

  private static let constants: [String: Double] = [
    "PI": .pi, "E": 2.718281828459045, "SQRT2": 2.0.squareRoot(), "SQRT1_2": 0.5.squareRoot(),
  ]

  /// Turns the text into steps. Its functions return whether the text is right so far.
  private struct Reader {
    let text: [UInt8]
    var place = 0
    var steps: [Step] = []
    /// A name that is no function and no constant.
    var unknown: String?

    private mutating func skip() {
      while place < text.count, text[place] == UInt8(ascii: " ") { place += 1 }
    }

    private mutating func consume(_ character: Unicode.Scalar) -> Bool {
      skip()
      guard place < text.count, text[place] == UInt8(ascii: character) else { return false }
      place += 1
      return true
    }

    var isAtEnd: Bool {
      mutating get {
        skip()
        return place == text.count
      }
    }

    mutating func sum(depth: Int) -> Bool {
      guard depth < PathFormula.deepest, product(depth: depth) else { return false }
      while true {
        if consume("+") {
          guard product(depth: depth) else { return false }
          steps.append(.binary(.sum))
        } else if consume("-") {
          guard product(depth: depth) else { return false }
          steps.append(.binary(.difference))
        } else {
          return true
        }
      }
    }

    private mutating func product(depth: Int) -> Bool {
      guard factor(depth: depth) else { return false }
      while true {
        if consume("*") {
          guard factor(depth: depth) else { return false }
          steps.append(.binary(.product))
        } else if consume("/") {
          guard factor(depth: depth) else { return false }
          steps.append(.binary(.quotient))
        } else {
          return true
        }
      }
    }

    private mutating func factor(depth: Int) -> Bool {
      guard depth < PathFormula.deepest else { return false }
      if consume("+") { return factor(depth: depth + 1) }
      if consume("-") {
        guard factor(depth: depth + 1) else { return false }
        steps.append(.negation)
        return true
      }
      if consume("(") { return sum(depth: depth + 1) && consume(")") }
      if let number = number() {
        steps.append(.number(number))
        return true
      }
      return name(depth: depth)
    }

    private mutating func word(_ isPart: (UInt8) -> Bool) -> String {
      skip()
      let start = place
      while place < text.count, isPart(text[place]) { place += 1 }
      return String(decoding: text[start..<place], as: UTF8.self)
    }

    private mutating func number() -> Double? {
      let word = word { (48...57).contains($0) || $0 == UInt8(ascii: ".") }
      return word.isEmpty ? nil : Double(word)
    }

    private mutating func name(depth: Int) -> Bool {
      let name = word {
        (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0)
          || $0 == UInt8(ascii: "_")
      }
      if name == "x" {
        steps.append(.x)
      } else if let number = PathFormula.constants[name] {
        steps.append(.number(number))
      } else if let function = UnaryFunction(rawValue: name) {
        guard consume("("), sum(depth: depth + 1), consume(")") else { return false }
        steps.append(.unary(function))
      } else if let function = BinaryFunction(rawValue: name) {
        guard consume("("), sum(depth: depth + 1), consume(","), sum(depth: depth + 1), consume(")")
        else {
          return false
        }
        steps.append(.binary(function))
      } else {
        if !name.isEmpty { unknown = name }
        return false
      }
      return true
    }
  }
}
