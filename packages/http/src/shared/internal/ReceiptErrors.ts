/** Translates the errors of decision receipts, and of the packages that have them, to HTTP errors. */
import {
  BadRequest,
  Forbidden,
  type HttpError,
  invalid,
  NotFound,
  Unavailable
} from "@attestry/api/HttpError"
import type {
  ReceiptOfHidden,
  ReceiptPending,
  ReceiptWithoutSubject,
  TooManySubjects
} from "@attestry/core/ReceiptFailure"
import type { SnapshotTooLarge } from "@attestry/core/SnapshotPackage"

/** The domain errors of decision receipts. */
export type ReceiptError =
  | ReceiptOfHidden
  | ReceiptPending
  | ReceiptWithoutSubject
  | SnapshotTooLarge
  | TooManySubjects

const tags: { readonly [Tag in ReceiptError["_tag"]]: true } = {
  ReceiptOfHidden: true,
  ReceiptPending: true,
  ReceiptWithoutSubject: true,
  SnapshotTooLarge: true,
  TooManySubjects: true
}

/** Whether an error is one of these. */
export const covers = <E extends { readonly _tag: string }>(
  error: E
): error is Extract<E, ReceiptError> => error._tag in tags

const withoutSubject = ({ environment, fingerprint, index }: ReceiptWithoutSubject): string =>
  fingerprint === null
    ? `Snapshot '${environment}#${index}' runs no artifact with a known fingerprint`
    : `Artifact with fingerprint '${fingerprint}' does not run in snapshot '${environment}#${index}'`

/** The HTTP error of a domain error. */
export const translate = (error: ReceiptError): HttpError => {
  switch (error._tag) {
    case "ReceiptOfHidden":
      return new Forbidden({
        message:
          `A flow that you may not read knows artifact '${error.fingerprint}', and a receipt names what it knows: ` +
          "ask somebody who may read it, or for the receipt of the whole snapshot"
      })
    case "ReceiptPending":
      return new Unavailable({
        message: "The log does not have every entry of this decision yet: please try again"
      })
    case "ReceiptWithoutSubject":
      return new NotFound({ message: withoutSubject(error) })
    case "SnapshotTooLarge":
      return new BadRequest({
        message:
          `Snapshot '${error.environment}#${error.index}' has more than ${error.max} ${error.counted}, which an ` +
          "audit package holds at most: please download the packages of its artifacts or trails"
      })
    case "TooManySubjects":
      return invalid({
        "query.fingerprint":
          `Input should be given for a snapshot of more than ${error.max} artifacts ` +
          `[input: ${error.subjects}]`
      })
  }
}
