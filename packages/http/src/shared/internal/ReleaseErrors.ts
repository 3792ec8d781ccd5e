/** Translates the errors of the evidence of releases to HTTP errors. */
import { BadRequest, type HttpError, invalid } from "@attestry/api/HttpError"
import type { PeriodTooLong, TooManyReleases } from "@attestry/core/ReleaseEvidence"

/** The domain errors of the evidence of releases. */
export type ReleaseError = PeriodTooLong | TooManyReleases

const tags: { readonly [Tag in ReleaseError["_tag"]]: true } = {
  PeriodTooLong: true,
  TooManyReleases: true
}

/** Whether an error is one of these. */
export const covers = <E extends { readonly _tag: string }>(
  error: E
): error is Extract<E, ReleaseError> => error._tag in tags

/** The HTTP error of a domain error. */
export const translate = (error: ReleaseError): HttpError => {
  switch (error._tag) {
    case "PeriodTooLong":
      return invalid({ "query.from": `Input should be at most ${error.max} days before \`to\`` })
    case "TooManyReleases":
      return new BadRequest({
        message:
          `The selection has ${error.count} releases, of which at most ${error.max} are counted: please choose a ` +
          "shorter period, fewer environments or a flow, or download them as CSV"
      })
  }
}
