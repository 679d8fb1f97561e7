// Settings for a node of ours that works unseen. They replace the person's own.

/**
 * A node that is given certificates parses all of them first, which takes longer than the rest of its start. Ours
 * needs none, because it speaks to nobody.
 */
export const OWN_NODE_SETTINGS = {
  MALLOC_ARENA_MAX: '1',
  NODE_OPTIONS: undefined,
  NODE_EXTRA_CA_CERTS: undefined,
} as const
