/**
 * A text that matches a pattern, for examples: the first alternative, with the fewest repeats but at least one.
 *
 * Supports the syntax of the contract's patterns: classes, groups, alternatives, counted repeats. For other syntax the
 * result may not match; callers check it against the pattern.
 */

const QUANTIFIER = /^(?:\*|\+|\?|\{(\d+)(?:,(\d*))?\})\??/

interface RowInterval {
  readonly text: string
  readonly rest: string
}

/** The first character of a class such as `[a-f0-9]` or `[\s\S]`. */
const firstOf = (inside: string): string => {
  if (inside.startsWith("^")) return "x"
  if (inside.startsWith("\\")) return classOf(inside[1] ?? "")
  return inside[0] ?? ""
}

const classOf = (letter: string): string => {
  if (letter === "d") return "1"
  return /^[wWsSD]$/.test(letter) ? "a" : letter
}

/** The position of the bracket that closes the one at 0, or -1. */
const closing = (source: string, close: string): number => {
  let depth = 0
  for (let at = 0; at < source.length; at++) {
    const letter = source[at]
    if (letter === "\\") at++
    else if (letter === "[" && close === ")") {
      const end = closing(source.slice(at), "]")
      if (end < 0) return -1
      at += end
    } else if (letter === "(" && close === ")") depth++
    else if (letter === close) {
      depth--
      if (depth <= 0) return at
    }
  }
  return -1
}

const atom = (source: string): RowInterval => {
  const [letter = ""] = source
  if (letter === "^" || letter === "$") return { text: "", rest: source.slice(1) }
  if (letter === "\\") return { text: classOf(source[1] ?? ""), rest: source.slice(2) }
  if (letter === ".") return { text: "a", rest: source.slice(1) }
  const close = letter === "[" ? "]" : letter === "(" ? ")" : undefined
  if (close === undefined) return { text: letter, rest: source.slice(1) }
  const end = closing(source, close)
  if (end < 0) return { text: "", rest: "" }
  const inside = source.slice(1, end)
  return {
    text: close === "]" ? firstOf(inside) : sample(inside.replace(/^\?:/, "")),
    rest: source.slice(end + 1)
  }
}

const repeated = ({ text, rest }: RowInterval): RowInterval => {
  const quantifier = QUANTIFIER.exec(rest)
  if (quantifier === null) return { text, rest }
  const [whole, least] = quantifier
  const times = Math.max(1, Number(least ?? 1))
  return { text: text.repeat(times), rest: rest.slice(whole.length) }
}

/** The text of the first alternative that is not empty. */
export const sample = (source: string): string => {
  let text = ""
  let rest = source
  while (rest !== "") {
    if (rest.startsWith("|")) {
      if (text !== "") return text
      rest = rest.slice(1)
    } else {
      const piece = repeated(atom(rest))
      text += piece.text
      rest = piece.rest
    }
  }
  return text
}
