import ParticlesBrowser
import ParticlesCore
import ParticlesTestSupport
import Testing

@Suite("Configuration of the browser")
struct ConfigurationTests {
  @Test("a query is JSON outside, and comes back")
  func query() throws {
    var query = BrowserQuery("abc")
    (query.sort, query.isReversed, query.search, query.start) = (.modified, true, "fire", 40)
    (query.count, query.readsHeads, query.tag, query.types) = (40, true, "red", ["public.text"])
    #expect(try BrowserQuery(json: query.json) == query)
  }
}
