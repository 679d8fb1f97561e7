import { expect, test } from 'vitest'
import { compileDenylist } from '../../../src/core/model/denylist.ts'
import { rawOf } from '../../../src/core/model/raw-bytes.ts'

const isSecret = compileDenylist([])

test.each([
  '.env',
  'deep/down/.env',
  '.ENV',
  '.env.local',
  '.env.',
  'server.key',
  'Certs/CA.PEM',
  'credentials.json',
  'a/Secrets.json',
])('%s is a secret', (path) => expect(isSecret(path)).toBe(true))

test.each([
  'foo.environment',
  'foo.environment.ts',
  'monkey.keyboard.ts',
  'foo.env',
  '.environment',
  '.env/bin/activate',
  'my.key/readme',
  'credentials.json.ts',
  'mycredentials.json',
  'keys',
  'pem',
  '.envrc',
])('%s is none', (path) => expect(isSecret(path)).toBe(false))

test("the person's own patterns count too, and nothing in them is more than a glob", () => {
  const own = compileDenylist(['id_[re]*', 'tok?n', 'a.b', '(x|y)', 'größe*', '[!a]z', '['])
  for (const path of ['id_rsa', 'id_ed25519', 'TOKEN', 'a.b', '(x|y)', rawOf('in/GRÖßE.txt'), 'bz', '[']) {
    expect(own(path)).toBe(true)
  }
  for (const path of ['id_dsa', 'tokeen', 'axb', 'x', 'az']) expect(own(path)).toBe(false)
})

test('a name with a newline is looked at as a whole', () => {
  expect(isSecret('a\n.env')).toBe(false)
  expect(isSecret('a\nb.key')).toBe(true)
})
