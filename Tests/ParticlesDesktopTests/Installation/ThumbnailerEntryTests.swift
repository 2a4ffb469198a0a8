import ParticlesDesktop
import Testing

@Suite("Entries of thumbnailers")
struct ThumbnailerEntryTests {
  @Test("a thumbnailer")
  func thumbnailer() {
    let entry = ThumbnailerEntry(
      command: "particles thumbnail -s %s %i %o", program: "particles", mimeTypes: ["a/b", "c/d"])
    #expect(
      entry.text == """
        [Thumbnailer Entry]
        TryExec=particles
        Exec=particles thumbnail -s %s %i %o
        MimeType=a/b;c/d;

        """)
  }
}
