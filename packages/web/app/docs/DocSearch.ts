/** The search of the documentation: an index of sections, ranks and excerpts. Pure; the browser loads it. */

/** A section that can be found: a page's path, its anchor, its titles and its text. */
export interface DocSection {
  readonly path: string
  readonly anchor: string
  /** The title of the page. */
  readonly page: string
  /** The heading of the section; empty for the beginning of a page. */
  readonly heading: string
  readonly text: string
}

/** A section that fits, with the part of its text around the first word. */
export interface DocResult {
  readonly section: DocSection
  readonly excerpt: string
}

/** The words of a query, in lower case. */
export const wordsOf = (query: string): ReadonlyArray<string> => [
  ...new Set(query.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [])
]

const EXCERPT_BEFORE = 40
const EXCERPT_MAX = 160

/** The text around the first of the words, cut at spaces. */
export const excerptOf = (text: string, words: ReadonlyArray<string>): string => {
  const lower = text.toLowerCase()
  const places = words.map((word) => lower.indexOf(word)).filter((at) => at >= 0)
  const first = places.length === 0 ? 0 : Math.min(...places)
  const wanted = Math.max(first - EXCERPT_BEFORE, 0)
  const from = wanted === 0 ? 0 : text.indexOf(" ", wanted) + 1
  const piece = text.slice(from, from + EXCERPT_MAX)
  const to = from + EXCERPT_MAX >= text.length ? piece.length : piece.lastIndexOf(" ")
  return `${from > 0 ? "… " : ""}${piece.slice(0, to)}${from + to < text.length ? " …" : ""}`
}

/** How well a word fits a text: as a whole word, as the beginning of one, or inside of one. */
const fit = (text: string, word: string): number => {
  const lower = text.toLowerCase()
  for (let at = lower.indexOf(word), best = 0; ; at = lower.indexOf(word, at + 1)) {
    if (at < 0) return best
    const isStart = !/[\p{L}\p{N}_]/u.test(lower[at - 1] ?? " ")
    const isEnd = !/[\p{L}\p{N}_]/u.test(lower[at + word.length] ?? " ")
    if (isStart && isEnd) return 3
    best = Math.max(best, isStart ? 2 : 1)
  }
}

const WEIGHTS = { heading: 12, page: 4, text: 1 } as const

const scoreOf = (section: DocSection, words: ReadonlyArray<string>): number => {
  let score = 0
  for (const word of words) {
    const own =
      fit(section.heading, word) * WEIGHTS.heading +
      fit(section.page, word) * (section.heading === "" ? WEIGHTS.heading : WEIGHTS.page) +
      fit(section.text, word) * WEIGHTS.text
    if (own === 0) return 0
    score += own
  }
  const title = wordsOf(section.heading === "" ? section.page : section.heading).join(" ")
  return title === words.join(" ") ? score * 2 : score
}

/** Sections with every word of a query, the best first; equal ones in the order of the documentation. */
export const search = (
  sections: ReadonlyArray<DocSection>,
  query: string,
  limit: number
): ReadonlyArray<DocResult> => {
  const words = wordsOf(query)
  if (words.length === 0) return []
  return sections
    .map((section) => ({ section, score: scoreOf(section, words) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, limit)
    .map(({ section }) => ({ section, excerpt: excerptOf(section.text, words) }))
}

/** A part of a text, and whether it is one of the words. */
export interface Piece {
  readonly text: string
  readonly isMatch: boolean
}

/** A text cut at the words of a query, for marking them. */
export const piecesOf = (text: string, words: ReadonlyArray<string>): ReadonlyArray<Piece> => {
  const lower = text.toLowerCase()
  const pieces: Array<Piece> = []
  let from = 0
  while (from < text.length) {
    const found = words
      .map((word) => ({ at: lower.indexOf(word, from), length: word.length }))
      .filter(({ at }) => at >= 0)
      .sort((one, other) => one.at - other.at || other.length - one.length)[0]
    if (found === undefined) break
    if (found.at > from) pieces.push({ text: text.slice(from, found.at), isMatch: false })
    pieces.push({ text: text.slice(found.at, found.at + found.length), isMatch: true })
    from = found.at + found.length
  }
  return from < text.length ? [...pieces, { text: text.slice(from), isMatch: false }] : pieces
}
