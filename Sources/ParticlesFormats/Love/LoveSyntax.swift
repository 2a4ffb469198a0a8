internal import ParticlesCore

/// Lua code that makes particle systems of LÖVE, as exporters write it: `ps =
/// love.graphics.newParticleSystem(image, 100)`, calls such as `ps:setSpeed(10, 20)`, and tables that hold the system.
///
/// The contents are `systems`, each with the arguments of its calls as arrays, by the names of the
/// methods, and with the members of its table as `entry`. Other code is kept as it is.
struct LoveSyntax: TreeSyntax {
  static let decimalCommas: DecimalCommas.Syntax? = .calls
  private let text: [UInt8]
  private let systems: [SystemText]
  let value: JSONValue
  let findings: [Diagnostic]

  struct Argument {
    var value: JSONValue
    var range: Range<Int>
  }

  struct Call {
    var name: String
    /// From the receiver to the closing bracket.
    var span: Range<Int>
    /// Between the brackets.
    var inside: Range<Int>
    var arguments: [Argument]
    var value: JSONValue { .array(arguments.map { $0.value }) }
  }

  struct Member {
    var key: String
    var argument: Argument
  }

  struct SystemText {
    var receiver: String
    var calls: [Call]
    var members: [Member] = []
    /// Between the braces of the table that holds the system.
    var table: Range<Int>?

    var value: JSONValue {
      var object = JSONObject()
      // The last call of a method counts.
      for call in calls { object[call.name] = call.value }
      if !members.isEmpty {
        object["entry"] = .object(
          JSONObject(members: members.map { .init(key: $0.key, value: $0.argument.value) }))
      }
      return .object(object)
    }
  }

  init(decoding bytes: [UInt8], limits: Limits) throws(Failure) {
    text = bytes
    var reader = Reader(scanner: try TextScanner(bytes, limits: limits))
    systems = try reader.read()
    var completeness = Completeness(
      Reader(scanner: try TextScanner(bytes, limits: limits)),
      receivers: systems.map { $0.receiver })
    findings = try completeness.check()
    value = ["systems": .array(systems.map { $0.value })]
  }

  func replacing(with new: JSONValue) -> [UInt8] {
    let elements = new["systems"]?.array ?? []
    guard elements.count == systems.count else { return Self.bytes(of: new) }
    var edits = TextEdits(text)
    for (system, element) in zip(systems, elements) where system.value != element {
      edit(system, to: element.object ?? JSONObject(), &edits)
    }
    return edits.bytes
  }

  private func edit(_ system: SystemText, to new: JSONObject, _ edits: inout TextEdits) {
    for (index, call) in system.calls.enumerated() {
      guard system.calls[(index + 1)...].allSatisfy({ $0.name != call.name }) else { continue }
      guard let value = new[call.name], let arguments = value.array else {
        guard call.name != "new" else { continue }
        let start = edits.gap(before: call.span.lowerBound).lowerBound
        edits.replace(start..<call.span.upperBound, with: [])
        continue
      }
      guard call.value != value else { continue }
      if arguments.count == call.arguments.count {
        for (old, new) in zip(call.arguments, arguments) where old.value != new {
          edits.replace(old.range, with: Self.text(new, isName: call.name == "new").utf8)
        }
      } else {
        let texts = arguments.map { Self.text($0, isName: call.name == "new") }
        edits.replace(call.inside, with: texts.joined(separator: ", ").utf8)
      }
    }
    let known = Set(system.calls.map { $0.name })
    if let last = system.calls.last {
      let gap = Array(text[edits.gap(before: last.span.lowerBound)])
      let isLine = gap.contains(0x0A)
      for member in new.members where member.key != "entry" && !known.contains(member.key) {
        let call = "\(system.receiver):\(Self.call(member))"
        edits.insert(
          (isLine ? gap : [0x0A]) + Array(call.utf8), at: last.span.upperBound)
      }
    }
    let entry = new["entry"]?.object
    for member in system.members {
      if let value = entry?[member.key], value != member.argument.value {
        edits.replace(member.argument.range, with: Self.text(value).utf8)
      }
    }
    guard let table = system.table, let entry else { return }
    for member in entry.members where !system.members.contains(where: { $0.key == member.key }) {
      edits.insert(", \(member.key)=\(Self.text(member.value))".utf8, at: table.upperBound)
    }
  }

  private static func call(_ member: JSONObject.Member) -> String {
    "\(member.key)(\((member.value.array ?? []).map { text($0) }.joined(separator: ", ")))"
  }

  /// - Parameter isName: whether texts are the names of variables.
  private static func text(_ value: JSONValue, isName: Bool = false) -> String {
    switch value {
    case .string(let text): isName ? "image" : TextEscapes.lua.quoted(text)
    case .null: "nil"
    default: value.line
    }
  }

  static func bytes(of value: JSONValue) -> [UInt8] {
    let systems = value["systems"]?.array ?? []
    var lines = ["local particles = {}", ""]
    var images: [String: String] = [:]
    for system in systems {
      guard let name = system["new"]?.array?.first?.string, images[name] == nil else { continue }
      images[name] = "image\(images.count + 1)"
      lines.append(
        "local \(images[name] ?? "") = love.graphics.newImage(\(TextEscapes.lua.quoted(name)))")
    }
    if systems.contains(where: { $0["new"]?.array?.first?.string == nil }) {
      // The engine requires an image.
      lines += [
        "local white = love.image.newImageData(8, 8)",
        "white:mapPixel(function() return 1, 1, 1, 1 end)",
        "local square = love.graphics.newImage(white)",
      ]
    }
    lines.append("")
    for system in systems {
      let new = system["new"]?.array ?? []
      let image = new.first?.string.flatMap { images[$0] } ?? "square"
      let size = new.count > 1 ? text(new[1]) : "1000"
      lines.append("do")
      lines.append("  local ps = love.graphics.newParticleSystem(\(image), \(size))")
      for member in system.object?.members ?? [] where member.key != "new" && member.key != "entry"
      {
        lines.append("  ps:\(call(member))")
      }
      let entry = (system["entry"]?.object?.members ?? []).map { "\($0.key)=\(text($0.value))" }
      lines.append(
        "  table.insert(particles, {\((["system=ps"] + entry).joined(separator: ", "))})")
      lines += ["end", ""]
    }
    return Array((lines + ["return particles"]).map { $0 + "\n" }.joined().utf8)
  }

  static let encoding = "lua"
}

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

    mutating func read() throws(Failure) -> [SystemText] {
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
    mutating func skip() throws(Failure) {
      while true {
        _ = scanner.consume(while: { TextEdits.isSpace($0) || $0 == 0x0B || $0 == 0x0C })
        guard scanner.starts(with: "--") else { return }
        scanner.position += 2
        if scanner.next == UInt8(ascii: "["), try long() != nil { continue }
        _ = scanner.consume { $0 != 0x0A }
      }
    }

    /// A text in long brackets, `[[…]]` or `[==[…]==]`. Nil if there is none.
    mutating func long() throws(Failure) -> String? {
      let start = scanner.position
      guard scanner.accept("[") else { return nil }
      let level = scanner.consume { $0 == UInt8(ascii: "=") }.count
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

    mutating func string() throws(Failure) -> String {
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

    private mutating func name() throws(Failure) -> String {
      try scanner.word(scanner.consume(while: TextScanner.isName))
    }

    /// A name, with the names after points.
    private mutating func path() throws(Failure) -> String {
      var path = try name()
      while scanner.next == UInt8(ascii: "."), let byte = scanner.peek(1), TextScanner.isName(byte),
        !TextScanner.isDigit(byte)
      {
        scanner.position += 1
        path += try "." + name()
      }
      return path
    }

    private mutating func statement() throws(Failure) {
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

    private mutating func assignment(to variable: String) throws(Failure) {
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
        _ = scanner.consume(while: TextScanner.isName)
      }
    }

    private mutating func call(of variable: String, from start: Int) throws(Failure) {
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
    private mutating func arguments() throws(Failure) -> ([Argument], Range<Int>) {
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
    private mutating func expression() throws(Failure) -> Argument {
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

    private func argument(_ range: Range<Int>) throws(Failure) -> Argument {
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

    /// A product of numbers, `math.pi` and `math.rad(…)`. Nil for anything else.
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
    private mutating func table() throws(Failure) {
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

  /// Checks that no bracket, no block and no statement of Lua code is open at its end: a file that was cut off.
  ///
  /// Code is not checked otherwise, since dialects of Lua differ.
  struct Completeness {
    private enum Token {
      /// The beginning of the text, `;`, a label, or a word after which a statement begins.
      case boundary
      /// The end of an expression: a name, a constant, a closing bracket.
      case value
      /// `.` or `:` before a name.
      case dot
      /// `return` and `break`, which may be the last word.
      case leave
      /// An operator, a comma, an opening bracket or a word: something has to follow.
      case unfinished
    }

    private static let openers = ["function", "do", "if", "repeat"]
    private static let boundaries = ["do", "then", "else", "repeat"]
    private static let unfinished = [
      "and", "or", "not", "local", "while", "for", "in", "if", "elseif", "until", "function",
      "goto",
    ]

    private var reader: Reader
    private let receivers: Set<String>
    /// The brackets and blocks that are open, each with its place.
    private var open: [(word: String, place: Int)] = []
    private var last = Token.boundary
    /// The path that a statement consists of so far. Nil inside of other statements.
    private var path: String?
    /// The path that the current statement began with.
    private var call = ""
    private var isLocal = false
    private var locals: Set<String> = []
    /// Whether another file can use the systems.
    private var isShared = false
    /// Whether the file itself returns something.
    private var hasReturn = false
    /// The name after `return`, if nothing follows it.
    private var returned: String?

    init(_ reader: Reader, receivers: [String]) {
      self.reader = reader
      self.receivers = Set(receivers)
    }

    /// - Returns: a finding about a file whose systems nothing can use.
    /// - Throws: ``ParticlesCore/Rule/emitterSyntax`` at the bracket, the block or the statement.
    mutating func check() throws(Failure) -> [Diagnostic] {
      while true {
        try reader.skip()
        guard let byte = reader.scanner.next else { break }
        try token(byte)
      }
      if let inner = open.last { throw Self.fault("the end of '\(inner.word)'", at: inner.place) }
      if path != nil { throw Self.fault("a call or '='", at: reader.scanner.position) }
      if last == .unfinished || last == .dot {
        throw Self.fault("the rest of a statement", at: reader.scanner.position)
      }
      // A name that is cut off is no name of the file.
      if hasReturn, returned.map(locals.contains) ?? true { isShared = true }
      guard !receivers.isEmpty, receivers.isSubset(of: locals), !isShared else { return [] }
      return [
        Diagnostic(
          .emitterMissing, at: .offset(reader.scanner.position),
          "'return' at the end of the file, without which no program sees its systems")
      ]
    }

    private static func fault(_ expected: String, at place: Int) -> Diagnostic {
      Diagnostic(
        .emitterSyntax, at: .offset(place), expected: expected, found: "the end of the text",
        hint: "the file may be cut off: fetch it again")
    }

    private mutating func token(_ byte: UInt8) throws(Failure) {
      let start = reader.scanner.position
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        _ = try reader.string()
        follow(.value)
      case UInt8(ascii: "[") where try reader.long() != nil: follow(.value)
      case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"):
        reader.scanner.position += 1
        try begin(String(decoding: [byte], as: UTF8.self), at: start)
        follow(.unfinished)
      case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
        reader.scanner.position += 1
        let opener = byte == UInt8(ascii: ")") ? "(" : byte == UInt8(ascii: "]") ? "[" : "{"
        close([opener])
      case _ where TextScanner.isDigit(byte):
        _ = reader.scanner.consume { TextScanner.isName($0) || $0 == UInt8(ascii: ".") }
        follow(.value)
      case _ where TextScanner.isName(byte): try word(at: start)
      default: symbol(byte)
      }
    }

    private mutating func follow(_ token: Token) {
      (last, path) = (token, nil)
      returned = nil
    }

    private mutating func begin(_ word: String, at place: Int) throws(Failure) {
      open.append((word, place))
      try reader.scanner.count(depth: open.count)
    }

    private mutating func close(_ words: [String]) {
      if let inner = open.last, words.contains(inner.word) { open.removeLast() }
      follow(.value)
    }

    private mutating func word(at start: Int) throws(Failure) {
      let word = try reader.scanner.word(reader.scanner.consume(while: TextScanner.isName))
      if last == .dot {
        last = .value
        if path != nil {
          path? += ".\(word)"
          call = path ?? ""
        }
        return
      }
      if word == "function" { isShared = true }
      if Self.openers.contains(word) { try begin(word, at: start) }
      switch word {
      case "end": return close(["function", "do", "if"])
      case "until":
        close(["repeat"])
        return follow(.unfinished)
      case "return", "break":
        hasReturn = hasReturn || word == "return" && open.isEmpty
        return follow(.leave)
      case _ where Self.boundaries.contains(word): return follow(.boundary)
      case _ where Self.unfinished.contains(word):
        follow(.unfinished)
        isLocal = word == "local"
        return
      case "nil", "true", "false": return follow(.value)
      default: name(word)
      }
    }

    private mutating func name(_ word: String) {
      let (isReturned, isFirst) = (last == .leave, last == .boundary || last == .value)
      if isFirst { isLocal = false }
      if isLocal {
        locals.insert(word)
      } else if !isFirst, receivers.contains(word), !call.hasSuffix("insert"), !isMethodCalled {
        isShared = true
      }
      follow(.value)
      if isFirst {
        path = word
        call = word
      }
      if isReturned, open.isEmpty { returned = word }
    }

    /// Whether a method or a member of the name before this place follows.
    private var isMethodCalled: Bool {
      let rest = reader.scanner.bytes[reader.scanner.position...]
      return rest.first { !TextEdits.isSpace($0) }.map { ".:".utf8.contains($0) } ?? false
    }

    private mutating func symbol(_ byte: UInt8) {
      reader.scanner.position += 1
      switch byte {
      case UInt8(ascii: "."), UInt8(ascii: ":"):
        let more = reader.scanner.consume { $0 == byte }.count
        if byte == UInt8(ascii: ":"), more == 1 { return follow(.boundary) }
        if more > 0 { return follow(more == 2 ? .value : .unfinished) }
        last = .dot
      case UInt8(ascii: ";"): follow(.boundary)
      case UInt8(ascii: "="):
        let isComparison = reader.scanner.accept("=")
        if !isComparison, let path, let root = path.split(separator: ".").first,
          !locals.contains(String(root))
        {
          isShared = true
        }
        isLocal = false
        follow(.unfinished)
      default: follow(.unfinished)
      }
    }
  }
}
