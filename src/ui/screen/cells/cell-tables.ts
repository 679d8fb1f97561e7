// What does not fit into the words of a cell, each thing stored once under a number: clusters of several code points,
// links, and underlines of special style or colour.

import { safeCluster } from './safe-text.ts'

export interface Extra {
  /** 0 for none, then single, double, curly, dotted, dashed. */
  readonly underline: number
  /** A colour as in the fg word; 0 is the colour of the letter. */
  readonly colour: number
  /** Empty without a link. */
  readonly uri: string
}

const NO_EXTRA: Extra = { underline: 0, colour: 0, uri: '' }

/** A hostile program could fill the tables without end. When they are this large, their owner starts anew. */
const LARGEST = 1 << 16

export class CellTables {
  #clusterIds = new Map<string, number>()
  #clusters: string[] = ['']
  #extraIds = new Map<string, number>()
  #extras: Extra[] = [NO_EXTRA]

  clusterId(text: string): number {
    const known = this.#clusterIds.get(text)
    if (known !== undefined) return known
    this.#clusterIds.set(text, this.#clusters.length)
    return this.#clusters.push(safeCluster(text)) - 1
  }

  cluster(id: number): string {
    return this.#clusters[id] ?? ''
  }

  /** 0 if there is nothing to store. */
  extraId(extra: Extra): number {
    if (extra.underline < 2 && extra.colour === 0 && extra.uri === '') return 0
    const key = `${extra.underline} ${extra.colour} ${extra.uri}`
    const known = this.#extraIds.get(key)
    if (known !== undefined) return known
    this.#extraIds.set(key, this.#extras.length)
    return this.#extras.push(extra) - 1
  }

  extra(id: number): Extra {
    return this.#extras[id] ?? NO_EXTRA
  }

  get full(): boolean {
    return this.#clusters.length > LARGEST || this.#extras.length > LARGEST
  }

  /** After this, all numbers that were given out mean nothing. */
  clear(): void {
    this.#clusterIds = new Map()
    this.#clusters = ['']
    this.#extraIds = new Map()
    this.#extras = [NO_EXTRA]
  }
}
