/** Protections as their form has them: numbers as texts, and the kinds that are chosen. */
import type { Protection } from "../shared/Contract.js"

export type Kind = Protection["kinds"][number]

export interface ProtectionDraft {
  /** Tells rows apart while they are changed. */
  readonly key: number
  readonly kinds: ReadonlyArray<Kind>
  /** The path of the space where it holds. */
  readonly space: string
  readonly approvals: string
  /** Empty for admins alone. */
  readonly team: string
  readonly days: string
}

const DAYS = 14

let made = 0

/** The draft of a protection. */
export const make = ({ approvals, days, kinds, space, team }: Protection): ProtectionDraft => ({
  key: made++,
  kinds,
  space,
  approvals: String(approvals),
  team: team ?? "",
  days: String(days)
})

/** A new row, with no kind chosen. */
export const blank = (): ProtectionDraft =>
  make({ kinds: [], space: "/", approvals: 1, team: null, days: DAYS })

/** A row with one more kind, or one less; the order of the others stays. */
export const withKind = (
  draft: ProtectionDraft,
  kind: Kind,
  isCovered: boolean
): ProtectionDraft => {
  const others = draft.kinds.filter((each) => each !== kind)
  return { ...draft, kinds: isCovered ? [...others, kind] : others }
}

/** The body of the write. The server says what is wrong with it. */
export const bodyOf = (drafts: ReadonlyArray<ProtectionDraft>): object => ({
  protections: drafts.map(({ approvals, days, kinds, space, team }) => ({
    kinds,
    space,
    approvals: Number(approvals),
    ...(team.trim() === "" ? {} : { team: team.trim() }),
    days: Number(days)
  }))
})

/** The fields of the rows, as the server names them in errors. */
export const fieldsOf = (drafts: ReadonlyArray<ProtectionDraft>): ReadonlyArray<string> =>
  drafts.flatMap((_, at) =>
    ["kinds", "space", "approvals", "team", "days"].map((name) => `protections.${at}.${name}`)
  )
