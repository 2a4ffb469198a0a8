import Testing

@testable import ParticlesBench

@Suite struct ArgumentsTests {
  @Test func everything() throws {
    let words = ["--shapes", "tiny,big", "--only", "pack", "--only", "read", "--rounds", "3"]
    let arguments = try Arguments(words + ["--json", "--keep", "build/particles"])
    #expect(arguments.shapes == [.tiny, .big])
    #expect(arguments.operations == [.pack, .read])
    #expect(arguments.rounds == 3 && arguments.json && arguments.keep && !arguments.quick)
    #expect(arguments.tool == "build/particles" && !arguments.calls)
    #expect(try Arguments(["--calls"]).calls)
  }

  @Test func defaults() throws {
    #expect(try Arguments([]).shapes == Shape.allCases)
    #expect(try Arguments([]).operations == Operation.allCases)
    #expect(try Arguments(["--quick"]).shapes == [.tiny, .typical, .many])
    #expect(try Arguments(["--shapes", "big", "--quick"]).shapes == [.big])
  }

  @Test(arguments: [
    ["--shapes"], ["--shapes", "huge"], ["--only", "sing"], ["--rounds", "0"], ["--rounds", "x"],
    ["--fast"], ["one", "two"],
  ])
  func refuses(words: [String]) {
    #expect(throws: Arguments.Fault.self) { try Arguments(words) }
  }

  @Test(
    arguments: [
      ("This is Zip 3.0 (July 5th 2008), by Info-ZIP.", "3.0"),
      ("7-Zip (z) 26.02 (x64) : Copyright (c) 1999-2026", "26.02"),
      ("bsdtar 3.6.2 - libarchive 3.6.2 zlib/1.2.13", "3.6.2"),
      ("ffmpeg version 5.1.6-0+deb12u1 Copyright (c) 2000-2024", "5.1.6"),
      ("no such thing. 1990-2008", nil),
    ] as [(String, String?)])
  func versions(text: String, version: String?) {
    #expect(Peer.version(in: text) == version)
  }

  @Test func recipes() {
    let words = Peer.words(
      of: "7z x -o{folder} {archive} ./{entry}",
      ["folder": "a b", "archive": "c.zip", "entry": "d"])
    #expect(words == ["7z", "x", "-oa b", "c.zip", "./d"])
    #expect(Peer.Recipe("", "tar -Ipigz -cf {archive} .").programs == ["tar", "pigz"])
  }
}
