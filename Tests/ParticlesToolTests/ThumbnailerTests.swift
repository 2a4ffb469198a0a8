import ParticlesCore
import ParticlesDesktop
import ParticlesSystem
import ParticlesTestSupport
import Testing

@testable import ParticlesTypes

/// Runs the installed thumbnailer as desktops do.
@Suite("Thumbnailers of desktops", .serialized)
struct ThumbnailerTests {
  private let scratch: Scratch
  private let environment: [String: String]
  private let document: String

  init() throws {
    scratch = try Scratch()
    environment = scratch.desktop(["GIO_USE_VFS": "local"])
    document = scratch.file("fire.particles")
    for words in [["desktop", "install"], ["new", document, "--template", "fire"]] {
      _ = try Run.succeeding(Run.built("particles"), words, environment: environment)
    }
  }

  /// The command line of the installed entry.
  private func command(_ input: String, _ output: String) throws -> [String] {
    let entry = KeyFile(
      String(
        decoding: try Files.read(scratch.file("share/thumbnailers/particles.thumbnailer")),
        as: UTF8.self))
    let line = try #require(entry["Exec", in: "Thumbnailer Entry"])
    return line.replacing("%s", with: "64").split(separator: " ").map {
      $0 == "%i" ? input : $0 == "%o" ? output : String($0)
    }
  }

  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47]

  @Test("the output is written into the file that is there, whether it was longer or empty")
  func inPlace() throws {
    for size in [0, 1 << 20] {
      let output = scratch.file("out-\(size)")
      try Files.create(output, [UInt8](repeating: 7, count: size))
      let opened = try OpenFile(reading: output)
      let words = try command(document, output)
      _ = try Run.succeeding(words[0], Array(words.dropFirst()), environment: environment)
      // tumbler reads the file that it opened before.
      let bytes = try opened.readToEnd(limits: .standard)
      #expect(bytes.starts(with: Self.signature))
      #expect(bytes == (try Files.read(output)) && bytes.count < 1 << 20)
      #expect(bytes.suffix(8) == [0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82])
    }
  }

  /// The service that makes thumbnails for Thunar and other file managers.
  private static let service = "/usr/lib/x86_64-linux-gnu/tumbler-1/tumblerd"

  @Test(
    "tumbler makes a thumbnail of each format", .needs("dbus-run-session", "gdbus"),
    .enabled(if: (try? Files.status(service)) != nil, "tumbler is not installed"))
  func tumbler() throws {
    let service = Self.service
    let bus = try #require(Run.find("dbus-run-session"))
    let call = try #require(Run.find("gdbus"))
    let effects = ["pex/torch.pex"].map { Repository.path("Fixtures/effects/\($0)") }
    var paths = [document]
    for effect in effects {
      let path = scratch.file(Files.lastComponent(of: effect))
      try Files.create(path, try Files.read(effect))
      paths.append(path)
    }
    let uris = paths.map { "'file://\($0)'" }.joined(separator: ",")
    let types = "'application/vnd.particles','application/x-starling-particle-system+xml'"
    let script = """
      exec > /dev/null 2>&1
      '\(service)' & service=$!
      for i in 1 2 3 4 5 6 7 8 9 10; do
        '\(call)' wait --session --timeout 2 org.freedesktop.thumbnails.Thumbnailer1 && break
      done
      '\(call)' call --session --dest org.freedesktop.thumbnails.Thumbnailer1 \
        --object-path /org/freedesktop/thumbnails/Thumbnailer1 \
        --method org.freedesktop.thumbnails.Thumbnailer1.Queue "[\(uris)]" "[\(types)]" normal default 0
      for i in $(seq 100); do
        [ "$(ls "$XDG_CACHE_HOME"/thumbnails/normal/*.png 2> /dev/null | wc -l)" = \(paths.count) ] && break
        sleep 0.1
      done
      kill -9 $service
      """
    // Services that the bus starts outlive it and would keep a pipe open.
    let start = "exec '\(bus)' -- sh -c \"$SCRIPT\" > /dev/null 2>&1"
    _ = try Run(
      "/bin/sh", ["-c", start], environment: environment.merging(["SCRIPT": script]) { $1 })
    let folder = scratch.file("cache/thumbnails/normal")
    let made = try Files.status(folder) == nil ? [] : Files.list(folder)
    #expect(made.count == paths.count)
    for name in made {
      #expect(try Files.read(Files.joined(folder, name)).starts(with: Self.signature))
    }
  }

  /// The arguments of bubblewrap in libgnome-desktop 43 (`gnome-desktop-thumbnail-script.c`), with the
  /// program and its libraries in addition: in a test, they are not below /usr.
  private func sandbox(_ program: String, _ folder: String, _ input: String) throws -> [String] {
    var words = ["--ro-bind", "/usr", "/usr", "--ro-bind", "/etc/ld.so.cache", "/etc/ld.so.cache"]
    for name in ["/bin", "/lib64", "/lib", "/sbin"] where try Files.status(name) != nil {
      let isLink = try Files.status(name, followingLinks: false)?.kind == .symbolicLink
      words += isLink ? ["--symlink", "/usr\(name)", name] : ["--ro-bind", name, name]
    }
    words += [
      "--proc", "/proc", "--dev", "/dev", "--chdir", "/", "--setenv", "GIO_USE_VFS", "local",
      "--unshare-all", "--die-with-parent", "--bind", folder, "/tmp", "--ro-bind", document, input,
    ]
    let libraries = try Run.succeeding("/usr/bin/ldd", [program]).text.split(separator: "\n")
      .compactMap { $0.split(separator: " ").first { $0.hasPrefix("/") }.map(String.init) }
    for path in Set(libraries + [program]) where !path.hasPrefix("/usr/") && !path.hasPrefix("/lib")
    {
      words += ["--ro-bind", path, path]
    }
    return words
  }

  @Test(
    "the sandbox of gnome-desktop, with /usr and two folders only, gets a thumbnail",
    .needs("bwrap"))
  func gnome() throws {
    let bubblewrap = try #require(Run.find("bwrap"))
    let folder = scratch.file("sandbox")
    try Files.makeDirectory(folder)
    let input = "/tmp/gnome-desktop-file-to-thumbnail.particles"
    let words = try command(input, "/tmp/gnome-desktop-thumbnailer.png")
    let arguments = try sandbox(words[0], folder, input)
    let trial = try Run(bubblewrap, arguments + ["true"], environment: environment)
    guard trial.status == 0 else {
      print("skipped: bubblewrap cannot make a sandbox here: \(trial.errors)")
      return
    }
    _ = try Run.succeeding(bubblewrap, arguments + words, environment: environment)
    let output = Files.joined(folder, "gnome-desktop-thumbnailer.png")
    #expect(try Files.read(output).starts(with: Self.signature))
  }
}
