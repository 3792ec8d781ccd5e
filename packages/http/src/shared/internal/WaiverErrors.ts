/** Translates the errors of waivers to HTTP errors. */
import * as HttpError from "@attestry/api/HttpError"
import type {
  InvalidWaiver,
  TooManyWaivers,
  WaiverApprovedBefore,
  WaiverDecided,
  WaiverForbidden,
  WaiverNotFound
} from "@attestry/core/Waiver"

/** The domain errors of waivers. */
export type WaiverError =
  | InvalidWaiver
  | TooManyWaivers
  | WaiverApprovedBefore
  | WaiverDecided
  | WaiverForbidden
  | WaiverNotFound

const TAGS: { readonly [Tag in WaiverError["_tag"]]: true } = {
  InvalidWaiver: true,
  TooManyWaivers: true,
  WaiverApprovedBefore: true,
  WaiverDecided: true,
  WaiverForbidden: true,
  WaiverNotFound: true
}

/** Whether an error is one of waivers. */
export const covers = <E extends { readonly _tag: string }>(
  error: E
): error is Extract<E, WaiverError> => error._tag in TAGS

/** The HTTP error of a domain error. */
export const translate = (error: WaiverError): HttpError.HttpError => {
  switch (error._tag) {
    case "WaiverNotFound":
      return new HttpError.NotFound({
        message: `Waiver ${error.number} does not exist in organization '${error.org}'`
      })
    case "InvalidWaiver":
      return HttpError.invalid(error.problems)
    case "WaiverForbidden":
      return new HttpError.Forbidden({ message: error.message })
    case "WaiverDecided":
    case "WaiverApprovedBefore":
    case "TooManyWaivers":
      return new HttpError.Conflict({ message: error.message })
  }
}
