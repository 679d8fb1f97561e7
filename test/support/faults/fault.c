// Makes the n-th call of one kind fail in a program and in all that it starts, below one directory. Preloaded.
// FAULT_CALL: open write rename mkdir link symlink fsync unlink pipe; FAULT_BELOW: part of the path; FAULT_ERRNO: number;
// FAULT_STATE: a file of eight bytes that counts the calls of all processes; FAULT_NTH: which of them fails, 0 for each.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char *wanted, *below;
static uint64_t nth;
static int number;
static uint64_t *count;

__attribute__((constructor)) static void begin(void) {
  const char *state = getenv("FAULT_STATE");
  wanted = getenv("FAULT_CALL");
  below = getenv("FAULT_BELOW");
  if (!state || !wanted || !below) return;
  nth = strtoull(getenv("FAULT_NTH") ? getenv("FAULT_NTH") : "0", 0, 10);
  number = atoi(getenv("FAULT_ERRNO") ? getenv("FAULT_ERRNO") : "5");
  int fd = (int)syscall(SYS_openat, AT_FDCWD, state, O_RDWR | O_CLOEXEC, 0);
  if (fd < 0) return;
  void *at = mmap(0, 8, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  syscall(SYS_close, fd);
  if (at != MAP_FAILED) count = at;
}

static int fails(void) {
  uint64_t n = __atomic_add_fetch(count, 1, __ATOMIC_SEQ_CST);
  if (nth != 0 && n != nth) return 0;
  errno = number;
  return 1;
}

static int counts(const char *call) { return count && strcmp(call, wanted) == 0; }

static int fails_at(const char *call, const char *path) {
  char whole[8192];
  if (!counts(call) || !path) return 0;
  if (path[0] != '/') {
    char dir[4096];
    if (!getcwd(dir, sizeof dir)) return 0;
    snprintf(whole, sizeof whole, "%s/%s", dir, path);
    path = whole;
  }
  return strstr(path, below) && fails();
}

static int fails_on(const char *call, int fd) {
  char link[64], path[4096];
  if (!counts(call)) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return strstr(path, below) && fails();
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

#define OPEN(name)                                                                                          \
  int name(const char *path, int flags, ...) {                                                              \
    va_list rest;                                                                                           \
    va_start(rest, flags);                                                                                  \
    mode_t mode = va_arg(rest, mode_t);                                                                     \
    va_end(rest);                                                                                           \
    return fails_at("open", path) ? -1 : REAL(name)(path, flags, mode);                                     \
  }
#define OPENAT(name)                                                                                        \
  int name(int dir, const char *path, int flags, ...) {                                                     \
    va_list rest;                                                                                           \
    va_start(rest, flags);                                                                                  \
    mode_t mode = va_arg(rest, mode_t);                                                                     \
    va_end(rest);                                                                                           \
    return fails_at("open", path) ? -1 : REAL(name)(dir, path, flags, mode);                                \
  }
OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)

ssize_t write(int fd, const void *bytes, size_t length) {
  return fails_on("write", fd) ? -1 : REAL(write)(fd, bytes, length);
}
ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t at) {
  return fails_on("write", fd) ? -1 : REAL(pwrite64)(fd, bytes, length, at);
}
int fsync(int fd) { return fails_on("fsync", fd) ? -1 : REAL(fsync)(fd); }
int fdatasync(int fd) { return fails_on("fsync", fd) ? -1 : REAL(fdatasync)(fd); }
int rename(const char *from, const char *to) { return fails_at("rename", to) ? -1 : REAL(rename)(from, to); }
int mkdir(const char *path, mode_t mode) { return fails_at("mkdir", path) ? -1 : REAL(mkdir)(path, mode); }
int link(const char *from, const char *to) { return fails_at("link", to) ? -1 : REAL(link)(from, to); }
int symlink(const char *from, const char *to) { return fails_at("symlink", to) ? -1 : REAL(symlink)(from, to); }
int unlink(const char *path) { return fails_at("unlink", path) ? -1 : REAL(unlink)(path); }
int rmdir(const char *path) { return fails_at("unlink", path) ? -1 : REAL(rmdir)(path); }
int pipe2(int fds[2], int flags) { return counts("pipe") && fails() ? -1 : REAL(pipe2)(fds, flags); }
int socketpair(int domain, int type, int protocol, int fds[2]) {
  return counts("pipe") && fails() ? -1 : REAL(socketpair)(domain, type, protocol, fds);
}
