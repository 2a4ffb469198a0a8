import ParticlesContainer
import ParticlesCore
import ParticlesDocuments
import ParticlesFormats
import ParticlesImages
import ParticlesModel
import ParticlesTestSupport
import Testing

@Suite("Templates")
struct TemplateTests {
  @Test("every template makes a document without a finding", arguments: Template.all.map(\.name))
  func valid(name: String) throws {
    let template = try #require(Template.named(name))
    let package = try template.package()
    #expect(try Validator().check(package).isEmpty)
    let system = try package.system()
    #expect(system.asset.name?.lowercased() == template.name)
    #expect(system.emitters.count == 1)
    let bytes = try package.container.encoded()
    #expect(try template.package().container.encoded() == bytes, "the same each time")
  }

  @Test("names are one word each, differ, and are found in any case")
  func names() {
    #expect(Set(Template.all.map(\.name)).count == Template.all.count)
    for template in Template.all {
      #expect(template.name.allSatisfy { $0.isLowercase })
      #expect(Template.named(template.name.uppercased())?.name == template.name)
    }
    #expect(Template.named("none of them") == nil)
  }

  @Test("all but the blank one show something: a picture that is neither empty nor full")
  func pictures() throws {
    for template in Template.all where template.name != "blank" {
      let package = try template.package()
      let image = try #require(try package.system().images.first)
      let bytes = try #require(try package.container.root[image.uri]?.regularFileContents())
      let picture = try PNG.decode(bytes)
      let alphas = stride(from: 3, to: picture.pixels.count, by: 4).map { picture.pixels[$0] }
      #expect(alphas.contains { $0 > 200 } && alphas.contains { $0 == 0 }, "\(template.name)")
      #expect(try package.system().emitters[0].emission.rate != 0)
    }
  }
}
