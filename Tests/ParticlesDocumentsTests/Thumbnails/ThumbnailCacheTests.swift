import Foundation
import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

@testable import ParticlesDocuments
@testable import ParticlesEffects

@Suite("Thumbnails that the desktop keeps")
struct ThumbnailCacheTests {
  @Test("a thumbnail is found for the state and the path that it was drawn for, and no other")
  func states() throws {
    let scratch = try Scratch()
    let document = scratch.file("fire.particles")
    try #require(EffectTemplate.named("fire")).package().container.write(to: document, as: .flat)
    let cache = ThumbnailCache(scratch.file("cache"))
    let folders = ThumbnailCache.folders
    let folder = try #require(folders.first)
    #expect(cache.read(document, folder.name) == nil && cache.file(of: document) == nil)
    let drawn = try cache.draw(document, folder)
    #expect(drawn.keeping == .kept)
    #expect(cache.read(document, folder.name) == drawn.bytes)
    let file = try #require(cache.file(of: document))
    #expect(try Files.read(file) == drawn.bytes && file.hasPrefix(scratch.file("cache/")))
    #expect(cache.file(of: document, in: folder.name) == file)
    #expect(cache.file(of: document, in: try #require(folders.last).name) == nil)
    // Another state of the document.
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_000)], ofItemAtPath: document)
    #expect(cache.read(document, folder.name) == nil && cache.file(of: document) == nil)
    _ = try cache.draw(document, folder)
    #expect(cache.read(document, folder.name) != nil && cache.file(of: document) == file)
    // The picture of another document in its place.
    let other = scratch.file("other.particles")
    try Files.create(other, try Files.read(document))
    #expect(cache.read(other, folder.name) == nil)
    _ = try cache.draw(other, folder)
    let place = try #require(cache.file(of: other))
    try Files.removeAll(file)
    try Files.rename(place, file)
    #expect(cache.read(document, folder.name) == nil && cache.file(of: document) == nil)
  }

  @Test("without a folder, or with one that cannot be written, a thumbnail is drawn all the same")
  func refused() throws {
    let scratch = try Scratch()
    let document = scratch.file("fire.particles")
    try #require(EffectTemplate.named("fire")).package().container.write(to: document, as: .flat)
    try Files.create(scratch.file("file"), [])
    let folder = try #require(ThumbnailCache.folders.first)
    for place in [nil, scratch.file("file")] {
      let cache = ThumbnailCache(place)
      let drawn = try cache.draw(document, folder)
      #expect(drawn.keeping == .refused && !drawn.bytes.isEmpty)
      #expect(cache.read(document, folder.name) == nil)
    }
  }
}
