/** Translates the errors of controls to HTTP errors. */
import { BadRequest, Conflict, type HttpError, NotFound } from "@attestry/api/HttpError"
import type {
  ControlArchived,
  ControlDecisionNotFound,
  ControlExists,
  ControlNotFound,
  ControlVersionNotFound
} from "@attestry/core/Control"

/** The domain errors of controls. */
export type ControlError =
  | ControlArchived
  | ControlDecisionNotFound
  | ControlExists
  | ControlNotFound
  | ControlVersionNotFound

/** The HTTP error of a domain error. */
export const translate = (error: ControlError): HttpError => {
  switch (error._tag) {
    case "ControlNotFound":
      return new NotFound({
        message: `Control '${error.control}' does not exist in org '${error.org}'`
      })
    case "ControlDecisionNotFound":
      return new NotFound({
        message: `Control '${error.control}' in organization '${error.org}' has no decision '${error.decision}'`
      })
    case "ControlVersionNotFound":
      return new NotFound({
        message: `Control '${error.control}' in organization '${error.org}' has no version ${error.version}`
      })
    case "ControlExists":
      return new Conflict({
        message: `A control with identifier '${error.control}' already exists in organization '${error.org}'`
      })
    case "ControlArchived":
      return new BadRequest({
        message: `Control '${error.control}' in organization '${error.org}' is archived: unarchive it to edit it`
      })
  }
}
