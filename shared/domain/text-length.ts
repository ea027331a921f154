/** The length of a text as a network counts it. */
import type { TextCount } from './network.ts'

/** `grapheme` segmentation needs no locale: the boundaries of Unicode Annex 29. */
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

const counters: Record<TextCount, (text: string) => number> = {
  'code-points': (text) => Array.from(text).length,
  utf16: (text) => text.length,
  graphemes: (text) => Array.from(graphemes.segment(text)).length,
  'utf8-bytes': (text) => Buffer.byteLength(text),
  mastodon: (text) => counters['code-points'](shortenMentions(replaceUrls(text, 'x'.repeat(23)))),
  'x-weighted': weigh,
}

export const textLength = (text: string, count: TextCount): number => counters[count](text)

const url = /https?:\/\/[^\s<>"]+/gi
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

function weigh(text: string): number {
  const urls = text.match(url)?.length ?? 0
  const rest = replaceUrls(text.normalize('NFC'), '')
  let weight = urls * 23
  for (const { segment } of graphemes.segment(rest)) {
    weight += /\p{Extended_Pictographic}|\p{Regional_Indicator}/u.test(segment) ? 2 : weightOf(segment)
  }
  return weight
}

const weightOf = (segment: string) =>
  Array.from(segment).reduce((sum, character) => {
    const point = character.codePointAt(0) ?? 0
    return sum + (lightRanges.some(([from, to]) => point >= from && point <= to) ? 1 : 2)
  }, 0)
