// Names of files that are allowed, and that programs get wrong: words of a shell that give the bytes.

const LONG = 'n'.repeat(250)

export const STRANGE_NAMES: readonly string[] = [
  `"$(printf 'new\\nline')"`,
  `"$(printf 'caf\\351')"`,
  `"$(printf 'tab\\there')"`,
  `"$(printf 'esc\\033[31m')"`,
  `"$(printf 'nfc\\303\\251')"`,
  `"$(printf 'nfce\\314\\201')"`,
  "'-rf'",
  "'--help'",
  "':(top)'",
  "'*'",
  "'a b '",
  "'back\\slash'",
  '\'"quoted"\'',
  "'$HOME'",
  "'Case'",
  "'case'",
  "'con'",
  "'HEAD'",
  "'.gitmodules'",
  "'.mailmap'",
  `'${LONG}'`,
]
