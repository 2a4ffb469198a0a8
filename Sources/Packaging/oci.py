"""Writes an image of the tool as an OCI image layout: a folder with one layer, for podman, skopeo, Docker and others.

    python3 Sources/Packaging/oci.py TOOL OUTPUT

The image has the static tool, its licence, the licences of its libraries, and nothing else.
`podman run -v .:/effects IMAGE validate fire.particles` works in the folder /effects.
"""

import json
import platform
import shutil
import sys
import tempfile
from datetime import datetime, timezone
from pathlib import Path

import facts
import tree

MACHINES = {"x86_64": "amd64", "aarch64": "arm64"}
TYPE = "application/vnd.oci.image."


def stage(tool, root):
    """The files of the layer."""
    licence = root / "usr/share/doc" / facts.NAME
    for folder in (root / "usr/bin", licence, root / "effects"):
        folder.mkdir(parents=True)
    shutil.copyfile(tool, root / "usr/bin" / facts.NAME)
    (root / "usr/bin" / facts.NAME).chmod(0o755)
    shutil.copyfile(facts.ROOT / "LICENSE", licence / "copyright")
    (licence / "libraries").write_text(facts.notices())


def main(tool, output):
    output = Path(output)
    shutil.rmtree(output, ignore_errors=True)
    blobs = output / "blobs/sha256"
    blobs.mkdir(parents=True)

    def blob(data, kind):
        digest = tree.sha256(data)
        (blobs / digest).write_bytes(data)
        return {"mediaType": TYPE + kind, "digest": "sha256:" + digest, "size": len(data)}

    def text(value):
        return json.dumps(value, separators=(",", ":"), sort_keys=True).encode()

    with tempfile.TemporaryDirectory() as folder:
        stage(tool, Path(folder))
        layer = tree.archive(folder, facts.epoch())
    created = datetime.fromtimestamp(facts.epoch(), timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    labels = {
        "org.opencontainers.image.title": facts.NAME,
        "org.opencontainers.image.description": facts.SUMMARY,
        "org.opencontainers.image.version": facts.version(),
        "org.opencontainers.image.licenses": facts.LICENCE,
    }
    config = blob(text({
        "created": created,
        "architecture": MACHINES.get(platform.machine(), platform.machine()),
        "os": "linux",
        "config": {
            "Entrypoint": ["/usr/bin/" + facts.NAME], "Cmd": ["help"], "WorkingDir": "/effects",
            "Env": ["PATH=/usr/bin", "HOME=/effects"], "Labels": labels,
        },
        "rootfs": {"type": "layers", "diff_ids": ["sha256:" + tree.sha256(layer)]},
        "history": [{"created": created, "created_by": facts.NAME + " " + facts.version()}],
    }), "config.v1+json")
    manifest = blob(text({
        "schemaVersion": 2, "mediaType": TYPE + "manifest.v1+json", "config": config,
        "layers": [blob(tree.compressed(layer), "layer.v1.tar+gzip")], "annotations": labels,
    }), "manifest.v1+json")
    manifest["annotations"] = {"org.opencontainers.image.ref.name": facts.version()}
    (output / "index.json").write_bytes(text({
        "schemaVersion": 2, "mediaType": TYPE + "index.v1+json", "manifests": [manifest]}))
    (output / "oci-layout").write_bytes(text({"imageLayoutVersion": "1.0.0"}))
    print(output)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
