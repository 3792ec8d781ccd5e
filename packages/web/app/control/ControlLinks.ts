/** The links of a control as text: one in each line, a name and an address. */

/** The links by name. */
export interface Links {
  readonly [name: string]: string
}

/** The links of a text; a line without a name is named by its address. */
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

/** The text of links. */
export const print = (links: Links): string =>
  Object.entries(links)
    .map(([name, address]) => (name === address ? address : `${name} ${address}`))
    .join("\n")
