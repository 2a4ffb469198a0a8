import ParticlesDocuments
import Testing

@testable import ParticlesBrowser

/// The values of a browser that call no document and no file.
@Suite("Windows and open documents as values")
struct WindowSessionTests {
  @Test("a window is opened once, changed, and closed")
  func windows() {
    var session = WindowSession()
    let isNew = session.change("a")
    let isNewAgain = session.change("a") { $0.selection = ["1", "2"] }
    #expect(isNew && !isNewAgain)
    session.show("doc", in: "a")
    session.show("doc", in: "nobody")
    #expect(session.windows.map(\.name) == ["a"] && session["a"]?.document == "doc")
    let changed = session.deselect { $0 == "2" }
    let changedAgain = session.deselect { $0 == "2" }
    #expect(changed.map(\.selection) == [["1"]] && changedAgain.isEmpty)
    session.forget("doc")
    #expect(session["a"] != nil && session["a"]?.document == nil)
    for number in 0...WindowSession.most { session.change("\(number)") }
    #expect(session.windows.count == WindowSession.most && session["0"] == nil)
  }

  @Test("pages take over the windows of the last session, and their own by name")
  func taking() {
    var session = WindowSession()
    for name in ["a", "b", "c"] { session.restore(BrowserSession.Window(name: name)) }
    let own = session.resume("b", takesOver: true)
    let none = session.resume("new", takesOver: false)
    let last = session.resume("new", takesOver: true)
    #expect(own?.name == "b" && none == nil && last?.name == "new")
    #expect(session.windows.map(\.name) == ["a", "b", "new"] && session.untaken == ["a"])
    let first = session.resume("other", takesOver: true)
    let more = session.resume("more", takesOver: true)
    #expect(first?.name == "other" && more == nil)
  }

  @Test("a session is made of the windows with pages, or else of those that were left together")
  func kept() {
    var session = WindowSession()
    for name in ["a", "b", "c"] { session.change(name) }
    let isKnown = session.leave("nobody", at: 1)
    _ = session.leave("a", at: 100)
    #expect(!isKnown && session.isLeft("a") && !session.isLeft("nobody"))
    #expect(session.kept.map(\.name) == ["b", "c"])
    _ = session.leave("b", at: 110)
    _ = session.leave("c", at: 112)
    #expect(session.kept.map(\.name) == ["b", "c"])
    session.comeBack("a")
    #expect(session.kept.map(\.name) == ["a"])
  }

  @Test("a document is in the background only when its last window has put it aside")
  func documents() {
    var open = OpenDocuments()
    let isUnknown = !open.join("d", "a")
    let document = Document<PlainText>(path: "/nowhere/notes.txt")
    open["d"] = OpenEntry(document: document, kind: .text, windows: [])
    for window in ["a", "b", "b"] { _ = open.join("d", window) }
    #expect(isUnknown && open["d"]?.windows == ["a", "b"] && !open.isShown("d", onlyIn: "a"))
    open.putAside("d", from: "a")
    #expect(open["d"]?.isInBackground == false && open.isShown("d", onlyIn: "b"))
    open.putAside("d", from: "b")
    #expect(open["d"]?.isInBackground == true)
    _ = open.join("d", "c")
    #expect(open["d"]?.isInBackground == false)
    open.leave("d", "c")
    #expect(open["d"]?.windows == [] && open["d"]?.isInBackground == false)
    #expect(open.item(atPath: "/nowhere/notes.txt") == "d" && open.items == ["d"])
    let removed = [open.remove("d"), open.remove("d")].map { $0 != nil }
    #expect(removed == [true, false] && open.all.isEmpty)
  }
}
