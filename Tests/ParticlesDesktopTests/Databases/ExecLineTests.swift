import ParticlesDesktop
import Testing

@Suite("Command lines of desktop entries")
struct ExecLineTests {
  @Test(
    "words, quotes and backslashes",
    arguments: [
      ("sh", ["sh"]), ("  sh   -c  x ", ["sh", "-c", "x"]), ("a\tb\nc", ["a", "b", "c"]),
      (#""a b" c"#, ["a b", "c"]), (#"a"b c"d"#, ["ab cd"]), (#""""#, [""]), ("''", [""]),
      (#"a "" b"#, ["a", "", "b"]), ("'a b' c", ["a b", "c"]), (#"'a "b"'"#, [#"a "b""#]),
      (#""it's""#, ["it's"]), (#"'it'"'"'s'"#, ["it's"]),
      // In double quotes, four characters are escaped. Before any further character the backslash stays.
      (#""a\"b""#, [#"a"b"#]), (#""a\\b""#, [#"a\b"#]), (#""a\$b""#, ["a$b"]),
      (#""a\`b""#, ["a`b"]), (#""a\nb""#, [#"a\nb"#]), (#""a\ b""#, [#"a\ b"#]),
      (#""a\'b""#, [#"a\'b"#]), (#""C:\dir""#, [#"C:\dir"#]), (#""\\\\""#, [#"\\"#]),
      // In single quotes, none is.
      (#"'a\b'"#, [#"a\b"#]), (#"'a\\b'"#, [#"a\\b"#]), (#"'a\"'"#, [#"a\""#]),
      // Outside of quotes, every character is.
      (#"a\ b"#, ["a b"]), (#"a\\b"#, [#"a\b"#]), (#"a\nb"#, ["anb"]), (#"\"a"#, [#""a"#]),
      (#"\'a b"#, ["'a", "b"]), (#"\\ a"#, [#"\"#, "a"]),
    ])
  func words(text: String, expected: [String]) {
    let line = ExecLine(text)
    #expect(line?.words == expected)
    #expect(line?.text == text)
  }

  @Test(
    "a line without a word, with an open quote, or with a backslash at its end is none",
    arguments: ["", "   ", "\t\n", #""a"#, "'a", #"a ""#, "a '", #"a\"#, #""a\"#, #""a\""#, #"\"#])
  func none(text: String) {
    #expect(ExecLine(text) == nil)
  }

  @Test("reserved characters are allowed in quotes, and behind a backslash")
  func reserved() {
    for character in "><~|&;$*?#()`" {
      #expect(ExecLine("a \(character)", checkingReserved: true) == nil, "\(character)")
      #expect(ExecLine("a\(character)b")?.words == ["a\(character)b"], "\(character)")
      #expect(
        ExecLine("a '\(character)'", checkingReserved: true)?.words == ["a", "\(character)"])
      #expect(
        ExecLine("a \"\(character)\"", checkingReserved: true)?.words == ["a", "\(character)"])
      #expect(ExecLine("a \\\(character)", checkingReserved: true)?.words == ["a", "\(character)"])
    }
    #expect(ExecLine("a -b=c %f @ ! [x] {y} ^ + : , . / 1", checkingReserved: true) != nil)
  }

  @Test("field codes are the letters behind percent signs, in order")
  func fieldCodes() {
    #expect(ExecLine("a %f %U %%")?.fieldCodes == ["f", "U", "%"])
    #expect(ExecLine("a %%f %")?.fieldCodes == ["%", " "])
    #expect(ExecLine("a")?.fieldCodes == [])
  }
}
