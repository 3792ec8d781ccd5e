/** Translates the errors of protections, proposals and break-glass to HTTP errors. */
import * as HttpError from "@attestry/api/HttpError"
import type {
  BreakGlassDecided,
  BreakGlassForbidden,
  BreakGlassNotFound,
  BreakGlassOpen
} from "@attestry/core/BreakGlass"
import type {
  InvalidProposal,
  NothingHeld,
  OtherDigest,
  ProposalApprovedBefore,
  ProposalDecided,
  ProposalForbidden,
  ProposalNotApplied,
  ProposalNotFound,
  TooManyProposals
} from "@attestry/core/Proposal"
import type { ChangeHeld, InvalidProtections } from "@attestry/core/Protection"

/** The domain errors of protections, proposals and break-glass. */
export type ProposalError =
  | BreakGlassDecided
  | BreakGlassForbidden
  | BreakGlassNotFound
  | BreakGlassOpen
  | ChangeHeld
  | InvalidProposal
  | InvalidProtections
  | NothingHeld
  | OtherDigest
  | ProposalApprovedBefore
  | ProposalDecided
  | ProposalForbidden
  | ProposalNotApplied
  | ProposalNotFound
  | TooManyProposals

const TAGS: { readonly [Tag in ProposalError["_tag"]]: true } = {
  BreakGlassDecided: true,
  BreakGlassForbidden: true,
  BreakGlassNotFound: true,
  BreakGlassOpen: true,
  ChangeHeld: true,
  InvalidProposal: true,
  InvalidProtections: true,
  NothingHeld: true,
  OtherDigest: true,
  ProposalApprovedBefore: true,
  ProposalDecided: true,
  ProposalForbidden: true,
  ProposalNotApplied: true,
  ProposalNotFound: true,
  TooManyProposals: true
}

/** Whether an error is one of protections, proposals and break-glass. */
export const covers = <E extends { readonly _tag: string }>(
  error: E
): error is Extract<E, ProposalError> => error._tag in TAGS

/** The HTTP error of a domain error. */
export const translate = (error: ProposalError): HttpError.HttpError => {
  const { message } = error
  switch (error._tag) {
    case "ChangeHeld":
      return new HttpError.Forbidden({ message, isHeld: true })
    case "BreakGlassForbidden":
    case "ProposalForbidden":
      return new HttpError.Forbidden({ message })
    case "BreakGlassNotFound":
    case "ProposalNotFound":
      return new HttpError.NotFound({ message })
    case "InvalidProposal":
    case "InvalidProtections":
      return HttpError.invalid(error.problems)
    case "BreakGlassDecided":
    case "BreakGlassOpen":
    case "NothingHeld":
    case "OtherDigest":
    case "ProposalApprovedBefore":
    case "ProposalDecided":
    case "ProposalNotApplied":
    case "TooManyProposals":
      return new HttpError.Conflict({ message })
  }
}
