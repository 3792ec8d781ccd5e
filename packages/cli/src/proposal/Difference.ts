/**
 * The difference between what is there and what a proposal would make of it, as lines for people. Pure.
 *
 * Members that stay are left out. A text of several lines is compared line by line: the lines before its first and
 * after its last difference are left out.
 */
import * as NestedValue from "../reading/NestedValue.js"
import * as Json from "../shared/Json.js"
import type { Style } from "../shared/Style.js"

/** The most lines of one text that are shown on each side. */
export const LINES_MAX = 200

const removed = (line: string, style: Style): string => style.tint("red", `- ${style.text(line)}`)
const added = (line: string, style: Style): string => style.tint("green", `+ ${style.text(line)}`)

const isSame = (left: unknown, right: unknown): boolean =>
  NestedValue.print(left) === NestedValue.print(right)

const isLong = (value: unknown): value is string => typeof value === "string" && /\n/.test(value)

const printed = (value: unknown): string =>
  typeof value === "string" ? value : (NestedValue.print(value) ?? "")

/** Whether a member of something new says nothing. */
const isBlank = (value: unknown): boolean => value === "" || value === null

/** How many lines two texts have in common at their beginning. */
const commonOf = (left: ReadonlyArray<string>, right: ReadonlyArray<string>): number => {
  let at = 0
  while (at < left.length && at < right.length && left[at] === right[at]) at++
  return at
}

const cut = (
  lines: ReadonlyArray<string>,
  print: (line: string) => string
): ReadonlyArray<string> => [
  ...lines.slice(0, LINES_MAX).map(print),
  ...(lines.length > LINES_MAX ? [`  … ${lines.length - LINES_MAX} lines more`] : [])
]

const linesOf = (value: unknown): ReadonlyArray<string> =>
  value === undefined || value === null ? [] : printed(value).replace(/\n$/, "").split("\n")

/** The lines of a text that differ. */
const textLines = (before: unknown, after: unknown, style: Style): ReadonlyArray<string> => {
  const [left, right] = [linesOf(before), linesOf(after)]
  const start = commonOf(left, right)
  const end = commonOf(left.slice(start).reverse(), right.slice(start).reverse())
  return [
    ...(start > 0 ? [`  … from line ${start + 1}`] : []),
    ...cut(left.slice(start, left.length - end), (line) => removed(line, style)),
    ...cut(right.slice(start, right.length - end), (line) => added(line, style))
  ]
}

const memberLines = (
  name: string,
  before: unknown,
  { after, style }: { readonly after: unknown; readonly style: Style }
): ReadonlyArray<string> =>
  isLong(before) || isLong(after)
    ? [`  ${style.text(name)}:`, ...textLines(before, after, style)]
    : [
        ...(before === undefined ? [] : [removed(`${name}: ${printed(before)}`, style)]),
        ...(after === undefined ? [] : [added(`${name}: ${printed(after)}`, style)])
      ]

/** The lines of one change. */
export const lines = (before: unknown, after: unknown, style: Style): ReadonlyArray<string> => {
  if (!Json.isObject(after) || !(before === null || Json.isObject(before)))
    return textLines(NestedValue.print(before), NestedValue.print(after), style)
  const earlier = Json.object(before)
  const names = [...new Set([...Object.keys(earlier), ...Object.keys(after)])].sort()
  // A member that the later side leaves out is not compared.
  const changed = names.filter((name) =>
    before === null ? !isBlank(after[name]) : name in after && !isSame(earlier[name], after[name])
  )
  return changed.length === 0
    ? ["  nothing that is shown changes"]
    : changed.flatMap((name) => memberLines(name, earlier[name], { after: after[name], style }))
}
