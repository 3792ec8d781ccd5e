/**
 * Places that packages are downloaded from. Which one is used is a matter of whoever installs.
 *
 * The names are put together here, so that this file does not find itself.
 */
import { at, type Finding } from "../shared/Finding.js"
import type { TextFile } from "../shared/Repository.js"

const PRODUCTS = ["art|ifactory", "verda|ccio", "jf|rog"].map((name) => name.replace("|", ""))

const PATTERNS = [
  // A host of that name, unless it is in a domain that is reserved for examples.
  /\bregistry\.(?!(?:[\w-]+\.)*example\b)[a-z0-9-]+\.[a-z]{2,}/i,
  /\bnpm\.pkg\.[a-z]/i,
  /^\s*(?:@[\w-]+:)?registry\s*=/i,
  /_auth(?:Token)?\s*=/,
  /\btarball: *\S*:\/\//,
  new RegExp(`\\b(?:${PRODUCTS.join("|")})\\b`, "i")
]

/** Lines that say where packages come from. */
export const registryHosts = (file: TextFile): ReadonlyArray<Finding> =>
  file.text
    .split("\n")
    .flatMap((line, index) =>
      PATTERNS.some((pattern) => pattern.test(line))
        ? [at(file, index + 1, "names a place of packages")]
        : []
    )
