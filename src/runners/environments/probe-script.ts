// What the probe tries inside of a box, as a script for any POSIX shell: one line for each attempt, `NAME<tab>RESULT`,
// where the result is 0 if what was tried worked. Programs that it needs are the system's; where one is missing, what it
// would have tried cannot be tried by the runner either. Pure.

export interface ProbeAttempt {
  readonly name: string
  readonly must: 'fail' | 'work'
  /** A command; its exit status says whether it worked. */
  readonly script: string
}

export interface ProbePlace {
  readonly tree: string
  readonly own_repository: string | null
  readonly object_stores: readonly string[]
  /** Files outside that hold a secret of the probe's, which nobody inside may read or write. */
  readonly canaries: readonly string[]
  /** The host, outside. */
  readonly pid: number
  /** Of this machine's loopback, where the probe listens; null where the network is open. */
  readonly port: number | null
  /** There is a way out by a proxy at this port inside. */
  readonly relay: number | null
}

export const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

export function planAttempts(place: ProbePlace): readonly ProbeAttempt[] {
  const { tree, own_repository, object_stores, canaries, pid } = place
  return [
    ...['/usr', '/etc', '/'].map((path) => fails(`write ${path}`, `: > ${path}/.agency-probe`)),
    ...canaries.flatMap((path) => [
      fails(`read ${path}`, `cat ${quote(path)}`),
      fails(`write ${path}`, `[ -e ${quote(path)} ] && echo x >> ${quote(path)}`),
    ]),
    ...object_stores.map((path) => fails(`write ${path}`, `: > ${quote(path)}/.agency-probe`)),
    ...(own_repository === null ? [] : repositoryAttempts(own_repository)),
    fails('see a process of the host', `[ -e /proc/${pid} ] || kill -0 ${pid}`),
    fails('mount', 'mkdir -p /tmp/.probe && mount -t tmpfs none /tmp/.probe'),
    fails('make a device', 'mknod /tmp/.probe-device b 7 0'),
    fails('write /proc/sys', 'echo x > /proc/sys/kernel/domainname'),
    fails('have the kernel start a program', ': >> /proc/sys/kernel/core_pattern'),
    fails(
      'write a file of the kernel',
      'for f in /proc/*; do [ -f "$f" ] && [ -w "$f" ] && exit 0; done; exit 1',
    ),
    fails('read the memory of the kernel', 'head -c 1 /proc/kcore | grep -q .'),
    fails('write a cgroup', 'mkdir /sys/fs/cgroup/agency-probe'),
    ...SOCKETS.map((path) => fails(`reach ${path}`, `[ -S ${path} ]`)),
    ...networkAttempts(place),
    works('write the tree', `: > ${quote(`${tree}/.agency/probe`)} && rm ${quote(`${tree}/.agency/probe`)}`),
    works('write the home directory', ': > "$HOME/.agency-probe" && rm "$HOME/.agency-probe"'),
    works('write /tmp', ': > /tmp/.agency-probe && rm /tmp/.agency-probe'),
    works('start a program', '/usr/bin/env true'),
  ]
}

const fails = (name: string, script: string): ProbeAttempt => ({ name, must: 'fail', script })
const works = (name: string, script: string): ProbeAttempt => ({ name, must: 'work', script })

const SOCKETS = [
  '/run/docker.sock',
  '/var/run/docker.sock',
  '/run/podman/podman.sock',
  '/run/dbus/system_bus_socket',
]

const repositoryAttempts = (own: string): ProbeAttempt[] => [
  ...['config', 'objects/info/alternates'].map((name) =>
    fails(`write the repository's ${name}`, `echo >> ${quote(`${own}/${name}`)}`),
  ),
  fails("write the repository's hooks", `: > ${quote(`${own}/hooks/probe`)}`),
  works('write objects', `: > ${quote(`${own}/objects/probe`)} && rm ${quote(`${own}/objects/probe`)}`),
]

function networkAttempts({ port, relay }: ProbePlace): ProbeAttempt[] {
  if (port === null) return []
  return [
    fails('have an interface to a network', "grep -v '^ *lo:' /proc/net/dev | grep ':'"),
    fails('have a way to a network', 'tail -n +2 /proc/net/route | grep .'),
    ...['127.0.0.1', '192.0.2.1'].map((host) =>
      fails(`reach ${host}`, `bash -c ': < /dev/tcp/${host}/${port}'`),
    ),
    ...(relay === null ? [] : relayAttempts(relay, port)),
    fails('reach ::1', `bash -c ': < /dev/tcp/::1/${port}'`),
  ]
}

/** With what the relay itself is, as it is there. */
function relayAttempts(relay: number, port: number): ProbeAttempt[] {
  const ask = (line: string): string =>
    `printf '${line} HTTP/1.1\\r\\nHost: agency\\r\\n\\r\\n' | socat -t 5 - TCP:127.0.0.1:${relay}`
  return [
    works('ask the proxy', `${ask('GET http://agency.invalid/')} | grep -q '^agency: '`),
    ...['CONNECT 127.0.0.1', 'CONNECT [::1]', 'CONNECT localhost'].map((asked) =>
      fails(`${asked} through the proxy`, `${ask(`${asked}:${port}`)} | head -n 1 | grep -q ' 200'`),
    ),
    fails(
      'GET from the loopback through the proxy',
      `${ask(`GET http://127.0.0.1:${port}/`)} | grep -q ' 200'`,
    ),
  ]
}

/** The whole script. */
export const probeScript = (attempts: readonly ProbeAttempt[]): string =>
  attempts.map(({ script }, at) => `( ${script} ) >/dev/null 2>&1; printf '%s\\t%s\\n' ${at} $?`).join('\n')

const readResult = (line: string): readonly [at: string, result: string] => {
  const [at = '', result = ''] = line.split('\t')
  return [at, result]
}

/** By the attempt's place; null for one of which nothing was said. */
export function readResults(out: string, attempts: readonly ProbeAttempt[]): (boolean | null)[] {
  const said = new Map(out.split('\n').map(readResult))
  return attempts.map((_, at) => {
    const result = said.get(String(at))
    return result === undefined ? null : result === '0'
  })
}
