/** Makes problems of files. Messages name the part of the file and the rule, never its content. */
import { EvidenceProblem } from "../EvidenceProblem.js"

/** Content that breaks a rule of its format. */
export const unreadable = (message: string): EvidenceProblem =>
  new EvidenceProblem({ kind: "unreadable", message, line: null })

/** A file over a limit of bytes. */
export const tooLarge = (message: string): EvidenceProblem =>
  new EvidenceProblem({ kind: "too_large", message, line: null })

/** The same problem, found in a part of the file: `payload: subject is not a list`. */
export const within =
  (part: string) =>
  ({ kind, message, line }: EvidenceProblem): EvidenceProblem =>
    new EvidenceProblem({ kind, message: `${part}: ${message}`, line })

/** The same problem, found in a line of the file. */
export const onLine =
  (line: number) =>
  ({ kind, message }: EvidenceProblem): EvidenceProblem =>
    new EvidenceProblem({ kind, message, line })
