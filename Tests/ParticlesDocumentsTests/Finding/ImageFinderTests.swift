import ParticlesCore
import ParticlesDocuments
import ParticlesImages
import ParticlesSystem
import ParticlesTestSupport
import Testing

@Suite struct ImageFinderTests {
  /// A folder with these files in it, each holding its own path.
  private func inFolder(_ names: [String], _ body: (String) throws -> Void) throws {
    let folder = "/tmp/particles-finder-\(UInt64.random(in: 0...UInt64.max))"
    try Files.makeDirectory(folder)
    defer { try? Files.removeAll(folder) }
    for name in names {
      var path = folder
      for component in name.split(separator: "/").dropLast() {
        path += "/\(component)"
        if try Files.status(path) == nil { try Files.makeDirectory(path) }
      }
      try Files.create("\(folder)/\(name)", Array(name.utf8))
    }
    try body(folder)
  }

  @Test(
    "paths in projects of Godot and Defold begin at their roots",
    arguments: [
      ("res://art/a.png", "godot/art/a.png"), ("/art/a.png", "defold/art/a.png"),
      ("res://fx/deep/b.png", "godot/fx/deep/b.png"),
      // Others are looked for by their names alone.
      ("res://other/../c.png", "here/c.png"), ("res://../secret.png", nil), ("/etc/passwd", nil),
      ("res://../../etc/passwd", nil), ("/../../etc/passwd", nil), ("res:///etc/passwd", nil),
      ("res://art/../../secret.png", nil), ("/art/../../secret.png", nil),
      ("res://art/out.png", nil), ("res://", nil), ("res://art", nil),
    ] as [(String, String?)])
  func projects(reference: String, expected: String?) throws {
    let names = [
      "godot/project.godot", "godot/art/a.png", "godot/fx/deep/b.png", "godot/fx/x/test.tscn",
      "godot/fx/x/c.png", "defold/game.project", "defold/art/a.png", "defold/fx/test.particlefx",
      "secret.png",
    ]
    try inFolder(names) { (folder: String) throws in
      try Files.makeLink("\(folder)/godot/art/out.png", to: "\(folder)/secret.png")
      let file = reference.hasPrefix("res") ? "godot/fx/x/test.tscn" : "defold/fx/test.particlefx"
      let found = try ImageFinder(besides: "\(folder)/\(file)").find(reference)
      let here = expected?.replacing("here", with: "godot/fx/x")
      #expect(found.map { String(decoding: $0, as: UTF8.self) } == here)
    }
  }

  @Test("scenes and resources are found in projects only, also in one that the caller names")
  func resources() throws {
    let names = ["fx/a.tscn", "fx/b.tres", "fx/b.png", "game/project.godot", "game/mat/b.tres"]
    try inFolder(names) { (folder: String) throws in
      let alone = ImageFinder(besides: "\(folder)/fx/a.tscn")
      #expect(try alone.find("res://mat/b.tres") == nil && alone.find("res://x/a.tscn") == nil)
      #expect(try alone.find("res://mat/b.png") != nil)
      let finder = ImageFinder(besides: "\(folder)/fx/a.tscn", folders: ["\(folder)/game"])
      #expect(try finder.find("res://mat/b.tres") == Array("game/mat/b.tres".utf8))
      #expect(try finder.find("res://../fx/b.tres") == nil && finder.find("res://b.tres") == nil)
    }
  }

  @Test(
    "files of Unity are found by the identifiers of their project, and in folders of the caller")
  func identifiers() throws {
    let (one, two, three) = (
      "1" + String(repeating: "a", count: 31), "2" + String(repeating: "b", count: 31),
      "3" + String(repeating: "c", count: 31)
    )
    let names = [
      "game/Assets/fx/a.prefab", "game/Assets/art/a.png", "game/Library/b.png", "more/c.png",
      "game/Assets/art/gone.png.meta",
    ]
    try inFolder(names) { (folder: String) throws in
      for (name, guid) in [
        ("game/Assets/art/a.png", one), ("game/Library/b.png", two), ("more/c.png", three),
      ] {
        try Files.create(
          "\(folder)/\(name).meta",
          Array("fileFormatVersion: 2\nguid: \(guid)\nTextureImporter:\n".utf8))
      }
      let alone = ImageFinder(besides: "\(folder)/game/Assets/fx/a.prefab")
      #expect(try alone.image("guid:\(one)")?.name == "a.png")
      #expect(try alone.find("guid:\(one)") == Array("game/Assets/art/a.png".utf8))
      #expect(try alone.find("guid:\(two)") == nil, "what Unity makes is not looked at")
      #expect(try alone.find("guid:\(three)") == nil)
      let finder = ImageFinder(
        besides: "\(folder)/game/Assets/fx/a.prefab", folders: ["\(folder)/more"])
      #expect(try finder.find("guid:\(three)") == Array("more/c.png".utf8))
      for reference in [
        "guid:", "guid:..", "guid:../../etc/passwd", "guid:\(one.uppercased())", "guid:\(one)0",
      ] {
        #expect(try finder.find(reference) == nil, "\(reference)")
      }
    }
  }

  @Test("a project that the caller names takes the place of the nearest one")
  func namedProject() throws {
    let names = [
      "project.godot", "art/a.png", "fx/test.tscn", "game/project.godot", "game/art/a.png",
      "game/art/b.tres", "plain/x.png",
    ]
    try inFolder(names) { (folder: String) throws in
      var finder = ImageFinder(besides: "\(folder)/fx/test.tscn")
      finder.project = "\(folder)/game"
      #expect(try finder.find("res://art/a.png") == Array("game/art/a.png".utf8))
      #expect(
        try finder.find("res://art/b.tres") != nil && finder.find("res://../fx/test.tscn") == nil)
      #expect(finder.searchedFolders.contains("the project \(folder)/game"))
      #expect(ImageFinder.isProject("\(folder)/game") && !ImageFinder.isProject("\(folder)/plain"))
      #expect(!ImageFinder.isProject("\(folder)/nowhere"))
    }
  }

  @Test("a project is looked for in 32 folders above a file")
  func depth() throws {
    let deep = (0..<40).map { "d\($0)" }.joined(separator: "/")
    try inFolder(["project.godot", "art/a.png", "\(deep)/test.tscn", "d0/d1/near.tscn"]) {
      (folder: String) throws in
      // Farther than the folders that are looked at.
      let far = ImageFinder(besides: "\(folder)/\(deep)/test.tscn")
      #expect(try far.find("res://art/a.png") == nil)
      let near = ImageFinder(besides: "\(folder)/d0/d1/near.tscn")
      #expect(try near.find("res://art/a.png") != nil)
    }
  }

  @Test("the nearest project counts, and a reference of another engine finds none")
  func nearest() throws {
    let names = [
      "project.godot", "a.png", "inner/project.godot", "inner/art/a.png", "inner/fx/test.tscn",
    ]
    try inFolder(names) { (folder: String) throws in
      let finder = ImageFinder(besides: "\(folder)/inner/fx/test.tscn")
      #expect(try finder.find("res://art/a.png") == Array("inner/art/a.png".utf8))
      #expect(try finder.find("res://a.png") == nil && finder.find("/art/a.png") == nil)
      #expect(finder.searchedFolders.contains { $0.hasSuffix("/inner") && $0.contains("project") })
    }
  }

  @Test(arguments: [
    ("a.png", "fx/a.png"), ("/Users/somebody/a.png", "fx/a.png"), ("C:\\art\\a.png", "fx/a.png"),
    ("file:///art/a.png", "fx/a.png"), ("art/b.png", "fx/art/b.png"), ("c.png", "more/c.png"),
    ("d.png", "fx/textures/d.png"), ("e.png", "fx/Images/e.png"), ("f.PNG", "fx/f.png"),
    ("g.png", "fx/textures/G.png"),
  ])
  func places(reference: String, expected: String) throws {
    let names = [
      "fx/a.png", "fx/art/b.png", "more/c.png", "fx/textures/d.png", "fx/Images/e.png",
      "fx/f.png", "fx/textures/G.png", "secret.png", "fx/textures/a.png", "more/a.png",
    ]
    try inFolder(names) { (folder: String) throws in
      let finder = ImageFinder(besides: "\(folder)/fx/test.scnp", folders: ["\(folder)/more"])
      #expect(try finder.find(reference) == Array(expected.utf8))
    }
  }

  @Test(arguments: [
    "secret.png", "../secret.png", "textures/../../secret.png", "", "..", ".", "art", "/",
    "art/", "x\0y.png", String(repeating: "x", count: 300) + ".png",
  ])
  func nothingOutside(reference: String) throws {
    try inFolder(["secret.png", "fx/art/b.png"]) { (folder: String) throws in
      #expect(try ImageFinder(besides: "\(folder)/fx/test.scnp").find(reference) == nil)
    }
  }

  @Test func aNameThatIsNoTextHidesNoOther() throws {
    try inFolder(["G.png"]) { (folder: String) throws in
      _ = try Run.succeeding("/bin/sh", ["-c", "touch \"$(printf 'gr\\374n.png')\""], in: folder)
      let finder = ImageFinder(besides: "\(folder)/test.scnp", folders: [])
      #expect(try finder.find("g.png") == Array("G.png".utf8))
    }
  }

  @Test func theExactNameComesFirst() throws {
    try inFolder(["a.PNG", "textures/a.png"]) { (folder: String) throws in
      let finder = ImageFinder(besides: "\(folder)/test.scnp")
      #expect(try finder.path(of: "a.png") == "\(folder)/textures/a.png")
    }
  }

  @Test(arguments: [
    ("deep.png", "art/a/b/deep.png", 1), ("DEEP.png", "art/a/b/deep.png", 1),
    ("twice.png", "art/c/twice.png", 1), ("fx/b/twice.png", "art/a/b/twice.png", 1),
    ("spark.png", "art/Assets.xcassets/spark.imageset/large.png", 3),
    ("Spark", "art/Assets.xcassets/spark.imageset/large.png", 3),
    ("leaf", "art/Assets.xcassets/tree.spriteatlas/leaf.imageset/leaf.jpg", 1),
  ])
  func subfoldersAndCatalogues(reference: String, expected: String, scale: Int) throws {
    let names = [
      "fx/test.scnp", "fx/art/deep.png.bak", "art/a/b/deep.png", "art/c/twice.png",
      "art/a/b/twice.png", "art/Assets.xcassets/spark.imageset/large.png",
      "art/Assets.xcassets/spark.imageset/small.png",
      "art/Assets.xcassets/tree.spriteatlas/leaf.imageset/leaf.jpg", "art/.git/hidden.png",
    ]
    try inFolder(names) { (folder: String) throws in
      let assets = "\(folder)/art/Assets.xcassets"
      try Files.create(
        "\(assets)/spark.imageset/Contents.json",
        Array(
          """
          {"images": [{"filename": "small.png", "scale": "1x"}, {"scale": "2x"},
           {"filename": "large.png", "scale": "3x"}, {"filename": "../../x", "scale": "4x"}]}
          """.utf8))
      try Files.create(
        "\(assets)/tree.spriteatlas/leaf.imageset/Contents.json",
        Array(#"{"images": [{"filename": "leaf.jpg"}]}"#.utf8))
      let finder = ImageFinder(besides: "\(folder)/fx/test.scnp", folders: ["\(folder)/art"])
      #expect(try finder.path(of: reference) == "\(folder)/\(expected)")
      let image = try #require(try finder.image(reference))
      #expect(image.scale ?? 1 == scale)
      #expect(image.bytes == Array(expected.utf8))
      // Nobody named the folder.
      #expect(try ImageFinder(besides: "\(folder)/fx/test.scnp").path(of: reference) == nil)
      #expect(try finder.path(of: "hidden.png") == nil)
    }
  }

  @Test func catalogueNamesTellTheKind() throws {
    try inFolder(["art/spark.imageset/large.png"]) { (folder: String) throws in
      try Files.create(
        "\(folder)/art/spark.imageset/Contents.json",
        Array(#"{"images": [{"filename": "large.png", "scale": "2x"}]}"#.utf8))
      let finder = ImageFinder(besides: "\(folder)/a.sks", folders: ["\(folder)/art"])
      #expect(try finder.image("spark")?.name == "spark.png")
      #expect(try finder.image("spark.png")?.name == "spark.png")
      #expect(try finder.image("spark.tga")?.name == "spark.png")
    }
  }

  @Test func linksAndDepthAreBounded() throws {
    let deep = (1...9).map { "\($0)/" }.joined()
    try inFolder(["other/x.png", "art/\(deep)y.png", "art/\(deep.dropLast(2))z.png"]) {
      (folder: String) throws in
      try Files.makeLink("\(folder)/art/link", to: "../other")
      try Files.makeLink("\(folder)/art/1/x.png", to: "../../other/x.png")
      let finder = ImageFinder(besides: "\(folder)/a.sks", folders: ["\(folder)/art"])
      #expect(try finder.path(of: "x.png") == nil)
      #expect(try finder.path(of: "y.png") == nil)
      #expect(try finder.path(of: "z.png") != nil)
    }
  }

  @Test func eachFolderIsListedOnce() throws {
    try inFolder(["A.png"]) { (folder: String) throws in
      let finder = ImageFinder(besides: "\(folder)/a.sks")
      #expect(try finder.find("a.PNG") != nil)
      try Files.create("\(folder)/B.png", [1])
      #expect(try finder.find("b.png") == nil)
      #expect(try finder.find("B.png") == [1])
      #expect(try ImageFinder(besides: "\(folder)/a.sks").find("b.png") == [1])
    }
  }

  @Test func imagesHaveALimit() throws {
    try inFolder(["a.png"]) { (folder: String) throws in
      var limits = Limits()
      limits.fileBytes = 2
      let finder = ImageFinder(besides: "\(folder)/test.scnp", limits: limits)
      #expect(throws: Diagnostic.self) { try finder.find("a.png") }
    }
  }

  @Test func aReferenceHasFewerThan1024Bytes() throws {
    try inFolder(["a.png"]) { folder in
      let finder = ImageFinder(besides: "\(folder)/a.scnp")
      for (length, isFound) in [(1023, true), (1024, false)] {
        let reference = String(repeating: "x", count: length - 6) + "/a.png"
        let path = try finder.path(of: reference)
        #expect((path != nil) == isFound, "\(length) bytes")
      }
    }
  }
}
