import ParticlesCore
import ParticlesDocuments
import ParticlesTestSupport
import Testing

@Suite("Recent documents")
struct RecentDocumentsTests {
  private let scratch: Scratch
  private let recents: RecentDocuments

  init() throws {
    scratch = try Scratch()
    recents = RecentDocuments(
      file: scratch.file("state/recents.json"), shared: scratch.file("share/recently-used.xbel"))
  }

  private func file(_ name: String) throws -> String {
    let path = "\(try Files.resolve(scratch.path))/\(name)"
    try Files.create(path, Array(name.utf8))
    return path
  }

  @Test("the last opened is the first, and each is there once")
  func order() throws {
    let paths = try ["a.txt", "b.txt", "c d.txt"].map(file)
    for path in paths + [paths[0]] { try recents.note(path, mimeType: "text/plain") }
    #expect(try recents.entries().map(\.path) == [paths[0], paths[2], paths[1]])
    try recents.forget([paths[2]])
    #expect(try recents.entries().map(\.path) == [paths[0], paths[1]])
    try recents.forget()
    #expect(try recents.entries().isEmpty)
    #expect(try RecentlyUsed(scratch.file("share/recently-used.xbel")).bookmarks().isEmpty)
  }

  @Test("a document that was renamed in its folder is found, one that is gone is marked")
  func renamed() throws {
    let (a, b) = (try file("a.txt"), try file("b.txt"))
    try recents.note(a, mimeType: "text/plain")
    try recents.note(b, mimeType: "text/plain")
    let other = "\(Files.folder(of: a))/other.txt"
    try Files.rename(a, other)
    try Files.removeAll(b)
    let entries = try recents.entries()
    #expect(entries.map(\.path) == [b, other])
    #expect(entries.map(\.isMissing) == [true, false])
    try Files.create(b, [1])
    #expect(try recents.entries().map(\.isMissing) == [false, false])
  }

  @Test("a damaged list is set aside, and at most 100 documents are kept")
  func damaged() throws {
    try Files.makeDirectory(scratch.file("state"))
    try Files.create(scratch.file("state/recents.json"), Array("{\"documents\": [".utf8))
    #expect(try recents.entries().isEmpty)
    #expect(try Files.status(scratch.file("state/recents.json.damaged")) != nil)
    let path = try file("a")
    try StateFile(scratch.file("state/recents.json")).change { _ in
      [
        "documents": .array(
          (1...150).map { ["path": .string("/none/\($0)"), "opened": .double(WallClock.seconds)] })
      ]
    }
    try recents.note(path, mimeType: "text/plain")
    #expect(try recents.entries().count == RecentDocuments.most)
  }

  @Test("what others have written in the list of the desktop stays, byte for byte")
  func others() throws {
    let path = scratch.file("share/recently-used.xbel")
    try Files.makeDirectory(scratch.file("share"))
    let document = try file("ä & b.txt")
    let href = FileURI.reference(document)
    let foreign = """
      <?xml version="1.0" encoding="UTF-8"?>
      <xbel version="1.0"
            xmlns:bookmark="http://www.freedesktop.org/standards/desktop-bookmarks"
            xmlns:mime="http://www.freedesktop.org/standards/shared-mime-info"
      >
        <bookmark href="\(href)" added="2020-01-01T00:00:00.000000Z" modified="2020-01-01T00:00:00.000000Z" visited="2020-01-01T00:00:00.000000Z">
          <info>
            <metadata owner="http://freedesktop.org">
              <mime:mime-type type="text/plain"/>
              <bookmark:groups><bookmark:group>Own</bookmark:group></bookmark:groups>
              <bookmark:applications>
                <bookmark:application name="gedit" exec="&apos;gedit %u&apos;" modified="2020-01-01T00:00:00.000000Z" count="3"/>
              </bookmark:applications>
            </metadata>
            <!-- kept -->
          </info>
        </bookmark>
      </xbel>

      """
    try Files.create(path, Array(foreign.utf8))
    try recents.note(document, mimeType: "text/plain")
    try recents.note(document, mimeType: "text/plain")
    let bookmarks = try RecentlyUsed(path).bookmarks()
    #expect(bookmarks.map(\.path) == [document])
    #expect(bookmarks[0].programs == ["gedit", "particles"])
    #expect(abs((bookmarks[0].visited ?? 0) - WallClock.seconds) < 5)
    let text = String(decoding: try Files.read(path), as: UTF8.self)
    for line in foreign.split(separator: "\n") where !line.contains("<bookmark href") {
      #expect(text.contains(line), "\(line)")
    }
    #expect(text.contains("count=\"2\""))
    // That of another program stays when it is forgotten.
    try recents.forget()
    #expect(try RecentlyUsed(path).bookmarks().count == 1)
    try Files.removeAll(path)
    try Files.create(path, Array("no XML".utf8))
    try recents.note(document, mimeType: "text/plain")
    #expect(try Files.read(path) == Array("no XML".utf8))
  }

  @Test("GLib reads what we write, and the reverse")
  func glib() throws {
    let script = """
      import sys
      from gi.repository import GLib
      file = GLib.BookmarkFile.new()
      file.load_from_file(sys.argv[1])
      for uri in file.get_uris():
          print(uri, file.get_mime_type(uri), ",".join(file.get_applications(uri)))
      file.add_application(sys.argv[2], "eog", "eog %u")
      file.set_mime_type(sys.argv[2], "image/png")
      file.to_file(sys.argv[1])
      """
    let probe = try? Run(
      "/usr/bin/python3", ["-c", "from gi.repository import GLib; GLib.BookmarkFile"])
    guard probe?.status == 0 else {
      print("skipped: python3-gi is not installed")
      return
    }
    let (a, b) = (try file("a 'ä'.txt"), try file("b.png"))
    try recents.note(a, mimeType: "text/plain")
    let path = scratch.file("share/recently-used.xbel")
    let run = try Run.succeeding("/usr/bin/python3", ["-c", script, path, FileURI.reference(b)])
    #expect(run.text == "\(FileURI.reference(a)) text/plain particles\n")
    let bookmarks = try RecentlyUsed(path).bookmarks()
    #expect(bookmarks.map(\.path) == [a, b])
    #expect(bookmarks.last?.programs == ["eog"])
    try recents.note(b, mimeType: "image/png")
    #expect(try RecentlyUsed(path).bookmarks().last?.programs == ["eog", "particles"])
  }
}
