/**
 * Follows the chain of a subject's entries from its newest to its first, by receipts that are verified one by one. Each
 * entry names the one before it, so an entry that is left out breaks the chain.
 */

import type { ChainEnd } from "@attestry/core/DecisionReceipt"
import * as InclusionReceipt from "@attestry/core/InclusionReceipt"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Json from "../shared/Json.js"
import type { Api } from "../transport/Api.js"
import * as LogKeys from "./LogKeys.js"

/** An entry of a chain. */
export interface Link {
  readonly entry: string
  readonly index: number
  readonly kind: string
  /** Epoch seconds. */
  readonly at: number
  readonly prev: number | null
}

/** The entries of a subject, newest first, and why the chain is broken after the last of them. */
export interface Chain {
  readonly subject: ChainEnd["subject"]
  readonly links: ReadonlyArray<Link>
  readonly problem: string | null
}

/** The entry at an index by a verified receipt, or the problem of the receipt. */
const linkOf = async (
  api: Api,
  { entry, index, subject }: ChainEnd,
  keys: ReadonlyArray<LogKeys.Key>
): Promise<Link | string> => {
  const answer = await api.call("log.receipt", { path: { entry } })
  const receipt = Option.getOrUndefined(InclusionReceipt.fromJson(answer))
  if (receipt === undefined) return `there is no receipt of entry ${entry}`
  const checked = InclusionReceipt.check(receipt)
  if (Either.isLeft(checked)) return `the receipt of entry ${entry} does not prove it`
  if ((await LogKeys.open(receipt.checkpoint, keys)) === undefined) {
    return `the checkpoint of entry ${entry} is not signed by the key`
  }
  const { said } = checked.right
  if (checked.right.index !== index) return `entry ${entry} is not at index ${index}`
  const { kind, prev, subject: about } = Json.object(said.shown.facts)
  const { type, id } = Json.object(about)
  if (type !== subject.type || id !== subject.id) return `entry ${entry} is of another subject`
  if (prev !== null && typeof prev !== "number") {
    return `entry ${entry} does not say which entry is before it`
  }
  return { entry, index, kind: String(kind), at: said.at / 1_000_000, prev }
}

/** The id of the entry at an index. */
const entryAt = async (api: Api, index: number): Promise<string | undefined> => {
  const urlParams = { after: index - 1, limit: 1 }
  const [event] = Json.objects(Json.object(await api.call("log.events", { urlParams })).events)
  return event?.index === index ? String(event.entry) : undefined
}

/** Follows a chain from its newest entry. */
export const follow = async (
  api: Api,
  end: ChainEnd,
  keys: ReadonlyArray<LogKeys.Key>
): Promise<Chain> => {
  const { origin, subject } = end
  const links: Array<Link> = []
  const broken = (problem: string): Chain => ({ subject, links, problem })
  if (origin !== undefined) return broken(`its entries are of an earlier log, ${origin}`)
  let next: ChainEnd | undefined = end
  while (next !== undefined) {
    const link: Link | string = await linkOf(api, next, keys)
    if (typeof link === "string") return broken(link)
    links.push(link)
    if (link.prev === null) return { subject, links, problem: null }
    // WHY: a predecessor comes before, so that following it ends.
    if (link.prev >= link.index) return broken(`entry ${link.entry} names a later entry`)
    const entry = await entryAt(api, link.prev)
    next = entry === undefined ? undefined : { subject, entry, index: link.prev }
  }
  return broken(`the deployment does not show the entry at index ${links.at(-1)?.prev}`)
}
