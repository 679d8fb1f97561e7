// Work that is asked for by name, one at a time for each name: of what is asked for meanwhile only the last is done.

export class Latest<Want> {
  readonly #work: (id: string, want: Want) => Promise<void>
  /** What is wanted next of a name that is being worked on. */
  readonly #next = new Map<string, { readonly want: Want } | null>()

  /** `work` never throws. */
  constructor(work: (id: string, want: Want) => Promise<void>) {
    this.#work = work
  }

  ask(id: string, want: Want): void {
    if (this.#next.has(id)) this.#next.set(id, { want })
    else void this.#workOn(id, want)
  }

  async #workOn(id: string, want: Want): Promise<void> {
    this.#next.set(id, null)
    await this.#work(id, want)
    const next = this.#next.get(id) ?? null
    this.#next.delete(id)
    if (next !== null) await this.#workOn(id, next.want)
  }
}
