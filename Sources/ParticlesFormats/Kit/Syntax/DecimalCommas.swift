package import ParticlesCore

/// The decimal commas of a text: programs write them that take the spelling of numbers from the language of the user.
///
/// Only numbers with one comma count, and only where a whole value is expected. In lists, decimal
/// commas and separators look alike. In calls such as `Vector2(1, 5)` the number of arguments
/// decides: see ``CallCommas``. Texts in UTF-16 are read as others are.
package struct DecimalCommas: Sendable {
  /// Where the values of a text are.
  package enum Syntax: Sendable, Hashable {
    /// Behind a colon, to the end of the line: libGDX.
    case lines
    /// Behind `=`, to the end of the line, and in calls: Godot.
    case assignments
    /// In calls: LÖVE.
    case calls
    /// Behind a colon, to white space or a brace: Defold.
    case fields
    /// Behind a colon: JSON, also in quotes.
    case json
    /// Between the tags of numbers and texts: property lists.
    case propertyList
    /// The attributes of elements: Starling.
    case attributes
    /// Between tags: Effekseer.
    case elements
  }

  /// The offsets of the commas.
  package private(set) var places: [Int] = []

  /// The first number.
  private var first: Range<Int> = 0..<0

  /// The file, and its text with a byte for each character that this type looks for.
  private let original: [UInt8]
  private let bytes: [UInt8]
  private let encoding: WideText?

  package init(in original: [UInt8], _ syntax: Syntax) {
    self.original = original
    encoding = WideText(original)
    let bytes = encoding?.narrowed(original) ?? original
    self.bytes = bytes
    if syntax == .calls || syntax == .assignments {
      places = CallCommas(bytes, syntax == .calls ? CallCommas.love : CallCommas.godot).places
    }
    guard syntax != .calls else {
      if let place = places.first { first = number(around: place) ?? first }
      return
    }
    var (texts, points) = ([Int](), 0)
    var isText = false
    for place in bytes.indices {
      let byte = bytes[place]
      if syntax == .json, byte == UInt8(ascii: "\""), place == 0 || bytes[place - 1] != 0x5C {
        isText.toggle()
      }
      guard byte == UInt8(ascii: ",") || byte == UInt8(ascii: "."),
        let number = number(around: place), let kind = kind(of: number, syntax)
      else { continue }
      // A comma in the text of a sentence.
      guard syntax != .json || kind == .text || !isText else { continue }
      if byte == UInt8(ascii: ".") {
        points += 1
      } else if kind == .text {
        texts.append(place)
      } else {
        places.append(place)
      }
    }
    // A text may be a pair of numbers, unless no number has a point.
    if points == 0 { places += texts }
    places.sort()
    if let place = places.first { first = number(around: place) ?? first }
  }

  /// The text with points in place of the commas.
  package var repaired: [UInt8] {
    var text = original
    for place in places { text[encoding?.offset(of: place) ?? place] = UInt8(ascii: ".") }
    return text
  }

  /// The error, if there are any.
  package var fault: Diagnostic? {
    guard !places.isEmpty else { return nil }
    let number = String(decoding: bytes[first], as: UTF8.self)
    let others = places.count == 1 ? "" : " and \(places.count - 1) others"
    return Diagnostic(
      .decimalCommas, at: .offset(encoding?.offset(of: first.lowerBound) ?? first.lowerBound),
      expected: "points, as in 1.5",
      found: "'\(number)'\(others)")
  }

  private enum Kind { case number, text }

  /// The range of a number whose fraction begins at a place. Nil if it is no number, or has another separator.
  private func number(around place: Int) -> Range<Int>? {
    var (start, end) = (place, place + 1)
    while start > 0, place - start < 20, TextScanner.isDigit(bytes[start - 1]) { start -= 1 }
    while end < bytes.count, end - place < 30, TextScanner.isDigit(bytes[end]) { end += 1 }
    guard start < place, end > place + 1 else { return nil }
    if start > 0, "+-".utf8.contains(bytes[start - 1]) { start -= 1 }
    if end < bytes.count, bytes[end] | 0x20 == UInt8(ascii: "e") {
      var last = end + 1
      if last < bytes.count, "+-".utf8.contains(bytes[last]) { last += 1 }
      let digits = last
      while last < bytes.count, last - digits < 4, TextScanner.isDigit(bytes[last]) { last += 1 }
      if last > digits { end = last }
    }
    return start..<end
  }

  /// Whether a number is a whole value, bare or as a text. Nil if it is a part of something else.
  private func kind(of number: Range<Int>, _ syntax: Syntax) -> Kind? {
    var (before, after) = (number.lowerBound - 1, number.upperBound)
    func isSpace(_ place: Int) -> Bool {
      bytes.indices.contains(place) && (bytes[place] == 0x20 || bytes[place] == 0x09)
    }
    var isQuoted = false
    if [.json, .attributes].contains(syntax), bytes.indices.contains(before),
      "\"'".utf8.contains(bytes[before]), bytes.indices.contains(after),
      bytes[after] == bytes[before]
    {
      isQuoted = true
      (before, after) = (before - 1, after + 1)
    }
    while isSpace(before) { before -= 1 }
    let isApart = isSpace(after)
    while isSpace(after) { after += 1 }
    guard bytes.indices.contains(before) else { return nil }
    let (open, close) = (bytes[before], after < bytes.count ? bytes[after] : 0x0A)
    let isAtEnd = close == 0x0A || close == 0x0D
    switch syntax {
    case .calls: return nil
    case .lines: return open == UInt8(ascii: ":") && isAtEnd ? .number : nil
    case .assignments: return open == UInt8(ascii: "=") && isAtEnd ? .number : nil
    case .fields:
      let isOver = isAtEnd || isApart || close == UInt8(ascii: "}")
      return open == UInt8(ascii: ":") && isOver ? .number : nil
    case .json:
      let isOver = isAtEnd || ",}]".utf8.contains(close)
      return open == UInt8(ascii: ":") && isOver ? (isQuoted ? .text : .number) : nil
    case .attributes: return isQuoted && open == UInt8(ascii: "=") ? .number : nil
    case .elements:
      return open == UInt8(ascii: ">") && close == UInt8(ascii: "<") ? .number : nil
    case .propertyList:
      guard open == UInt8(ascii: ">"), close == UInt8(ascii: "<") else { return nil }
      let tag = bytes[..<before].suffix(8)
      if tag.ends(with: "<real") || tag.ends(with: "<integer") { return .number }
      return tag.ends(with: "<string") ? .text : nil
    }
  }
}

extension ArraySlice<UInt8> {
  fileprivate func ends(with text: String) -> Bool {
    suffix(text.utf8.count).elementsEqual(text.utf8)
  }
}

extension FormatRegistry {
  /// Returns the text of a file with points in place of decimal commas, and their number. Nil if it
  /// has none, or if it cannot be read even so.
  package func withoutDecimalCommas(_ bytes: [UInt8], fileName: String, limits: Limits) -> (
    bytes: [UInt8], count: Int
  )? {
    guard bytes.count <= limits.fileBytes, let (format, commas) = decimalCommas(in: bytes, fileName)
    else { return nil }
    let context = DecodingContext(fileName: fileName, limits: limits)
    guard (try? format.decode(commas.repaired, context)) != nil else { return nil }
    return (commas.repaired, commas.places.count)
  }

  /// The decimal commas of a file, and its format. JSON is none with them: formats recognise it without.
  func decimalCommas(in bytes: [UInt8], _ fileName: String) -> (ParticleFormat, DecimalCommas)? {
    var known: [DecimalCommas.Syntax: DecimalCommas] = [:]
    for format in formats {
      guard let syntax = format.decimalCommas else { continue }
      let commas = known[syntax] ?? DecimalCommas(in: bytes, syntax)
      known[syntax] = commas
      if !commas.places.isEmpty, format.recognise(commas.repaired, fileName) {
        return (format, commas)
      }
    }
    return nil
  }
}

/// The decimal commas in the arguments of calls.
///
/// A comma without a space behind it may be decimal or a separator. Such commas are decimal if a
/// call has too many arguments with them, and a valid number without them. Then they are also
/// decimal in other calls of the file where they leave a valid number of arguments.
struct CallCommas {
  /// The valid numbers of arguments of a call: the multiples of a count, up to `most` times the count.
  struct Arity {
    var count: Int
    var most = 1

    func takes(_ number: Int) -> Bool {
      number > 0 && number.isMultiple(of: count) && number / count <= most
    }
  }

  static let godot: [String: Arity] = [
    "Vector2": Arity(count: 2), "Vector3": Arity(count: 3), "Color": Arity(count: 4),
    "Rect2": Arity(count: 4), "Quat": Arity(count: 4), "Quaternion": Arity(count: 4),
    "AABB": Arity(count: 6), "Transform2D": Arity(count: 6),
  ]

  static let love: [String: Arity] = [
    "setEmissionRate": Arity(count: 1), "setEmitterLifetime": Arity(count: 1),
    "setSpread": Arity(count: 1), "setSizeVariation": Arity(count: 1),
    "setSpinVariation": Arity(count: 1), "setDirection": Arity(count: 1),
    "setSpeed": Arity(count: 1, most: 2), "setParticleLifetime": Arity(count: 1, most: 2),
    "setRadialAcceleration": Arity(count: 1, most: 2),
    "setTangentialAcceleration": Arity(count: 1, most: 2),
    "setLinearDamping": Arity(count: 1, most: 2), "setRotation": Arity(count: 1, most: 2),
    "setSpin": Arity(count: 1, most: 2), "setOffset": Arity(count: 2),
    "setPosition": Arity(count: 2), "setLinearAcceleration": Arity(count: 2, most: 2),
    "setSizes": Arity(count: 1, most: 8), "setColors": Arity(count: 4, most: 8),
  ]

  private(set) var places: [Int] = []

  /// A call whose arguments are numbers.
  private struct Call {
    var arity: Arity
    /// The number of commas, and the places of commas without a space behind them.
    var count = 0
    var tight: [Int] = []

    /// Whether its tight commas can be decimal ones.
    var canHave: Bool { !tight.isEmpty && arity.takes(count + 1 - tight.count) }
    /// Whether they cannot be anything else.
    var isSure: Bool { canHave && !arity.takes(count + 1) }
  }

  /// - Parameter arities: of the calls that are looked at, by their names.
  init(_ bytes: [UInt8], _ arities: [String: Arity]) {
    var calls: [Call] = []
    var place = 0
    while let open = bytes[place...].firstIndex(of: UInt8(ascii: "(")) {
      place = open + 1
      let name = bytes[..<open].suffix(32).reversed().prefix { byte in
        TextScanner.isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
      }
      guard let arity = arities[String(decoding: name.reversed(), as: UTF8.self)],
        let call = Self.call(bytes, from: place, arity)
      else { continue }
      calls.append(call)
    }
    guard calls.contains(where: { $0.isSure }) else { return }
    places = calls.lazy.filter { $0.canHave }.flatMap { $0.tight }
  }

  /// The arguments of a call. Nil if they are not numbers only.
  private static func call(_ bytes: [UInt8], from start: Int, _ arity: Arity) -> Call? {
    var call = Call(arity: arity)
    var place = start
    while place < bytes.count, bytes[place] != UInt8(ascii: ")") {
      let byte = bytes[place]
      if byte == UInt8(ascii: ",") {
        call.count += 1
        let isTight =
          place > start && TextScanner.isDigit(bytes[place - 1]) && place + 1 < bytes.count
          && TextScanner.isDigit(bytes[place + 1])
        if isTight { call.tight.append(place) }
      } else if !TextScanner.isDigit(byte), !" \t\r\n+-eE".utf8.contains(byte) {
        // A number with a point, or anything else.
        return nil
      }
      place += 1
    }
    return place < bytes.count ? call : nil
  }
}

/// The encoding of a text in UTF-16.
struct WideText {
  private let isBigEndian: Bool
  /// The bytes before the text.
  private let mark: Int

  /// nil for a text with another encoding.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 4 else { return nil }
    switch (bytes[0], bytes[1], bytes[2], bytes[3]) {
    case (0xFE, 0xFF, _, _): (isBigEndian, mark) = (true, 2)
    case (0xFF, 0xFE, _, _): (isBigEndian, mark) = (false, 2)
    case (0, UInt8(ascii: "<"), 0, UInt8(ascii: "?")): (isBigEndian, mark) = (true, 0)
    case (UInt8(ascii: "<"), 0, UInt8(ascii: "?"), 0): (isBigEndian, mark) = (false, 0)
    default: return nil
    }
  }

  /// The text with a byte for each unit. Units that are not ASCII become `?`.
  func narrowed(_ bytes: [UInt8]) -> [UInt8] {
    stride(from: mark, to: bytes.count - 1, by: 2).map { place in
      let (high, low) =
        isBigEndian ? (bytes[place], bytes[place + 1]) : (bytes[place + 1], bytes[place])
      return high == 0 && low < 0x80 ? low : UInt8(ascii: "?")
    }
  }

  /// The offset in the file of the byte that has the character at a place.
  func offset(of place: Int) -> Int { mark + 2 * place + (isBigEndian ? 1 : 0) }
}
