import ParticlesCore
import ParticlesDesktop
import ParticlesSystem
import ParticlesTestSupport
import Testing

@Suite("Chosen programs")
struct DesktopChoicesTests {
  @Test("an association is removed for all files of lower precedence, and for declarations")
  func removal() throws {
    let scratch = try Scratch()
    let (config, data) = (scratch.file("config"), scratch.file("data"))
    for folder in [config, data, "\(data)/applications"] { try Files.makeDirectory(folder) }
    for name in ["a", "b", "c", "d"] {
      let entry = "[Desktop Entry]\nType=Application\nName=\(name)\nExec=sh %f\n"
      let types = name == "c" || name == "d" ? "MimeType=image/x-a;\n" : ""
      try Files.create("\(data)/applications/\(name).desktop", Array((entry + types).utf8))
    }
    func write(_ path: String, _ text: String) throws { try Files.create(path, Array(text.utf8)) }
    // Desktops look for declarations in the cache only.
    try write(
      "\(data)/applications/mimeinfo.cache", "[MIME Cache]\nimage/x-a=c.desktop;d.desktop;\n")
    try write(
      "\(config)/mimeapps.list",
      "[Added Associations]\nimage/x-a=a.desktop;\n"
        + "[Removed Associations]\nimage/x-a=a.desktop;b.desktop;d.desktop;\n")
    try write(
      "\(data)/applications/mimeapps.list",
      "[Added Associations]\nimage/x-a=b.desktop;a.desktop;\n")
    let desktop = try Desktop(environment: [
      "HOME": scratch.path, "XDG_CONFIG_HOME": config, "XDG_CONFIG_DIRS": scratch.file("none"),
      "XDG_DATA_HOME": data, "XDG_DATA_DIRS": scratch.file("none"), "PATH": "/usr/bin:/bin",
    ])
    #expect(desktop.programs(for: "image/x-a").map(\.identifier) == ["a.desktop", "c.desktop"])
  }
}
