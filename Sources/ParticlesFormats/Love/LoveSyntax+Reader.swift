internal import ParticlesCore
internal import ParticlesPlatform

extension LoveSyntax {
  /// Reads the calls and tables of Lua code that concern particle systems.
  struct Reader {
    var scanner: TextScanner
    private var systems: [SystemText] = []
    /// The current system of each variable.
    private var variables: [String: Int] = [:]
    /// The file names of images, by their variable.
    private var images: [String: String] = [:]

    init(scanner: TextScanner) { self.scanner = scanner }

    mutating func read() throws -> [SystemText] {
      while true {
        try skip()
        guard let byte = scanner.next else { break }
        try scanner.count(depth: 0)
        if TextScanner.isName(byte), !TextScanner.isDigit(byte) {
          try statement()
        } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
          _ = try string()
        } else {
          scanner.position += 1
        }
      }
      return systems
    }

    /// Skips white space and comments.
    mutating func skip() throws {
      while true {
        _ = scanner.take(while: { TextEdits.isSpace($0) || $0 == 0x0B || $0 == 0x0C })
        guard scanner.starts(with: "--") else { return }
        scanner.position += 2
        if scanner.next == UInt8(ascii: "["), try long() != nil { continue }
        _ = scanner.take { $0 != 0x0A }
      }
    }

    /// A text in long brackets, `[[…]]` or `[==[…]==]`; nil if there is none.
    mutating func long() throws -> String? {
      let start = scanner.position
      guard scanner.accept("[") else { return nil }
      let level = scanner.take { $0 == UInt8(ascii: "=") }.count
      guard scanner.accept("[") else {
        scanner.position = start
        return nil
      }
      let end = Array("]\(String(repeating: "=", count: level))]".utf8)
      let first = scanner.position
      while scanner.next != nil {
        if scanner.next == end[0], scanner.bytes[scanner.position...].starts(with: end) {
          let text = try scanner.string(first..<scanner.position)
          scanner.position += end.count
          return text
        }
        scanner.position += 1
      }
      throw scanner.failure("the end of a long bracket")
    }

    mutating func string() throws -> String {
      let (quote, start) = (scanner.next, scanner.position)
      scanner.position += 1
      var text: [UInt8] = []
      while let byte = scanner.next, byte != quote {
        guard byte != 0x0A else { throw scanner.failure("the end of a text") }
        scanner.position += 1
        guard byte == UInt8(ascii: "\\"), scanner.next != nil else {
          text.append(byte)
          continue
        }
        text += TextEscapes.lua.read(scanner.bytes, at: &scanner.position)
      }
      guard scanner.next != nil else { throw scanner.failure("the end of a text") }
      scanner.position += 1
      return try scanner.string(text, at: start)
    }

    private mutating func name() throws -> String {
      try scanner.word(scanner.take(while: TextScanner.isName))
    }

    /// A name, with those after points.
    private mutating func path() throws -> String {
      var path = try name()
      while scanner.next == UInt8(ascii: "."), let byte = scanner.peek(1), TextScanner.isName(byte),
        !TextScanner.isDigit(byte)
      {
        scanner.position += 1
        path += try "." + name()
      }
      return path
    }

    private mutating func statement() throws {
      let start = scanner.position
      let path = try path()
      try skip()
      if scanner.next == UInt8(ascii: ":"), variables[path] != nil {
        scanner.position += 1
        try call(of: path, from: start)
      } else if scanner.next == UInt8(ascii: "="), scanner.peek(1) != UInt8(ascii: "=") {
        scanner.position += 1
        try skip()
        try assignment(to: path)
      } else if path.hasSuffix("table.insert") || path == "return" || path.hasSuffix("insert") {
        try table()
      }
    }

    private mutating func assignment(to variable: String) throws {
      let start = scanner.position
      guard let byte = scanner.next, TextScanner.isName(byte), !TextScanner.isDigit(byte) else {
        return
      }
      let function = try path()
      try skip()
      if function.hasSuffix("newParticleSystem"), scanner.next == UInt8(ascii: "(") {
        let (arguments, inside) = try arguments()
        var values = arguments
        if let image = values.first?.value.string, let name = images[image] {
          values[0].value = .string(name)
        }
        variables[variable] = systems.count
        systems.append(
          SystemText(
            receiver: variable,
            calls: [
              Call(
                name: "new", span: start..<scanner.position, inside: inside, arguments: values)
            ]))
      } else if function.hasSuffix("newImage"), scanner.next == UInt8(ascii: "(") {
        let (arguments, _) = try arguments()
        images[variable] = arguments.first?.value.string
      } else {
        scanner.position = start + 1
        _ = scanner.take(while: TextScanner.isName)
      }
    }

    private mutating func call(of variable: String, from start: Int) throws {
      try skip()
      let method = try name()
      try skip()
      guard scanner.next == UInt8(ascii: "("), let system = variables[variable] else { return }
      let (arguments, inside) = try arguments()
      // A system has some thirty methods.
      guard systems[system].calls.count < 2_000 else { return }
      systems[system].calls.append(
        Call(
          name: method, span: start..<scanner.position, inside: inside, arguments: arguments))
    }

    /// The arguments of a call, and the range between its brackets.
    private mutating func arguments() throws -> ([Argument], Range<Int>) {
      scanner.position += 1
      let first = scanner.position
      var arguments: [Argument] = []
      try skip()
      while scanner.next != nil, scanner.next != UInt8(ascii: ")") {
        arguments.append(try expression())
        try skip()
        guard scanner.accept(",") else { break }
        try skip()
      }
      guard scanner.next == UInt8(ascii: ")") else { throw scanner.failure("')'") }
      let inside = first..<scanner.position
      scanner.position += 1
      return (arguments, inside)
    }

    /// An expression up to a comma or the end of its brackets: a constant, or the text of another.
    private mutating func expression() throws -> Argument {
      try scanner.count(depth: 0)
      let start = scanner.position
      if let byte = scanner.next, byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        let text = try string()
        return Argument(value: .string(text), range: start..<scanner.position)
      }
      var depth = 0
      var end = start
      while let byte = scanner.next {
        switch byte {
        case UInt8(ascii: "("), UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: ")"), UInt8(ascii: "}"), UInt8(ascii: "]"):
          if depth == 0 { return try argument(start..<end) }
          depth -= 1
        case UInt8(ascii: ","), UInt8(ascii: ";"):
          if depth == 0 { return try argument(start..<end) }
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
          _ = try string()
          end = scanner.position
          continue
        case UInt8(ascii: "-") where scanner.peek(1) == UInt8(ascii: "-"):
          try skip()
          continue
        default: break
        }
        scanner.position += 1
        if !TextEdits.isSpace(byte) { end = scanner.position }
      }
      throw scanner.failure("the end of an expression")
    }

    private func argument(_ range: Range<Int>) throws -> Argument {
      let text = try scanner.string(range)
      let value: JSONValue
      switch text {
      case "true": value = .bool(true)
      case "false": value = .bool(false)
      case "nil", "": value = .null
      default:
        value = TextScanner.number(text) ?? Self.constant(text) ?? .string(text)
      }
      return Argument(value: value, range: range)
    }

    /// A product of numbers, `math.pi` and `math.rad(…)`; nil for anything else.
    private static func constant(_ text: String) -> JSONValue? {
      var result = 1.0
      var isDivided = false
      var rest = Substring(text.filter { $0 != " " })
      guard !rest.isEmpty, rest.utf8.count < 100 else { return nil }
      while true {
        if rest.first == "-" {
          result = -result
          rest = rest.dropFirst()
        }
        var factor: Double?
        if rest.hasPrefix("math.pi") {
          (factor, rest) = (.pi, rest.dropFirst(7))
        } else if rest.hasPrefix("math.rad("), let end = rest.firstIndex(of: ")") {
          let inside = rest[rest.index(rest.startIndex, offsetBy: 9)..<end]
          factor = Double(inside).map { $0 * .pi / 180 }
          rest = rest[rest.index(after: end)...]
        } else {
          let digits = rest.prefix { $0.isNumber || $0 == "." }
          (factor, rest) = (Double(digits), rest.dropFirst(digits.count))
        }
        guard let factor else { return nil }
        result = isDivided ? result / factor : result * factor
        guard let next = rest.first else { return result.isFinite ? .double(result) : nil }
        guard next == "*" || next == "/" else { return nil }
        (isDivided, rest) = (next == "/", rest.dropFirst())
      }
    }

    /// A table that holds a system: `table.insert(particles, {system = ps, …})`.
    private mutating func table() throws {
      let start = scanner.position
      while let byte = scanner.next, byte != UInt8(ascii: "{") {
        guard TextEdits.isSpace(byte) || TextScanner.isName(byte) || "(,.".utf8.contains(byte)
        else {
          return
        }
        scanner.position += 1
      }
      guard scanner.accept("{") else {
        scanner.position = start
        return
      }
      let first = scanner.position
      var members: [Member] = []
      var system: Int?
      try skip()
      while let byte = scanner.next, byte != UInt8(ascii: "}") {
        guard TextScanner.isName(byte), !TextScanner.isDigit(byte) else {
          scanner.position = first
          return
        }
        let key = try name()
        try skip()
        guard scanner.accept("=") else {
          scanner.position = first
          return
        }
        try skip()
        let value = try expression()
        if let text = value.value.string, let known = variables[text] {
          system = known
        } else {
          members.append(Member(key: key, argument: value))
        }
        try skip()
        guard scanner.accept(",") || scanner.accept(";") else { break }
        try skip()
      }
      guard let system, scanner.next == UInt8(ascii: "}") else { return }
      systems[system].members = members
      systems[system].table = first..<scanner.position
    }
  }
}
