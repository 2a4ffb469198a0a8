"""Writes the bill of materials of the tool: SPDX 2.3 in JSON, with all linked libraries and their licences.

    python3 Sources/Packaging/sbom.py TOOL ARCHIVES OUTPUT

ARCHIVES are the statistics of the linker. A library that is linked and is in no row of the table is an error.
"""

import json
import sys
from datetime import datetime, timezone
from pathlib import Path

import facts
import tree


def package(library):
    """The entry of a library."""
    found = facts.installed(library.debian) if library.debian else facts.toolchain()
    entry = {
        "SPDXID": "SPDXRef-" + library.name.replace("+", "p"),
        "name": library.name,
        "versionInfo": found or "unknown",
        "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False,
        "licenseConcluded": library.licence,
        "licenseDeclared": library.licence,
        "copyrightText": f"Copyright {library.copyright}",
        "homepage": library.address,
        "primaryPackagePurpose": "LIBRARY",
    }
    if library.debian and found:
        source = facts.installed(library.debian, "${source:Package} ${source:Version}")
        entry["sourceInfo"] = f"built from {source} of Debian"
        entry["externalRefs"] = [{
            "referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
            "referenceLocator": f"pkg:deb/debian/{library.debian}@{found}",
        }]
    return entry


def document(tool):
    data = Path(tool).read_bytes()
    created = datetime.fromtimestamp(facts.epoch(), timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    name = f"{facts.NAME}-{facts.version()}"
    main = {
        "SPDXID": "SPDXRef-" + facts.NAME,
        "name": facts.NAME,
        "versionInfo": facts.version(),
        "packageFileName": facts.NAME,
        "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False,
        "licenseConcluded": facts.LICENCE,
        "licenseDeclared": facts.LICENCE,
        "copyrightText": facts.COPYRIGHT,
        "checksums": [{"algorithm": "SHA256", "checksumValue": tree.sha256(data)}],
        "primaryPackagePurpose": "APPLICATION",
        "comment": "One static executable. Its source archive, with which it can be linked with other versions "
        "of the libraries, is a part of the release.",
    }
    libraries = [package(library) for library in facts.LIBRARIES]
    return {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": name,
        "documentNamespace": f"https://spdx.org/spdxdocs/{name}-{tree.sha256(data)[:32]}",
        "creationInfo": {"created": created, "creators": ["Organization: " + facts.MAINTAINER.split(" <")[0]]},
        "packages": [main] + libraries,
        "relationships": [{
            "spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES",
            "relatedSpdxElement": main["SPDXID"],
        }] + [{
            "spdxElementId": main["SPDXID"], "relationshipType": "STATIC_LINK",
            "relatedSpdxElement": library["SPDXID"],
        } for library in libraries],
    }


def main(tool, archives, output):
    found = list(facts.faults(archives))
    if found:
        print("\n".join(found), file=sys.stderr)
        return 1
    Path(output).write_text(json.dumps(document(tool), indent=2, ensure_ascii=False) + "\n")
    print(output)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:4]))
