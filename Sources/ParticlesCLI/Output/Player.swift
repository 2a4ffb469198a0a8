internal import CParticlesPlayer
internal import ParticlesCore
internal import ParticlesDocuments

extension PlayerFiles {
  /// The player of this build: what `make web` built before, and the files beside it.
  static var built: PlayerFiles {
    var files: [String: [UInt8]] = [:]
    var index = 0
    while let file = particles_player_file_at(index)?.pointee {
      files[String(cString: file.name)] = Array(
        UnsafeBufferPointer(start: file.start, count: file.size))
      index += 1
    }
    let module = files.removeValue(forKey: "particles.wasm.gz")
    return PlayerFiles(files: files, module: module)
  }
}

extension Invocation {
  /// The player for pages, well compressed. Nil if frames were asked for. Nil with a note if the module was not built.
  func playerOfPages() throws -> PlayerFiles? {
    guard !flag(.stillFrames) else { return nil }
    let player = PlayerFiles.built
    if player.module == nil {
      console.inform("this build has no simulation for web pages, so the page has drawn frames")
      return nil
    }
    return try player.packed()
  }
}
