#ifndef CPARTICLES_SYSTEM_H
#define CPARTICLES_SYSTEM_H

// Functions that need _GNU_SOURCE or macros that Swift cannot import.

/// Renames `from` to `to` and fails with EEXIST where `to` exists. Returns 0, or an errno value: ENOSYS, EINVAL or
/// ENOTSUP if the kernel or the file system does not support it.
int particles_rename_exclusive(const char *from, const char *to);

/// Swaps two existing files or directories. Returns 0, or an errno value as above.
int particles_rename_swap(const char *a, const char *b);

/// Opens `path` below the directory `folder` without following symbolic links and without leaving `folder`, even if
/// another process renames directories meanwhile. Returns a descriptor, or a negative errno value: -ENOSYS if the
/// system does not support it.
int particles_open_beneath(int folder, const char *path, int flags, unsigned int mode);

/// Creates a file without a name in `folder`, for reading and writing, with the permission bits `mode`
/// that the user's mask permits. Returns a descriptor, or a negative errno value if the kernel or the file
/// system does not support it.
int particles_open_anonymous(const char *folder, unsigned int mode);

/// Gives a file without a name the name `path`, which must not exist. Returns 0 or an errno value: ENOENT also if there
/// is no /proc.
int particles_link_anonymous(int descriptor, const char *path);

/// Flushes the file system of `descriptor` to the disk.
/// Returns 0, or an errno value.
int particles_sync_filesystem(int descriptor);

/// Makes the file `to` share `count` bytes at `position` with the file `from` at `offset`. All three
/// numbers must be multiples of the block size. Returns 0, or an errno value.
int particles_share_range(int from, long long offset, int to, long long position, long long count);

/// Copies the extended attributes of the open file `from`, including access control lists, to `to`,
/// as far as the file system and the user's rights permit. If `to` cannot have the access control list of
/// `from`, takes from the permission bits `mode`, which `to` will get, what that list does not give to the
/// group. Returns 0, or an errno value.
int particles_copy_attributes(int from, int to, unsigned int *mode);

/// Opens the folder at `path` below `folder`, without following links, to reach its contents. An empty path is not
/// allowed. "." is `folder` itself. Returns a descriptor or a negative errno value.
int particles_hold_folder(int folder, const char *path);

/// The value that ``particles_set_places`` has set in this thread, or NULL before.
const void *particles_places(void);

/// Sets a value of this thread.
void particles_set_places(const void *new);

/// Reads an extended attribute of a file. Returns its size, or a negative errno value, -ENODATA if there is none. If the
/// size is greater than `size`, nothing is read. `follow` tells whether a symbolic link is followed.
long particles_get_attribute(const char *path, const char *name, void *value, unsigned long size,
                             int follow);

/// Sets an extended attribute of a file, or removes it if `value` is NULL. Returns 0, or an errno value.
int particles_set_attribute(const char *path, const char *name, const void *value, unsigned long size,
                            int follow);

/// The time when a file was created, in `seconds` since 1970 and `nanoseconds`. Returns 0, or an errno value: ENOTSUP
/// if the system or the file system does not keep it.
int particles_birth_time(const char *path, long long *seconds, unsigned int *nanoseconds);

/// Whether the file system of a file is one whose memory programs cannot share: a network (NFS, SMB), or a program that serves
/// files (FUSE). 0 if it is not known.
int particles_is_remote(const char *path);

/// Gives memory that was freed back to the system, where its allocator keeps it otherwise.
void particles_give_back_memory(void);

/// Returns the number of processors that this process may use, at least 1: on Linux the processors of its affinity
/// (`taskset`, containers), elsewhere the processors that are online.
int particles_processor_count(void);

/// Returns the bytes of memory of the machine, or the greatest number if they are not known.
unsigned long long particles_memory_size(void);

/// Runs a program from PATH and waits for its end. Its input is empty and its output is discarded, unless `visible` is not 0: then
/// it has the streams of this process. `arguments` begins with its name and ends with NULL. It gets the environment of this
/// process, with `variable` (`NAME=value`) unless that is NULL. Returns 0 and sets `status` to its exit status (128 plus the signal
/// number if a signal ended it), or returns an errno value.
int particles_run(char *const arguments[], const char *variable, int visible, int *status);

/// Starts a program from PATH. It reads the bytes that are written to the descriptor `input`, has the descriptor
/// `output` as its descriptor 3, and writes its messages to the descriptor `messages`. Its standard output is
/// discarded. `arguments` begins with its name and ends with NULL. Returns 0 and sets `input` and `process`, or returns
/// an errno value.
int particles_start(char *const arguments[], int output, int messages, int *input, int *process);

/// Writes all bytes. Returns 0, or an errno value: EPIPE, without a signal, if nothing reads them any more.
int particles_write_to_pipe(int pipe, const void *bytes, unsigned long count);

/// Waits for the end of a program that was started. Sets `status` as `particles_run` does.
int particles_wait(int process, int *status);

/// Ends a program that was started, and waits for its end.
void particles_end_process(int process);

/// Creates a file without a name, for reading and writing, in the folder for temporary files. Returns a
/// descriptor, or a negative errno value.
int particles_open_scratch(void);

/// Creates a watch for folders. Returns a descriptor that is readable after events, or a negative errno
/// value, -ENOSYS if the system cannot watch.
int particles_watch_create(void);

/// Adds a folder to a watch: something in it is created, removed, renamed, written or given other attributes, or the
/// folder itself is removed or renamed. Returns its number, which does not change for a folder that is watched already,
/// or a negative errno value.
int particles_watch_add(int watch, const char *folder);

/// Removes a folder from a watch.
void particles_watch_remove(int watch, int number);

/// Reads events, of which there may be several. Returns their size in bytes, or a negative errno value,
/// -EAGAIN if there are none.
int particles_watch_read(int watch, void *events, int size);

/// An event of a folder.
struct particles_watch_event {
  /// The number of the folder, or -1 if events were lost.
  int number;
  /// Whether the folder is not watched any more.
  int isEnd;
  /// The name in the folder, or NULL for the folder itself.
  const char *name;
};

/// Decodes the event at `offset`. Returns the offset of the next one.
int particles_watch_next(const void *events, int offset, struct particles_watch_event *event);

/// Waits until `watch` (ignored if negative) or the pipe `wake`, which must not block, is readable, for at most
/// `milliseconds`, or without end if that is negative. Empties `wake`. Returns 1 if there are events, else 0, or a
/// negative errno value.
int particles_watch_wait(int watch, int wake, int milliseconds);

/// Maps the first `size` bytes of a file, which may be more than it has. The file exists until the mapping
/// ends, also without a descriptor and a name. Returns NULL if that is not possible.
void *particles_pin(int descriptor, unsigned long size);
void particles_unpin(void *start, unsigned long size);

/// Copies bytes of a mapping. Only this function accesses them. Returns 0, or an errno value: EFAULT if the
/// file has become shorter.
int particles_read_pinned(const void *start, unsigned long offset, void *buffer, unsigned long count);

/// The number of descriptors that the process may have open.
int particles_descriptor_limit(void);

/// Makes SIGINT, SIGTERM and SIGHUP remove all registered temporary files and folders and then end
/// the process as if they had not been caught. Signals that are ignored stay ignored. For programs,
/// not for libraries.
void particles_remove_temporaries_on_signals(void);

/// Registers a path for removal by a signal, before it is created. Returns a number for `particles_forget_temporary`,
/// or -1 if signals are not caught or the table is full.
int particles_register_temporary(const char *path);

/// Ends the registration of a path. Does nothing for -1.
void particles_forget_temporary(int number);

/// Delays the removal and the end of the process until `particles_allow_signals`, while a temporary
/// folder is renamed. Calls may be nested and made by several threads.
void particles_delay_signals(void);
void particles_allow_signals(void);

/// Does not return if a signal is ending the process: nothing may be created any more.
void particles_stop_if_ending(void);

/// Tells the processor that the program waits in a loop, so that a second thread of the core is faster.
static inline void particles_wait_a_moment(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("isb");
#endif
}

#endif
