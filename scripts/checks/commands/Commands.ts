/**
 * The shell commands of a document, and the comments before them that tell how a test runs them. Pure.
 *
 * GitHub does not show HTML comments, and the documentation site leaves them out. docs/TESTING.md lists the marks.
 */
import { at, type Finding } from "../shared/Finding.js"
import type { TextFile } from "../shared/Repository.js"

/** A fenced block, with the comments directly before it. */
export interface Block {
  /** The line of its first fence. */
  readonly line: number
  readonly language: string
  readonly text: string
  readonly marks: ReadonlyArray<Mark>
  /** Whether no heading stands between this block and the one before it. */
  readonly follows: boolean
}

/** A comment that a test reads. */
export type Mark =
  | { readonly kind: "not run"; readonly reason: string }
  | { readonly kind: "run by"; readonly path: string }
  | { readonly kind: "all run by"; readonly path: string }
  | { readonly kind: "run anew" }
  | { readonly kind: "run in a clone" }
  | { readonly kind: "run until"; readonly text: string }
  | { readonly kind: "exits"; readonly code: number }
  | { readonly kind: "file"; readonly name: string }
  | { readonly kind: "setup"; readonly commands: string }
  | { readonly kind: "not compared"; readonly reason: string }

/** Languages of blocks that a reader copies into a shell. */
const SHELLS: ReadonlySet<string> = new Set(["bash", "sh"])

/** Languages of the same meaning, which are written as one of the two above. */
const OTHER_SHELLS: ReadonlySet<string> = new Set(["console", "shell", "zsh", "shell-session"])

/** Whether a block has shell commands. */
export const isShell = ({ language }: Block): boolean => SHELLS.has(language)

const END = "end"

const VALUES: { readonly [kind: string]: (value: string) => Mark | undefined } = {
  "not run": (reason) => ({ kind: "not run", reason }),
  "run by": (path) => ({ kind: "run by", path }),
  "all run by": (path) => ({ kind: "all run by", path }),
  "run until": (text) => ({ kind: "run until", text }),
  file: (name) => ({ kind: "file", name }),
  setup: (commands) => ({ kind: "setup", commands }),
  "not compared": (reason) => ({ kind: "not compared", reason })
}

/** The mark of a comment; other comments have none. */
export const markOf = (comment: string): Mark | undefined => {
  const text = comment.trim()
  if (text === "run anew" || text === "run in a clone") return { kind: text }
  const [, code] = /^exits (\d+)$/.exec(text) ?? []
  if (code !== undefined) return { kind: "exits", code: Number(code) }
  const [, name = "", value = ""] = /^([a-z ]+):([\s\S]*)$/.exec(text) ?? []
  return Object.hasOwn(VALUES, name) ? VALUES[name]?.(value.trim()) : undefined
}

interface Reading {
  readonly blocks: Array<Block>
  marks: Array<Mark>
  wholePart: Mark | undefined
  isApart: boolean
}

const readComment = (reading: Reading, comment: string): void => {
  if (comment.trim() === END) reading.wholePart = undefined
  const mark = markOf(comment)
  if (mark?.kind === "all run by") reading.wholePart = mark
  else if (mark !== undefined) reading.marks.push(mark)
}

/** The number of lines from one to the end of its comment. */
const commentLength = (lines: ReadonlyArray<string>, from: number): number =>
  Math.max(lines.slice(from).findIndex((line) => line.includes("-->")) + 1, 1)

/** The number of lines of a block, with both fences; an unclosed one reaches to the end. */
const blockLength = (lines: ReadonlyArray<string>, from: number, fence: string): number => {
  const rest = lines.slice(from + 1).findIndex((line) => line.trim().startsWith(fence))
  return rest < 0 ? lines.length - from : rest + 2
}

const unindented = (line: string, indent: number): string =>
  line.slice(Math.min(indent, line.length - line.trimStart().length))

/** The blocks of a document, in its order. */
export const blocksIn = (text: string): ReadonlyArray<Block> => {
  const lines = text.split("\n")
  const reading: Reading = { blocks: [], marks: [], wholePart: undefined, isApart: true }
  for (let index = 0; index < lines.length; ) {
    const line = lines[index] ?? ""
    const [, indent = "", fence, language = ""] = /^(\s*)(`{3,}|~{3,})\s*(\S*)/.exec(line) ?? []
    if (line.trimStart().startsWith("<!--")) {
      const length = commentLength(lines, index)
      const comment = lines.slice(index, index + length).join("\n")
      readComment(reading, comment.trim().slice("<!--".length, -"-->".length))
      index += length
    } else if (fence !== undefined) {
      const length = blockLength(lines, index, fence)
      const inner = lines.slice(index + 1, index + length - 1)
      reading.blocks.push({
        line: index + 1,
        language,
        text: inner.map((each) => `${unindented(each, indent.length)}\n`).join(""),
        marks: [...reading.marks, ...(reading.wholePart === undefined ? [] : [reading.wholePart])],
        follows: !reading.isApart
      })
      reading.marks = []
      reading.isApart = false
      index += length
    } else {
      if (/^#{1,6} /.test(line)) reading.isApart = true
      index += 1
    }
  }
  return reading.blocks
}

/** The first mark of a kind. */
export const find = <K extends Mark["kind"]>(
  { marks }: Block,
  kind: K
): Extract<Mark, { readonly kind: K }> | undefined =>
  marks.find((mark): mark is Extract<Mark, { readonly kind: K }> => mark.kind === kind)

/** Whether the test of documents runs a block. */
export const isRun = (block: Block): boolean =>
  isShell(block) &&
  !block.marks.some(({ kind }) => kind === "not run" || kind === "run by" || kind === "all run by")

/** Whether a block is the output of the run block before it. */
export const isOutputOf = (block: Block, before: Block | undefined): boolean =>
  before !== undefined &&
  block.language === "text" &&
  block.follows &&
  isRun(before) &&
  find(block, "not compared") === undefined

/** A block of another language whose first line begins like a command. */
const looksLikeCommands = ({ language, text }: Block): boolean =>
  OTHER_SHELLS.has(language) ||
  (["", "text"].includes(language) && /^(?:\$ |npx |npm |export |curl |attestry[ -]\S)/.test(text))

const REASON_MIN = 12

/** Problems of the marks of a document: reasons that are missing, tests that do not exist, commands in other blocks. */
export const problemsOf =
  (has: (path: string) => boolean) =>
  (file: TextFile): ReadonlyArray<Finding> =>
    blocksIn(file.text).flatMap((block) => {
      const problems = block.marks.flatMap((mark) => {
        if (mark.kind === "not run" || mark.kind === "not compared")
          return mark.reason.length < REASON_MIN ? [`\`${mark.kind}\` needs a reason`] : []
        if (mark.kind === "run by" || mark.kind === "all run by")
          return has(mark.path) && mark.path.endsWith(".test.ts")
            ? []
            : [`\`${mark.path}\` is no test`]
        return []
      })
      const unseen =
        looksLikeCommands(block) && find(block, "not compared") === undefined
          ? ["commands belong into a block of `bash` or `sh`, which a test runs"]
          : []
      return [...problems, ...unseen].map((problem) => at(file, block.line, problem))
    })
