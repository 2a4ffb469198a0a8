import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesSystem
import ParticlesTestSupport
import Testing

@Suite("Listing of a folder")
struct FolderListingTests {
  @Test("one pass finds names, kinds, sizes and identities; bad entries have a reason")
  func kinds() throws {
    let scratch = try Scratch()
    try Files.create(scratch.file("a.txt"), Array("hello".utf8))
    try Files.makeDirectory(scratch.file("folder"))
    try Files.makeDirectory(scratch.file("b.particles"))
    try Files.makeDirectory(scratch.file("named"))
    try Files.create(scratch.file("named/document.json"), Array("{}".utf8))
    try Files.makeLink(scratch.file("to-file"), to: "a.txt")
    try Files.makeLink(scratch.file("to-folder"), to: "folder")
    try Files.makeLink(scratch.file("nowhere"), to: "gone")
    try Files.create(scratch.file(".fire.particles.0123456789abc.tmp"), [])
    _ = try Run.succeeding("/usr/bin/mkfifo", [scratch.file("pipe")])
    _ = try Run.succeeding(
      "/bin/sh", ["-c", "printf x > \"$1/$(printf 'bad\\377name')\"", "sh", scratch.path])
    let listing = try FolderListing(scratch.path)
    let entries = Dictionary(uniqueKeysWithValues: listing.entries.map { ($0.name, $0) })
    #expect(entries.count == 9)
    #expect(listing.isWritable)
    #expect(entries["a.txt"]?.kind == .file)
    #expect(entries["a.txt"]?.size == 5)
    #expect(entries["folder"]?.kind == .folder)
    #expect(entries["b.particles"]?.kind == .package)
    #expect(entries["named"]?.kind == .package)
    #expect(entries["to-file"]?.kind == .file)
    #expect(entries["to-file"]?.isLink == true)
    #expect(entries["to-file"]?.identity != entries["a.txt"]?.identity)
    #expect(entries["to-folder"]?.kind == .folder)
    #expect(entries["nowhere"]?.kind == .link)
    #expect(entries["nowhere"]?.problem?.rule == .fileNotFound)
    #expect(entries["pipe"]?.problem?.message.contains("named pipe") == true)
    let raw = try #require(entries["bad\\xFFname"])
    #expect(raw.bytes == Array("bad".utf8) + [0xFF] + Array("name".utf8))
    #expect(raw.problem?.rule == .name)
  }

  @Test("a rename keeps the identity, and a folder that is missing is an error")
  func identity() throws {
    let scratch = try Scratch()
    try Files.create(scratch.file("a"), [1])
    let before = try FolderListing.entry(at: scratch.file("a"))
    try Files.rename(scratch.file("a"), scratch.file("b"))
    #expect(try FolderListing.entry(at: scratch.file("b"))?.identity == before?.identity)
    #expect(try FolderListing.entry(at: scratch.file("a")) == nil)
    expectThrows(.fileNotFound) { try FolderListing(scratch.file("none")) }
  }

  @Test("mounted file systems are read, with escapes; those of the kernel are left out")
  func mounts() {
    let text = """
      22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
      23 22 0:21 / /proc rw - proc proc rw
      60 22 8:17 / /media/ann/My\\040Disk ro,nosuid shared:9 master:2 - vfat /dev/sdb1 ro
      """
    let points = MountPoint.read(text)
    #expect(points.map(\.path) == ["/", "/media/ann/My Disk"])
    #expect(points.map(\.isReadOnly) == [false, true])
    #expect(points.map(\.isVolume) == [false, true])
  }
}
