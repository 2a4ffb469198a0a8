import ParticlesCore
import ParticlesPlatform
import ParticlesSystem
import ParticlesTestSupport
import Testing

@testable import ParticlesBrowser

/// Where a running browser writes down how it is reached, and who may read that.
@Suite("Record of the browser")
struct RecordTests {
  private let scratch: Scratch
  private let folder: BrowserRecord.Folder
  private let address = BrowserRecord.Address(
    port: 40_123, secret: RequestGuard.makeSecret(), toolSecret: RequestGuard.makeSecret(),
    keys: [RequestGuard.makeSecret(), RequestGuard.makeSecret()])

  init() throws {
    scratch = try Scratch()
    folder = BrowserRecord.Folder(path: scratch.file("run/particles"))
  }

  private func record(_ folders: [BrowserRecord.Folder], readOnly: Bool = false) throws
    -> BrowserRecord
  {
    try BrowserRecord(folders, isReadOnly: readOnly)
  }

  @Test("it is private, and one that others may read does not count")
  func privacy() throws {
    let record = try record([folder])
    #expect(record.address() == nil && record.last == nil)
    #expect(record.claim())
    try record.store(address)
    let other = try self.record([folder])
    #expect(!other.claim())
    #expect(other.address() == address)
    #expect(try self.record([folder], readOnly: true).claim())
    let path = Files.joined(folder.path, "browser.json")
    #expect(try Files.status(path)?.mode == 0o600)
    #expect(try Files.status(folder.path)?.mode == 0o700)
    try OpenFile(updating: path).setMode(0o644)
    #expect(other.address() == nil && other.last == nil)
    let secret = address.secret
    for text in [
      "", "{}", "{\"port\": 0, \"secret\": \"\(secret)\", \"toolSecret\": \"\(secret)\"}",
      "{\"port\": 80, \"secret\": \"x\", \"toolSecret\": \"\(secret)\"}",
      "{\"port\": 80, \"secret\": \"\(secret)\"}",
    ] {
      try Files.removeAll(path)
      try OpenFile(creating: path, mode: 0o600).write(Array(text.utf8))
      #expect(other.address() == nil, "\(text)")
    }
  }

  @Test("after the end it has the port and the keys of pages, and no secret of an address")
  func end() throws {
    let record = try record([folder])
    try record.store(address)
    try record.end(address)
    #expect(record.address() == nil)
    #expect(record.last?.port == address.port && record.last?.keys == address.keys)
    let text = String(
      decoding: try Files.read(Files.joined(folder.path, "browser.json")), as: UTF8.self)
    #expect(!text.contains(address.secret) && !text.contains(address.toolSecret))
  }

  @Test("a folder that outlives the session never has the keys of pages")
  func lasting() throws {
    let lasting = BrowserRecord.Folder(path: scratch.file("data"), endsWithSession: false)
    let record = try record([lasting])
    try record.store(address)
    #expect(record.address()?.toolSecret == address.toolSecret && record.last?.keys == [])
    try record.end(address)
    let text = String(decoding: try Files.read(scratch.file("data/browser.json")), as: UTF8.self)
    for secret in [address.secret, address.toolSecret] + address.keys {
      #expect(!text.contains(secret))
    }
    #expect(record.last?.port == address.port)
  }

  @Test("without a folder of the session, temporary files come before the user's data")
  func places() throws {
    let named = BrowserRecord.folders(
      BaseDirectories(environment: ["XDG_RUNTIME_DIR": "/run/x", "HOME": "/home/x"]))
    #expect(named.first == BrowserRecord.Folder(path: "/run/x/particles"))
    #expect(
      named.last
        == BrowserRecord.Folder(
          path: "/home/x/.local/share/particles/running", endsWithSession: false))
    let others = BrowserRecord.folders(BaseDirectories(environment: [:]))
    #expect(!others.isEmpty)
    for folder in named + others where !folder.path.hasPrefix("/run/") {
      #expect(!folder.endsWithSession, "\(folder.path)")
    }
  }

  @Test(
    "a folder that others may enter, a link and a file are passed over",
    arguments: [0o755, 0o777, 0o710, 0o701, nil] as [UInt32?])
  func foreign(mode: UInt32?) throws {
    try Files.makeDirectories(scratch.file("run"))
    if let mode {
      try Files.makeDirectory(folder.path)
      try #require(chmod(folder.path, mode_t(mode)) == 0)
    } else {
      try Files.makeDirectory(scratch.file("elsewhere"), mode: 0o700)
      try Files.makeLink(folder.path, to: scratch.file("elsewhere"))
    }
    let second = BrowserRecord.Folder(path: scratch.file("second"), endsWithSession: false)
    #expect(try BrowserRecord.folder([folder, second]) == second)
    let fault = #expect(throws: Diagnostic.self) { try BrowserRecord.folder([folder]) }
    #expect(fault?.rule == .fileUnwritable && fault?.location.file == folder.path)
  }

  @Test(
    "a folder of another user is passed over",
    .enabled(if: RunningProcess.user == 0, "only root can give a folder away"))
  func owner() throws {
    try Files.makeDirectories(folder.path)
    try #require(chown(folder.path, 65534, 65534) == 0)
    let second = BrowserRecord.Folder(path: scratch.file("second"))
    #expect(try BrowserRecord.folder([folder, second]) == second)
  }

  @Test("the file that forwards a window is private, and goes")
  func forwarding() throws {
    let record = try record([folder])
    let page = try ForwardingPage(to: "http://127.0.0.1:1/x/", in: record.folder)
    #expect(try Files.status(page.path)?.mode == 0o600)
    #expect(
      String(decoding: try Files.read(page.path), as: UTF8.self).contains(
        "url=http://127.0.0.1:1/x/"))
    ForwardingPage.removeAll(in: record.folder)
    #expect(try Files.status(page.path) == nil)
  }
}
