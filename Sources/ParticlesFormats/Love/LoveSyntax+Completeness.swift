internal import ParticlesCore

extension LoveSyntax {
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
    /// The path that a statement consists of so far; nil inside of other statements.
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
    mutating func check() throws -> [Diagnostic] {
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

    private mutating func token(_ byte: UInt8) throws {
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
        _ = reader.scanner.take { TextScanner.isName($0) || $0 == UInt8(ascii: ".") }
        follow(.value)
      case _ where TextScanner.isName(byte): try word(at: start)
      default: symbol(byte)
      }
    }

    private mutating func follow(_ token: Token) {
      (last, path) = (token, nil)
      returned = nil
    }

    private mutating func begin(_ word: String, at place: Int) throws {
      open.append((word, place))
      try reader.scanner.count(depth: open.count)
    }

    private mutating func close(_ words: [String]) {
      if let inner = open.last, words.contains(inner.word) { open.removeLast() }
      follow(.value)
    }

    private mutating func word(at start: Int) throws {
      let word = try reader.scanner.word(reader.scanner.take(while: TextScanner.isName))
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
        let more = reader.scanner.take { $0 == byte }.count
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
