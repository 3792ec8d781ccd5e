/** Examples of the `sign-in` commands. */
import type { Examples } from "./Examples.js"

/** Examples of the `sign-in` commands. */
export const SIGN_IN_EXAMPLES: Examples = {
  "sign-in get": [
    "attestry sign-in get",
    "attestry sign-in get > sign-in.json",
    "attestry sign-in get -o json"
  ],
  "sign-in set": [
    "attestry sign-in set sign-in.json",
    "attestry sign-in set - < sign-in.json",
    "attestry sign-in set sign-in.json --dry-run"
  ]
}
