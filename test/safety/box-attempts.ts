// What an agent that knows the source tries in a box, one command each. Its exit status is 0 only where it got what it
// must not get.

export interface AttackPlace {
  readonly home: string
  readonly data_dir: string
  /** The person's repository. */
  readonly root: string
  /** A file that another sandbox holds. */
  readonly other: string
  /** Where somebody listens: a port of the loopback, and the paths of two Unix sockets, the second one abstract. */
  readonly port: number
  readonly socket: string
  readonly abstract: string
  /** A process of the person's. */
  readonly pid: number
}

export interface Attack {
  readonly name: string
  readonly script: string
  /** It may write something of the box's own that has the same path: what counts is that nothing outside has changed. */
  readonly seenOutside?: boolean
}

const PYTHON = (code: string): string => `python3 -c '${code}'`

/** What the attacks are made with. Where one of these does not run inside, the attacks prove nothing. */
export const TOOLS = [
  'python3 -c "import socket, ctypes"',
  'bash -c :',
  'setpriv true',
  'nsenter --version',
  'mknod --version',
]

export const attacks = (at: AttackPlace): readonly Attack[] => [
  ...files(at),
  ...ownRepository(at),
  ...processes(at),
  ...kernel(),
  ...network(at),
]

const files = ({ home, data_dir, root, other }: AttackPlace): Attack[] => [
  { name: 'reads a key of the person', script: `cat ${home}/.ssh/id` },
  { name: 'lists the home of the person', script: `ls -A ${home} | grep -q ssh` },
  { name: 'writes the home of the person', script: `echo x >> ${home}/.ssh/id`, seenOutside: true },
  { name: 'reads what agency keeps', script: `ls ${data_dir}/repos/*/repo.json` },
  { name: 'reads its own record', script: `cat ${data_dir}/repos/*/invocations/*/meta.json` },
  {
    name: 'writes its own record',
    script: `echo x > ${data_dir}/repos/*/invocations/$AGENCY_INVOCATION_ID/meta.json`,
    seenOutside: true,
  },
  { name: 'reads another sandbox', script: `cat ${other}` },
  { name: 'writes another sandbox', script: `echo x >> ${other}`, seenOutside: true },
  { name: 'reads its own logs', script: 'ls ../logs' },
  {
    name: 'writes beside its tree',
    script: 'echo x > ../x; mount | grep -q "on $(dirname "$PWD") " && [ -e ../x ]',
  },
  { name: "reads the person's working tree", script: `cat ${root}/a` },
  { name: "writes the person's working tree", script: `echo x > ${root}/a`, seenOutside: true },
  { name: "writes the person's objects", script: `echo x > ${root}/.git/objects/x`, seenOutside: true },
  {
    name: "deletes the person's objects",
    script: `find ${root}/.git/objects -type f -delete; [ $? = 0 ] && ! find ${root}/.git/objects -type f | grep -q .`,
  },
  {
    name: "writes the person's hooks",
    script: `echo x > ${root}/.git/hooks/post-checkout`,
    seenOutside: true,
  },
  { name: "reads the person's configuration of git", script: `cat ${root}/.git/config` },
  {
    name: 'follows a link out of its tree',
    script: `ln -s ${home}/.ssh/id link && cat link; r=$?; rm -f link; exit $r`,
  },
  {
    name: 'makes a hard link to an object',
    script: `f=$(find ${root}/.git/objects -type f | head -n 1); ln "$f" hard && echo x > hard`,
  },
  { name: 'reads the password file of root', script: 'cat /etc/shadow | grep -q root' },
  { name: 'writes a system program', script: 'echo x > /usr/bin/x' },
  { name: 'writes the system settings', script: 'echo x >> /etc/passwd' },
  { name: 'reads mail and spools', script: 'ls /var/mail /var/spool /var/log' },
  { name: 'sees the runtime directory', script: 'ls /run/user' },
  { name: 'leaves the file system by ..', script: 'cd / && cd ../../.. && ls root/.ssh home/*' },
  {
    name: 'leaves by chroot',
    script: PYTHON('import os; os.mkdir("c"); os.chroot("c"); os.chdir("../../../../..")'),
  },
  {
    name: 'reaches a descriptor of the host',
    script: `for f in /proc/self/fd/*; do readlink $f | grep -q -e '${data_dir}.*meta' -e '${data_dir}.*lock' && exit 0; done; exit 1`,
  },
  {
    name: 'reaches the outside through a directory that was left open',
    script: `for f in /proc/self/fd/*; do cat "$f/../../../repo.json" && exit 0; done; exit 1`,
  },
  {
    name: 'opens by a handle',
    script: PYTHON(
      'import ctypes; l=ctypes.CDLL(None,use_errno=True); b=(ctypes.c_char*140)(b"\\x08"); r=l.open_by_handle_at(-100,b,0); exit(0 if r>=0 else 1)',
    ),
  },
]

const ownRepository = ({ root }: AttackPlace): Attack[] => [
  { name: 'changes the configuration of its repository', script: 'git config core.fsmonitor "touch owned"' },
  { name: 'plants a hook in its repository', script: 'echo x > ../repo.git/hooks/pre-commit' },
  { name: 'exchanges the hooks of its repository', script: 'mv ../repo.git/hooks ../repo.git/h' },
  { name: 'lends its repository other objects', script: 'echo /tmp > ../repo.git/objects/info/alternates' },
  { name: 'exchanges its configuration', script: 'mv ../repo.git/config ../repo.git/c' },
  { name: 'exchanges its repository', script: 'mv ../repo.git ../r' },
  {
    name: "moves a branch of the person's",
    script: `git --git-dir=${root}/.git update-ref refs/heads/main HEAD`,
  },
]

const processes = ({ pid }: AttackPlace): Attack[] => [
  { name: 'sees a process of the person', script: `ls /proc/${pid}` },
  { name: 'signals a process of the person', script: `kill -TERM ${pid}` },
  { name: 'signals everybody', script: `kill -0 -- -${pid}` },
  {
    name: 'traces a process of the person',
    script: PYTHON(
      `import ctypes; l=ctypes.CDLL(None,use_errno=True); exit(0 if l.ptrace(16,${'$'}{pid},0,0)==0 else 1)`,
    ),
  },
  {
    name: 'reads the variables of the first process',
    script: 'tr "\\\\0" "\\\\n" < /proc/1/environ | grep -q AGENCY_TEST_SECRET',
  },
  {
    name: 'is given a secret by its variables',
    script: 'env | grep -q AGENCY_TEST_SECRET; [ -n "$THE_SECRET" ]',
  },
  { name: 'joins the name spaces of the person', script: `nsenter -t ${pid} -m -n true` },
  { name: 'joins the name spaces of the first process', script: 'nsenter -t 1 -m ls /home/*' },
  {
    name: 'raises its priority',
    script: 'nice -n -5 true 2>&1 | grep -q . && exit 1 || [ "$(nice -n -5 nice 2>/dev/null)" = -5 ]',
  },
]

const kernel = (): Attack[] => [
  { name: 'mounts', script: 'mkdir -p /tmp/m && mount -t tmpfs none /tmp/m' },
  { name: 'mounts over its repository', script: 'mount --bind /tmp ../repo.git/hooks' },
  { name: 'unmounts what keeps its hooks', script: 'umount ../repo.git/hooks' },
  { name: 'makes what is read-only writable', script: 'mount -o remount,rw /usr' },
  { name: 'makes a device', script: 'mknod /tmp/d b 7 0' },
  { name: 'reads a disk', script: 'head -c 1 /dev/vda || head -c 1 /dev/sda || head -c 1 /dev/nvme0n1' },
  { name: 'reads the memory', script: 'head -c 1 /dev/mem || head -c 1 /proc/kcore | grep -q .' },
  {
    name: 'has the kernel start a program',
    script: 'cat /proc/sys/kernel/core_pattern > /proc/sys/kernel/core_pattern',
  },
  {
    name: 'has the kernel load a module',
    script: 'echo /tmp/x > /proc/sys/kernel/modprobe || modprobe dummy',
  },
  { name: 'restarts the machine', script: 'echo b > /proc/sysrq-trigger' },
  { name: 'changes the name of the machine', script: 'hostname agency-owned' },
  { name: 'sets the clock', script: 'date -s "2001-01-01"' },
  { name: 'leaves its cgroup', script: 'echo $$ > /sys/fs/cgroup/cgroup.procs' },
  { name: 'reads the log of the kernel', script: 'dmesg' },
  {
    name: 'gets capabilities back',
    script:
      'setpriv --bounding-set +all --inh-caps +all --ambient-caps +all grep "CapEff:.*[1-9a-f]" /proc/self/status',
  },
  { name: 'becomes somebody else', script: 'setpriv --reuid=1234 --clear-groups true' },
  { name: 'runs a program with rights of its own', script: 'su -c true nobody' },
]

const network = ({ port, socket, abstract }: AttackPlace): Attack[] => [
  { name: 'reaches the loopback', script: `bash -c ': < /dev/tcp/127.0.0.1/${port}'` },
  { name: 'reaches the loopback of IPv6', script: `bash -c ': < /dev/tcp/::1/${port}'` },
  { name: 'reaches 0.0.0.0', script: `bash -c ': < /dev/tcp/0.0.0.0/${port}'` },
  { name: 'reaches another host', script: "bash -c ': < /dev/tcp/192.0.2.1/80'" },
  { name: 'asks for a name', script: 'getent hosts example.com' },
  {
    name: 'sends a datagram',
    script: PYTHON(
      'import socket; socket.socket(socket.AF_INET,socket.SOCK_DGRAM).sendto(b"x",("192.0.2.1",53))',
    ),
  },
  {
    name: 'opens a raw socket',
    script: PYTHON('import socket; socket.socket(socket.AF_INET,socket.SOCK_RAW,1)'),
  },
  {
    name: 'opens a packet socket',
    script: PYTHON('import socket; socket.socket(socket.AF_PACKET,socket.SOCK_RAW,3)'),
  },
  {
    name: 'reaches a socket by its path',
    script: PYTHON(`import socket; socket.socket(socket.AF_UNIX).connect("${socket}")`),
  },
  {
    name: 'reaches an abstract socket',
    script: PYTHON(`import socket; socket.socket(socket.AF_UNIX).connect("\\\\0${abstract}")`),
  },
  { name: 'reaches a host of an agent', script: 'ls /run/user/*/agency* /tmp/agency*' },
  { name: 'reaches the Docker daemon', script: '[ -S /var/run/docker.sock ] || [ -S /run/docker.sock ]' },
  { name: 'makes an interface', script: 'ip link add agency0 type dummy' },
]
