/**
 * Whether a flow has flow notifications, as the lock of a trail has read it.
 *
 * A notification that is created meanwhile is for what happens after it.
 */
import * as TransactionCache from "../transaction/TransactionCache.js"

/** The cache, by the id of the flow. */
export const { set, get }: TransactionCache.TransactionCache<boolean> =
  TransactionCache.make("flow notifications of")
