/** The TypeScript examples of a document, each as a module of its own. */
import type { TextFile } from "../shared/Repository.js"

/** One example: where it stands, and its text at the line numbers it has in the document. */
export interface Fence {
  readonly path: string
  readonly line: number
  readonly text: string
}

/** Every fence that says `ts` or `typescript`; an unclosed one reaches to the end. */
export const fencesIn = ({ path, text }: TextFile): ReadonlyArray<Fence> => {
  const lines = text.split("\n")
  const found: Array<Fence> = []
  let open:
    | { readonly mark: string; readonly line: number; readonly isExample: boolean }
    | undefined
  for (const [index, line] of lines.entries()) {
    const [, mark, language] = /^\s*(`{3,}|~{3,})\s*(\S*)/.exec(line) ?? []
    if (mark === undefined) continue
    if (open === undefined) {
      open = { mark, line: index + 1, isExample: language === "ts" || language === "typescript" }
    } else if (mark.startsWith(open.mark) && language === "") {
      if (open.isExample) {
        found.push({ path, line: open.line, text: lines.slice(open.line, index).join("\n") })
      }
      open = undefined
    }
  }
  return open?.isExample === true
    ? [...found, { path, line: open.line, text: lines.slice(open.line).join("\n") }]
    : found
}

/** The name of the file that an example is written to: `packages-core-README.12.ts`. */
export const fileOf = ({ path, line }: Fence): string =>
  `${path.replace(/\.md$/, "").replaceAll(/[^\w.-]+/g, "-")}.${line}.ts`
