import { describe, expect, test } from 'vitest'
import { textLength } from '#shared/domain/text-length.ts'

const family = '👨‍👩‍👧‍👦'
const counts = ['code-points', 'utf16', 'graphemes', 'utf8-bytes'] as const

describe('a text has as many', () => {
  test.each([
    { text: '', expected: [0, 0, 0, 0] },
    { text: 'Hello', expected: [5, 5, 5, 5] },
    { text: 'é', expected: [1, 1, 1, 2] },
    { text: 'e\u0301', expected: [2, 2, 1, 3] },
    { text: '日本', expected: [2, 2, 2, 6] },
    { text: '👍', expected: [1, 2, 1, 4] },
    { text: '👍🏽', expected: [2, 4, 1, 8] },
    { text: '🇫🇷🇩🇪', expected: [4, 8, 2, 16] },
    { text: family, expected: [7, 11, 1, 25] },
    { text: '\r\n', expected: [2, 2, 1, 2] },
    { text: '한', expected: [1, 1, 1, 3] },
    { text: 'नमस्ते', expected: [6, 6, 3, 18] },
  ])('code points, UTF-16 units, characters, bytes: $text', ({ text, expected }) => {
    expect(counts.map((count) => textLength(text, count))).toEqual(expected)
  })
})

// https://docs.joinmastodon.org/user/posting/#text
describe('Mastodon counts', () => {
  test.each([
    { what: 'characters as a person does', text: `e\u0301${family}👍🏽`, expected: 3 },
    { what: 'a long URL as 23', text: `https://example.com/${'a'.repeat(200)}`, expected: 23 },
    { what: 'a short URL as 23', text: 'http://a.de', expected: 23 },
    {
      what: 'each URL, and what is between',
      text: 'See https://a.de or https://b.de',
      expected: 4 + 23 + 4 + 23,
    },
    { what: 'a URL in upper case', text: 'HTTPS://EXAMPLE.COM/A', expected: 23 },
    { what: 'no URL without a scheme', text: 'example.com', expected: 11 },
    { what: 'a mention without its domain', text: '@anna@mastodon.social', expected: 5 },
    { what: 'a mention on the own server whole', text: '@anna hi', expected: 8 },
    { what: 'two mentions', text: '@anna@mastodon.social @bo_b@a.example!', expected: 5 + 1 + 5 + 1 },
    { what: 'an e-mail address whole', text: 'anna@example.com', expected: 16 },
  ])('$what', ({ text, expected }) => {
    expect(textLength(text, 'mastodon')).toBe(expected)
  })
})

// https://docs.x.com/fundamentals/counting-characters, configuration version 3
describe('X weighs', () => {
  test.each([
    { what: 'Latin as one', text: 'Hello, Zoë', expected: 10 },
    { what: 'Greek, Cyrillic, Arabic and Devanagari as one', text: 'ΩЖعन', expected: 4 },
    { what: 'the last of the light characters as one', text: '\u10FF', expected: 1 },
    { what: 'the first behind them as two', text: '\u1100', expected: 2 },
    { what: 'CJK as two', text: '日本語', expected: 6 },
    { what: 'Hangul as two', text: '한글', expected: 4 },
    { what: 'typographic quotes and dashes as one', text: '“a” – ‘b’', expected: 9 },
    { what: 'narrow and wide blanks as one', text: '\u2002\u2003\u2009', expected: 3 },
    { what: 'an ellipsis as two', text: '…', expected: 2 },
    { what: 'the euro as two', text: '€', expected: 2 },
    { what: 'an emoji as two', text: '👍', expected: 2 },
    { what: 'an emoji with a skin tone as two', text: '👍🏽', expected: 2 },
    { what: 'a family as two', text: family, expected: 2 },
    { what: 'a flag as two', text: '🇫🇷', expected: 2 },
    { what: 'a keycap as two', text: '1️⃣', expected: 2 },
    { what: 'a heart as two', text: '❤️', expected: 2 },
    { what: 'a rainbow flag as two', text: '🏳️‍🌈', expected: 2 },
    { what: 'signs that are letters as one', text: '© ®', expected: 3 },
    { what: 'digits as one', text: '#1 *2', expected: 5 },
    { what: 'e and its accent as one', text: 'e\u0301', expected: 1 },
    { what: 'a URL as 23', text: `https://example.com/${'a'.repeat(300)}`, expected: 23 },
    { what: 'URLs and text', text: 'Read https://a.de, then https://b.de', expected: 5 + 23 + 1 + 6 + 23 },
    { what: 'a URL in parentheses', text: '(https://a.de)', expected: 25 },
    { what: 'a URL at the end of a sentence', text: 'See https://a.de/b.', expected: 4 + 23 + 1 },
    { what: 'nothing as nothing', text: '', expected: 0 },
  ])('$what', ({ text, expected }) => {
    expect(textLength(text, 'x-weighted')).toBe(expected)
  })
})
