/** What a notification is for people: a headline, a sentence and labelled facts, which may hold text of users. */
import type { Timestamp } from "@attestry/core/Timestamp"
import * as WebLink from "@attestry/core/WebLink"

/** One fact: the label is constant, the value may be text of users. */
export interface Fact {
  readonly label: string
  readonly value: string
  /** A shorter form of the value. */
  readonly brief: string
  /** Whether this module made the value, without text of users. */
  readonly isOwn: boolean
  /** The link of the value, if there is a safe one. */
  readonly link?: string
}

/** The content of a notification. */
export interface NotificationSummary {
  /** `bad` when action is needed. */
  readonly tone: "bad" | "good" | "neutral"
  readonly org: string
  readonly headline: string
  readonly sentence: string
  readonly facts: ReadonlyArray<Fact>
  /** The page of the snapshot, with a label for the link. */
  readonly page?: { readonly label: string; readonly url: string }
}

/** A timestamp in UTC, to the second. */
export const printTime = (at: Timestamp): string =>
  `${new Date(Math.floor(at / 1_000_000) * 1000).toISOString().slice(0, 19).replace("T", " ")} UTC`

/** A fact whose value may be text of users. */
export const fact = (
  label: string,
  value: string,
  { brief = value, link = null }: { readonly brief?: string; readonly link?: string | null } = {}
): Fact => ({
  label,
  value,
  brief,
  isOwn: false,
  ...(link !== null && WebLink.isWebLink(link) ? { link } : {})
})

/** A fact whose value this service made. */
export const ownFact = (label: string, value: string): Fact => ({
  label,
  value,
  brief: value,
  isOwn: true
})
