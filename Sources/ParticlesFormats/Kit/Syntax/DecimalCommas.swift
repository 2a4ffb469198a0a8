package import ParticlesCore

/// The decimal commas of a text: programs write them that take the spelling of numbers from the language of the user.
///
/// Only numbers with one comma count, and only where a whole value is expected. In lists commas cannot be told from
/// separators. In calls such as `Vector2(1, 5)` they are told by the number of arguments: see ``CallCommas``. Texts in
/// UTF-16 are read as others are.
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

  /// The range of a number whose fraction begins at a place; nil if it is none, or has another separator.
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

  /// Whether a number is a whole value; nil if it is a part of something else.
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
  /// Returns the text of a file with points in place of decimal commas, and their number; nil if it has none, or if it
  /// cannot be read even so.
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
