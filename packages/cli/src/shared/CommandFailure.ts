/** The failure of a command: the exit code, one sentence, the problems by field, and a hint. */
import type { FlagSpec } from "./CommandSpec.js"
import { codeOf, type ExitWord } from "./ExitCode.js"
import * as FieldFlags from "./FieldFlags.js"

/** The details of a failure. */
export interface FailureDetails {
  /** The problems by field, as the server names the fields. */
  readonly errors?: { readonly [field: string]: string } | undefined
  /** The operation of the API: `flow.put`. */
  readonly operation?: string | undefined
  readonly requestId?: string | undefined
  /** The status of an answer that is not from the API. */
  readonly status?: number | undefined
  /** Whether the change can be proposed to other people instead. */
  readonly isHeld?: boolean | undefined
  /** A command or a change that solves the problem. */
  readonly hint?: string | undefined
  readonly cause?: unknown
}

/** A failure of a command. Its message never contains a secret. */
export class CommandFailure extends Error {
  readonly word: ExitWord
  readonly details: FailureDetails

  constructor(word: ExitWord, message: string, details: FailureDetails = {}) {
    super(message, details.cause === undefined ? {} : { cause: details.cause })
    this.name = "CommandFailure"
    this.word = word
    this.details = details
  }
}

/** The failure as the JSON document for stderr. */
export const toJson = ({ word, message, details }: CommandFailure): object => ({
  error: {
    exit: codeOf(word),
    code: word,
    message,
    errors: details.errors ?? null,
    operation: details.operation ?? null,
    request_id: details.requestId ?? null,
    hint: details.hint ?? null
  }
})

/** The name of a field, as its flag if it came from one. */
const fieldText = (field: string, flags: ReadonlyArray<FlagSpec>): string => {
  const flag = FieldFlags.find(flags, field)
  return flag === undefined ? field : `--${flag} (${field})`
}

/** The failure as lines for people; fields are named by the flags. */
export const toLines = (
  { message, details }: CommandFailure,
  flags: ReadonlyArray<FlagSpec> = []
): ReadonlyArray<string> => [
  `error: ${message}`,
  ...Object.entries(details.errors ?? {}).map(
    ([field, problem]) => `  ${fieldText(field, flags)}: ${problem}`
  ),
  ...(details.requestId === undefined ? [] : [`  request ${details.requestId}`]),
  ...(details.hint === undefined ? [] : [`  ${details.hint}`])
]

/** The failure for an invalid command line or settings file. */
export const usage = (message: string, hint?: string): CommandFailure =>
  new CommandFailure("usage", message, { hint })

/** The failure for unreadable evidence or an unreadable runtime. */
export const unreadable = (message: string, hint?: string, cause?: unknown): CommandFailure =>
  new CommandFailure("unreadable", message, { hint, cause })
