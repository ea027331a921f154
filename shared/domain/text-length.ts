/** The length of a text as a network counts it. */
import type { TextCount } from './network.ts'

/** `grapheme` segmentation needs no locale: the boundaries of Unicode Annex 29. */
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

const counters: Record<TextCount, (text: string) => number> = {
  'code-points': (text) => Array.from(text).length,
  utf16: (text) => text.length,
  graphemes: (text) => Array.from(graphemes.segment(text)).length,
  'utf8-bytes': (text) => Buffer.byteLength(text),
  mastodon: (text) => counters.graphemes(shortenMentions(replaceUrls(text, 'x'.repeat(23)))),
  'x-weighted': weigh,
}

export const textLength = (text: string, count: TextCount): number => counters[count](text)

/** Without the punctuation that ends the sentence it stands in. */
const url = /https?:\/\/[^\s<>"]*[^\s<>"'.,:;!?…)\]}]/gi
const replaceUrls = (text: string, by: string) => text.replace(url, by)

/** Mastodon counts a mention without its domain: https://docs.joinmastodon.org/user/posting/ */
const shortenMentions = (text: string) => text.replace(/(@[\w.-]+)@[\w.-]+\.[a-z]{2,}/gi, '$1')

/** Ranges of code points that X counts as one; all others, and every emoji, count two. A URL counts 23. */
const lightRanges = [
  [0x0000, 0x10ff],
  [0x2000, 0x200d],
  [0x2010, 0x201f],
  [0x2032, 0x2037],
] as const

/** © and ® are emoji only where a selector asks for it; a keycap is one by its last code point. */
const emoji =
  /\p{Emoji_Presentation}|\p{Emoji}\uFE0F|\p{Regional_Indicator}|\u20E3|(?![©®])\p{Extended_Pictographic}/u

function weigh(text: string): number {
  const urls = text.match(url)?.length ?? 0
  const rest = replaceUrls(text.normalize('NFC'), '')
  let weight = urls * 23
  for (const { segment } of graphemes.segment(rest)) {
    weight += emoji.test(segment) ? 2 : weightOf(segment)
  }
  return weight
}

const weightOf = (segment: string) =>
  Array.from(segment).reduce((sum, character) => {
    const point = character.codePointAt(0) ?? 0
    return sum + (lightRanges.some(([from, to]) => point >= from && point <= to) ? 1 : 2)
  }, 0)
