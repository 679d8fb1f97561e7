// Filling in an argv template. One pass, so that what is filled in is never itself taken for a template; no shell.

export type Template = readonly string[]

type Values = Readonly<Record<string, string | null>>

const PLACEHOLDER = /\{(prompt|prompt_file|model|session_id|sandbox)\}/g
const PLACE_OF_ARGS = '{args}'

export const mentions = (template: Template, name: string): boolean =>
  template.some((element) => element.includes(`{${name}}`))

/**
 * An element whose value is not there is left out, and so is an option such as `--model` right before it.
 * `args` go where `{args}` stands, else to the end.
 */
export function fillTemplate(template: Template, values: Values, args: readonly string[]): string[] {
  const filled = template.flatMap((element, index) => {
    if (element === PLACE_OF_ARGS) return args
    const next = template[index + 1]
    if (lacksValue(element, values) || (isOption(element) && lacksOwnValue(next, values))) return []
    return [element.replace(PLACEHOLDER, (_, name: string) => values[name] ?? '')]
  })
  return template.includes(PLACE_OF_ARGS) ? filled : [...filled, ...args]
}

const lacksValue = (element: string, values: Values): boolean =>
  [...element.matchAll(PLACEHOLDER)].some(([, name]) => (values[name ?? ''] ?? null) === null)

/** The next element is nothing but a placeholder, and it is empty. */
const lacksOwnValue = (next: string | undefined, values: Values): boolean =>
  next !== undefined && /^\{\w+\}$/.test(next) && lacksValue(next, values)

const isOption = (element: string): boolean => /^--?[^-]/.test(element)
