#ifndef CPARTICLES_SYSTEM_H
#define CPARTICLES_SYSTEM_H

// The C library's own module for Swift leaves these out: it exposes nothing that needs
// _GNU_SOURCE, and constants that are macros with casts.

/// Renames `from` to `to` and fails with EEXIST where `to` exists. Returns 0, or an errno value;
/// ENOSYS, EINVAL or ENOTSUP where the kernel or the file system cannot promise it.
int particles_rename_exclusive(const char *from, const char *to);

/// Swaps two existing files or directories. Returns 0, or an errno value as above.
int particles_rename_swap(const char *a, const char *b);

/// Opens `path` below the directory `folder` without following any symbolic link on the way, and
/// without ever leaving `folder`, even if somebody renames things meanwhile. Returns a descriptor,
/// or a negative errno value; -ENOSYS where the system cannot promise it.
int particles_open_beneath(int folder, const char *path, int flags, unsigned int mode);

/// Waits until all that was written to the file system of `descriptor` has reached the disk.
/// Returns 0, or an errno value.
int particles_sync_filesystem(int descriptor);

/// Makes `count` bytes of the file `from` at `offset` those of the file `to` at `position`, without
/// copying them: both share the blocks of the file system. All three numbers have to be whole blocks.
/// Returns 0, or an errno value.
int particles_share_range(int from, long long offset, int to, long long position, long long count);

/// Gives the open file `to` the extended attributes of `from`, access control lists among them, as
/// far as the file system and the rights of the user allow. Returns 0, or an errno value.
int particles_copy_attributes(int from, int to);

/// Runs a program that is found in PATH and waits for its end; it reads nothing, and what it says is
/// thrown away. `arguments` begins with its name and ends with NULL. Returns 0 and sets `status` to
/// its exit status (128 and the signal, if one ended it), or returns an errno value.
int particles_run(char *const arguments[], int *status);

#endif
