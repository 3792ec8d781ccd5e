/**
 * Adds metering to the source of a validator that Ajv has generated: a call and each iteration of a loop cost the
 * length of their code.
 *
 * INVARIANT: the source is one function after its constants; texts in it are double-quoted, its regular
 * expressions have no quotes or brackets, and its only comment is the address of the schema.
 */

const HEADER = /return function validate\d+\(data, \{[^{}]*(?:\{\}[^{}]*)?\}=\{\}\)\{/
/** WHY removed: the address comes from the schema, and a `*` with a `/` in it would end the comment. */
const ADDRESS = /^\/\*# sourceURL="(?:[^"\\]|\\.)*" \*\/;?/
const TOKEN = /"(?:[^"\\]|\\.)*"|\bfor\(|[(){}]|vErrors\.concat\(|Object\.assign\(/g

/** A step is the cost of this many characters of code. */
const CODE_PER_STEP = 100
/** Slots of the stack for a call, in addition to those for its code. */
const FRAME_SLOTS = 64

const stepsOf = (length: number): number => 1 + Math.ceil(length / CODE_PER_STEP)

interface Open {
  readonly bracket: "(" | "{"
  /** Whether it is the head of a loop, or its body. */
  readonly isLoop: boolean
  readonly start: number
}

/** The insertions into a text, in order. */
interface Insertion {
  readonly at: number
  readonly text: string
}

const REPLACEMENTS: ReadonlyMap<string, string> = new Map([
  ["vErrors.concat(", "$meter.concat(vErrors,"],
  ["Object.assign(", "$meter.assign("]
])

/** The metering of the bodies of loops, which may nest. */
const pricedLoops = (body: string): string => {
  const open: Array<Open> = []
  const insertions: Array<Insertion> = []
  const replaced: Array<Insertion & { readonly length: number }> = []
  let afterLoopHead = -1
  for (const { 0: token, index } of body.matchAll(TOKEN)) {
    const replacement = REPLACEMENTS.get(token)
    if (replacement !== undefined)
      replaced.push({ at: index, text: replacement, length: token.length })
    if (token.startsWith('"')) continue
    if (token === "{") {
      open.push({ bracket: "{", isLoop: index === afterLoopHead, start: index + 1 })
    } else if (token === ")" || token === "}") {
      const last = open.pop()
      if (last === undefined) throw new Error("the code of a validator has a bracket too many")
      if (token === ")" && last.isLoop) afterLoopHead = index + 1
      if (token === "}" && last.isLoop)
        insertions.push({ at: last.start, text: `$meter.spend(${stepsOf(index - last.start)});` })
    } else {
      open.push({ bracket: "(", isLoop: token === "for(", start: index })
    }
  }
  return spliced(body, [...insertions.map((one) => ({ ...one, length: 0 })), ...replaced])
}

const spliced = (
  body: string,
  changes: ReadonlyArray<Insertion & { readonly length: number }>
): string => {
  let from = 0
  const parts: Array<string> = []
  for (const { at, text, length } of [...changes].sort((left, right) => left.at - right.at)) {
    parts.push(body.slice(from, at), text)
    from = at + length
  }
  parts.push(body.slice(from))
  return parts.join("")
}

/** The metered source. It expects the meter as `self.meter`. */
export const meter = (source: string): string => {
  const header = HEADER.exec(source)
  if (header === null || !source.endsWith("}"))
    throw new Error("the code of a validator is not a function")
  const start = header.index + header[0].length
  const body = source.slice(start, -1).replace(ADDRESS, "")
  const slots = FRAME_SLOTS + Math.ceil(body.length / 8)
  return [
    "const $meter=self.meter;",
    source.slice(0, start),
    `$meter.enter(${stepsOf(body.length)},${slots});try{`,
    pricedLoops(body),
    `}finally{$meter.leave(${slots})}}`
  ].join("")
}
