// Work by name, one at a time for each name. Of the requests that come meanwhile, only the last is carried out.

export class Latest<Want> {
  readonly #work: (id: string, want: Want) => Promise<void>
  /** For each name that is being worked on, the request that comes next. */
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
