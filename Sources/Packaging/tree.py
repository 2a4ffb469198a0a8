"""Trees of files whose archives have equal bytes everywhere: owner, order, permissions and times are stated."""

import gzip
import hashlib
import io
import os
import tarfile
from pathlib import Path


def settle(root, time):
    """Gives all files below a folder the usual permissions and one time."""
    for path in sorted(Path(root).rglob("*"), reverse=True):
        if path.is_symlink():
            os.utime(path, (time, time), follow_symlinks=False)
            continue
        runs = path.is_dir() or path.stat().st_mode & 0o100
        path.chmod(0o755 if runs else 0o644)
        os.utime(path, (time, time))
    os.chmod(root, 0o755)
    os.utime(root, (time, time))


def archive(root, time):
    """A tar archive of a folder as bytes."""
    settle(root, time)
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for path in sorted(Path(root).rglob("*")):
            info = tar.gettarinfo(path, str(path.relative_to(root)))
            info.uid = info.gid = 0
            info.uname = info.gname = ""
            if info.isreg():
                with open(path, "rb") as file:
                    tar.addfile(info, file)
            else:
                tar.addfile(info)
    return buffer.getvalue()


def compressed(data):
    """Data in the form of gzip, without name and time."""
    return gzip.compress(data, 9, mtime=0)


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def md5(data):
    return hashlib.md5(data).hexdigest()
