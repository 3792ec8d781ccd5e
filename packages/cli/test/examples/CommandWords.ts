/** A command line as a shell reads it, as far as examples go: words, quotes, and files for stdin and stdout. Pure. */

/** A command line. */
export interface CommandWords {
  readonly words: ReadonlyArray<string>
  /** The file of `< FILE`. */
  readonly input: string | undefined
  /** The file of `> FILE`. */
  readonly output: string | undefined
}

const WORD = /'([^']*)'|"([^"$`\\]*)"|([^\s'"$`\\|&;()]+)/y

/** One word that may have several quoted parts, and where it ends. */
const wordAt = (text: string, start: number): readonly [string, number] => {
  let at = start
  let word = ""
  for (;;) {
    WORD.lastIndex = at
    const found = WORD.exec(text)
    if (found === null) return [word, at]
    word += found[1] ?? found[2] ?? found[3] ?? ""
    at = WORD.lastIndex
  }
}

/** The words of a line; throws for what a shell would read in another way. */
export const parse = (text: string): CommandWords => {
  const words: Array<string> = []
  const files = new Map<string, string>()
  let sign = ""
  for (let at = 0; at < text.length; ) {
    if (/\s/.test(text.charAt(at))) {
      at += 1
      continue
    }
    const [word, end] = wordAt(text, at)
    if (end === at) throw new Error(`no plain word at ${at} of: ${text}`)
    if (sign !== "") files.set(sign, word)
    else if (word !== "<" && word !== ">") words.push(word)
    sign = sign === "" && (word === "<" || word === ">") ? word : ""
    at = end
  }
  if (sign !== "") throw new Error(`no file after ${sign} of: ${text}`)
  return { words, input: files.get("<"), output: files.get(">") }
}
