// Short names, for use inside the package, of public nested types.

package typealias CompressionLevel = Container.CompressionLevel
package typealias Difference = Container.Difference
package typealias Entry = Container.Entry
package typealias PackingOptions = Container.PackingOptions
package typealias Recovery = Container.Recovery
package typealias SaveMode = Container.SaveMode
package typealias WorkOptions = Container.WorkOptions

package typealias UniqueNameStyle = FileNode.UniqueNameStyle
