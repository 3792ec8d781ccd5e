/** Translates the errors of decision receipts to HTTP errors. */
import { Forbidden, type HttpError, invalid, NotFound, Unavailable } from "@attestry/api/HttpError"
import type {
  ReceiptOfHidden,
  ReceiptPending,
  ReceiptWithoutSubject,
  TooManySubjects
} from "@attestry/core/ReceiptFailure"

/** The domain errors of decision receipts. */
export type ReceiptError =
  | ReceiptOfHidden
  | ReceiptPending
  | ReceiptWithoutSubject
  | TooManySubjects

const tags: { readonly [Tag in ReceiptError["_tag"]]: true } = {
  ReceiptOfHidden: true,
  ReceiptPending: true,
  ReceiptWithoutSubject: true,
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
    case "TooManySubjects":
      return invalid({
        "query.fingerprint":
          `Input should be given for a snapshot of more than ${error.max} artifacts ` +
          `[input: ${error.subjects}]`
      })
  }
}
