/**
 * Markdown of the repository as HTML: anchors like GitHub's, tables that scroll, code that can be copied.
 *
 * Comments are left out, and only the raw HTML that documents use is kept. Pure.
 */
import { Marked, type Token, type Tokens } from "marked"

/** A heading, with the anchor that GitHub gives it. */
export interface DocHeading {
  readonly depth: number
  readonly text: string
  readonly anchor: string
}

/** A link or an image of a document. */
export interface DocLink {
  readonly href: string
  readonly isImage: boolean
}

/** Raw HTML that a document may have. */
const ALLOWED = /^<\/?(?:details|summary|code|br|kbd|sub|sup)(?: open)?\s*\/?>$/

/** Text as part of HTML. */
export const escapeHtml = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")

const COMMENT = /<!--[\s\S]*?-->/g

const tagsIn = (html: string): ReadonlyArray<string> =>
  html.replaceAll(COMMENT, "").match(/<[^>]*>/g) ?? []

const withoutForbidden = (html: string): string =>
  html
    .replaceAll(COMMENT, "")
    .replaceAll(/<[^>]*>/g, (tag) => (ALLOWED.test(tag) ? tag : escapeHtml(tag)))

/** The tokens of a text. */
export const lex = (text: string): ReadonlyArray<Token> => new Marked({ gfm: true }).lexer(text)

const ENTITIES: ReadonlyArray<readonly [string, string]> = [
  ["&lt;", "<"],
  ["&gt;", ">"],
  ["&quot;", '"'],
  ["&#39;", "'"],
  ["&amp;", "&"]
]

const plainOf = (text: string): string =>
  ENTITIES.reduce((made, [entity, character]) => made.replaceAll(entity, character), text)

const cellsOf = (token: Token): ReadonlyArray<Tokens.TableCell> => {
  // WHY: the lexer gives tables these members.
  const { header, rows } = token as Tokens.Table
  return [...header, ...rows.flat()]
}

const childrenOf = (token: Token): ReadonlyArray<Token> => {
  if (token.type === "table") return cellsOf(token).flatMap(({ tokens }) => tokens)
  // WHY: the lexer gives these tokens the items of a list.
  if (token.type === "list") return (token as Tokens.List).items
  return "tokens" in token ? (token.tokens ?? []) : []
}

/** A token and every token inside of it. */
export const within = (tokens: ReadonlyArray<Token>): ReadonlyArray<Token> =>
  tokens.flatMap((token) => [token, ...within(childrenOf(token))])

/** The text of tokens as a reader sees it. */
export const plainText = (tokens: ReadonlyArray<Token>): string =>
  tokens
    .map((token) => {
      if (token.type === "html") return ""
      if (token.type === "code") return `${token.text}\n`
      if (token.type === "table")
        return `${cellsOf(token)
          .map(({ tokens: cell }) => plainText(cell))
          .join(" · ")}\n`
      const children = childrenOf(token)
      const inner = children.length > 0 ? plainText(children) : "text" in token ? token.text : " "
      const isBlock = ["paragraph", "list_item", "heading"].includes(token.type)
      return `${plainOf(String(inner))}${isBlock ? "\n" : ""}`
    })
    .join("")

/** GitHub's anchor of a heading's text. */
export const anchorOf = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, "")
    .replaceAll(" ", "-")

/** Anchors of a document in their order; one that was there before gets a number. */
export const anchors = (): ((text: string) => string) => {
  const seen = new Map<string, number>()
  return (text) => {
    const anchor = anchorOf(text)
    const count = seen.get(anchor)
    seen.set(anchor, (count ?? -1) + 1)
    return count === undefined ? anchor : `${anchor}-${count + 1}`
  }
}

/** The links and images of tokens. */
export const linksIn = (tokens: ReadonlyArray<Token>): ReadonlyArray<DocLink> =>
  within(tokens).flatMap((token) =>
    token.type === "link" || token.type === "image"
      ? [{ href: String(token.href), isImage: token.type === "image" }]
      : []
  )

/** Raw HTML of tokens that documents must not have. */
export const forbiddenIn = (tokens: ReadonlyArray<Token>): ReadonlyArray<string> =>
  within(tokens).flatMap((token) =>
    token.type === "html" ? tagsIn(String(token.raw)).filter((tag) => !ALLOWED.test(tag)) : []
  )

/** How a page prints its tokens. */
export interface Printing {
  /** The address of a link or an image, as seen from the page. */
  readonly href: (link: DocLink) => string
  /** The anchor of each heading. */
  readonly anchor: (heading: Token) => string
  /** By how many levels headings are raised: the first heading of a page is its title. */
  readonly raised: number
}

const LANGUAGES: ReadonlySet<string> = new Set(["bash", "sh"])

const codeBlock = (language: string, text: string): string => {
  const copy = LANGUAGES.has(language) ? ' data-copy=""' : ""
  return `<div class="code"><pre tabindex="0"${copy}><code>${escapeHtml(text)}</code></pre></div>\n`
}

const headingOf = (depth: number, id: string, inner: string): string => {
  const link = `<a class="anchor" href="#${escapeHtml(id)}" aria-label="Link to this section">#</a>`
  const level = `h${depth}`
  return `<${level} id="${escapeHtml(id)}">${inner}${depth === 1 ? "" : ` ${link}`}</${level}>\n`
}

const TABLE = '<div class="table" tabindex="0" role="group" aria-label="Table"><table>'

/** The HTML of tokens. */
export const print = (tokens: ReadonlyArray<Token>, { href, anchor, raised }: Printing): string => {
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading(token) {
        const inner = this.parser.parseInline(token.tokens)
        return headingOf(Math.max(token.depth - raised, 1), anchor(token), inner)
      },
      code: ({ lang = "", text }) => codeBlock(lang, text),
      html: ({ text }) => withoutForbidden(text),
      link(token) {
        const to = href({ href: token.href, isImage: false })
        const title = token.title ? ` title="${escapeHtml(token.title)}"` : ""
        return `<a href="${escapeHtml(to)}"${title}>${this.parser.parseInline(token.tokens)}</a>`
      },
      image: (token) => {
        const source = escapeHtml(href({ href: token.href, isImage: true }))
        return `<img src="${source}" alt="${escapeHtml(token.text)}" loading="lazy">`
      },
      checkbox: ({ checked }) => (checked ? "☑ " : "☐ "),
      table(token) {
        const cell = (tag: string) => (each: Tokens.TableCell) => {
          const align = each.align ? ` class="to-${each.align}"` : ""
          return `<${tag}${align}>${this.parser.parseInline(each.tokens)}</${tag}>`
        }
        const row = (cells: ReadonlyArray<string>) => `<tr>${cells.join("")}</tr>`
        const head = row(token.header.map(cell("th")))
        const body = token.rows.map((cells) => row(cells.map(cell("td")))).join("")
        return `${TABLE}<thead>${head}</thead><tbody>${body}</tbody></table></div>\n`
      }
    }
  })
  return marked.parser([...tokens])
}
