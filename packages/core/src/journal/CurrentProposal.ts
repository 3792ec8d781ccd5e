/**
 * The approved proposal whose change is made now. Every entry of the change has its number and the names of the people
 * who approved it, so that a receipt of the change shows them.
 */
import * as Context from "effect/Context"
import * as Predicate from "effect/Predicate"

/** What entries have of the proposal of their change. */
export interface ProposalMark {
  readonly number: number
  /** The names of the people, in the order of their approvals. */
  readonly approved_by: ReadonlyArray<string>
}

/** The proposal whose change is made now; undefined for every other write. */
export class CurrentProposal extends Context.Reference<CurrentProposal>()(
  "@attestry/core/CurrentProposal",
  { defaultValue: (): ProposalMark | undefined => undefined }
) {}

/** The member of contents. No content has it otherwise. */
export const MEMBER = "proposal"

/** A change whose content has the proposal. */
export const marked = <Change extends { readonly content: unknown }>(
  change: Change,
  mark: ProposalMark
): Change =>
  Predicate.isRecord(change.content)
    ? { ...change, content: { ...change.content, [MEMBER]: mark } }
    : change
