internal import ParticlesCore
internal import ParticlesPlatform

/// A folder that only this run uses.
struct Scratch {
  let path: String

  /// Makes a folder in memory if there is room, so that no disk is measured.
  /// - Parameter room: how many bytes will be needed.
  init(room: Int) throws {
    let place = Self.free(in: "/dev/shm") >= room ? "/dev/shm" : Files.temporaryFolder
    path = Files.joined(place, "particles-bench-\(getpid())")
    try Files.makeDirectory(path)
  }

  /// One on a disk, if that is where temporary files are.
  static func onDisk() throws -> Scratch {
    let path = Files.joined(Files.temporaryFolder, "particles-bench-\(getpid())-disk")
    try Files.makeDirectory(path)
    return Scratch(path: path)
  }

  private init(path: String) { self.path = path }

  func remove() { try? Files.removeAll(path) }

  private static func free(in folder: String) -> Int {
    var status = statvfs()
    guard access(folder, W_OK) == 0, statvfs(folder, &status) == 0 else { return 0 }
    return Int(status.f_bavail) * Int(status.f_frsize)
  }
}
