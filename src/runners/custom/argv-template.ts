// Fills in an argv template. In one pass, so that what is filled in is never taken for a template itself; and without a
// shell.

export type Template = readonly string[]

type Values = Readonly<Record<string, string | null>>

const PLACEHOLDER = /\{(prompt|prompt_file|model|session_id|sandbox)\}/g
const PLACE_OF_ARGS = '{args}'

export const mentions = (template: Template, name: string): boolean =>
  template.some((element) => element.includes(`{${name}}`))

/**
 * An element without a value is left out, and so is an option such as `--model` right before it. `args` go where
 * `{args}` is, otherwise to the end.
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

/** Whether the next element is only a placeholder that has no value. */
const lacksOwnValue = (next: string | undefined, values: Values): boolean =>
  next !== undefined && /^\{\w+\}$/.test(next) && lacksValue(next, values)

const isOption = (element: string): boolean => /^--?[^-]/.test(element)
