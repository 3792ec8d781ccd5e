/** Prints JSON as the formatter of the repository does: short lists of plain values take one line. */

const LINE_WIDTH = 100

const printed = (value, indent, column) => {
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  const inner = `${indent}  `
  if (Array.isArray(value)) {
    const line = `[${value.map((each) => JSON.stringify(each)).join(", ")}]`
    const isPlain = value.every((each) => typeof each !== "object")
    if (isPlain && column + line.length < LINE_WIDTH) return line
    const lines = value.map((each) => `${inner}${printed(each, inner, inner.length)}`)
    return `[\n${lines.join(",\n")}\n${indent}]`
  }
  const members = Object.entries(value).map(([key, member]) => {
    const name = `${inner}${JSON.stringify(key)}: `
    return `${name}${printed(member, inner, name.length)}`
  })
  return `{\n${members.join(",\n")}\n${indent}}`
}

/** The text of a value, with a newline at its end. */
export const print = (value) => `${printed(value, "", 0)}\n`
