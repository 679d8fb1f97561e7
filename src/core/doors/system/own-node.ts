// What a node of ours, which nobody sees, is started with in place of the person's own settings.

/**
 * One that is told of certificates parses all of them before it does anything else, which takes longer than the rest of
 * its boot; and ours speaks to nobody.
 */
export const OWN_NODE_SETTINGS = {
  MALLOC_ARENA_MAX: '1',
  NODE_OPTIONS: undefined,
  NODE_EXTRA_CA_CERTS: undefined,
} as const
