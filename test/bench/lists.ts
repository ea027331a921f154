/** Lists cost the same whatever the number of posts; reading and filtering costs more with each. */
import type { Post } from '#shared/domain/post.ts'
import { matches, type PostFilter } from '#shared/domain/post-filter.ts'
import { toList } from '#shared/edge/page.ts'
import { postPartition } from '#shared/store/layout.ts'
import { postBytes } from './posts.ts'
import { openSheet } from './sheet.ts'
import { itemBytes } from './stored-bytes.ts'
import type { SizedSuite } from './suite.ts'

interface Listed {
  items: { id: string }[]
  total: number
  has_more: boolean
  next_cursor: string | null
}

export const suite: SizedSuite = {
  title: 'Lists: requests and capacity by the number of posts',
  open(ground, { labels, rareLabel, accounts, idAt }) {
    const sheet = openSheet()
    const slopes: { size: number; readUnits: number }[] = []
    const list = (query: string): Promise<Listed> => ground.own('GET', `/posts?${query}`)
    const measure = (query: string) => ground.measure(() => list(query))
    const frequent = `labels=${labels[0]},${labels[1]}&status=draft`
    const rare: PostFilter = { labels: [rareLabel], statuses: ['draft'] }

    /** The posts that pass, newest first, and how many there are at all, by reading every one; a few pages at a time. */
    async function readAndFilter(filter: PostFilter) {
      const seen = { ids: [] as string[], total: 0, bytes: 0 }
      const range = { pk: postPartition(ground.owner), backwards: true, limit: 1_300 }
      for (let before: string | undefined, isOver = false; !isOver; ) {
        const { items } = await ground.table.query({ ...range, ...(before && { before }) })
        const passing = items.filter((item) => matches(item as unknown as Post, filter))
        seen.ids.push(...passing.map(({ sk }) => sk))
        seen.total += items.length
        seen.bytes += items.reduce((sum, item) => sum + itemBytes(item), 0)
        before = items.at(-1)?.sk
        isOver = items.length < range.limit
      }
      return seen
    }

    return {
      async at(size) {
        const isFull = ({ items, has_more }: Listed) => items.length === 20 && has_more
        const first = await measure('')
        sheet.budget(size, 'GET /posts', first)
        sheet.expect(
          isFull(first.answer) && first.answer.total === size,
          `the first page of ${size} posts is full`,
        )

        const middle = await measure(`cursor=${cursorAt(idAt(size / 2))}`)
        sheet.budget(size, 'GET /posts, a page in the middle', middle)
        sheet.expect(
          isFull(middle.answer) && middle.answer.items[0]?.id === idAt(size / 2 - 1),
          `the page in the middle of ${size} posts begins there`,
        )

        const filtered = await measure(frequent)
        sheet.budget(size, 'GET /posts?labels=a,b&status=draft', filtered)
        sheet.expect(isFull(filtered.answer), 'the filtered page is full')
        const anyStatus = await measure(`labels=${labels[0]},${labels[1]}`)
        sheet.budget(size, 'GET /posts?labels=a,b', anyStatus)
        sheet.expect(isFull(anyStatus.answer), 'the page of any status is full')
        // Among the first hundred posts there are too few for pages of these that are full.
        if (size > 100) {
          const second = await measure(`${frequent}&cursor=${filtered.answer.next_cursor}`)
          sheet.budget(size, 'GET /posts?labels=a,b&status=draft, second page', second)
          const both = await measure(`labels=${labels[0]}&socials=${accounts[0]}&status=draft`)
          sheet.budget(size, 'GET /posts?labels=a&socials=x&status=draft', both)
          sheet.expect(isFull(second.answer) && isFull(both.answer), 'these pages are full too')
        }
        const apart = await measure(`labels=${labels[0]}&socials=${accounts[2]}&status=draft`)
        sheet.control(size, 'worst case: a label and an account that never meet; work is capped', apart)

        const found = await measure(`labels=${rareLabel}&status=draft`)
        sheet.budget(size, 'GET /posts?labels=rare&status=draft', found)
        const control = await ground.wire.count(() => readAndFilter(rare))
        sheet.control(size, 'control: the rare ones and the total, by reading and filtering', control)
        slopes.push({ size, readUnits: control.readUnits })
        const ids = found.answer.items.map(({ id }) => id)
        sheet.expect(
          ids.length === 5 && ids.join() === control.answer.ids.join(),
          'reading and filtering finds the same five posts',
        )
        sheet.expect(control.answer.total === first.answer.total, 'reading counts as many as the count says')
        sheet.expect(control.answer.bytes === size * postBytes, `each post is stored in ${postBytes} bytes`)
      },

      report() {
        for (const [n, { size, readUnits }] of slopes.entries()) {
          const before = slopes[n - 1]
          if (!before) continue
          const [growth, slope] = [size / before.size, readUnits / before.readUnits]
          sheet.expect(
            slope > 0.9 * growth,
            `reading and filtering costs ${growth} times as much at ${size} posts`,
          )
        }
        return sheet.report()
      },
    }
  },
}

const cursorAt = (after: string) =>
  toList({ entries: [], total: 0, next: after }, 'posts', (entry) => entry).next_cursor
