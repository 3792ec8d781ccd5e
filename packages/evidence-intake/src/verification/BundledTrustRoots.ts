/**
 * The trust roots that this package brings, by the names that trust policies use.
 *
 * They are the files of `roots`; `roots/sources.json` names the package, version and date that each was taken from. The
 * root of GitHub's own instance is not among them.
 */
import { readFileSync } from "node:fs"

/** The name of the trust root of Sigstore's public instance. */
export const PUBLIC_GOOD = "public-good"

/** The texts of the trust roots, by name. Reads them from this package at each call. */
export const texts = (): ReadonlyMap<string, string> =>
  new Map([
    [PUBLIC_GOOD, readFileSync(new URL("../../roots/public-good.json", import.meta.url), "utf8")]
  ])
