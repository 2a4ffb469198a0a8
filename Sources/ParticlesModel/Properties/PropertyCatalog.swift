/// The tables of all objects that a document can hold, for documentation and for programs that
/// edit properties by their names.
package struct PropertyCatalog: Sendable {
  /// The table of one object.
  package struct Object: Sendable {
    package let title: String
    package let about: String
    package let properties: [PropertyInfo]
    /// The type of the object.
    package let type: any ModelObject.Type
  }

  package let objects: [Object]

  /// Collects the objects that `root` can hold; those of the whole document by default.
  package init(_ root: any ModelObject.Type = ParticleSystem.self) {
    var objects: [Object] = []
    var seen: Set<ObjectIdentifier> = [ObjectIdentifier(root)]
    var waiting: [any ModelObject.Type] = [root]
    var next = 0
    while next < waiting.count {
      let object = waiting[next].entry
      objects.append(object)
      for type in object.properties.flatMap(\.objects)
      where seen.insert(ObjectIdentifier(type)).inserted {
        waiting.append(type)
      }
      next += 1
    }
    self.objects = objects
  }
}

extension ModelObject {
  /// The entry of the object in the catalogue.
  fileprivate static var entry: PropertyCatalog.Object {
    PropertyCatalog.Object(
      title: title, about: about, properties: properties.map { $0.info }, type: self)
  }
}
