// The shells' halves of completion. Each asks `agency __complete` with the words up to the cursor; `:files` and
// `:directories` in its answer hand over to the shell's own completion of paths.

import { AgencyError } from '../../core/model/errors.ts'

const BASH = `_agency() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" line word
  local -a words=("\${COMP_WORDS[@]:1:COMP_CWORD}")
  COMPREPLY=()
  while IFS= read -r line; do
    word="\${line%%$'\\t'*}"
    case "$word" in
      :files) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$cur") ;;
      :directories) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -d -- "$cur") ;;
      *) COMPREPLY+=("$word") ;;
    esac
  done < <(agency __complete "\${words[@]}" 2>/dev/null)
}
complete -F _agency agency
`

const ZSH = `#compdef agency
_agency() {
  local line word
  local -a found
  for line in "\${(@f)$(agency __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    word="\${line%%$'\\t'*}"
    case "$word" in
      '') ;;
      :files) _files ;;
      :directories) _files -/ ;;
      *) found+=("\${word//:/\\\\:}:\${line#*$'\\t'}") ;;
    esac
  done
  (( \${#found} )) && _describe agency found
}
compdef _agency agency
`

const FISH = `function __agency_complete
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  for line in (agency __complete $words[2..-1] "$current" 2>/dev/null)
    switch $line
      case ':files*'
        __fish_complete_path "$current"
      case ':directories*'
        __fish_complete_directories "$current"
      case '*'
        echo $line
    end
  end
end
complete -c agency -f -a '(__agency_complete)'
`

const SCRIPTS: Readonly<Record<string, string>> = { bash: BASH, zsh: ZSH, fish: FISH }

/** Throws E_USAGE for another shell. */
export function completionScript(shell: string): string {
  const script = SCRIPTS[shell]
  if (script === undefined) {
    throw new AgencyError('E_USAGE', `there is no completion for '${shell}'`, {
      hint: 'one of: bash, zsh, fish',
    })
  }
  return script
}
