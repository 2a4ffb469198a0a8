/// A font for labels in pictures: 5 pixels wide, 7 high, with 2 more below the line for letters such as
/// g. Drawn for this project.
package enum PixelFont {
  /// From one character to the next, in pixels.
  package static let advance = 6
  /// From the top of capital letters to the line below small ones.
  package static let height = 9

  /// Whether the font has a character, or the letter below its marks.
  package static func has(_ character: Character) -> Bool {
    glyphs[character] != nil || letters[character] != nil
  }

  /// Returns nine rows from the top, each with five pixels. The leftmost pixel is bit 4.
  package static func rows(of character: Character) -> [UInt8] {
    guard let text = glyphs[character] ?? letters[character].flatMap({ glyphs[$0] }) else {
      return rows(of: "\u{FFFD}")
    }
    let rows = text.map { UInt8($0.hexDigitValue ?? $0.asciiValue.map { Int($0) - 55 } ?? 0) }
    return rows + [UInt8](repeating: 0, count: 9 - rows.count)
  }

  /// The rows of each character, from the top, in base 32. Rows that are left out are empty.
  private static let glyphs: [Character: String] = [
    " ": "0", "!": "4444404", "\"": "AAA", "#": "AAVAVAA", "$": "4FKE5U4", "%": "OP248J3",
    "&": "CIK8LID", "'": "448", "(": "2488842", ")": "8422248", "*": "04LEL4", "+": "044V44",
    ",": "000000448", "-": "000E", ".": "00000CC", "/": "01248G", "0": "EHJLPHE", "1": "4C4444E",
    "2": "EH1248V", "3": "V2421HE", "4": "26AIV22", "5": "VGU11HE", "6": "68GUHHE",
    "7": "V124888", "8": "EHHEHHE", "9": "EHHF12C", ":": "0CC0CC", ";": "0CC0C48", "<": "248G842",
    "=": "00V0V", ">": "8421248", "?": "EH12404", "@": "EH1DLLE", "A": "EHHVHHH", "B": "UHHUHHU",
    "C": "EHGGGHE", "D": "SIHHHIS", "E": "VGGUGGV", "F": "VGGUGGG", "G": "EHGNHHF",
    "H": "HHHVHHH", "I": "E44444E", "J": "72222IC", "K": "HIKOKIH", "L": "GGGGGGV",
    "M": "HRLLHHH", "N": "HHPLJHH", "O": "EHHHHHE", "P": "UHHUGGG", "Q": "EHHHLID",
    "R": "UHHUKIH", "S": "FGGE11U", "T": "V444444", "U": "HHHHHHE", "V": "HHHHHA4",
    "W": "HHHLLLA", "X": "HHA4AHH", "Y": "HHHA444", "Z": "V1248GV", "[": "E88888E",
    "\\": "0G8421", "]": "E22222E", "^": "4AH", "_": "0000000V", "`": "842", "a": "00E1FHF",
    "b": "GGMPHHU", "c": "00EGGHE", "d": "11DJHHF", "e": "00EHVGE", "f": "698S888",
    "g": "00FHHHF1E", "h": "GGMPHHH", "i": "40C444E", "j": "2062222IC", "k": "GGIKOKI",
    "l": "C44444E", "m": "00QLLHH", "n": "00MPHHH", "o": "00EHHHE", "p": "00MPHHUGG",
    "q": "00DJHHF11", "r": "00MPGGG", "s": "00FGE1U", "t": "88S8896", "u": "00HHHJD",
    "v": "00HHHA4", "w": "00HHLLA", "x": "00HA4AH", "y": "00HHHHF1E", "z": "00V248V",
    "{": "2448442", "|": "4444444", "}": "8442448", "~": "008L2", "ß": "CIIKIHM", "…": "000000L",
    "×": "0HA4AH",
    "·": "0004", "–": "000V", "\u{FFFD}": "VHHHHHV",
  ]

  /// Letters with marks, drawn without their marks.
  private static let letters: [Character: Character] = {
    let groups: [(Character, String)] = [
      ("A", "ÀÁÂÃÄÅ"), ("C", "ÇĆČ"), ("E", "ÈÉÊËĘ"), ("I", "ÌÍÎÏ"), ("N", "ÑŃ"), ("O", "ÒÓÔÕÖØ"),
      ("S", "ŚŠŞ"), ("U", "ÙÚÛÜ"), ("Y", "Ý"), ("Z", "ŹŻŽ"), ("a", "àáâãäåą"), ("c", "çćč"),
      ("e", "èéêëę"), ("i", "ìíîïı"), ("n", "ñń"), ("o", "òóôõöø"), ("s", "śšş"), ("u", "ùúûü"),
      ("y", "ýÿ"), ("z", "źżž"), ("l", "ł"), ("L", "Ł"), ("g", "ğ"), ("'", "‘’"), ("\"", "“”"),
    ]
    var letters: [Character: Character] = [:]
    for (plain, marked) in groups { for letter in marked { letters[letter] = plain } }
    return letters
  }()
}

extension Bitmap {
  /// Draws a line of text.
  /// - Parameters:
  ///   - x: the left side of the first character, in pixels.
  ///   - y: the top of capital letters.
  ///   - scale: the width and height of a pixel of the font.
  ///   - color: red, green, blue from 0 to 255, opaque.
  package mutating func draw(
    _ text: String, x: Int, y: Int, scale: Int = 1, color: (UInt8, UInt8, UInt8)
  ) {
    for (number, character) in text.enumerated() {
      for (row, bits) in PixelFont.rows(of: character).enumerated() {
        for column in 0..<5 where bits >> (4 - column) & 1 == 1 {
          let left = x + (number * PixelFont.advance + column) * scale
          let top = y + row * scale
          fill(PixelRectangle(x: left..<left + scale, y: top..<top + scale), color)
        }
      }
    }
  }

  /// Fills a rectangle, as far as it is in the picture, with an opaque colour.
  package mutating func fill(_ rectangle: PixelRectangle, _ color: (UInt8, UInt8, UInt8)) {
    let inside = rectangle.intersection(PixelRectangle(x: 0..<width, y: 0..<height))
    for y in inside.y {
      for x in inside.x {
        let index = (y * width + x) * 4
        (pixels[index], pixels[index + 1], pixels[index + 2]) = color
        pixels[index + 3] = 255
      }
    }
  }
}
