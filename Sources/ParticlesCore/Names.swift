// Short names for nested types, for use inside the package.

package typealias Location = Diagnostic.Location
package typealias Repair = Diagnostic.Repair
package typealias Report = Diagnostic.Report
package typealias Severity = Diagnostic.Severity
