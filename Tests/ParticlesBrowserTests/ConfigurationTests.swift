import ParticlesBrowser
import ParticlesCore
import ParticlesTestSupport
import Testing

@Suite("Configuration of the browser")
struct ConfigurationTests {
  @Test("a configuration is JSON outside, and comes back")
  func roundTrip() throws {
    var configuration = BrowserConfiguration()
    configuration.allowedTypes = ["public.text"]
    configuration.allowedExtensions = ["fx"]
    configuration.allowsCreation = false
    configuration.allowsMultiple = false
    configuration.isReadOnly = true
    configuration.others = .hidden
    configuration.style = .dark
    configuration.tint = "#FF8800"
    configuration.creationTitle = "New Effect"
    configuration.showsExtensions = false
    let json = try JSONParser.parse(Array(configuration.json.text.utf8))
    #expect(try BrowserConfiguration(json: json) == configuration)
    #expect(try BrowserConfiguration(json: [:]) == BrowserConfiguration())
  }

  @Test("a wrong member is named, with what was expected")
  func wrongMembers() {
    for (text, key) in [
      (#"{"tint": "url(x)"}"#, "tint"), (#"{"tint": ""}"#, "tint"),
      (#"{"style": "pink"}"#, "style"),
      (#"{"readOnly": 1}"#, "readOnly"), (#"{"allowedTypes": [1]}"#, "allowedTypes"),
      (#"{"colour": "red"}"#, "colour"),
    ] {
      do {
        _ = try BrowserConfiguration(json: JSONParser.parse(Array(text.utf8)))
        Issue.record("\(text) is accepted")
      } catch {
        #expect("\(error)".contains(key), "\(error)")
      }
    }
  }

  @Test("a query is JSON outside, and comes back")
  func query() throws {
    var query = BrowserQuery("abc")
    (query.sort, query.isReversed, query.search, query.start) = (.modified, true, "fire", 40)
    (query.count, query.readsHeads, query.tag, query.types) = (40, true, "red", ["public.text"])
    #expect(try BrowserQuery(json: query.json) == query)
  }
}
