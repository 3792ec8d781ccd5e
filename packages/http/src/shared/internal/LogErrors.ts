/** Translates the errors of logs to HTTP errors. */
import {
  BadRequest,
  Damaged,
  type HttpError,
  NotFound,
  Unavailable,
  VALIDATION_FAILED
} from "@attestry/api/HttpError"
import type { NotPersonal } from "@attestry/core/Erasures"
import type {
  EntryBeyondSize,
  LogBusy,
  LogDamaged,
  LogEntryNotFound,
  LogEpochNotFound,
  LogUnsigned,
  OutsideLog,
  TileNotFound
} from "@attestry/core/LogProof"

/** The domain errors of logs. */
export type LogError =
  | EntryBeyondSize
  | NotPersonal
  | LogBusy
  | LogDamaged
  | LogEntryNotFound
  | LogEpochNotFound
  | LogUnsigned
  | OutsideLog
  | TileNotFound

const TAGS: ReadonlySet<string> = new Set<LogError["_tag"]>([
  ...(["LogBusy", "LogDamaged", "LogEntryNotFound", "LogEpochNotFound"] as const),
  ...(["EntryBeyondSize", "LogUnsigned", "NotPersonal"] as const),
  ...(["OutsideLog", "TileNotFound"] as const)
])

/** Whether an error is one of a log. */
export const isLogError = (error: { readonly _tag: string }): error is LogError =>
  TAGS.has(error._tag)

/** Why nothing is written in an org. */
export const stopped = (org: string): string =>
  `The log of '${org}' is stopped: it does not continue what was signed; restore a newer backup`

/** 503 for a log without a checkpoint; only a log that is empty has one soon, without its operator. */
export const unsigned = (error: LogUnsigned): HttpError =>
  new Unavailable({
    message:
      error.reason === "no-key"
        ? "The log has no signing key; the operator sets ATTESTRY_LOG_KEY_FILE"
        : error.reason === "forked"
          ? stopped(error.org)
          : `The log of '${error.org}' has no checkpoint yet`,
    ...(error.reason === "empty" ? {} : { cause: error })
  })

const notPersonal = ({ entry, pointer, place }: NotPersonal): HttpError => {
  const message = `Input should be a personal member of entry ${entry} [input: ${pointer}]`
  const field = `entries[${place[0]}].pointers[${place[1]}]`
  return new BadRequest({ message: VALIDATION_FAILED, errors: { [field]: message } })
}

/** The HTTP error of a domain error; `damaged` is the message for records that cannot be read. */
export const translate = (error: LogError, damaged: string): HttpError => {
  switch (error._tag) {
    case "LogEntryNotFound":
      return new NotFound({ message: `No entry ${error.entry} in organization '${error.org}'` })
    case "NotPersonal":
      return notPersonal(error)
    case "LogEpochNotFound":
      return new NotFound({ message: `The log of '${error.org}' has no epoch ${error.epoch}` })
    case "TileNotFound":
      return new NotFound({ message: `The log of '${error.org}' has no such tile` })
    case "OutsideLog":
      return new BadRequest({
        message: VALIDATION_FAILED,
        errors: {
          [`query.${error.field}`]: `Input should be less than or equal to ${error.max} [input: ${error.value}]`
        }
      })
    case "EntryBeyondSize":
      return new BadRequest({
        message: VALIDATION_FAILED,
        errors: { "query.size": `The size ${error.size} does not include entry ${error.entry}` }
      })
    case "LogUnsigned":
      return unsigned(error)
    case "LogBusy":
      return new Unavailable({ message: "Too many requests wait for logs: please try again" })
    case "LogDamaged":
      return new Damaged({ message: damaged })
  }
}
