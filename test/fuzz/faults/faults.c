/* Preloaded into the verbs under test, into their hosts and their git. At the N-th change of a file below one directory,
   counted over all of these processes, the call fails with an error, or the process group is killed.
   Environment: FUZZ_STATE (a file of two 32-bit counters: calls, and faults that struck), FUZZ_BELOW (a directory),
   FUZZ_NTH, FUZZ_ERRNO (0: kill), FUZZ_LASTS (1: all later calls fail too), FUZZ_CALLS (letters: o open, w write,
   r rename, s sync, l link, m make or remove; e every open, also for reading). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

/* A count from here on: what struck is over. */
#define DISARMED 0x80000000u

static volatile uint32_t *counters;
static const char *below, *calls;
static uint32_t nth;
static int with, lasts;
static __thread int inside;

__attribute__((constructor)) static void begin(void) {
  const char *state = getenv("FUZZ_STATE");
  if (state == NULL || getenv("FUZZ_BELOW") == NULL) return;
  int fd = open(state, O_RDWR | O_CLOEXEC);
  if (fd < 0) return;
  void *shared = mmap(NULL, 8, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  if (shared == MAP_FAILED) return;
  below = getenv("FUZZ_BELOW");
  calls = getenv("FUZZ_CALLS");
  nth = (uint32_t)atoi(getenv("FUZZ_NTH"));
  with = atoi(getenv("FUZZ_ERRNO"));
  lasts = atoi(getenv("FUZZ_LASTS"));
  counters = shared;
}

static int within(const char *path) {
  size_t length = strlen(below);
  return strncmp(path, below, length) == 0 && (path[length] == '/' || path[length] == 0);
}

static int descriptor_within(int fd, const char *path) {
  char link[64], found[PATH_MAX];
  ssize_t length;
  if (path != NULL && path[0] == '/') return within(path);
  if (fd == AT_FDCWD) return getcwd(found, sizeof found) != NULL && within(found);
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  length = readlink(link, found, sizeof found - 1);
  if (length < 0) return 0;
  found[length] = 0;
  return within(found);
}

/* Whether this call is to fail. */
static int strikes(char call, int fd, const char *path) {
  if (counters == NULL || inside || strchr(calls, call) == NULL) return 0;
  inside = 1;
  int saved = errno, struck = 0;
  if (descriptor_within(fd, path)) {
    uint32_t count = __sync_add_and_fetch(&counters[0], 1);
    struck = count == nth || (lasts && count > nth && count < DISARMED);
  }
  inside = 0;
  errno = saved;
  if (!struck) return 0;
  __sync_add_and_fetch(&counters[1], 1);
  if (with == 0) kill(0, SIGKILL);
  errno = with;
  return 1;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define WRITES(flags) (((flags) & (O_WRONLY | O_RDWR | O_CREAT)) != 0)
#define OPENS(fd, path, flags) ((WRITES(flags) && strikes('o', fd, path)) || strikes('e', fd, path))
#define MODE mode_t mode = 0; if (flags & (O_CREAT | O_TMPFILE)) { va_list rest; va_start(rest, flags); mode = va_arg(rest, mode_t); va_end(rest); }

int open(const char *path, int flags, ...) { MODE return OPENS(AT_FDCWD, path, flags) ? -1 : REAL(open)(path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE return OPENS(AT_FDCWD, path, flags) ? -1 : REAL(open64)(path, flags, mode); }
int openat(int fd, const char *path, int flags, ...) { MODE return OPENS(fd, path, flags) ? -1 : REAL(openat)(fd, path, flags, mode); }
int openat64(int fd, const char *path, int flags, ...) { MODE return OPENS(fd, path, flags) ? -1 : REAL(openat64)(fd, path, flags, mode); }
ssize_t write(int fd, const void *bytes, size_t length) { return strikes('w', fd, NULL) ? -1 : REAL(write)(fd, bytes, length); }
ssize_t pwrite(int fd, const void *bytes, size_t length, off_t at) { return strikes('w', fd, NULL) ? -1 : REAL(pwrite)(fd, bytes, length, at); }
ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t at) { return strikes('w', fd, NULL) ? -1 : REAL(pwrite64)(fd, bytes, length, at); }
ssize_t writev(int fd, const struct iovec *parts, int count) { return strikes('w', fd, NULL) ? -1 : REAL(writev)(fd, parts, count); }
int rename(const char *from, const char *to) { return strikes('r', AT_FDCWD, to) ? -1 : REAL(rename)(from, to); }
int renameat(int a, const char *from, int b, const char *to) { return strikes('r', b, to) ? -1 : REAL(renameat)(a, from, b, to); }
int fsync(int fd) { return strikes('s', fd, NULL) ? -1 : REAL(fsync)(fd); }
int fdatasync(int fd) { return strikes('s', fd, NULL) ? -1 : REAL(fdatasync)(fd); }
int link(const char *from, const char *to) { return strikes('l', AT_FDCWD, to) ? -1 : REAL(link)(from, to); }
int linkat(int a, const char *from, int b, const char *to, int flags) { return strikes('l', b, to) ? -1 : REAL(linkat)(a, from, b, to, flags); }
int symlink(const char *target, const char *path) { return strikes('m', AT_FDCWD, path) ? -1 : REAL(symlink)(target, path); }
int mkdir(const char *path, mode_t mode) { return strikes('m', AT_FDCWD, path) ? -1 : REAL(mkdir)(path, mode); }
int rmdir(const char *path) { return strikes('m', AT_FDCWD, path) ? -1 : REAL(rmdir)(path); }
int unlink(const char *path) { return strikes('m', AT_FDCWD, path) ? -1 : REAL(unlink)(path); }
int unlinkat(int fd, const char *path, int flags) { return strikes('m', fd, path) ? -1 : REAL(unlinkat)(fd, path, flags); }
