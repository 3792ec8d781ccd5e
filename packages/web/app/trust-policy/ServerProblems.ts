/** The problems that the server found in a trust policy, at their positions in the text. */
import type { TextProblem } from "../policy/PolicyWorkerMessages.js"

const POSITION = /^line ([0-9]{1,7}), column ([0-9]{1,7}): ([\s\S]*)$/

/** A message whose position cannot be read stays whole, at the beginning of the text. */
const problemOf = (path: string, text: string): TextProblem => {
  const [, line, column, message] = POSITION.exec(text) ?? []
  return line === undefined || column === undefined || message === undefined
    ? { line: 1, column: 1, path, message: `${path}: ${text}` }
    : { line: Number(line), column: Number(column), path, message }
}

/** The problems by path, as the server sends them: the problems of one path are one text. */
export const make = (errors: ReadonlyMap<string, string>): ReadonlyArray<TextProblem> =>
  [...errors]
    .flatMap(([path, text]) =>
      text.split(/; (?=line [0-9]{1,7}, column [0-9]{1,7}: )/).map((each) => problemOf(path, each))
    )
    .sort((one, two) => one.line - two.line || one.column - two.column)
