import CParticlesInterface
import ParticlesC
import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// Calls of packages: arguments at their bounds, flags one by one, and what a wrong call leaves as it was.
@Suite("Calls of packages in C")
struct PackageCallTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// A package of files with these texts, in memory.
  private func package(_ files: [(String, String)]) -> OpaquePointer? {
    var package: OpaquePointer?
    #expect(particles_package_new(&package) == PARTICLES_OK)
    for (path, text) in files {
      #expect(particles_package_put(package, path, text, text.utf8.count, 0) == PARTICLES_OK)
    }
    return package
  }

  private func fault(_ pointer: OpaquePointer?) -> String {
    String(cString: particles_error_text(UnsafeRawPointer(pointer)))
  }

  private func text(_ package: OpaquePointer?, _ path: String) -> String? {
    var (bytes, count): (UnsafeMutableRawPointer?, Int) = (nil, 0)
    guard particles_package_read(package, path, &bytes, &count) == PARTICLES_OK else { return nil }
    defer { particles_free(bytes) }
    return String(decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self)
  }

  private func entries(
    _ package: OpaquePointer?, _ below: String?, _ recursive: CInt
  ) -> [String] {
    var iterator: OpaquePointer?
    guard particles_package_list(package, below, recursive, &iterator) == PARTICLES_OK else {
      return []
    }
    defer { particles_iterator_close(iterator) }
    var (entry, found) = (particles_entry(), [String]())
    entry.size = MemoryLayout<particles_entry>.size
    while particles_iterator_next(iterator, &entry) == PARTICLES_ROW {
      let kind = ["file", "folder", "link"][Int(entry.kind)]
      found.append("\(kind) \(entry.path.map { String(cString: $0) } ?? "")")
    }
    #expect(particles_iterator_next(iterator, &entry) == PARTICLES_DONE)
    return found
  }

  @Test(
    "a blob is read within its bounds: at its end, nothing",
    arguments: [
      (0, 5, PARTICLES_OK), (0, 0, PARTICLES_OK), (4, 1, PARTICLES_OK), (5, 0, PARTICLES_OK),
      (2, 3, PARTICLES_OK), (5, 1, PARTICLES_MISUSE), (6, 0, PARTICLES_MISUSE),
      (0, 6, PARTICLES_MISUSE), (-1, 1, PARTICLES_MISUSE), (-1, 0, PARTICLES_MISUSE),
      (4, 2, PARTICLES_MISUSE), (0, -1, PARTICLES_MISUSE), (Int.max, 1, PARTICLES_MISUSE),
      (1, Int.max, PARTICLES_MISUSE), (Int.min, 0, PARTICLES_MISUSE),
    ])
  func blob(offset: Int, count: Int, status: Int) {
    let package = package([("a", "hello")])
    defer { particles_package_close(package) }
    var (blob, size): (OpaquePointer?, Int64) = (nil, 0)
    #expect(particles_blob_open(package, "a", &blob, &size) == PARTICLES_OK && size == 5)
    defer { particles_blob_close(blob) }
    var buffer = [UInt8](repeating: 0x2E, count: 8)
    let found = particles_blob_read(blob, Int64(offset), &buffer, count)
    #expect(Int(found) == status)
    let read = status == PARTICLES_OK ? Array(Array("hello".utf8)[offset..<offset + count]) : []
    #expect(buffer == read + [UInt8](repeating: 0x2E, count: 8 - read.count))
    // An address is needed for bytes alone.
    #expect(particles_blob_read(blob, 5, nil, 0) == PARTICLES_OK)
    #expect(particles_blob_read(blob, 4, nil, 1) == PARTICLES_MISUSE)
    // A fault does not stay.
    #expect(particles_blob_read(blob, 0, &buffer, 5) == PARTICLES_OK)
  }

  @Test("an empty blob, and what is none")
  func emptyBlob() {
    let package = package([("a", ""), ("d/b", "x")])
    defer { particles_package_close(package) }
    var (blob, size): (OpaquePointer?, Int64) = (nil, 9)
    #expect(particles_blob_open(package, "a", &blob, &size) == PARTICLES_OK && size == 0)
    #expect(particles_blob_read(blob, 0, nil, 0) == PARTICLES_OK)
    #expect(particles_blob_read(blob, 1, nil, 0) == PARTICLES_MISUSE)
    particles_blob_close(blob)
    for path in ["none", "d", ""] {
      var other: OpaquePointer?
      #expect(particles_blob_open(package, path, &other, nil) == PARTICLES_NOTFOUND, "\(path)")
      particles_blob_close(other)
    }
  }

  @Test("what another handle appends before the first change of this one is not lost")
  func appendedMeanwhile() throws {
    let path = scratch.file("a.particles")
    let new = package([("a", String(decoding: SampleTree.noise(1000, seed: 1), as: UTF8.self))])
    #expect(particles_package_save(new, path, nil) == PARTICLES_OK)
    particles_package_close(new)
    var (mine, theirs): (OpaquePointer?, OpaquePointer?) = (nil, nil)
    defer { for each in [mine, theirs] { particles_package_close(each) } }
    #expect(particles_package_open(path, nil, &mine) == PARTICLES_OK)
    #expect(particles_package_open(path, nil, &theirs) == PARTICLES_OK)
    #expect(particles_package_put(theirs, "theirs", "x", 1, 0) == PARTICLES_OK)
    #expect(particles_package_save(theirs, nil, nil) == PARTICLES_OK)
    let bytes = try Files.read(path)
    #expect(particles_package_put(mine, "mine", "y", 1, 0) == PARTICLES_OK)
    #expect(particles_package_save(mine, nil, nil) == PARTICLES_CHANGED)
    #expect(try Files.read(path) == bytes)
  }

  @Test(
    "extract writes a new folder, and into one that is there what is not there; with the flag it replaces"
  )
  func extract() throws {
    let package = package([("a", "new"), ("d/b", "B")])
    defer { particles_package_close(package) }
    #expect(particles_package_set_executable(package, "d/b", 1) == PARTICLES_OK)
    func extract(_ name: String, _ flags: Int) -> Int {
      Int(particles_package_extract(package, scratch.file(name), CInt(flags), nil, nil))
    }
    for flags in [0, PARTICLES_OVERWRITE, PARTICLES_NOSYNC, PARTICLES_OVERWRITE | PARTICLES_NOSYNC]
    {
      let name = "out\(flags)"
      #expect(extract(name, flags) == PARTICLES_OK)
      #expect(try Files.read(scratch.file("\(name)/a")) == Array("new".utf8))
      #expect(try Files.status(scratch.file("\(name)/d/b"))?.isExecutable == true)
      #expect(try Files.status(scratch.file("\(name)/a"))?.isExecutable == false)
      // Again, where a file is there that was changed.
      try Files.removeAll(scratch.file("\(name)/a"))
      try Files.create(scratch.file("\(name)/a"), Array("old".utf8))
      try Files.create(scratch.file("\(name)/other"), [1])
      let replaces = flags & PARTICLES_OVERWRITE != 0
      #expect(extract(name, flags) == (replaces ? PARTICLES_OK : PARTICLES_EXISTS), "\(flags)")
      #expect(try Files.read(scratch.file("\(name)/a")) == Array((replaces ? "new" : "old").utf8))
      #expect(try Files.read(scratch.file("\(name)/other")) == [1])
    }
    for flags in [PARTICLES_EXECUTABLE, PARTICLES_COPY, PARTICLES_LOSSES, 32, -1] {
      #expect(extract("none", flags) == PARTICLES_MISUSE, "\(flags)")
      #expect(try Files.status(scratch.file("none")) == nil)
    }
  }

  @Test("a file that is put is a program with that flag alone")
  func executable() {
    let package = package([])
    defer { particles_package_close(package) }
    var entry = particles_entry()
    entry.size = MemoryLayout<particles_entry>.size
    func isExecutable(_ path: String) -> CInt {
      #expect(particles_package_stat(package, path, &entry) == PARTICLES_OK)
      return entry.executable
    }
    #expect(particles_package_put(package, "a", "x", 1, CInt(PARTICLES_EXECUTABLE)) == PARTICLES_OK)
    #expect(particles_package_put(package, "b", "x", 1, 0) == PARTICLES_OK)
    #expect(isExecutable("a") == 1 && isExecutable("b") == 0)
    #expect(particles_package_set_executable(package, "b", 7) == PARTICLES_OK)
    #expect(particles_package_set_executable(package, "a", 0) == PARTICLES_OK)
    #expect(isExecutable("a") == 0 && isExecutable("b") == 1 && text(package, "b") == "x")
    for flags in [PARTICLES_OVERWRITE, PARTICLES_NOSYNC, 3, -1] {
      #expect(particles_package_put(package, "c", "x", 1, CInt(flags)) == PARTICLES_MISUSE)
    }
    #expect(particles_package_make_directory(package, "d") == PARTICLES_OK)
    for path in ["none", "d", ""] {
      #expect(particles_package_set_executable(package, path, 1) == PARTICLES_NOTFOUND, "\(path)")
    }
    #expect(entries(package, nil, 1) == ["file a", "file b", "folder d"])
  }

  @Test("a list is that of one folder, or of all below it")
  func list() {
    let package = package([("a", "1"), ("d/b", "22"), ("d/e/c", "333")])
    defer { particles_package_close(package) }
    #expect(particles_package_link(package, "z", "d/b") == PARTICLES_OK)
    #expect(entries(package, nil, 0) == ["file a", "folder d", "link z"])
    #expect(entries(package, "", 0) == entries(package, nil, 0))
    #expect(
      entries(package, nil, 1) == [
        "file a", "folder d", "file d/b", "folder d/e", "file d/e/c", "link z",
      ])
    #expect(entries(package, "d", 0) == ["file d/b", "folder d/e"])
    #expect(entries(package, "d", 5) == ["file d/b", "folder d/e", "file d/e/c"])
    var iterator: OpaquePointer?
    #expect(particles_package_list(package, "none", 0, &iterator) == PARTICLES_NOTFOUND)
    #expect(iterator == nil && particles_iterator_next(nil, nil) == PARTICLES_MISUSE)
    var entry = particles_entry()
    entry.size = MemoryLayout<particles_entry>.size
    #expect(particles_package_stat(package, "d/e/c", &entry) == PARTICLES_OK)
    #expect(entry.kind == PARTICLES_FILE && entry.bytes == 3)
    #expect(particles_package_stat(package, "z", &entry) == PARTICLES_OK)
    #expect(entry.kind == PARTICLES_LINK && entry.target.map { String(cString: $0) } == "d/b")
    for path in ["", "none", "d/none"] {
      #expect(particles_package_stat(package, path, &entry) == PARTICLES_NOTFOUND)
    }
    // A struct that is too small takes no entry, and the iteration stays where it is.
    #expect(particles_package_list(package, nil, 0, &iterator) == PARTICLES_OK)
    var small = particles_entry()
    small.size = MemoryLayout<particles_entry>.size - 1
    #expect(particles_iterator_next(iterator, &small) == PARTICLES_MISUSE)
    #expect(particles_iterator_next(iterator, &entry) == PARTICLES_ROW)
    #expect(entry.path.map { String(cString: $0) } == "a")
    particles_iterator_close(iterator)
  }

  @Test("a call that is refused changes nothing, and tells the argument")
  func refused() {
    let package = package([("a", "1"), ("d/b", "2")])
    defer { particles_package_close(package) }
    let before = entries(package, nil, 1)
    let wrong: [(CInt, Int)] = [
      (particles_package_put(package, nil, "x", 1, 0), PARTICLES_MISUSE),
      (particles_package_put(package, "c", nil, 1, 0), PARTICLES_MISUSE),
      (particles_package_put(package, "c", "x", -1, 0), PARTICLES_MISUSE),
      (particles_package_put(package, "a/c", "x", 1, 0), PARTICLES_NAME),
      (particles_package_put(package, "", "x", 1, 0), PARTICLES_NAME),
      (particles_package_link(package, "l", nil), PARTICLES_MISUSE),
      (particles_package_make_directory(package, "a"), PARTICLES_EXISTS),
      (particles_package_rename(package, "none", "x"), PARTICLES_NOTFOUND),
      (particles_package_remove(package, "none"), PARTICLES_NOTFOUND),
      (particles_package_remove(package, ""), PARTICLES_NOTFOUND),
      (particles_package_put_file(package, "c", scratch.file("none")), PARTICLES_NOTFOUND),
      (
        particles_package_put_source(package, "c", -1, { _, _, _, _ in 0 }, nil, nil, 0),
        PARTICLES_MISUSE
      ),
      (particles_package_put_source(package, "c", 5, nil, nil, nil, 0), PARTICLES_MISUSE),
      (
        particles_package_put_source(package, "c", .max, { _, _, _, _ in 0 }, nil, nil, 0),
        PARTICLES_LIMIT
      ),
      (particles_package_add(package, nil, nil, "x", 1, nil), PARTICLES_MISUSE),
      (particles_package_encode(package, 3, { _, _, _ in 0 }, nil), PARTICLES_MISUSE),
      (particles_package_encode(package, -1, { _, _, _ in 0 }, nil), PARTICLES_MISUSE),
      (particles_package_encode(package, 0, nil, nil), PARTICLES_MISUSE),
      (particles_package_digest(package, nil), PARTICLES_MISUSE),
      (particles_package_verify(package, 1, nil, nil), PARTICLES_MISUSE),
    ]
    for (index, (found, expected)) in wrong.enumerated() {
      #expect(Int(found) == expected, "call \(index)")
    }
    #expect(entries(package, nil, 1) == before && text(package, "a") == "1")
    #expect(particles_package_digest(package, nil) == PARTICLES_MISUSE)
    #expect(fault(package).contains("'digest'"))
    #expect(particles_package_make_directory(package, "d") == PARTICLES_OK && fault(package) == "")
  }

  @Test("added files get free names, in the root or in a folder that is made")
  func add() {
    let package = package([("a.txt", "1")])
    defer { particles_package_close(package) }
    func add(_ folder: String?, _ name: String) -> String? {
      var out: UnsafeMutablePointer<CChar>?
      guard particles_package_add(package, folder, name, "x", 1, &out) == PARTICLES_OK else {
        return nil
      }
      defer { particles_free(out) }
      return out.map { String(cString: $0) }
    }
    #expect(add(nil, "b.txt") == "b.txt" && add("", "c.txt") == "c.txt")
    let second = add(nil, "a.txt")
    #expect(second != nil && second != "a.txt" && text(package, second ?? "") == "x")
    #expect(add("d/e", "a.txt") == "d/e/a.txt" && text(package, "d/e/a.txt") == "x")
    #expect(text(package, "a.txt") == "1")
    #expect(particles_package_add(package, nil, "free.txt", "y", 1, nil) == PARTICLES_OK)
    #expect(text(package, "free.txt") == "y")
  }

  @Test(
    "modes, forms, levels and flags of saving are checked",
    arguments: [
      (0, 0, 0, 0, true), (1, 0, 0, 0, true), (2, 1, 2, 0, true), (0, 1, 1, PARTICLES_NOSYNC, true),
      (0, 0, 0, PARTICLES_COPY | PARTICLES_OVERWRITE, true), (3, 0, 0, 0, false),
      (-1, 0, 0, 0, false), (0, 2, 0, 0, false), (0, -1, 0, 0, false), (0, 0, 3, 0, false),
      (0, 0, -1, 0, false), (0, 0, 0, PARTICLES_EXECUTABLE, false),
      (0, 0, 0, PARTICLES_LOSSES, false), (0, 0, 0, -1, false),
    ])
  func saving(mode: Int, form: Int, level: Int, flags: Int, isRight: Bool) throws {
    let package = package([("a", "1")])
    defer { particles_package_close(package) }
    var options = particles_save_options()
    options.size = MemoryLayout<particles_save_options>.size
    (options.mode, options.form) = (CInt(mode), CInt(form))
    (options.level, options.flags) = (CInt(level), CInt(flags))
    let path = scratch.file("a.particles")
    let status = particles_package_save(package, path, &options)
    #expect(Int(status) == (isRight ? PARTICLES_OK : PARTICLES_MISUSE), "\(fault(package))")
    #expect(try (Files.status(path) != nil) == isRight)
    guard isRight else { return }
    #expect(try Files.status(path)?.kind == (form == 1 ? .directory : .file))
    var state = particles_package_state()
    state.size = MemoryLayout<particles_package_state>.size
    #expect(particles_package_describe(package, &state) == PARTICLES_OK)
    // A copy leaves the package where it is: in memory.
    #expect((state.path == nil) == (flags & PARTICLES_COPY != 0))
  }

  @Test("nothing is replaced without the flag; a copy needs a path")
  func replacing() throws {
    let package = package([("a", "1")])
    defer { particles_package_close(package) }
    let path = scratch.file("a.particles")
    try Files.create(path, [7])
    #expect(particles_package_save(package, path, nil) == PARTICLES_EXISTS)
    #expect(try Files.read(path) == [7])
    var options = particles_save_options()
    options.size = MemoryLayout<particles_save_options>.size
    options.flags = CInt(PARTICLES_COPY)
    #expect(particles_package_save(package, path, &options) == PARTICLES_EXISTS)
    #expect(particles_package_save(package, nil, &options) == PARTICLES_MISUSE)
    options.flags = CInt(PARTICLES_OVERWRITE)
    #expect(particles_package_save(package, path, &options) == PARTICLES_OK)
    var opened: OpaquePointer?
    #expect(particles_package_open(path, nil, &opened) == PARTICLES_OK)
    #expect(text(opened, "a") == "1" && entries(opened, nil, 0) == ["file a"])
    particles_package_close(opened)
    #expect(particles_package_put(package, "b", "2", 1, 0) == PARTICLES_OK)
    #expect(particles_package_save(package, nil, nil) == PARTICLES_OK)
    #expect(particles_package_open(path, nil, &opened) == PARTICLES_OK)
    #expect(entries(opened, nil, 0) == ["file a", "file b"])
    particles_package_close(opened)
  }

  @Test(
    "contents of a source are read when they are needed; a failure is told; the context is dropped once"
  )
  func sources() {
    let context = SourceContext()
    let pointer = Unmanaged.passUnretained(context).toOpaque()
    let read: particles_read_fn = { pointer, offset, buffer, count in
      let context = Unmanaged<SourceContext>.fromOpaque(pointer!).takeUnretainedValue()
      context.reads += 1
      for index in 0..<count {
        buffer!.storeBytes(of: UInt8(Int(offset) + index), toByteOffset: index, as: UInt8.self)
      }
      return context.result
    }
    let drop: particles_drop_fn = { pointer in
      Unmanaged<SourceContext>.fromOpaque(pointer!).takeUnretainedValue().drops += 1
    }
    let package = package([])
    #expect(particles_package_put_source(package, "a", 5, read, drop, pointer, 0) == PARTICLES_OK)
    #expect(context.reads == 0 && context.drops == 0)
    #expect(text(package, "a") == "\0\u{1}\u{2}\u{3}\u{4}" && context.reads > 0)
    context.result = 3
    #expect(
      text(package, "a") == nil && fault(package).contains("'read'") && fault(package).contains("3")
    )
    #expect(particles_package_remove(package, "a") == PARTICLES_OK)
    particles_package_close(package)
    #expect(context.drops == 1)
    // Also if the call is refused.
    let other = self.package([])
    #expect(
      particles_package_put_source(other, "../a", 5, read, drop, pointer, 0) == PARTICLES_NAME)
    #expect(context.drops == 2)
    #expect(particles_package_put_source(other, "a", 5, nil, drop, pointer, 0) == PARTICLES_MISUSE)
    #expect(context.drops == 3)
    particles_package_close(other)
  }

  @Test("verifying reports damage, and nothing of a sound package; it needs a callback")
  func verifying() throws {
    final class Codes { var all: [String] = [] }
    let path = scratch.file("a.particles")
    // Bytes that compression cannot make shorter.
    var number: UInt32 = 7
    let bytes = (0..<4000).map { _ in
      number = number &* 1_664_525 &+ 1_013_904_223
      return UInt8(number >> 24)
    }
    let package = package([])
    #expect(particles_package_put(package, "a", bytes, bytes.count, 0) == PARTICLES_OK)
    #expect(particles_package_save(package, path, nil) == PARTICLES_OK)
    #expect(particles_package_verify(package, 1, nil, nil) == PARTICLES_MISUSE)
    particles_package_close(package)
    for isDamaged in [false, true] {
      if isDamaged {
        var stored = try Files.read(path)
        stored[stored.count / 2] ^= 1
        try Files.removeAll(path)
        try Files.create(path, stored)
      }
      let codes = Codes()
      var opened: OpaquePointer?
      #expect(particles_package_open(path, nil, &opened) == PARTICLES_OK)
      let status = particles_package_verify(
        opened, 1,
        { context, finding in
          guard let context else { return 1 }
          let codes = Unmanaged<Codes>.fromOpaque(context).takeUnretainedValue()
          codes.all.append(finding?.pointee.code.map { String(cString: $0) } ?? "")
          return 0
        }, Unmanaged.passUnretained(codes).toOpaque())
      #expect(status == PARTICLES_OK && codes.all.isEmpty == !isDamaged, "\(codes.all)")
      particles_package_close(opened)
    }
  }

  @Test("every limit has a field; one that is 0 or less is the standard one")
  func limits() throws {
    var limits = particles_limits()
    let size = MemoryLayout<particles_limits>.size
    #expect(particles_limits_init(&limits, size, 0) == PARTICLES_OK)
    #expect(
      limits.entries == Int64(Limits.standard.entries)
        && limits.frames == Int64(Limits.standard.frames))
    #expect(particles_limits_init(&limits, size, 1) == PARTICLES_OK)
    #expect(limits.entries == Int64(Limits.untrusted.entries) && limits.size == size)
    #expect(particles_limits_init(&limits, size - 1, 0) == PARTICLES_MISUSE)
    #expect(particles_limits_init(nil, size, 0) == PARTICLES_MISUSE)
    let package = package([("a", "1"), ("b", "2")])
    let path = scratch.file("a.particles")
    #expect(particles_package_save(package, path, nil) == PARTICLES_OK)
    particles_package_close(package)
    #expect(particles_limits_init(&limits, size, 0) == PARTICLES_OK)
    for (entries, status) in [
      (2, PARTICLES_OK), (1, PARTICLES_LIMIT), (0, PARTICLES_OK), (-5, PARTICLES_OK),
    ] {
      limits.entries = Int64(entries)
      var opened: OpaquePointer?
      #expect(Int(particles_package_open(path, &limits, &opened)) == status, "\(entries)")
      particles_package_close(opened)
    }
    limits.size = size - 1
    var opened: OpaquePointer?
    #expect(particles_package_open(path, &limits, &opened) == PARTICLES_MISUSE)
    particles_package_close(opened)
  }

  @Test("each status has a sentence of its own")
  func statuses() {
    let known = Array(0...15) + [100, 101]
    let texts = known.map { String(cString: particles_status_text(CInt($0))) }
    #expect(Set(texts).count == known.count && !texts.contains("unknown status"))
    for status in [-1, 16, 99, 102, Int(CInt.max)] {
      #expect(String(cString: particles_status_text(CInt(status))) == "unknown status")
    }
  }
}

/// What a source was asked for.
private final class SourceContext {
  var reads = 0
  var drops = 0
  var result: CInt = 0
}
