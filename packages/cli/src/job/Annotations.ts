/**
 * Prints annotations of files in the format of a CI. Pure.
 *
 * All texts are foreign: each is reduced to one line and escaped for the CI.
 */
import * as ForeignText from "../shared/ForeignText.js"

/** One annotation. */
export interface Annotation {
  readonly level: "error" | "warning"
  readonly title: string
  readonly message: string
  readonly file: string | null
  readonly line: number
  readonly column: number
}

/** A CI step shows 10 annotations; the last one counts the rest. */
export const SHOWN_MAX = 9

const message = (text: string): string =>
  ForeignText.line(text).replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A")

const property = (text: string): string =>
  message(text).replaceAll(":", "%3A").replaceAll(",", "%2C")

const ofGithub = (each: Annotation): string => {
  const place =
    each.file === null
      ? []
      : [`file=${property(each.file)}`, `line=${each.line}`, `col=${each.column}`]
  return `::${each.level} ${[...place, `title=${property(each.title)}`].join(",")}::${message(each.message)}`
}

/** WHY: a semicolon, a bracket or a line break would end the command. */
const azureDevops = (text: string): string =>
  ForeignText.line(text).replaceAll("%", "%AZP25").replaceAll(";", "%3B").replaceAll("]", "%5D")

const ofAzureDevops = (each: Annotation): string => {
  const place =
    each.file === null
      ? []
      : [
          `sourcepath=${azureDevops(each.file)}`,
          `linenumber=${each.line}`,
          `columnnumber=${each.column}`
        ]
  const properties = [`type=${each.level}`, ...place].join(";")
  return `##vso[task.logissue ${properties};]${azureDevops(`${each.title}: ${each.message}`)}`
}

const PRINTERS: ReadonlyMap<string, (annotation: Annotation) => string> = new Map([
  ["GitHub Actions", ofGithub],
  ["Azure DevOps", ofAzureDevops]
])

/** The lines of annotations for a CI; empty for a CI without annotations. */
export const lines = (ci: string, all: ReadonlyArray<Annotation>): ReadonlyArray<string> => {
  const print = PRINTERS.get(ci)
  if (print === undefined) return []
  const rest = all.length - SHOWN_MAX
  const more: Annotation = {
    level: "error",
    title: "attestry",
    message: `${rest} more; the summary of the job has all of them`,
    file: null,
    line: 1,
    column: 1
  }
  return [...all.slice(0, SHOWN_MAX), ...(rest > 0 ? [more] : [])].map(print)
}
