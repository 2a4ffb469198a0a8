#define _GNU_SOURCE
#include "CParticlesSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <linux/fs.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/xattr.h>

// A direct system call: the wrapper requires glibc 2.28 and is absent from other C libraries.
static int rename_with_flags(const char *from, const char *to, unsigned int flags) {
  return syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, flags) == 0 ? 0 : errno;
}

int particles_rename_exclusive(const char *from, const char *to) {
  return rename_with_flags(from, to, 1 /* RENAME_NOREPLACE */);
}

int particles_rename_swap(const char *a, const char *b) {
  return rename_with_flags(a, b, 2 /* RENAME_EXCHANGE */);
}

// From <linux/openat2.h>, which older systems lack. The kernel supports it from version 5.6.
struct open_how_1 {
  uint64_t flags, mode, resolve;
};

int particles_open_beneath(int folder, const char *path, int flags, unsigned int mode) {
#ifndef SYS_openat2
#define SYS_openat2 437
#endif
  struct open_how_1 how = {
      .flags = (uint64_t)(unsigned int)flags,
      .mode = (flags & O_CREAT) ? mode : 0,
      .resolve = 0x08 /* RESOLVE_BENEATH */ | 0x04 /* RESOLVE_NO_SYMLINKS */,
  };
  long descriptor;
  // EAGAIN: something was renamed during the lookup. That need not be an attack, so try again.
  int tries = 64;
  do {
    descriptor = syscall(SYS_openat2, folder, path, &how, sizeof how);
  } while (descriptor < 0 && (errno == EINTR || (errno == EAGAIN && --tries > 0)));
  return descriptor < 0 ? -errno : (int)descriptor;
}

int particles_share_range(int from, long long offset, int to, long long position, long long count) {
  struct file_clone_range range = {
      .src_fd = from, .src_offset = offset, .src_length = count, .dest_offset = position};
  return ioctl(to, FICLONERANGE, &range) == 0 ? 0 : errno;
}

int particles_open_anonymous(const char *folder, unsigned int mode) {
  int descriptor = open(folder, O_RDWR | O_TMPFILE | O_CLOEXEC, mode);
  return descriptor < 0 ? -errno : descriptor;
}

int particles_link_anonymous(int descriptor, const char *path) {
  // With AT_EMPTY_PATH, this would need a capability.
  char name[32];
  snprintf(name, sizeof name, "/proc/self/fd/%d", descriptor);
  return linkat(AT_FDCWD, name, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0 ? 0 : errno;
}

int particles_sync_filesystem(int descriptor) { return syncfs(descriptor) == 0 ? 0 : errno; }

// Whether an attribute belongs to the document. Others, such as signatures and capabilities, depend
// on the contents and would be wrong for new ones.
static int is_kept(const char *name) {
  return strncmp(name, "user.", 5) == 0 || strncmp(name, "system.", 7) == 0 ||
         strcmp(name, "security.selinux") == 0;
}

// Whether a failure means that the attribute is not available or not permitted here; it is skipped.
static int is_refusal(int code) {
  return code == EPERM || code == EACCES || code == ENOTSUP || code == ENODATA || code == EINVAL;
}

int particles_copy_attributes(int from, int to) {
  enum { most = 65536 }; // The kernel's limit for lists and values.
  char *names = malloc(2 * most), *value = names + most;
  if (names == NULL) return ENOMEM;
  ssize_t count = flistxattr(from, names, most);
  int code = count < 0 && !is_refusal(errno) ? errno : 0;
  for (char *name = names; code == 0 && name < names + count; name += strlen(name) + 1) {
    if (!is_kept(name)) continue;
    ssize_t size = fgetxattr(from, name, value, most);
    if (size < 0 || fsetxattr(to, name, value, size, 0) < 0) code = is_refusal(errno) ? 0 : errno;
  }
  free(names);
  return code;
}

#else

#include <copyfile.h>

int particles_copy_attributes(int from, int to) {
  return fcopyfile(from, to, NULL, COPYFILE_XATTR | COPYFILE_ACL) == 0 || errno == ENOTSUP ? 0
                                                                                           : errno;
}

int particles_open_beneath(int folder, const char *path, int flags, unsigned int mode) {
#ifdef O_NOFOLLOW_ANY
  int descriptor = openat(folder, path, flags | O_NOFOLLOW_ANY, mode);
  return descriptor < 0 ? -errno : descriptor;
#else
  return -ENOSYS;
#endif
}

int particles_open_anonymous(const char *folder, unsigned int mode) { return -ENOTSUP; }

int particles_link_anonymous(int descriptor, const char *path) { return ENOTSUP; }

// macOS can clone whole files only.
int particles_share_range(int from, long long offset, int to, long long position, long long count) {
  return ENOTSUP;
}

int particles_sync_filesystem(int descriptor) {
  int flags = SYNC_VOLUME_FULLSYNC | SYNC_VOLUME_WAIT;
  if (fsync_volume_np(descriptor, flags) == 0) return 0;
  // For other file systems; sync does not wait for the disk.
  sync();
  return fsync(descriptor) == 0 ? 0 : errno;
}

int particles_rename_exclusive(const char *from, const char *to) {
  return renamex_np(from, to, RENAME_EXCL) == 0 ? 0 : errno;
}

int particles_rename_swap(const char *a, const char *b) {
  return renamex_np(a, b, RENAME_SWAP) == 0 ? 0 : errno;
}

#endif

#ifdef __linux__

int particles_watch_folder(int watch, const char *folder) {
  int isNew = watch < 0;
  if (isNew) watch = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
  if (watch < 0) return -errno;
  uint32_t events = IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_CLOSE_WRITE | IN_MODIFY |
                    IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF;
  if (inotify_add_watch(watch, folder, events) >= 0) return watch;
  int code = errno;
  if (isNew) close(watch);
  return -code;
}

#else

int particles_watch_folder(int watch, const char *folder) {
  (void)watch;
  (void)folder;
  return -ENOSYS;
}

#endif

int particles_watch_wait(int watch, int stop, int milliseconds) {
  struct pollfd ends[2] = {{stop, POLLIN, 0}, {watch, POLLIN, 0}};
  int count = poll(ends, watch < 0 ? 1 : 2, milliseconds);
  if (count < 0) return errno == EINTR ? 0 : -errno;
  if (ends[0].revents) return 2;
  if (count == 0) return 0;
  char events[4096];
  while (read(watch, events, sizeof events) > 0) continue;
  return 1;
}

int particles_birth_time(const char *path, long long *seconds, unsigned int *nanoseconds) {
#if defined(__linux__) && defined(STATX_BTIME)
  struct statx status;
  if (statx(AT_FDCWD, path, 0, STATX_BTIME, &status) != 0) return errno;
  if (!(status.stx_mask & STATX_BTIME)) return ENOTSUP;
  *seconds = status.stx_btime.tv_sec;
  *nanoseconds = status.stx_btime.tv_nsec;
  return 0;
#elif defined(__APPLE__)
  struct stat status;
  if (stat(path, &status) != 0) return errno;
  *seconds = status.st_birthtimespec.tv_sec;
  *nanoseconds = (unsigned int)status.st_birthtimespec.tv_nsec;
  return 0;
#else
  (void)path, (void)seconds, (void)nanoseconds;
  return ENOTSUP;
#endif
}

int particles_processor_count(void) {
#ifdef __linux__
  // Fails with more processors than the set has room for.
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
#endif
  long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count > 0 ? (int)count : 1;
}

extern char **environ;

int particles_run(char *const arguments[], int visible, int *status) {
  posix_spawn_file_actions_t actions;
  int code = posix_spawn_file_actions_init(&actions);
  if (code != 0) return code;
  for (int descriptor = 0; !visible && code == 0 && descriptor <= 2; descriptor++) {
    int flags = descriptor == 0 ? O_RDONLY : O_WRONLY;
    code = posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", flags, 0);
  }
  pid_t process;
  if (code == 0) code = posix_spawnp(&process, arguments[0], &actions, NULL, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (code != 0) return code;
  int end;
  while (waitpid(process, &end, 0) < 0)
    if (errno != EINTR) return errno;
  *status = WIFEXITED(end) ? WEXITSTATUS(end) : 128 + WTERMSIG(end);
  return 0;
}
