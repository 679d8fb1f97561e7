// How a node of ours that nobody sees is started, in place of the person's own settings.

/**
 * A node that is given certificates parses all of them first, which takes longer than the rest of its start. Ours needs
 * none: it speaks to nobody.
 */
export const OWN_NODE_SETTINGS = {
  MALLOC_ARENA_MAX: '1',
  NODE_OPTIONS: undefined,
  NODE_EXTRA_CA_CERTS: undefined,
} as const
