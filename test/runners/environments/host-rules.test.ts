import { describe, expect, test } from 'vitest'
import {
  findRule,
  isPrivateAddress,
  parseHostRule,
  ruleOfUrl,
} from '../../../src/runners/environments/host-rules.ts'

describe('a rule', () => {
  test.each([
    { rule: 'api.example.com', host: 'api.example.com', port: 443, passes: true },
    { rule: 'api.example.com', host: 'API.Example.COM.', port: 443, passes: true },
    { rule: 'api.example.com', host: 'api.example.com', port: 80, passes: false },
    { rule: 'api.example.com', host: 'evil-api.example.com', port: 443, passes: false },
    { rule: 'api.example.com', host: 'api.example.com.evil.org', port: 443, passes: false },
    { rule: '*.example.com', host: 'a.b.example.com', port: 443, passes: true },
    { rule: '*.example.com', host: 'example.com', port: 443, passes: false },
    { rule: '*.example.com', host: 'notexample.com', port: 443, passes: false },
    { rule: 'example.com:8443', host: 'example.com', port: 8443, passes: true },
    { rule: 'example.com:8443', host: 'example.com', port: 443, passes: false },
    { rule: '127.0.0.1:3000', host: '127.0.0.1', port: 3000, passes: true },
    { rule: '[::1]:3000', host: '::1', port: 3000, passes: true },
    { rule: '*:443', host: '10.0.0.1', port: 443, passes: true },
    { rule: '*.0.0.1', host: '10.0.0.1', port: 443, passes: false },
  ])('$rule, asked for $host:$port, passes: $passes', ({ rule, host, port, passes }) => {
    expect(findRule([parseHostRule(rule)], { host, port }) !== null).toBe(passes)
  })
})

test.each([
  { url: 'https://gateway.example.com/v1', rule: { host: 'gateway.example.com', port: 443 } },
  { url: 'http://127.0.0.1:8080', rule: { host: '127.0.0.1', port: 8080 } },
  { url: 'http://[::1]:8080/', rule: { host: '::1', port: 8080 } },
  { url: 'no url', rule: null },
])("a person's own gateway $url is let through as $rule", ({ url, rule }) => {
  expect(ruleOfUrl(url)).toEqual(rule)
})

test.each([
  '127.0.0.1',
  '10.1.2.3',
  '172.31.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '255.255.255.255',
  '::1',
  '::',
  'fe80::1',
  'fd00::1',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '64:ff9b::7f00:1',
])('%s is an address of a private network', (address) => {
  expect(isPrivateAddress(address)).toBe(true)
})

test.each(['1.1.1.1', '172.32.0.1', '2606:4700::1111', '::ffff:1.1.1.1'])('%s is none', (address) => {
  expect(isPrivateAddress(address)).toBe(false)
})
