/** Translates the errors of spaces, placements and grants to HTTP errors. */
import * as HttpError from "@attestry/api/HttpError"
import { withInput } from "@attestry/core/FieldErrors"
import type {
  EligibleAccount,
  GrantEndsBefore,
  GrantNotFound,
  SubjectNotFound,
  TooManyGrants
} from "@attestry/core/Grant"
import type { ThingNotFound, TooManyThings } from "@attestry/core/Move"
import type { PlacementFailure } from "@attestry/core/PlacementRule"
import type { InvalidPlacementRules } from "@attestry/core/PlacementRules"
import type {
  SpaceExists,
  SpaceMisplaced,
  SpaceNotEmpty,
  SpaceNotFound,
  TooManySpaces
} from "@attestry/core/Space"

/** The domain errors of spaces, placements and grants. */
export type PlaceError =
  | EligibleAccount
  | GrantEndsBefore
  | GrantNotFound
  | InvalidPlacementRules
  | PlacementFailure
  | SpaceExists
  | SpaceMisplaced
  | SpaceNotEmpty
  | SpaceNotFound
  | SubjectNotFound
  | ThingNotFound
  | TooManyGrants
  | TooManySpaces
  | TooManyThings

const TAGS: { readonly [Tag in PlaceError["_tag"]]: true } = {
  EligibleAccount: true,
  GrantEndsBefore: true,
  GrantNotFound: true,
  InvalidPlacementRules: true,
  NameReserved: true,
  SpaceExists: true,
  SpaceMisplaced: true,
  SpaceNotEmpty: true,
  SpaceNotFound: true,
  SpaceUnknown: true,
  SubjectNotFound: true,
  ThingNotFound: true,
  TooManyGrants: true,
  TooManySpaces: true,
  TooManyThings: true
}

/** Whether an error is one of spaces, placements or grants. */
export const covers = <E extends { readonly _tag: string }>(
  error: E
): error is Extract<E, PlaceError> => error._tag in TAGS

/** The HTTP error of a domain error. */
export const translate = (error: PlaceError): HttpError.HttpError => {
  switch (error._tag) {
    case "SpaceNotFound":
      return new HttpError.NotFound({
        message: `Space '${error.space}' does not exist in organization '${error.org}'`
      })
    case "GrantNotFound":
      return new HttpError.NotFound({
        message: `Grant ${error.number} does not exist in organization '${error.org}'`
      })
    case "SubjectNotFound":
    case "ThingNotFound":
      return new HttpError.NotFound({ message: error.message })
    case "NameReserved":
      return HttpError.invalid({
        name: withInput("This name is reserved for another space", error.name)
      })
    case "SpaceUnknown":
      return HttpError.invalid({ space: withInput("There is no such space", error.space) })
    case "GrantEndsBefore":
      return HttpError.invalid({
        expires_at: "Input should be in the future [input: **REDACTED**]"
      })
    case "EligibleAccount":
      return HttpError.invalid({
        eligible: withInput("Only people have eligible grants", true)
      })
    case "InvalidPlacementRules":
      return HttpError.invalid(error.problems)
    case "TooManyThings":
      return new HttpError.BadRequest({ message: error.message })
    case "SpaceMisplaced":
      return HttpError.invalid({ parent: `${error.message} [input: **REDACTED**]` })
    case "SpaceExists":
    case "SpaceNotEmpty":
    case "TooManyGrants":
    case "TooManySpaces":
      return new HttpError.Conflict({ message: error.message })
  }
}
