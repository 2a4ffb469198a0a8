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

  /// Opens an archive of these objects behind `$null`. The first object is the root.
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

  @Test func nestedArchivesShareABudgetOfObjects() throws {
    let inner = ArchiveForge.archive(
      thing(.init("many", .inline(.array((0..<50).map { .int(1_000 + $0) })))))
    let bytes = ArchiveForge.archive(thing(.init("next", .data(inner))))
    var limits = Limits()
    limits.objects = 250
    let object = try ArchiveReader(limits: limits).open(bytes)
    #expect(try object.archive("next") != nil)
    let fault = #expect(throws: Diagnostic.self) {
      for _ in 0..<10 { _ = try object.archive("next") }
    }
    #expect(fault?.rule == .limit && fault?.detail == "values of archives")
  }

  @Test func findingsAboutAnObjectAreReported() throws {
    let object = try open(thing(.init("a", .int(1))))
    object.note(.archiveValue, "something about all of it", found: "x")
    object.note(.archiveValue, "a", "something about a key", severity: .note)
    #expect(
      object.reader.diagnostics.map(\.detail) == [
        "something about all of it", "something about a key",
      ])
    #expect(object.reader.diagnostics.map(\.severity) == [.warning, .note])
    #expect(object.reader.diagnostics.map(\.found) == ["x", nil])
    #expect(object.reader.diagnostics.last?.location == .key("a"))
  }

  @Test func aNameThatIsElsewhereInTheArchiveIsNoClassOfTheObject() throws {
    let object = try open(thing(.init("text", .string("Other"))))
    #expect(object.isA("Thing") && object.isA("NSObject"))
    #expect(!object.isA("Other") && !object.isA("Nowhere"))
  }

  @Test func namesOfClassesHaveALimit() throws {
    func object(_ count: Int) throws -> ArchivedObject {
      let name = ForgedPropertyList.string(String(repeating: "C", count: count))
      return try open(
        objects: .dictionary([.init("$class", .uid(2))]),
        .dictionary([.init("$classname", name), .init("$classes", .array([name]))]))
    }
    #expect(try object(1024).className?.count == 1024)
    expectThrows(.limit) { try object(1025) }
  }

  @Test func newNumbersHaveTheSpellingOfTheOld() throws {
    let archive = try KeyedArchive(
      ArchiveForge.archive(
        thing(
          .init("narrow", .inline(.float(0.5))), .init("wide", .inline(.real(0.5))),
          .init("whole", .inline(.int(70_000))), .init("behind", .boxed(.real(0.25))))))
    func kept(_ old: PropertyListScalar) throws -> Archivable {
      let index = try #require(
        archive.plist.objects.firstIndex {
          if case .scalar(let scalar) = $0 { scalar == old } else { false }
        })
      return .kept(KeyedArchive.Index(index))
    }
    let narrow = try kept(.real(0.5, width: 4))
    #expect(
      archive.adapt(.inline(.real(0.1, width: 8)), to: narrow)
        == .inline(.real(Double(Float(0.1)), width: 4)))
    #expect(archive.adapt(.inline(.integer(3)), to: narrow) == .inline(.real(3, width: 4)))
    let wide = try kept(.real(0.5, width: 8))
    #expect(
      archive.adapt(.shared(.real(0.1, width: 4)), to: wide) == .inline(.real(0.1, width: 8)))
    let whole = try kept(.integer(70_000))
    #expect(archive.adapt(.inline(.real(4, width: 8)), to: whole) == .inline(.integer(4)))
    #expect(
      archive.adapt(.inline(.real(4.5, width: 8)), to: whole) == .inline(.real(4.5, width: 8)))
    let reference = try #require(
      archive.plist.objects.indices.lazy.map { KeyedArchive.Index($0) }.first { index in
        guard case .uid = archive.plist[index],
          case .scalar(.real(0.25, width: 8)) = archive.plist[archive.resolve(index)]
        else { return false }
        return true
      })
    #expect(
      archive.adapt(.inline(.integer(1)), to: .kept(reference)) == .shared(.real(1, width: 8)))
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
