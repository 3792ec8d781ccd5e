/**
 * Line diff of two texts by longest common subsequence; equal lines far from changes are folded.
 *
 * Policies have at most 64 kB. Beyond a limit of work, the whole middle counts as replaced, which is still correct.
 */

/** One line. Line numbers start at 1; a side that lacks the line has no number. */
export interface DiffLine {
  readonly kind: "same" | "added" | "removed"
  readonly text: string
  readonly left: number | undefined
  readonly right: number | undefined
}

/** Adjacent lines, and the number of equal lines omitted before them. */
export interface DiffHunk {
  readonly skipped: number
  readonly lines: ReadonlyArray<DiffLine>
}

export interface TextDiff {
  readonly hunks: ReadonlyArray<DiffHunk>
  readonly added: number
  readonly removed: number
  /** The number of equal lines after the last hunk. */
  readonly rest: number
}

/** The maximum size of the subsequence table. */
const CELLS_MAX = 4_000_000

/** The number of equal lines shown around a change. */
const CONTEXT = 3

const linesOf = (text: string): ReadonlyArray<string> => {
  const lines = text.split(/\r\n|\n|\r/)
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines
}

/** For each pair of positions, the length of the longest common subsequence after them. */
const tableOf = (left: ReadonlyArray<string>, right: ReadonlyArray<string>): Uint32Array => {
  const width = right.length + 1
  const table = new Uint32Array((left.length + 1) * width)
  for (let i = left.length - 1; i >= 0; i -= 1)
    for (let j = right.length - 1; j >= 0; j -= 1)
      table[i * width + j] =
        left[i] === right[j]
          ? (table[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(table[(i + 1) * width + j] ?? 0, table[i * width + j + 1] ?? 0)
  return table
}

type Step = DiffLine["kind"]

/** The steps from the left lines to the right lines; removed lines come before added ones. */
const stepsOf = (
  left: ReadonlyArray<string>,
  right: ReadonlyArray<string>
): ReadonlyArray<Step> => {
  if ((left.length + 1) * (right.length + 1) > CELLS_MAX)
    return [...left.map((): Step => "removed"), ...right.map((): Step => "added")]
  const table = tableOf(left, right)
  const width = right.length + 1
  const steps: Array<Step> = []
  let [i, j] = [0, 0]
  while (i < left.length || j < right.length) {
    if (i < left.length && j < right.length && left[i] === right[j]) {
      steps.push("same")
      i += 1
      j += 1
    } else if (
      j >= right.length ||
      (i < left.length && (table[(i + 1) * width + j] ?? 0) >= (table[i * width + j + 1] ?? 0))
    ) {
      steps.push("removed")
      i += 1
    } else {
      steps.push("added")
      j += 1
    }
  }
  return steps
}

/** All lines of both texts; a common line appears once. */
export const diffLines = (left: string, right: string): ReadonlyArray<DiffLine> => {
  const [before, after] = [linesOf(left), linesOf(right)]
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1
  let end = 0
  while (
    end < before.length - start &&
    end < after.length - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  )
    end += 1
  const same = (count: number) => Array.from({ length: count }, (): Step => "same")
  const steps = [
    ...same(start),
    ...stepsOf(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...same(end)
  ]
  let [i, j] = [0, 0]
  return steps.map((kind) => {
    if (kind !== "added") i += 1
    if (kind !== "removed") j += 1
    return {
      kind,
      text: (kind === "added" ? after[j - 1] : before[i - 1]) ?? "",
      left: kind === "added" ? undefined : i,
      right: kind === "removed" ? undefined : j
    }
  })
}

/** The diff of two texts; equal lines are folded unless they are near a change. */
export const make = (left: string, right: string): TextDiff => {
  const lines = diffLines(left, right)
  const near = lines.map(() => false)
  for (const [at, { kind }] of lines.entries()) {
    if (kind === "same") continue
    for (let i = Math.max(0, at - CONTEXT); i <= Math.min(lines.length - 1, at + CONTEXT); i += 1)
      near[i] = true
  }
  const hunks: Array<{ skipped: number; lines: Array<DiffLine> }> = []
  let skipped = 0
  for (const [at, line] of lines.entries()) {
    if (near[at] !== true) {
      skipped += 1
      continue
    }
    const open = skipped === 0 ? hunks.at(-1) : undefined
    if (open === undefined) hunks.push({ skipped, lines: [line] })
    else open.lines.push(line)
    skipped = 0
  }
  const count = (kind: Step) => lines.filter((line) => line.kind === kind).length
  return { hunks, added: count("added"), removed: count("removed"), rest: skipped }
}
