/** The links of a control as text: one per line, a name and a URL. */

/** URLs by link name. */
export interface Links {
  readonly [name: string]: string
}

/** Parses one link per line; a line without a name is named by its URL. */
export const parse = (text: string): Links =>
  Object.fromEntries(
    text
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "")
      .map((line) => {
        const at = line.lastIndexOf(" ")
        return at < 0 ? [line, line] : [line.slice(0, at).trim(), line.slice(at + 1)]
      })
  )

export const print = (links: Links): string =>
  Object.entries(links)
    .map(([name, address]) => (name === address ? address : `${name} ${address}`))
    .join("\n")
