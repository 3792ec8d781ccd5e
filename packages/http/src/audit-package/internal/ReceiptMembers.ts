/** The names of receipts in an audit package. */

import * as PackagePath from "@attestry/core/PackagePath"
import type { PackagedReceipt } from "@attestry/core/PackageReceipts"
import * as Either from "effect/Either"
import type { ShownReceipt } from "./AuditPage.js"

/** The name of the public keys. */
export const KEYS = "receipts/keys.json"

/** A receipt with its name in the package; null where there is none. */
export const named = (given: PackagedReceipt): ShownReceipt => {
  const { environment, fingerprint, index, receipt } = given
  const file = fingerprint === null ? `${index}.vsa.json` : `${index}-${fingerprint}.vsa.json`
  return {
    ...given,
    name: Either.isLeft(receipt) ? null : PackagePath.path("receipts", environment, file)
  }
}
