// Short names inside the package of types that others spell as members.

package typealias Location = Diagnostic.Location
package typealias Repair = Diagnostic.Repair
package typealias Report = Diagnostic.Report
package typealias Severity = Diagnostic.Severity
