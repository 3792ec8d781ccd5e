/** What is to be moved, as the form has it. Pure. */

/** The kinds of things that are in spaces, with their names. */
export const KINDS = [
  ["flow", "Flows"],
  ["environment", "Environments"],
  ["policy", "Policies"],
  ["control", "Controls"],
  ["service-account", "Service accounts"]
] as const

export type Kind = (typeof KINDS)[number][0]

/** A kind of a text; flows for every other. */
export const kindOf = (text: string | undefined): Kind =>
  KINDS.find(([kind]) => kind === text)?.[0] ?? "flow"

export interface MoveDraft {
  readonly type: Kind
  /** A pattern of names; empty fits every name. */
  readonly name: string
  /** Tags that things must have, separated by commas. */
  readonly tags: string
  readonly to: string
}

/** The body of the write without `preview`. The server says what is wrong with it. */
export const bodyOf = ({ name, tags, to, type }: MoveDraft) => {
  const wanted = tags
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "")
  return {
    match: {
      type,
      ...(name.trim() === "" ? {} : { name: name.trim() }),
      ...(wanted.length === 0 ? {} : { tags: wanted })
    },
    to
  }
}
