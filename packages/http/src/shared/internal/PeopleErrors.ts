/** Translates the errors of members and invitations to HTTP errors. */
import * as HttpError from "@attestry/api/HttpError"
import type {
  InvitationClosed,
  InvitationEnded,
  InvitationForAnother,
  InvitationForPerson,
  InvitationNotFound,
  LoginMissing,
  TooManyInvitations
} from "@attestry/core/Invitation"
import type {
  AlreadyMember,
  LastAdmin,
  LoginTaken,
  NotAMember,
  UserNotFound
} from "@attestry/core/Membership"
import * as TeamErrors from "./TeamErrors.js"

/** The domain errors of members and invitations, and of teams. */
export type PeopleError = OwnError | TeamErrors.TeamError

type OwnError =
  | AlreadyMember
  | InvitationClosed
  | InvitationEnded
  | InvitationForAnother
  | InvitationForPerson
  | InvitationNotFound
  | LastAdmin
  | LoginMissing
  | LoginTaken
  | NotAMember
  | TooManyInvitations
  | UserNotFound

const TAGS: { readonly [Tag in OwnError["_tag"]]: true } = {
  AlreadyMember: true,
  InvitationClosed: true,
  InvitationEnded: true,
  InvitationForAnother: true,
  InvitationForPerson: true,
  InvitationNotFound: true,
  LastAdmin: true,
  LoginMissing: true,
  LoginTaken: true,
  NotAMember: true,
  TooManyInvitations: true,
  UserNotFound: true
}

/** Whether an error is one of members and invitations. */
export const covers = <E extends { readonly _tag: string }>(
  error: E
): error is Extract<E, PeopleError> => error._tag in TAGS || TeamErrors.covers(error)

/** The HTTP error of a domain error. */
export const translate = (error: PeopleError): HttpError.HttpError => {
  if (TeamErrors.covers(error)) return TeamErrors.translate(error)
  const { message } = error
  switch (error._tag) {
    case "InvitationClosed":
    case "InvitationNotFound":
    case "NotAMember":
    case "UserNotFound":
      return new HttpError.NotFound({ message })
    case "InvitationForPerson":
      return new HttpError.Forbidden({ message })
    case "LoginMissing":
      return HttpError.invalid({ login: "Field required [input: None]" })
    case "LoginTaken":
      return new HttpError.Conflict({
        message: `${message}: choose another, or sign in to accept as yourself`
      })
    case "AlreadyMember":
    case "InvitationEnded":
    case "InvitationForAnother":
    case "LastAdmin":
    case "TooManyInvitations":
      return new HttpError.Conflict({ message })
  }
}
