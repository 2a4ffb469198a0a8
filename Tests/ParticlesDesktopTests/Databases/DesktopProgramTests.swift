import ParticlesCore
import ParticlesDesktop
import ParticlesSystem
import ParticlesTestSupport
import ParticlesTypes
import Testing

/// Desktop entries in a data folder, and the programs that can be started.
@Suite("Programs of a desktop")
struct DesktopProgramTests {
  private let scratch: Scratch
  private let data: String
  private let other: String

  init() throws {
    scratch = try Scratch()
    (data, other) = (scratch.file("data"), scratch.file("other"))
    for folder in [data, other, scratch.file("config"), scratch.file("bin")] {
      try Files.makeDirectories(folder)
    }
    try Files.create(scratch.file("bin/viewer"), [], executable: true)
    try Files.create(scratch.file("bin/plain"), [])
    try Files.makeDirectory(scratch.file("bin/folder"))
  }

  private func write(_ path: String, _ text: String) throws {
    try Files.makeDirectories(Files.folder(of: path))
    try? Files.removeAll(path)
    try Files.create(path, Array(text.utf8))
  }

  private func entry(_ lines: String, type: String = "Application") -> String {
    "[Desktop Entry]\nType=\(type)\nName=N\nMimeType=image/x-a;\n\(lines)\n"
  }

  private func desktop() throws -> Desktop {
    try Desktop(environment: [
      "HOME": scratch.path, "XDG_CONFIG_HOME": scratch.file("config"),
      "XDG_CONFIG_DIRS": scratch.file("none"), "XDG_DATA_HOME": data, "XDG_DATA_DIRS": other,
      "PATH": "\(scratch.file("none")):\(scratch.file("bin"))",
    ])
  }

  private func cache(_ names: String) throws {
    try write("\(data)/applications/mimeinfo.cache", "[MIME Cache]\nimage/x-a=\(names)\n")
  }

  @Test(
    "a program is offered if it can be started",
    arguments: [
      ("Exec=viewer %f", true), ("Exec=BIN/viewer %f", true), ("Exec=none %f", false),
      ("Exec=plain %f", false), ("Exec=folder %f", false), ("Exec=BIN/none", false),
      ("Exec=\"BIN/viewer\" %f", true), ("Exec=\"BIN/viewer %f", false), ("Exec=", true),
      ("", true), ("Exec=viewer %f\nTryExec=none", false), ("Exec=viewer %f\nTryExec=viewer", true),
      ("Exec=viewer %f\nTryExec=", true), ("Exec=none\nTryExec=viewer", false),
      ("Exec=./viewer\nPath=BIN", true), ("Exec=./viewer\nPath=DATA", false),
      (#"Exec=\s\sviewer %f"#, true), (#"Exec=view\\\\er"#, false), (#"Exec=vie\\\\wer"#, false),
      (#"Exec=vie\\wer"#, true), ("Exec=viewer\nHidden=true", false),
      ("Exec=viewer\nHidden=false", true),
    ])
  func starting(lines: String, isOffered: Bool) throws {
    let text = lines.replacing("BIN", with: scratch.file("bin")).replacing("DATA", with: data)
    try write("\(data)/applications/a.desktop", entry(text))
    try cache("a.desktop;")
    let programs = try desktop().programs(for: "image/x-a")
    #expect(programs.map(\.identifier) == (isOffered ? ["a.desktop"] : []))
  }

  @Test("entries of other kinds, and groups in another order, are no applications")
  func kinds() throws {
    try write("\(data)/applications/link.desktop", entry("Exec=viewer", type: "Link"))
    try write("\(data)/applications/late.desktop", "[Other]\nx=y\n" + entry("Exec=viewer"))
    try write("\(data)/applications/none.desktop", "[Other]\nx=y\n")
    try write("\(data)/applications/no.text", entry("Exec=viewer"))
    try cache("link.desktop;late.desktop;none.desktop;no.text;missing.desktop;")
    #expect(try desktop().programs(for: "image/x-a").isEmpty)
    #expect(try Set(desktop().programs.map(\.identifier)) == ["link.desktop", "late.desktop"])
  }

  @Test("folders become parts of identifiers, eight levels deep")
  func folders() throws {
    func path(_ levels: Int) -> String {
      Array(repeating: "d", count: levels).joined(separator: "/") + "/a.desktop"
    }
    try write("\(data)/applications/kde/sub/a.desktop", entry("Exec=viewer %f"))
    try write("\(data)/applications/\(path(7))", entry("Exec=viewer %f"))
    try write("\(data)/applications/\(path(8))", entry("Exec=viewer %f"))
    let names = try desktop().programs.map(\.identifier)
    #expect(Set(names) == ["kde-sub-a.desktop", "d-d-d-d-d-d-d-a.desktop"])
  }

  @Test("the entry of the folder that comes first counts, also one that hides a program")
  func precedence() throws {
    try write(
      "\(data)/applications/a.desktop",
      "[Desktop Entry]\nType=Application\nName=Mine\nExec=viewer %f\n")
    try write(
      "\(other)/applications/a.desktop",
      "[Desktop Entry]\nType=Application\nName=Theirs\nExec=viewer %f\n")
    try write("\(data)/applications/b.desktop", entry("Exec=viewer %f\nHidden=true"))
    try write("\(other)/applications/b.desktop", entry("Exec=viewer %f"))
    try write("\(other)/applications/c.desktop", entry("Exec=viewer %f"))
    let programs = try desktop().programs
    #expect(programs.map(\.identifier) == ["a.desktop", "c.desktop"])
    #expect(programs.map(\.name) == ["Mine", "N"])
  }

  @Test("a program takes files if its line has a place for them; only such ones claim types")
  func claims() throws {
    for (name, exec, types) in [
      ("f", "viewer %f", "image/png;"), ("F", "viewer %F", "IMAGE/PNG;"),
      ("u", "viewer %u", "image/png;"),
      ("U", "viewer %U", "image/png;"), ("i", "viewer %i", "image/png;"),
      ("none", "viewer", "image/png;"),
      ("typeless", "viewer %f", ""),
    ] {
      try write(
        "\(data)/applications/\(name).desktop",
        "[Desktop Entry]\nType=Application\nName=\(name)\nExec=\(exec)\nMimeType=\(types)\n")
    }
    let claims = try desktop().claims()
    #expect(
      Set(claims.map(\.handler.identifier)) == ["f.desktop", "F.desktop", "u.desktop", "U.desktop"])
    #expect(claims.allSatisfy { $0.types == ["public.png"] })
  }

  @Test(
    "default programs: the choice that is installed, then what opens such files, then the supertype"
  )
  func defaults() throws {
    try write("\(data)/mime/subclasses", "image/x-b image/x-a\n")
    try write("\(data)/mime/aliases", "image/alias image/x-b\n")
    for name in ["a", "b", "c"] {
      try write("\(data)/applications/\(name).desktop", entry("Exec=viewer %f"))
    }
    try write("\(data)/applications/gone.desktop", entry("Exec=none %f"))
    try cache("a.desktop;")
    func choose(_ text: String) throws { try write(scratch.file("config/mimeapps.list"), text) }
    func found(_ type: String) throws -> String? {
      try desktop().defaultProgram(for: type)?.identifier
    }
    #expect(try found("image/x-a") == "a.desktop" && found("image/x-b") == "a.desktop")
    #expect(try found("image/other") == nil)
    try choose("[Default Applications]\nimage/x-a=gone.desktop;none.desktop;b.desktop;c.desktop;\n")
    #expect(try found("image/x-a") == "b.desktop" && found("IMAGE/alias") == "b.desktop")
    try choose(
      "[Added Associations]\nimage/x-b=c.desktop;\n[Default Applications]\nimage/x-a=b.desktop;\n")
    #expect(try found("image/x-b") == "c.desktop" && found("image/x-a") == "b.desktop")
    try choose("[Removed Associations]\nimage/x-a=a.desktop;\n")
    #expect(try found("image/x-a") == nil)
    #expect(try desktop().programs(for: "image/x-a").isEmpty)
    // The choices of types, as they are shown.
    try choose(
      "[Default Applications]\nimage/png=gone.desktop;b.desktop;\nimage/jpeg=gone.desktop;\n")
    let choices = try desktop().choices()
    #expect(choices.map(\.handler) == ["b.desktop"])
  }

  @Test("programs of supertypes follow those of the type")
  func supertypes() throws {
    try write("\(data)/mime/subclasses", "image/x-b image/x-a\nimage/x-a image/x-b\n")
    for name in ["a", "b"] {
      try write("\(data)/applications/\(name).desktop", entry("Exec=viewer %f"))
    }
    try write(
      "\(data)/applications/mimeinfo.cache",
      "[MIME Cache]\nimage/x-a=a.desktop;\nimage/x-b=b.desktop;a.desktop;\n")
    func names(_ type: String, _ isIncluded: Bool) throws -> [String] {
      try desktop().programs(for: type, includingSupertypes: isIncluded).map(\.identifier)
    }
    #expect(try names("image/x-a", false) == ["a.desktop"])
    #expect(try names("image/x-a", true) == ["a.desktop", "b.desktop"])
    #expect(try names("image/x-b", true) == ["b.desktop", "a.desktop"])
  }
}
