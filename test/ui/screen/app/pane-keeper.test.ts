import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { AgencyError } from '../../../../src/core/model/errors.ts'
import type { AttachEvents } from '../../../../src/core/model/runner.ts'
import { PaneKeeper } from '../../../../src/ui/screen/app/pane-keeper.ts'
import type { Canvas } from '../../../../src/ui/screen/canvas.ts'
import { openPane } from '../../../../src/ui/screen/pane/open-pane.ts'
import type { PaneFacts } from '../../../../src/ui/screen/state/dashboard-state.ts'
import type { StagedPane } from '../../../../src/ui/screen/state/stage.ts'
import { recordingAgency } from '../../../support/scene/recording-agency.ts'

const SIZE = { columns: 40, rows: 10 }
const staged = (id: string, host: StagedPane['host'] = 'there', size = SIZE): StagedPane => ({
  id,
  size,
  host,
})

/** A keeper beside hosts that do what the test says. */
function openKeeper() {
  const hosts = new Map<string, AttachEvents>()
  const sizes: string[] = []
  const left: string[] = []
  const shown = new Set<string>()
  const facts = new Map<string, PaneFacts>()
  let refuse: AgencyError | null = null
  let snapshot = Promise.resolve('')
  const agency = recordingAgency({
    attach: async (id, size, events) => {
      if (refuse !== null) throw refuse
      const before = await snapshot
      hosts.set(id, events)
      sizes.push(`${id} ${size.columns}x${size.rows}`)
      events.onSnapshot(Buffer.from(`\x1b]2;title of ${id}\x07screen of ${id}${before}`))
      return {
        write: () => {},
        resize: (columns, rows) => sizes.push(`${id} ${columns}x${rows}`),
        detach: () => left.push(id),
      }
    },
  })
  const canvas: Canvas = {
    show: () => {},
    addPane: ({ id }) => shown.add(id),
    removePane: (id) => shown.delete(id),
    expectEcho: () => {},
    resize: () => {},
    setTheme: () => {},
    repaint: () => {},
    pause: () => {},
    dispose: () => {},
  }
  const keeper = new PaneKeeper({
    agency,
    canvas,
    openPane,
    onFacts: (id, told) => facts.set(id, told),
  })
  const until = async (id: string, state: PaneFacts['state']): Promise<void> => {
    await expect.poll(() => facts.get(id)?.state).toBe(state)
  }
  return {
    keeper,
    hosts,
    sizes,
    left,
    shown,
    facts,
    until,
    /** Holds snapshots back until this text is known. They end with it. */
    holdSnapshot: (ending: Promise<string>) => {
      snapshot = ending
    },
    refuse: (error: AgencyError | null) => {
      refuse = error
    },
  }
}

let kept: ReturnType<typeof openKeeper>
beforeEach(() => {
  kept = openKeeper()
})
afterEach(() => kept.keeper.close())

describe('joining terminals', () => {
  it('draws the snapshot and what follows, and tells the title', async () => {
    kept.keeper.sync([staged('a')])
    await kept.until('a', 'live')
    kept.hosts.get('a')?.onData(Buffer.from(', and more'))
    expect(kept.facts.get('a')?.title).toBe('title of a')
    expect(kept.keeper.get('a')?.find('screen of a, and more', 'older')).not.toBeNull()
  })

  it('gives the program the size of its slot at once', async () => {
    kept.keeper.sync([staged('a')])
    await kept.until('a', 'live')
    kept.keeper.sync([staged('a', 'there', { columns: 60, rows: 12 })])
    expect(kept.sizes).toEqual(['a 40x10', 'a 60x12'])
    expect(kept.keeper.get('a')?.size).toEqual({ columns: 60, rows: 12 })
  })

  it('draws a snapshot in the size that it was asked for in, also when the slot has another one by now', async () => {
    let tell: (ending: string) => void = () => {}
    kept.holdSnapshot(
      new Promise((resolve) => {
        tell = resolve
      }),
    )
    kept.keeper.sync([staged('a')])
    await expect.poll(() => kept.keeper.get('a')).not.toBeNull()
    kept.keeper.sync([staged('a', 'there', { columns: 40, rows: 16 })])
    tell(`${'\r\n'.repeat(14)}\x1b[10;1Hlast`)
    await kept.until('a', 'live')
    expect(kept.keeper.get('a')?.view.cursor).toMatchObject({ x: 4, y: 14 })
    await expect.poll(() => kept.sizes).toEqual(['a 40x10', 'a 40x16'])
  })

  it('keeps the last few that were shown, and leaves the others', async () => {
    for (const id of ['a', 'b', 'c', 'd']) {
      kept.keeper.sync([staged(id)])
      await kept.until(id, 'live')
    }
    expect(kept.left).toEqual(['a'])
    expect([...kept.shown].sort()).toEqual(['b', 'c', 'd'])
    kept.keeper.sync([staged('b')])
    expect(kept.sizes.filter((size) => size.startsWith('b'))).toHaveLength(1)
  })

  it('joins none that a person only passes over', async () => {
    kept.keeper.sync([staged('a')])
    await kept.until('a', 'live')
    kept.keeper.sync([staged('b')])
    kept.keeper.sync([staged('c')])
    await kept.until('c', 'live')
    expect([...kept.hosts.keys()]).toEqual(['a', 'c'])
  })

  it('keeps the last screen of one that has ended, and says that it has', async () => {
    kept.keeper.sync([staged('a')])
    await kept.until('a', 'live')
    kept.hosts.get('a')?.onEnd({ exit_code: 0, exit_signal: null })
    expect(kept.facts.get('a')).toMatchObject({ state: 'ended', failure: null })
    kept.keeper.sync([staged('a', 'gone')])
    expect(kept.keeper.get('a')?.find('screen of a', 'older')).not.toBeNull()
  })

  it('joins again where it was cut off, and keeps the last screen until then', async () => {
    kept.keeper.sync([staged('a')])
    await kept.until('a', 'live')
    kept.hosts.get('a')?.onData(Buffer.from(', and more'))
    kept.hosts.get('a')?.onEnd(null)
    expect(kept.facts.get('a')).toMatchObject({ state: 'live', failure: null })
    expect(kept.keeper.get('a')?.find('and more', 'older')).not.toBeNull()
    await expect.poll(() => kept.sizes).toEqual(['a 40x10', 'a 40x10'])
    expect(kept.keeper.get('a')?.find('and more', 'older')).toBeNull()
    expect(kept.keeper.get('a')?.find('screen of a', 'older')).not.toBeNull()
  })

  it('keeps the last screen of one whose host is gone', async () => {
    kept.keeper.sync([staged('a')])
    await kept.until('a', 'live')
    kept.refuse(new AgencyError('E_HOST_GONE', 'its host is gone'))
    kept.hosts.get('a')?.onEnd(null)
    await kept.until('a', 'ended')
    expect(kept.facts.get('a')?.failure).toBe('its host is gone')
    expect(kept.keeper.get('a')?.find('screen of a', 'older')).not.toBeNull()
  })

  it('says why one could not be joined, and tries again when it is wanted again', async () => {
    kept.refuse(new AgencyError('E_HOST_GONE', 'its host is gone'))
    kept.keeper.sync([staged('a')])
    await kept.until('a', 'failed')
    expect(kept.facts.get('a')?.failure).toBe('its host is gone')
    kept.refuse(null)
    const stateNow = (): PaneFacts['state'] | undefined => {
      kept.keeper.sync([staged('a')])
      return kept.facts.get('a')?.state
    }
    await expect.poll(stateNow).toBe('live')
  })

  it('keeps what is typed before a terminal is joined, in order, and drops what no program will read', async () => {
    const typed: string[] = []
    const type = (id: string, key: string): void =>
      kept.keeper.whenJoined(id, () => typed.push(`${id}${key}`))
    kept.keeper.sync([staged('a', 'awaited'), staged('b')])
    for (const key of ['1', '2']) type('a', key)
    type('b', '1')
    await kept.until('b', 'live')
    expect(typed).toEqual(['b1'])
    expect(kept.facts.has('a')).toBe(false)
    kept.keeper.sync([staged('a'), staged('b')])
    type('a', '3')
    await expect.poll(() => typed).toEqual(['b1', 'a1', 'a2', 'a3'])
    kept.hosts.get('b')?.onEnd({ exit_code: 0, exit_signal: null })
    type('b', '2')
    kept.keeper.sync([staged('a')])
    type('a', '4')
    expect(typed).toEqual(['b1', 'a1', 'a2', 'a3', 'a4'])
  })
})
