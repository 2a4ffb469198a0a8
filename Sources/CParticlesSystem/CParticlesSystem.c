#define _GNU_SOURCE
#include "CParticlesSystem.h"

#ifdef __APPLE__
#include <crt_externs.h>
#endif
#include <errno.h>
#include <fcntl.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __APPLE__
#include <sys/mount.h>
#endif

#ifdef __linux__
#include <linux/fs.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/vfs.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
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

// Whether a failure means that the attribute is not available or not permitted here, so that it is skipped.
static int is_refusal(int code) {
  return code == EPERM || code == EACCES || code == ENOTSUP || code == ENODATA || code == EINVAL;
}

#define ACCESS_LIST "system.posix_acl_access"

// The permission bits of the owning group in an access control list.
static unsigned int group_bits(const char *list, unsigned long size) {
  const unsigned char *bytes = (const unsigned char *)list;
  // Four bytes of a version, then entries: a tag, the bits, and an identifier.
  for (unsigned long at = 4; at + 8 <= size; at += 8) {
    if (bytes[at] == 0x04 /* ACL_GROUP_OBJ */ && bytes[at + 1] == 0) return bytes[at + 2] & 7;
  }
  return 0;
}

int particles_copy_attributes(int from, int to, unsigned int *mode) {
  enum { most = 65536 }; // The kernel's limit for lists and values.
  char *names = malloc(2 * most), *value = names + most;
  if (names == NULL) return ENOMEM;
  ssize_t count = flistxattr(from, names, most);
  int code = count < 0 && !is_refusal(errno) ? errno : 0;
  // A folder may have given `to` lists that grant more than `from` does.
  fremovexattr(to, ACCESS_LIST);
  fremovexattr(to, "system.posix_acl_default");
  for (char *name = names; code == 0 && name < names + count; name += strlen(name) + 1) {
    if (!is_kept(name)) continue;
    ssize_t size = fgetxattr(from, name, value, most);
    if (size >= 0 && fsetxattr(to, name, value, size, 0) == 0) continue;
    code = is_refusal(errno) ? 0 : errno;
    // With a list, the bits of the group are the most that any entry of the list has.
    if (size >= 0 && strcmp(name, ACCESS_LIST) == 0)
      *mode &= ~070u | group_bits(value, (unsigned long)size) << 3;
  }
  free(names);
  return code;
}

long particles_get_attribute(const char *path, const char *name, void *value, unsigned long size,
                             int follow) {
  ssize_t (*get)(const char *, const char *, void *, size_t) = follow ? getxattr : lgetxattr;
  ssize_t count = get(path, name, value, size);
  if (count < 0 && errno == ERANGE) count = get(path, name, NULL, 0);
  return count < 0 ? -errno : count;
}

int particles_set_attribute(const char *path, const char *name, const void *value, unsigned long size,
                            int follow) {
  int code = !value   ? (follow ? removexattr : lremovexattr)(path, name)
             : follow ? setxattr(path, name, value, size, 0)
                      : lsetxattr(path, name, value, size, 0);
  return code == 0 || (!value && errno == ENODATA) ? 0 : errno;
}

#else

#include <copyfile.h>
#include <sys/xattr.h>

long particles_get_attribute(const char *path, const char *name, void *value, unsigned long size,
                             int follow) {
  int options = follow ? 0 : XATTR_NOFOLLOW;
  ssize_t count = getxattr(path, name, value, size, 0, options);
  if (count < 0 && errno == ERANGE) count = getxattr(path, name, NULL, 0, 0, options);
  return count < 0 ? -(errno == ENOATTR ? ENODATA : errno) : count;
}

int particles_set_attribute(const char *path, const char *name, const void *value, unsigned long size,
                            int follow) {
  int options = follow ? 0 : XATTR_NOFOLLOW;
  int code = value ? setxattr(path, name, value, size, 0, options) : removexattr(path, name, options);
  return code == 0 || (!value && errno == ENOATTR) ? 0 : errno;
}

int particles_copy_attributes(int from, int to, unsigned int *mode) {
  (void)mode;
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
  // For further file systems. sync does not wait for the disk.
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
#define HOLD O_PATH
#else
#define HOLD O_RDONLY
#endif

int particles_hold_folder(int folder, const char *path) {
  int flags = HOLD | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  int held = particles_open_beneath(folder, path, flags, 0);
  if (held != -ENOSYS && held != -EPERM) return held;
  // One component at a time, where the system cannot open a whole path without following links.
  char name[NAME_MAX + 1];
  for (held = openat(folder, ".", flags); held >= 0; path += strspn(path, "/")) {
    size_t length = strcspn(path, "/");
    if (length == 0) return held;
    int isUp = length == 2 && strncmp(path, "..", 2) == 0;
    int next = -1, code = isUp ? ENOENT : ENAMETOOLONG;
    if (!isUp && length < sizeof name) {
      memcpy(name, path, length);
      name[length] = 0;
      next = openat(held, name, flags);
      code = errno;
    }
    close(held);
    if (next < 0) return -code;
    held = next;
    path += length;
  }
  return -errno;
}

static _Thread_local const void *places;

const void *particles_places(void) { return places; }

void particles_set_places(const void *new) { places = new; }

#ifdef __linux__

int particles_watch_create(void) {
  int watch = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
  return watch < 0 ? -errno : watch;
}

int particles_watch_add(int watch, const char *folder) {
  uint32_t events = IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_CLOSE_WRITE | IN_MODIFY |
                    IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF;
  int number = inotify_add_watch(watch, folder, events);
  return number < 0 ? -errno : number;
}

void particles_watch_remove(int watch, int number) { inotify_rm_watch(watch, number); }

int particles_watch_read(int watch, void *events, int size) {
  ssize_t count = read(watch, events, (size_t)size);
  return count < 0 ? -errno : (int)count;
}

int particles_watch_next(const void *events, int offset, struct particles_watch_event *event) {
  const struct inotify_event *next = (const void *)((const char *)events + offset);
  event->number = next->mask & IN_Q_OVERFLOW ? -1 : next->wd;
  event->isEnd = (next->mask & IN_IGNORED) != 0;
  event->name = next->len > 0 ? next->name : NULL;
  return offset + (int)sizeof *next + (int)next->len;
}

void *particles_pin(int descriptor, unsigned long size) {
  void *start = mmap(NULL, size, PROT_READ, MAP_SHARED, descriptor, 0);
  return start == MAP_FAILED ? NULL : start;
}

void particles_unpin(void *start, unsigned long size) { munmap(start, size); }

int particles_read_pinned(const void *start, unsigned long offset, void *buffer, unsigned long count) {
  unsigned long done = 0;
  while (done < count) {
    struct iovec to = {(char *)buffer + done, count - done};
    struct iovec from = {(char *)start + offset + done, count - done};
    // The kernel copies: where the file has become shorter, a page is missing. Here this is an error and no signal.
    ssize_t copied = process_vm_readv(getpid(), &to, 1, &from, 1, 0);
    if (copied <= 0) return copied < 0 ? errno : EFAULT;
    done += (unsigned long)copied;
  }
  // The pages stay in the cache of the system, but do not count as memory of this process.
  unsigned long page = (unsigned long)sysconf(_SC_PAGESIZE), first = offset / page * page;
  madvise((char *)start + first, offset + count - first, MADV_DONTNEED);
  return 0;
}

#else

int particles_watch_create(void) { return -ENOSYS; }

int particles_watch_add(int watch, const char *folder) {
  (void)watch, (void)folder;
  return -ENOSYS;
}

void particles_watch_remove(int watch, int number) { (void)watch, (void)number; }

int particles_watch_read(int watch, void *events, int size) {
  (void)watch, (void)events, (void)size;
  return -ENOSYS;
}

int particles_watch_next(const void *events, int offset, struct particles_watch_event *event) {
  (void)events, (void)event;
  return offset;
}

void *particles_pin(int descriptor, unsigned long size) {
  (void)descriptor, (void)size;
  return NULL;
}

void particles_unpin(void *start, unsigned long size) { (void)start, (void)size; }

int particles_read_pinned(const void *start, unsigned long offset, void *buffer, unsigned long count) {
  (void)start, (void)offset, (void)buffer, (void)count;
  return ENOSYS;
}

#endif

int particles_watch_wait(int watch, int wake, int milliseconds) {
  struct pollfd ends[2] = {{wake, POLLIN, 0}, {watch, POLLIN, 0}};
  int count = poll(ends, watch < 0 ? 1 : 2, milliseconds);
  if (count < 0) return errno == EINTR ? 0 : -errno;
  if (count > 0 && ends[0].revents) {
    char bytes[64];
    while (read(wake, bytes, sizeof bytes) == (ssize_t)sizeof bytes) continue;
  }
  return count > 0 && watch >= 0 && ends[1].revents ? 1 : 0;
}

int particles_descriptor_limit(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return INT_MAX;
  return limit.rlim_cur < INT_MAX ? (int)limit.rlim_cur : INT_MAX;
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

int particles_is_remote(const char *path) {
  struct statfs found;
  if (statfs(path, &found) != 0) return 0;
#ifdef __APPLE__
  return !(found.f_flags & MNT_LOCAL);
#else
  // NFS, SMB, CIFS, SMB 2, FUSE, AFS, 9P, Ceph: statfs(2).
  static const unsigned int types[] = {0x6969,     0x517B,     0xFF534D42, 0xFE534D42,
                                       0x65735546, 0x5346414F, 0x01021997, 0x00C36400};
  for (size_t index = 0; index < sizeof types / sizeof *types; ++index) {
    if ((unsigned int)found.f_type == types[index]) return 1;
  }
  return 0;
#endif
}

void particles_give_back_memory(void) {
#ifdef __GLIBC__
  malloc_trim(0);
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

unsigned long long particles_memory_size(void) {
  long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
  return pages > 0 && size > 0 ? (unsigned long long)pages * (unsigned long long)size : ~0ULL;
}

// A dynamic library of Apple's systems has no variable of the environment.
#ifdef __APPLE__
#define environment (*_NSGetEnviron())
#else
extern char **environ;
#define environment environ
#endif

// The variables of this process, where `variable` replaces a variable with its name. NULL without memory.
static char **with_variable(const char *variable) {
  char **own = environment;
  size_t count = 0, kept = 0, name = strcspn(variable, "=") + 1;
  while (own && own[count]) count++;
  char **all = malloc((count + 2) * sizeof *all);
  if (!all) return NULL;
  for (size_t index = 0; index < count; index++)
    if (strncmp(own[index], variable, name) != 0) all[kept++] = own[index];
  all[kept++] = (char *)variable;
  all[kept] = NULL;
  return all;
}

int particles_run(char *const arguments[], const char *variable, int visible, int *status) {
  posix_spawn_file_actions_t actions;
  int code = posix_spawn_file_actions_init(&actions);
  if (code != 0) return code;
  for (int descriptor = 0; !visible && code == 0 && descriptor <= 2; descriptor++) {
    int flags = descriptor == 0 ? O_RDONLY : O_WRONLY;
    code = posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", flags, 0);
  }
  pid_t process;
  char **variables = variable ? with_variable(variable) : environment;
  if (!variables && variable) code = ENOMEM;
  if (code == 0) code = posix_spawnp(&process, arguments[0], &actions, NULL, arguments, variables);
  if (variable) free(variables);
  posix_spawn_file_actions_destroy(&actions);
  if (code != 0) return code;
  return particles_wait(process, status);
}

int particles_wait(int process, int *status) {
  int end;
  while (waitpid(process, &end, 0) < 0)
    if (errno != EINTR) return errno;
  *status = WIFEXITED(end) ? WEXITSTATUS(end) : 128 + WTERMSIG(end);
  return 0;
}

void particles_end_process(int process) {
  int status;
  kill(process, SIGKILL);
  particles_wait(process, &status);
}

// A descriptor above the descriptors that a started program gets.
static int above(int descriptor) {
  int copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 10), code = errno;
  close(descriptor);
  errno = code;
  return copy;
}

int particles_start(char *const arguments[], int output, int messages, int *input, int *process) {
  int ends[2];
  if (pipe(ends) != 0) return errno;
  int from = above(ends[0]), to = above(ends[1]);
  int copies[2] = {fcntl(output, F_DUPFD_CLOEXEC, 10), fcntl(messages, F_DUPFD_CLOEXEC, 10)};
  int code = from < 0 || to < 0 || copies[0] < 0 || copies[1] < 0 ? EMFILE : 0;
  posix_spawn_file_actions_t actions;
  if (code == 0) code = posix_spawn_file_actions_init(&actions);
  if (code == 0) {
    int given[4][2] = {{from, 0}, {copies[1], 2}, {copies[0], 3}};
    for (int index = 0; index < 3 && code == 0; index++)
      code = posix_spawn_file_actions_adddup2(&actions, given[index][0], given[index][1]);
    if (code == 0)
      code = posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    pid_t started = 0;
    if (code == 0) code = posix_spawnp(&started, arguments[0], &actions, NULL, arguments, environment);
    *process = started;
    posix_spawn_file_actions_destroy(&actions);
  }
  int unused[4] = {from, copies[0], copies[1], code == 0 ? -1 : to};
  for (int index = 0; index < 4; index++)
    if (unused[index] >= 0) close(unused[index]);
  *input = to;
  return code;
}

int particles_write_to_pipe(int pipe, const void *bytes, unsigned long count) {
  sigset_t broken, before, waiting;
  sigemptyset(&broken);
  sigaddset(&broken, SIGPIPE);
  sigpending(&waiting);
  int was_waiting = sigismember(&waiting, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &broken, &before);
  int code = 0;
  for (const char *next = bytes; count > 0 && code == 0;) {
    ssize_t done = write(pipe, next, count);
    if (done >= 0) {
      next += done;
      count -= done;
    } else if (errno != EINTR) {
      code = errno;
    }
  }
  // The signal of this write must not end the process later.
  if (code == EPIPE && !was_waiting && sigpending(&waiting) == 0 && sigismember(&waiting, SIGPIPE)) {
    int number;
    sigwait(&broken, &number);
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return code;
}

int particles_open_scratch(void) {
  const char *folder = getenv("TMPDIR");
  if (!folder || !*folder) folder = "/tmp";
#ifdef O_TMPFILE
  int descriptor = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (descriptor >= 0) return descriptor;
#endif
  char path[4096];
  if (snprintf(path, sizeof path, "%s/particles.XXXXXX", folder) >= (int)sizeof path)
    return -ENAMETOOLONG;
  int file = mkstemp(path);
  if (file < 0) return -errno;
  unlink(path);
  fcntl(file, F_SETFD, FD_CLOEXEC);
  return file;
}
