"""Writes the bill of materials: SPDX 2.3 in JSON, with all linked libraries and their licences.

    python3 Sources/Packaging/sbom.py OUTPUT TOOL ARCHIVES [LIBRARY ARCHIVES]

The tool has all libraries of the table. LIBRARY is libparticles, with some of the libraries. ARCHIVES are the statistics of
the linker. A linked library without a row in the table is an error.
"""

import json
import sys
from datetime import datetime, timezone
from pathlib import Path

import facts
import tree


def identifier(library):
    return "SPDXRef-" + library.name.replace("+", "p")


def package(library):
    """The entry of a library."""
    found = facts.installed(library.debian) if library.debian else facts.toolchain()
    entry = {
        "SPDXID": identifier(library),
        "name": library.name,
        "versionInfo": found or "unknown",
        "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False,
        "licenseConcluded": library.licence,
        "licenseDeclared": library.licence,
        # Works in the public domain have none.
        "copyrightText": "NONE" if library.copyright.startswith("none") else f"Copyright {library.copyright}",
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


def product(name, file, kind, comment):
    """The entry of a product."""
    return {
        "SPDXID": "SPDXRef-" + name,
        "name": name,
        "versionInfo": facts.version(),
        "packageFileName": file.name,
        "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False,
        "licenseConcluded": facts.LICENCE,
        "licenseDeclared": facts.LICENCE,
        "copyrightText": facts.COPYRIGHT,
        "checksums": [{"algorithm": "SHA256", "checksumValue": tree.sha256(file.read_bytes())}],
        "primaryPackagePurpose": kind,
        "comment": comment + " Its source archive, with which it can be linked with other versions of the libraries, is "
        "a part of the release.",
    }


def document(tool, library=None, archives=None):
    """ARCHIVES belongs to the library."""
    created = datetime.fromtimestamp(facts.epoch(), timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    name = f"{facts.NAME}-{facts.version()}"
    products = [(product(facts.NAME, Path(tool), "APPLICATION", "One static executable."), facts.LIBRARIES)]
    if library:
        taken = facts.linked(archives)
        products.append((
            product("libparticles", Path(library), "LIBRARY", "One shared library, which needs the C library of the system."),
            [row for row in facts.LIBRARIES if taken & set(row.archives)]))
    digest = tree.sha256("".join(entry["checksums"][0]["checksumValue"] for entry, _ in products).encode())
    return {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": name,
        "documentNamespace": f"https://spdx.org/spdxdocs/{name}-{digest[:32]}",
        "creationInfo": {"created": created, "creators": ["Organization: " + facts.MAINTAINER.split(" <")[0]]},
        "packages": [entry for entry, _ in products] + [package(row) for row in facts.LIBRARIES],
        "relationships": [{
            "spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": entry["SPDXID"],
        } for entry, _ in products] + [{
            "spdxElementId": entry["SPDXID"], "relationshipType": "STATIC_LINK", "relatedSpdxElement": identifier(row),
        } for entry, rows in products for row in rows],
    }


def main(output, tool, archives, *library):
    found = list(facts.faults(archives, *library[1:]))
    if found:
        print("\n".join(found), file=sys.stderr)
        return 1
    Path(output).write_text(json.dumps(document(tool, *library), indent=2, ensure_ascii=False) + "\n")
    print(output)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:6]))
