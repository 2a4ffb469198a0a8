import ParticlesCore
import ParticlesDocuments
import ParticlesSystem
import ParticlesTestSupport
import Testing

@Suite("Recent documents")
struct RecentDocumentsTests {
  private let scratch: Scratch
  private let recents: RecentDocuments

  init() throws {
    scratch = try Scratch()
    recents = try #require(
      RecentDocuments(environment: [
        "XDG_DATA_HOME": scratch.file("share"), "XDG_STATE_HOME": scratch.file("state"),
      ]))
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
    let path = try file("a")
    try recents.note(path, mimeType: "text/plain")
    let database = StoreDatabase(dataFolder: scratch.file("share"))
    try database.run("UPDATE states SET value = '{\"documents\": ['")
    #expect(try recents.entries().isEmpty)
    #expect(try database.texts("SELECT name FROM states") == ["recents.damaged"])
    let stored = StoredState("recents", in: UserStore.of(dataFolder: scratch.file("share")))
    try stored.change { _ in
      [
        "documents": .array(
          (1...150).map { ["path": .string("/none/\($0)"), "opened": .double(WallClock.seconds)] })
      ]
    }
    try recents.note(path, mimeType: "text/plain")
    #expect(try recents.entries().count == RecentDocuments.most)
  }

  @Test("the file of earlier versions is taken over once; one that is no JSON stays")
  func takenOver() throws {
    let old = scratch.file("state/particles/recents.json")
    try Files.makeDirectories(Files.folder(of: old))
    let path = try file("a")
    for (text, count) in [("{", 0), ("{\"documents\":[{\"path\":\"\(path)\",\"opened\":1}]}", 1)] {
      try Files.create(old, Array(text.utf8))
      #expect(try recents.entries().count == count)
      #expect(try (Files.status(old) == nil) == (count == 1))
      if count == 0 { try Files.removeAll(old) }
    }
    #expect(try recents.entries().map(\.path) == [path])
    try Files.create(old, Array("{\"documents\":[]}".utf8))
    #expect(try recents.entries().count == 1)
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
    // The bookmark of another program stays when ours is forgotten.
    try recents.forget()
    #expect(try RecentlyUsed(path).bookmarks().count == 1)
    try Files.removeAll(path)
    try Files.create(path, Array("no XML".utf8))
    try recents.note(document, mimeType: "text/plain")
    #expect(try Files.read(path) == Array("no XML".utf8))
  }

  @Test("GLib reads what we write, and the reverse", .needs("python3"))
  func glib() throws {
    let script = """
      import ctypes, sys
      glib = ctypes.CDLL("libglib-2.0.so.0")
      glib.g_bookmark_file_new.restype = ctypes.c_void_p
      file = ctypes.c_void_p(glib.g_bookmark_file_new())
      path, other = (word.encode() for word in sys.argv[1:])
      assert glib.g_bookmark_file_load_from_file(file, path, None)
      strings = ctypes.POINTER(ctypes.c_char_p)
      glib.g_bookmark_file_get_uris.restype = strings
      glib.g_bookmark_file_get_applications.restype = strings
      glib.g_bookmark_file_get_mime_type.restype = ctypes.c_char_p
      count = ctypes.c_size_t()
      uris = glib.g_bookmark_file_get_uris(file, ctypes.byref(count))
      for uri in [uris[i] for i in range(count.value)]:
          many = ctypes.c_size_t()
          names = glib.g_bookmark_file_get_applications(file, uri, ctypes.byref(many), None)
          kind = glib.g_bookmark_file_get_mime_type(file, uri, None)
          print(uri.decode(), kind.decode(), b",".join(names[i] for i in range(many.value)).decode())
      glib.g_bookmark_file_set_mime_type(file, other, b"image/png")
      glib.g_bookmark_file_add_application(file, other, b"eog", b"eog %u")
      assert glib.g_bookmark_file_to_file(file, path, None)
      """
    let python = try #require(Run.find("python3"))
    guard try Run(python, ["-c", "import ctypes; ctypes.CDLL('libglib-2.0.so.0')"]).status == 0
    else {
      print("skipped: GLib is not installed")
      return
    }
    let (a, b) = (try file("a 'ä'.txt"), try file("b.png"))
    try recents.note(a, mimeType: "text/plain")
    let path = scratch.file("share/recently-used.xbel")
    let run = try Run.succeeding(python, ["-c", script, path, FileURI.reference(b)])
    #expect(run.text == "\(FileURI.reference(a)) text/plain particles\n")
    let bookmarks = try RecentlyUsed(path).bookmarks()
    #expect(bookmarks.map(\.path) == [a, b])
    #expect(bookmarks.last?.programs == ["eog"])
    try recents.note(b, mimeType: "image/png")
    #expect(try RecentlyUsed(path).bookmarks().last?.programs == ["eog", "particles"])
  }

  @Test("a new file with the number of a deleted one is not the document")
  func reused() throws {
    let a = try file("a.txt")
    try recents.note(a, mimeType: "text/plain")
    try Files.removeAll(a)
    // Some file systems give its number to the next file.
    _ = try file("other.txt")
    #expect(try recents.entries().map(\.path) == [a])
    #expect(try recents.entries().map(\.isMissing) == [true])
  }
}
