import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesFormats
import ParticlesImages
import ParticlesModel
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// For each rule of the document and its images, a package with exactly that fault, kept in
/// `Fixtures/rules/<family>/<rule>[-<case>].particles`.
@Suite("Rules of the document")
struct ValidatorTests {
  struct Fault: Sendable, CustomTestStringConvertible {
    var rule: Rule
    var name: String
    /// Changes a sound package into one with the fault.
    var spoil: @Sendable (inout FileNode) throws -> Void

    var file: String {
      "Fixtures/rules/\(rule.code)\(name.isEmpty ? "" : "-\(name)").particles"
    }
    var testDescription: String { file }

    init(
      _ rule: Rule, _ name: String = "",
      _ spoil: @escaping @Sendable (inout FileNode) throws -> Void
    ) {
      self.rule = rule
      self.name = name
      self.spoil = spoil
    }

    /// A fault in the text of the document.
    static func text(_ rule: Rule, _ name: String = "", _ old: String, _ new: String) -> Fault {
      Fault(rule, name) { root in
        let path = EffectPackage.documentPath
        let bytes = try #require(try root[path]?.regularFileContents())
        let text = String(decoding: bytes, as: UTF8.self)
        let place = try #require(text.firstRange(of: old))
        let spoiled = text.replacingCharacters(in: place, with: new)
        try root.setFileNode(FileNode(regularFileWithContents: Array(spoiled.utf8)), at: path)
      }
    }
  }

  /// A package without fault, from which all faulty packages are made.
  static func sound() throws -> Container {
    let image = try PNG.encode(Bitmap(width: 4, height: 4) { x, y in (1, 1, 1, x * y) })
    var emitter = Emitter(name: "Fountain")
    emitter.emission.rate = 160
    emitter.launch.spread = 9
    emitter.size.width = Track(
      from: 0, to: 20, curve: Curve(through: [(0, 0.35), (0.2, 1), (1, 0.1)]))
    emitter.sprites = [0]
    var system = ParticleSystem(name: "Fountain", emitters: [emitter])
    system.images = [ImageReference(describing: image, at: "Images/spark.png")]
    system.sprites = [Sprite(image: 0)]
    return try EffectPackage(system, images: ["Images/spark.png": image]).container
  }

  static let faults: [Fault] = [
    .text(.json, "", "\"rate\": 160", "\"rate\": 160,"),
    .text(.json, "twice", "\"rate\": 160", "\"rate\": 160, \"rate\": 1"),
    Fault(.noDocument) { $0.removeFileNode(named: EffectPackage.documentPath) },
    .text(.documentVersion, "", "\"version\": \"1.0\"", "\"version\": \"2.0\""),
    .text(.type, "", "\"rate\": 160", "\"rate\": \"many\""),
    .text(.type, "missing", "\"version\": \"1.0\",", ""),
    .text(.range, "", "\"spread\": 9", "\"spread\": 270"),
    .text(.reference, "sprite", "\"sprites\": [0]", "\"sprites\": [3]"),
    .text(.reference, "image", "\"uri\": \"Images/spark.png\"", "\"uri\": \"Images/none.png\""),
    .text(.reference, "outside", "\"uri\": \"Images/spark.png\"", "\"uri\": \"../spark.png\""),
    .text(.keys, "", "[0, 0.35], [0.2, 1]", "[0.2, 0.35], [0, 1]"),
    .text(.unknownKey, "", "\"rate\": 160", "\"rate\": 160, \"sparkle\": true"),
    .text(
      .inert, "", "\"spread\": 9}",
      "\"spread\": 9}, \"motion\": {\"mode\": \"orbit\", \"orbit\": {\"radius\": 20}}"),
    .text(.stopped, "", "\"sprites\": [0]", "\"sprites\": [0], \"timing\": {\"speed\": 0}"),
    .text(.keys, "empty", "[[0, 0.35], [0.2, 1], [1, 0.1]]", "[]"),
    .text(
      .keys, "gradient", "\"sprites\": [0]",
      "\"sprites\": [0], \"color\": {\"base\": {\"gradient\": {\"keys\": [[1, [0, 0, 0]], [0, [1, 1, 1]]]}}}"
    ),
    .text(
      .reference, "circle", "\"sprites\": [0]",
      "\"sprites\": [0], \"triggers\": [{\"event\": \"death\", \"emitter\": 0}]"),
    .text(
      .reference, "mesh", "\"sprites\": [0]",
      "\"sprites\": [0], \"shape\": {\"type\": \"mesh\", \"mesh\": 0}"),
    .text(
      .range, "sha", "\"sha256\": \"", "\"sha256\": \"none\", \"sha\": \""),
    .text(.range, "region", "\"image\": 0", "\"image\": 0, \"region\": [2, 2, 4, 4]"),
    .text(
      .range, "grid", "\"image\": 0", "\"image\": 0, \"grid\": {\"columns\": 2, \"count\": 3}"),
    .text(
      .range, "weights", "\"rate\": 160", "\"rate\": {\"oneOf\": [1, 2], \"weights\": [1]}"),
    .text(.range, "minimum", "\"rate\": 160", "\"rate\": {\"min\": 2, \"max\": 1}"),
    .text(.canonical, "", "\"rate\": 160", "\"rate\": 160.0"),
    Fault(.unreferenced) { root in
      try root.setFileNode(FileNode(regularFileWithContents: [1, 2]), at: "Images/old.png")
    },
    Fault(.collision) { root in
      let copy = try #require(root["Images/spark.png"])
      try root.setFileNode(copy, at: "Images/1__#$!@%!#__spark.png")
    },
    Fault(.collision, "different") { root in
      try root.setFileNode(
        FileNode(regularFileWithContents: [1, 2]), at: "Images/2__#$!@%!#__spark.png")
    },
    .text(.manyParticles, "", "\"rate\": 160", "\"rate\": 1000000"),
    Fault(.largeTextures) { root in
      try Self.replaceImage(in: &root, width: 8192)
    },
    Fault(.image) { root in
      try root.setFileNode(
        FileNode(regularFileWithContents: PNG.signature + [1, 2, 3]), at: "Images/spark.png")
    },
    Fault(.absentImage) { root in
      var package = EffectPackage(Container(root: root))
      var system = try package.system()
      system.images = [ImageReference(name: "art/spark.png", uri: "Images/spark.png")]
      try package.setSystem(system)
      root = package.container.root
      root.removeFileNode(at: "Images/spark.png")
    },
    .text(.imageMismatch, "", "\"width\": 4", "\"width\": 5"),
    .text(.imageMismatch, "type", "image/png", "image/jpeg"),
    Fault(.imageUnchecked) { root in try Self.replaceImage(in: &root, width: nil) },
    Fault(.imageUnchecked, "lfs") { root in
      let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:5f8b\nsize 12345\n"
      try Self.replaceImage(in: &root, by: Array(pointer.utf8), named: "spark.png")
    },
    Fault(.imageUnchecked, "svg") { root in
      let picture = "<svg xmlns=\"http://www.w3.org/2000/svg\"><circle r=\"4\"/></svg>"
      try Self.replaceImage(in: &root, by: Array(picture.utf8), named: "spark.svg")
    },
    Fault(.image, "jpeg") { root in
      let jpeg = try Files.read(Repository.path("Fixtures/images/color.jpg"))
      try Self.replaceImage(in: &root, by: Array(jpeg.prefix(300)), named: "spark.jpg")
    },
    Fault(.staleThumbnail) { root in
      let digest = String(repeating: "0", count: 64)
      let picture = try PNG.encode(Bitmap(width: 4, height: 4) { x, y in (x, y, 0, 1) })
      let bytes = PNG.adding(
        [("Particles:Source", digest), ("Particles:Entries", digest)], to: picture)
      try root.setFileNode(
        FileNode(regularFileWithContents: bytes), at: EffectPackage.thumbnailPath)
    },
  ]

  /// Replaces the image with an OpenEXR, which we do not decode.
  static func replaceImage(in root: inout FileNode, width: Int?) throws {
    let picture: [UInt8] = [0x76, 0x2F, 0x31, 0x01] + [UInt8](repeating: 0, count: 20)
    try replaceImage(in: &root, by: picture, named: "spark.exr", width: width)
  }

  static func replaceImage(
    in root: inout FileNode, by bytes: [UInt8], named name: String, width: Int? = nil
  ) throws {
    var package = EffectPackage(Container(root: root))
    var system = try package.system()
    system.images = [ImageReference(describing: bytes, at: "Images/\(name)")]
    system.images[0].width = width
    system.images[0].height = width
    try package.setSystem(system)
    root = package.container.root
    try root.setFileNode(.emptyDirectory, at: EffectPackage.imageDirectory)
    try root.setFileNode(FileNode(regularFileWithContents: bytes), at: "Images/\(name)")
  }

  @Test("pictures of every format are sound, with their type and size")
  func formats() throws {
    for name in ["color.jpg", "lossy.webp", "animated.gif", "runs-8.bmp"] {
      let bytes = try Files.read(Repository.path("Fixtures/images/\(name)"))
      var container = try Self.sound()
      try Self.replaceImage(in: &container.root, by: bytes, named: name)
      var package = EffectPackage(container)
      var system = try package.system()
      system.images[0] = ImageReference(describing: bytes, at: "Images/\(name)")
      #expect(system.images[0].width != nil && system.images[0].mimeType != nil)
      try package.setSystem(system)
      #expect(try Validator().check(package).isEmpty, "\(name)")
      system.images[0].width = 1
      try package.setSystem(system)
      #expect(try Validator().check(package).map(\.rule) == [.imageMismatch])
      #expect(try EffectCheck().mend(&package).count == 1)
      #expect(try Validator().check(package).isEmpty)
    }
  }

  @Test("a file beside an effect from which no picture can be read is a warning at its key")
  func besideFiles() throws {
    let scratch = try Scratch()
    let effect = scratch.file("a.tscn")
    let scene = """
      [gd_scene load_steps=2 format=3]

      [ext_resource type="Texture2D" path="res://dot.png" id="1"]

      [node name="C" type="CPUParticles2D"]
      texture = ExtResource("1")

      """
    try Files.create(effect, Array(scene.utf8))
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:5f8b\nsize 12345\n"
    let jpeg = try Files.read(Repository.path("Fixtures/images/color.jpg"))
    for (bytes, rule, found) in [
      (
        Array(pointer.utf8), Rule.imageUnchecked,
        "a Git LFS pointer; `git lfs pull` fetches the file"
      ),
      (Array("<svg/>".utf8), .imageUnchecked, "an SVG picture; export it as PNG"),
      (Array(jpeg.prefix(300)), .image, nil),
    ] {
      try? Files.removeAll(scratch.file("dot.png"))
      try Files.create(scratch.file("dot.png"), bytes)
      let report = try Validator().check(effect).diagnostics.filter { $0.severity > .note }
      #expect(report.map(\.rule) == [rule], "\(report)")
      let fault = try #require(report.first)
      #expect(fault.severity == .warning && fault.found == found)
      #expect(fault.detail?.hasPrefix("dot.png") == true && fault.location.file == effect)
    }
    try Files.removeAll(scratch.file("dot.png"))
    try Files.create(scratch.file("dot.png"), jpeg)
    #expect(try Validator().check(effect).diagnostics.allSatisfy { $0.severity == .note })
  }

  /// Findings that accompany a fault: these documents are not canonical, and an image is unused if
  /// its reference is wrong.
  static let consequences: [Rule: Set<Rule>] = [
    .reference: [.unreferenced], .largeTextures: [.imageUnchecked],
    .range: [.imageMismatch, .unknownKey],
  ]

  @Test("a document with one fault is reported for that fault", arguments: faults)
  func fault(_ fault: Fault) throws {
    var container = try Self.sound()
    try fault.spoil(&container.root)
    if Repository.isRecording {
      try container.write(to: Repository.path(fault.file), as: .flat, replacing: true)
    }
    let kept = try Container(contentsOf: Repository.path(fault.file))
    #expect(try kept.root.matchesContents(of: container.root), "PARTICLES_RECORD=1 writes it")
    let found = try Validator().check(Repository.path(fault.file)).diagnostics
    #expect(Set(found.map(\.rule)).contains(fault.rule), "\(found)")
    let others = Set(found.map(\.rule)).subtracting([fault.rule, .canonical])
    #expect(others.isSubset(of: Self.consequences[fault.rule] ?? []), "\(found)")
    let place = try #require(found.first { $0.rule == fault.rule }).location
    #expect(place.file == Repository.path(fault.file))
    #expect(place.entry != nil)
  }

  @Test("images may take as much memory as the budget, and no more")
  func textureBudget() throws {
    let scratch = try Scratch()
    try Self.sound().write(to: scratch.file("a"), as: .flat)
    var budget = Validator.Budget()
    for (bytes, rules) in [(4 * 4 * 4, []), (4 * 4 * 4 - 1, [Rule.largeTextures])] {
      budget.textureBytes = bytes
      #expect(
        try Validator(budget: budget).check(scratch.file("a")).diagnostics.map(\.rule) == rules)
    }
  }

  @Test("both forms and files of other formats are checked")
  func kinds() throws {
    let scratch = try Scratch()
    let container = try Self.sound()
    for form in Container.Form.allCases {
      try container.write(to: scratch.file("\(form)"), as: form)
      let report = try Validator().check(scratch.file("\(form)"))
      #expect(report.kind == "\(form) package")
      #expect(report.diagnostics.isEmpty)
    }
    try Files.create(scratch.file("text"), Array("hello".utf8))
    #expect(try Validator().check(scratch.file("text")).diagnostics.map(\.rule) == [.unknownFormat])
    expectThrows(.fileNotFound) { try Validator().check(scratch.file("none")) }
  }

  @Test(
    "what a killed save left beside a document is a warning", arguments: Container.Form.allCases)
  func leftovers(form: Container.Form) throws {
    let scratch = try Scratch()
    try Self.sound().write(to: scratch.file("a"), as: form)
    let leftover = Files.temporaryName(beside: scratch.file("a"))
    try Files.create(leftover, [1])
    let found = try Validator().check(scratch.file("a")).diagnostics
    #expect(found.map(\.rule) == [.fileLeftover] && found[0].location.file == scratch.file("a"))
    #expect(found[0].message.contains(Files.lastComponent(of: leftover)))
    try Self.sound().write(to: scratch.file("a"), as: form, replacing: true)
    #expect(try Validator().check(scratch.file("a")).diagnostics.isEmpty)
  }

  @Test("the effect of a damaged package is not checked")
  func damaged() throws {
    let scratch = try Scratch()
    var bytes = try Self.sound().encoded()
    let data = try #require(bytes.firstRange(of: Array("DATA".utf8)))
    bytes[data.upperBound + 30] ^= 1
    try Files.create(scratch.file("a"), bytes)
    #expect(try Validator().check(scratch.file("a")).diagnostics.map(\.rule) == [.checksum])
  }
}

extension String {
  fileprivate func replacingCharacters(in range: Range<Index>, with other: String) -> String {
    String(self[..<range.lowerBound]) + other + String(self[range.upperBound...])
  }
}
