import ParticlesPropertyLists
import ParticlesCore
import ParticlesTestSupport
import Testing

@Suite struct KeyedArchiveTests {
  private func open(_ root: ForgedValue) throws -> ArchivedObject {
    try ArchiveReader().open(ArchiveForge.archive(root))
  }

  private func thing(_ entries: ForgedValue.Entry...) -> ForgedValue {
    .object(["Thing", "NSObject"], entries)
  }

  /// Opens an archive of these objects, the first of which is the root, behind `$null`.
  private func open(objects: ForgedPropertyList...) throws -> ArchivedObject {
    try ArchiveReader().open(
      ArchiveForge.file(root: .uid(1), objects: [.string("$null")] + objects))
  }

  // MARK: Values

  @Test func valuesStandInlineOrBehindReferences() throws {
    let object = try open(
      thing(
        .init("a", .real(1.5)), .init("b", .boxed(.real(1.5))), .init("c", .int(3)),
        .init("d", .inline(.float(0.5))), .init("e", .bool(true)), .init("f", .boxed(.bool(true))),
        .init("g", .string("text")), .init("h", .data([1, 2])), .init("i", .inline(.data([1, 2]))),
        .init("nothing", .null)))
    #expect(object.className == "Thing")
    #expect(object.isA("NSObject"))
    #expect(object.double("a") == 1.5)
    #expect(object.double("b") == 1.5)
    #expect(object.double("c") == 3)
    #expect(object.int("c") == 3)
    #expect(object.double("d") == 0.5)
    #expect(object.bool("e") == true)
    #expect(object.bool("f") == true)
    #expect(object.string("g") == "text")
    #expect(object.data("h") == [1, 2])
    #expect(object.data("i") == [1, 2])
    #expect(object.double("nothing") == nil)
    #expect(object.double("absent") == nil)
    #expect(object.reader.diagnostics.isEmpty)
  }

  @Test func geometryIsAFixedNumberOfNumbers() throws {
    let object = try open(
      thing(
        .init("point", .string("{1, -2.5}")), .init("more", .string("{1, 2, 3}")),
        .init("word", .string("{1, x, 2}")), .init("endless", .string("{1, inf}"))))
    #expect(try object.geometry("point", count: 2) == [1, -2.5])
    #expect(try object.geometry("absent", count: 2) == nil)
    #expect(object.reader.diagnostics.isEmpty)
    for (index, key) in ["more", "word", "endless"].enumerated() {
      #expect(try object.geometry(key, count: 2) == nil)
      #expect(object.reader.diagnostics.count == index + 1)
    }
  }

  @Test func foundationClasses() throws {
    let object = try open(
      thing(
        .init("array", .array([.real(1), .real(2)])),
        .init("set", .object(["NSSet", "NSObject"], [.init("NS.objects", .inline(.array([])))])),
        .init(
          "old",
          .object(
            ["NSArray", "NSObject"],
            [.init("NS.object.0", .string("x")), .init("NS.object.1", .string("y"))])),
        .init(
          "proxy",
          .object(["LKNSArrayCodingProxy", "NSObject"], [.init("array", .array([.real(7)]))])),
        .init(
          "text", .object(["NSMutableString", "NSString"], [.init("NS.string", .string("s"))])),
        .init(
          "url",
          .object(
            ["NSURL", "NSObject"],
            [.init("NS.base", .null), .init("NS.relative", .string("a/b.png"))])),
        .init("bytes", .object(["NSData"], [.init("NS.bytes", .inline(.data([9])))])),
        .init("number", .object(["NSNumber"], [.init("NS.intval", .int(4))])),
        .init("map", .dictionary([.init("path", .string("spark.png"))]))))
    #expect(try object.array("array")?.count == 2)
    #expect(try object.array("set")?.count == 0)
    #expect(try object.array("old")?.count == 2)
    #expect(try object.array("proxy")?.count == 1)
    #expect(object.string("text") == "s")
    #expect(object.string("url") == "a/b.png")
    #expect(object.data("bytes") == [9])
    #expect(object.int("number") == 4)
    #expect(try object.dictionary("map")?.string("path") == "spark.png")
    #expect(object.reader.diagnostics.isEmpty)
  }

  @Test func wrongTypesAreReported() throws {
    let object = try open(
      thing(
        .init("text", .string("1")), .init("nan", .real(.nan)), .init("half", .real(0.5)),
        .init("two", .int(2)), .init("list", .array([]))))
    #expect(object.double("text") == nil)
    #expect(object.double("nan") == nil)
    #expect(object.int("half") == nil)
    #expect(object.bool("two") == nil)
    #expect(object.string("two") == nil)
    #expect(object.data("list") == nil)
    #expect(try object.array("text") == nil)
    #expect(try object.dictionary("list") == nil)
    #expect(try object.object("two") == nil)
    let found = object.reader.diagnostics
    #expect(found.count == 9)
    #expect(found.allSatisfy { $0.rule == .archiveValue })
    #expect(found.first?.location == .key("text"))
    #expect(found.first?.expected == "a number")
    #expect(found.first?.found == "a string")
  }

  @Test func whatNobodyAskedFor() throws {
    let object = try open(
      thing(.init("a", .int(1)), .init("b", .int(2)), .init("c", .int(3))))
    _ = object.int("b")
    #expect(object.keys == ["a", "b", "c"])
    #expect(object.unaskedKeys == ["a", "c"])
  }

  // MARK: Archives in archives

  @Test func nestedArchives() throws {
    let inner = ArchiveForge.archive(thing(.init("x", .int(1))))
    let object = try open(thing(.init("good", .data(inner)), .init("bad", .data([1, 2, 3]))))
    #expect(try object.archive("good")?.int("x") == 1)
    #expect(try object.archive("good")?.path == "good")
    #expect(try object.archive("bad") == nil)
    #expect(object.reader.diagnostics.map(\.rule) == [.archiveValue])
  }

  @Test func nestedArchivesHaveALimit() throws {
    var bytes = ArchiveForge.archive(thing())
    for _ in 0..<12 { bytes = ArchiveForge.archive(thing(.init("next", .data(bytes)))) }
    var object: ArchivedObject? = try ArchiveReader().open(bytes)
    #expect(throws: Diagnostic.self) {
      while let next = try object?.archive("next") { object = next }
    }
    #expect(object?.level == 8)
  }

  @Test func nestedArchivesShareABudget() throws {
    let inner = ArchiveForge.archive(thing())
    let bytes = ArchiveForge.archive(thing(.init("next", .data(inner))))
    var limits = Limits()
    limits.fileBytes = 4 * inner.count
    #expect(bytes.count <= limits.fileBytes)
    let object = try ArchiveReader(limits: limits).open(bytes)
    for _ in 0..<4 { #expect(try object.archive("next") != nil) }
    #expect(throws: Diagnostic.self) { try object.archive("next") }
  }

  // MARK: Malformed archives

  private let thingClass = ForgedPropertyList.dictionary([
    .init("$classname", .string("Thing")), .init("$classes", .array([.string("Thing")])),
  ])

  @Test func anArrayThatContainsItself() throws {
    let list = ForgedPropertyList.dictionary([
      .init("NS.objects", .array([.uid(2), .uid(2)])), .init("$class", .uid(4)),
    ])
    let object = try open(
      objects: .dictionary([.init("list", .uid(2)), .init("$class", .uid(3))]), list, thingClass,
      .dictionary([.init("$classname", .string("NSArray"))]))
    let elements = try #require(try object.array("list"))
    #expect(elements.count == 2)
    #expect(object.archive.value(at: elements[0]) == .array(elements))
  }

  @Test func aProxyOfItself() throws {
    let object = try open(
      objects: .dictionary([.init("list", .uid(2)), .init("$class", .uid(3))]),
      .dictionary([.init("array", .uid(2)), .init("$class", .uid(4))]), thingClass,
      .dictionary([.init("$classname", .string("LKNSArrayCodingProxy"))]))
    #expect(try object.array("list")?.isEmpty ?? true)
  }

  @Test func keysAndObjectsThatDoNotMatch() {
    #expect(throws: Diagnostic.self) {
      try open(
        objects: .dictionary([
          .init("NS.keys", .array([.uid(2)])), .init("NS.objects", .array([])),
          .init("$class", .uid(3)),
        ]), .string("key"), .dictionary([.init("$classname", .string("NSDictionary"))]))
    }
  }

  @Test(
    arguments: [
      .string("Thing"), .int(1), .array([]), .dictionary([]),
      .dictionary([.init("$classname", .int(1))]),
    ] as [ForgedPropertyList])
  func classesThatAreNone(record: ForgedPropertyList) {
    let fault = #expect(throws: Diagnostic.self) {
      try open(objects: .dictionary([.init("$class", .uid(2))]), record)
    }
    #expect(fault?.rule == .keyedArchive)
  }

  @Test func classesThatAreTheirOwn() throws {
    let object = try open(
      objects: .dictionary([.init("$classname", .string("Self")), .init("$class", .uid(1))]))
    #expect(object.className == "Self")
  }

  @Test func referencesThatLeadNowhere() {
    for value in [ForgedPropertyList.uid(99), .uid(1 << 31), .uid(2)] {
      let fault = #expect(throws: Diagnostic.self) {
        try open(objects: .dictionary([.init("a", value)]), .uid(1))
      }
      #expect(fault?.rule == .keyedArchive)
    }
  }

  @Test func propertyListsThatAreNoArchives() {
    typealias Entry = ForgedPropertyList.Entry
    let archiver = Entry("$archiver", .string("NSKeyedArchiver"))
    let version = Entry("$version", .int(100_000))
    let objects = Entry("$objects", .array([.string("$null"), .int(1)]))
    let top = Entry("$top", .dictionary([.init("root", .uid(1))]))
    func fault(_ entries: Entry...) -> Rule? {
      #expect(throws: Diagnostic.self) {
        try KeyedArchive(ForgedPropertyList.dictionary(entries).bytes)
      }?.rule
    }
    #expect(fault() == .keyedArchive)
    #expect(fault(version, objects, top) == .keyedArchive)
    #expect(fault(archiver, objects, top) == .keyedArchive)
    #expect(fault(archiver, version, top) == .keyedArchive)
    #expect(fault(archiver, version, objects) == .keyedArchive)
    #expect(fault(archiver, version, objects, Entry("$top", .dictionary([]))) == .keyedArchive)
    #expect(
      fault(archiver, version, objects, Entry("$top", .dictionary([.init("root", .uid(2))])))
        == .keyedArchive)
    #expect(fault(archiver, version, Entry("$objects", .array([])), top) == .keyedArchive)
    #expect(
      fault(Entry("$archiver", .string("NSXArchiver")), version, objects, top) == .keyedArchive)
    #expect(fault(archiver, Entry("$version", .int(2)), objects, top) == .keyedArchive)
    #expect(throws: Diagnostic.self) { try KeyedArchive(ForgedPropertyList.array([]).bytes) }
  }
}
