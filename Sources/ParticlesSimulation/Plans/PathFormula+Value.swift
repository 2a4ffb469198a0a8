internal import ParticlesCore
internal import ParticlesModel

extension PathFormula {
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
        case .negation: stack[count - 1] = -stack[count - 1]
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
}

extension PathFormula.UnaryFunction {
  fileprivate func callAsFunction(_ x: Double) -> Double {
    switch self {
    case .sin: return sineAndCosine(degrees: x * 180 / .pi).sine
    case .cos: return sineAndCosine(degrees: x * 180 / .pi).cosine
    case .tan:
      let (sine, cosine) = sineAndCosine(degrees: x * 180 / .pi)
      return sine / cosine
    case .abs: return x.magnitude
    case .sqrt: return x.squareRoot()
    case .floor: return x.rounded(.down)
    case .ceil: return x.rounded(.up)
    case .round: return (x + 0.5).rounded(.down)
    case .sign: return x > 0 ? 1 : x < 0 ? -1 : 0
    }
  }
}

extension PathFormula.BinaryFunction {
  fileprivate func callAsFunction(_ x: Double, _ y: Double) -> Double {
    switch self {
    case .min: Swift.min(x, y)
    case .max: Swift.max(x, y)
    case .pow: Self.power(x, y)
    case .sum: x + y
    case .difference: x - y
    case .product: x * y
    case .quotient: x / y
    }
  }

  /// A power with a whole exponent of at most 64; others are not a number.
  private static func power(_ base: Double, _ exponent: Double) -> Double {
    guard exponent == exponent.rounded(), exponent.magnitude <= 64 else { return .nan }
    let product = (0..<Int(saturating: exponent.magnitude)).reduce(1.0) { product, _ in
      product * base
    }
    return exponent < 0 ? 1 / product : product
  }
}
