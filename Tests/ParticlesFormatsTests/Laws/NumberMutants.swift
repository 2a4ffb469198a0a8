import ParticlesCore
import ParticlesTestSupport

@testable import ParticlesPropertyLists

/// A file whose numbers can be replaced: one at a time, in pairs, or many at once.
///
/// It knows no keys: a format may read every number of the text, or of a binary property list.
struct NumberMutants {
  private enum Content {
    /// The text between numbers, with one piece more than numbers.
    case text([Substring])
    case list(BinaryPropertyList, places: [Int])
  }

  private let content: Content
  /// The numbers of the file.
  let numbers: [Double]

  init(_ bytes: [UInt8]) throws {
    if bytes.starts(with: BinaryPropertyList.signature) {
      let list = try BinaryPropertyList(bytes)
      let found = list.objects.enumerated().compactMap { index, object in
        object.number.map { (index, $0) }
      }
      content = .list(list, places: found.map(\.0))
      numbers = found.map(\.1)
    } else {
      let text = String(decoding: bytes, as: UTF8.self)
      var pieces: [Substring] = []
      var numbers: [Double] = []
      var end = text.startIndex
      for match in text.matches(
        of: /(^|[\s:,\[({=">])(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)(?=[\s,\])}"<;]|$)/)
      {
        let token = match.output.2
        pieces.append(text[end..<token.startIndex])
        numbers.append(Double(token) ?? 0)
        end = token.endIndex
      }
      content = .text(pieces + [text[end...]])
      self.numbers = numbers
    }
  }

  /// Numbers beyond every bound, and some at the bounds.
  static let extremes: [Double] = [
    .nan, .infinity, -.infinity, 0, -1, 1, -0.5, 0.5, 2, -2, 360, -361, 1e-9, 1e-300, -1e-300, 1e4,
    -1e4, 1e9, -1e9, 1e15, -1e15,
    1e38, -1e38,
    1e160, -1e160, 1e308, -1e308, 2_147_483_648, 4_294_967_296, 9_223_372_036_854_775_808,
  ]

  /// The kinds of changes.
  enum Kind: Int, CaseIterable {
    case extreme, swapped, equal, negated, scaled, many, descending, allSame
    /// In texts only: another word in place of a number, or a part of the text twice, or not at all.
    case word, repeated, removed
  }

  /// The file with some of its numbers replaced.
  func mutant(_ kind: Kind, at place: Int, _ random: inout SeededGenerator) -> [UInt8] {
    var new = numbers
    let other = min(place + Int.random(in: 1...6, using: &random), new.count - 1)
    func extreme() -> Double { Self.extremes.randomElement(using: &random) ?? 0 }
    switch kind {
    case .extreme: new[place] = extreme()
    case .swapped: new.swapAt(place, other)
    case .equal: new[other] = new[place]
    case .negated:
      new[place] = -new[place]
      if Bool.random(using: &random) { new[other] = -new[other] }
    case .scaled: new[place] *= [1e3, -1e3, 1e-3, 1e12].randomElement(using: &random) ?? 1
    case .many:
      for _ in 0..<Int.random(in: 2...12, using: &random) {
        new[Int.random(in: 0..<new.count, using: &random)] = extreme()
      }
    case .descending:
      let end = min(place + Int.random(in: 2...8, using: &random), new.count)
      new[place..<end].sort(by: >)
    case .allSame:
      let number = extreme()
      let end = min(place + Int.random(in: 2...40, using: &random), new.count)
      for index in place..<end { new[index] = number }
    case .word, .repeated, .removed:
      guard case .text(var pieces) = content else { break }
      let word = Self.words.randomElement(using: &random) ?? ""
      switch kind {
      case .word: pieces[place + 1] = word + pieces[place + 1]
      case .repeated: pieces[place] = pieces[place] + text(of: new[place]) + pieces[place]
      default: pieces[other] = ""
      }
      return bytes(pieces, new, without: kind == .word ? place : nil)
    }
    return bytes(new)
  }

  private static let words: [Substring] = [
    "nan", "inf", "-inf", "1e999", "-1e999", "null", "true", "\"7\"", "[]", "{}", "[1]", "[3,2,1]",
    "-", "", "''",
    "9999999999999999999999", "{\"min\":3,\"max\":1}", "{\"start\":5,\"end\":-5}",
  ]

  // Whole numbers are whole in all syntaxes.
  private func text(of number: Double) -> Substring {
    Int(exactly: number).map { "\($0)" } ?? "\(number)"
  }

  /// - Parameter missing: the place of a number that is left out.
  private func bytes(_ pieces: [Substring], _ new: [Double], without missing: Int?) -> [UInt8] {
    var text = ""
    for (index, piece) in pieces.enumerated() {
      text += piece
      if index < new.count, index != missing { text += self.text(of: new[index]) }
    }
    return Array(text.utf8)
  }

  private func bytes(_ new: [Double]) -> [UInt8] {
    switch content {
    case .text(let pieces): return bytes(pieces, new, without: nil)
    case .list(let list, let places):
      var objects = list.objects
      for (index, place) in places.enumerated() where new[index] != numbers[index] {
        objects[place] = objects[place].replacing(by: new[index])
      }
      return BinaryPropertyList.encode(objects, root: list.root)
    }
  }
}

extension BinaryPropertyList.Object {
  fileprivate var number: Double? {
    switch self {
    case .scalar(.integer(let value)): Double(value)
    case .scalar(.real(let value, _)): value
    default: nil
    }
  }

  fileprivate func replacing(by number: Double) -> Self {
    switch self {
    case .scalar(.real(_, let width)): .scalar(.real(number, width: width))
    default:
      Int64(exactly: number).map { .scalar(.integer($0)) } ?? .scalar(.real(number, width: 8))
    }
  }
}
