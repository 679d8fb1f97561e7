// Which hosts and ports a restricted network lets through. Rules are `host`, `*.host`, `*`, each with a port or not; an
// address in brackets is one of IPv6. Pure.

import { BlockList, isIP } from 'node:net'

export interface HostRule {
  /** In lower case; `*` or one that begins with `*.` stands for many. */
  readonly host: string
  readonly port: number
}

/** Where a rule names no port, TLS is meant. */
const DEFAULT_PORT = 443

export function parseHostRule(text: string): HostRule {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d+))?$/.exec(text) ?? []
  return {
    host: (bracketed ?? plain ?? text).toLowerCase(),
    port: port === undefined ? DEFAULT_PORT : Number(port),
  }
}

export interface Target {
  readonly host: string
  readonly port: number
}

/** The host and port of a URL in a variable, so that a person's own gateway is let through; null where it is none. */
export function ruleOfUrl(text: string): HostRule | null {
  if (!URL.canParse(text)) return null
  const { protocol, hostname, port } = new URL(text)
  const usual = protocol === 'http:' ? 80 : DEFAULT_PORT
  return { host: hostname.replace(/^\[|\]$/g, '').toLowerCase(), port: port === '' ? usual : Number(port) }
}

/** The rule that lets it through; null if none does. */
export function findRule(rules: readonly HostRule[], { host, port }: Target): HostRule | null {
  const asked = host.toLowerCase().replace(/\.$/, '')
  return rules.find((rule) => rule.port === port && fits(rule.host, asked)) ?? null
}

const fits = (rule: string, host: string): boolean =>
  rule === '*' || rule === host || (rule.startsWith('*.') && host.endsWith(rule.slice(1)) && isIP(host) === 0)

/** Whether a rule names this very address or `localhost`, so that it may lead into the person's own network. */
export const namesPrivate = (rule: HostRule): boolean => isIP(rule.host) !== 0 || rule.host === 'localhost'

const PRIVATE = new BlockList()
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const) {
  PRIVATE.addSubnet(net, bits, 'ipv4')
  PRIVATE.addSubnet(`::ffff:${net}`, 96 + bits, 'ipv6')
  PRIVATE.addSubnet(`64:ff9b::${net}`, 96 + bits, 'ipv6')
}
for (const [net, bits] of [
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const) {
  PRIVATE.addSubnet(net, bits, 'ipv6')
}

/** An address of this machine, of a network that only it can reach, or of nobody. */
export const isPrivateAddress = (address: string): boolean =>
  PRIVATE.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
