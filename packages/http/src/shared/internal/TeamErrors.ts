/** Translates the errors of teams to HTTP errors. */
import * as HttpError from "@attestry/api/HttpError"
import type {
  NotInTeam,
  TeamExists,
  TeamKept,
  TeamNotFound,
  TooManyTeams
} from "@attestry/core/Team"

/** The domain errors of teams. */
export type TeamError = NotInTeam | TeamExists | TeamKept | TeamNotFound | TooManyTeams

const TAGS: { readonly [Tag in TeamError["_tag"]]: true } = {
  NotInTeam: true,
  TeamExists: true,
  TeamKept: true,
  TeamNotFound: true,
  TooManyTeams: true
}

/** Whether an error is one of teams. */
export const covers = <E extends { readonly _tag: string }>(
  error: E
): error is Extract<E, TeamError> => error._tag in TAGS

/** The HTTP error of a domain error. */
export const translate = (error: TeamError): HttpError.HttpError => {
  switch (error._tag) {
    case "TeamNotFound":
      return new HttpError.NotFound({
        message: `Team '${error.team}' does not exist in organization '${error.org}'`
      })
    case "NotInTeam":
      return new HttpError.NotFound({ message: `'${error.login}' is not in team '${error.team}'` })
    case "TeamExists":
    case "TeamKept":
    case "TooManyTeams":
      return new HttpError.Conflict({ message: error.message })
  }
}
