/** Whether there are documents about an artifact, as the lock of its trail has read it; the lock holds that too. */
import * as TransactionCache from "../transaction/TransactionCache.js"

/** The cache, by fingerprint. */
export const {
  set,
  get,
  delete: forget
}: TransactionCache.TransactionCache<boolean> = TransactionCache.make("evidence about")
