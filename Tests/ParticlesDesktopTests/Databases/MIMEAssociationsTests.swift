import ParticlesDesktop
import Testing

@Suite("Associations of a desktop")
struct MIMEAssociationsTests {
  static let old = """
    # mine
    [Default Applications]
    image/png=viewer.desktop;

    [Added Associations]
    image/png=viewer.desktop;paint.desktop;
    text/plain = editor.desktop

    [Other]
    key=value

    """

  @Test("reads entries, in whatever layout")
  func reading() {
    let file = MIMEAssociations(Self.old)
    #expect(file.text == Self.old)
    #expect(file.entries(for: "image/PNG", in: .added) == ["viewer.desktop", "paint.desktop"])
    #expect(file.entries(for: "text/plain", in: .added) == ["editor.desktop"])
    #expect(file.entries(for: "text/plain", in: .defaults).isEmpty)
    #expect(file.entries(for: "key", in: .removed).isEmpty)
  }

  @Test("what was added and taken away again leaves the file as it was", arguments: ["", old])
  func undone(text: String) {
    var file = MIMEAssociations(text)
    for group in MIMEAssociations.Group.allCases {
      file.append("ours.desktop", for: "application/vnd.particles", in: group)
      file.append("ours.desktop", for: "application/vnd.particles", in: group)
      #expect(file.entries(for: "application/vnd.particles", in: group) == ["ours.desktop"])
    }
    file.prepend("ours.desktop", for: "image/png", in: .defaults)
    #expect(file.entries(for: "image/png", in: .defaults).first == "ours.desktop")
    for group in MIMEAssociations.Group.allCases {
      file.remove("ours.desktop", for: "application/vnd.particles", in: group)
      file.remove("ours.desktop", for: "image/png", in: group)
    }
    #expect(file.text == text)
  }

  @Test("a new line stands in its group, before the empty line behind it")
  func place() {
    var file = MIMEAssociations(Self.old)
    file.append("a.desktop", for: "a/b", in: .defaults)
    #expect(file.text.contains("image/png=viewer.desktop;\na/b=a.desktop;\n\n[Added Associations]"))
    file.append("a.desktop", for: "a/b", in: .removed)
    #expect(file.text.hasSuffix("key=value\n\n[Removed Associations]\na/b=a.desktop;\n"))
  }
}
