/// A formula of `x`, such as `sin(x / 10) * 20`; see `Spec/document.md`, A step of a particle.
///
/// Functions are limited to those with the same result on every machine.
struct PathFormula {
  /// The most characters of a formula, and the most parts.
  private static let longest = 1_000
  /// The deepest nesting.
  private static let deepest = 50

  private enum Step {
    case number(Double)
    case x
    case unary((Double) -> Double)
    case binary((Double, Double) -> Double)
  }

  /// In postfix order.
  private let steps: [Step]

  /// Reads a formula; nil if the text is not one.
  init?(_ text: String) {
    guard text.utf8.count <= Self.longest else { return nil }
    var reader = Reader(text: Array(text.utf8))
    guard reader.sum(depth: 0), reader.isAtEnd else { return nil }
    steps = reader.steps
  }

  /// The value at `x`; 0 if it is not a finite number.
  func value(at x: Double) -> Double {
    let value = withUnsafeTemporaryAllocation(of: Double.self, capacity: steps.count) { stack in
      var count = 0
      for step in steps {
        switch step {
        case .number(let number):
          stack[count] = number
          count += 1
        case .x:
          stack[count] = x
          count += 1
        case .unary(let function): stack[count - 1] = function(stack[count - 1])
        case .binary(let function):
          count -= 1
          stack[count - 1] = function(stack[count - 1], stack[count])
        }
      }
      return stack[0]
    }
    return value.isFinite ? value : 0
  }

  private static let constants: [String: Double] = [
    "PI": .pi, "E": 2.718281828459045, "SQRT2": 2.0.squareRoot(), "SQRT1_2": 0.5.squareRoot(),
  ]

  private static let functions: [String: @Sendable (Double) -> Double] = [
    "sin": { sineAndCosine(degrees: $0 * 180 / .pi).sine },
    "cos": { sineAndCosine(degrees: $0 * 180 / .pi).cosine },
    "tan": {
      let (sine, cosine) = sineAndCosine(degrees: $0 * 180 / .pi)
      return sine / cosine
    },
    "abs": { $0.magnitude }, "sqrt": { $0.squareRoot() },
    "floor": { $0.rounded(.down) }, "ceil": { $0.rounded(.up) },
    "round": { ($0 + 0.5).rounded(.down) },
    "sign": { $0 > 0 ? 1 : $0 < 0 ? -1 : 0 },
  ]

  private static let pairFunctions: [String: @Sendable (Double, Double) -> Double] = [
    "min": { min($0, $1) }, "max": { max($0, $1) }, "pow": { power($0, $1) },
  ]

  /// A power with a whole exponent of at most 64; others are not a number.
  private static func power(_ base: Double, _ exponent: Double) -> Double {
    guard exponent == exponent.rounded(), exponent.magnitude <= 64 else { return .nan }
    let product = (0..<Int(exponent.magnitude)).reduce(1.0) { product, _ in product * base }
    return exponent < 0 ? 1 / product : product
  }

  /// Turns the text into steps. Its functions return whether the text is right so far.
  private struct Reader {
    let text: [UInt8]
    var place = 0
    var steps: [Step] = []

    private mutating func skip() {
      while place < text.count, text[place] == UInt8(ascii: " ") { place += 1 }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
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
        if take("+") {
          guard product(depth: depth) else { return false }
          steps.append(.binary { $0 + $1 })
        } else if take("-") {
          guard product(depth: depth) else { return false }
          steps.append(.binary { $0 - $1 })
        } else {
          return true
        }
      }
    }

    private mutating func product(depth: Int) -> Bool {
      guard factor(depth: depth) else { return false }
      while true {
        if take("*") {
          guard factor(depth: depth) else { return false }
          steps.append(.binary { $0 * $1 })
        } else if take("/") {
          guard factor(depth: depth) else { return false }
          steps.append(.binary { $0 / $1 })
        } else {
          return true
        }
      }
    }

    private mutating func factor(depth: Int) -> Bool {
      guard depth < PathFormula.deepest else { return false }
      if take("+") { return factor(depth: depth + 1) }
      if take("-") {
        guard factor(depth: depth + 1) else { return false }
        steps.append(.unary { -$0 })
        return true
      }
      if take("(") { return sum(depth: depth + 1) && take(")") }
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
      } else if let function = PathFormula.functions[name] {
        guard take("("), sum(depth: depth + 1), take(")") else { return false }
        steps.append(.unary(function))
      } else if let function = PathFormula.pairFunctions[name] {
        guard take("("), sum(depth: depth + 1), take(","), sum(depth: depth + 1), take(")") else {
          return false
        }
        steps.append(.binary(function))
      } else {
        return false
      }
      return true
    }
  }
}
