/** The rows of the access table that are about sign-in with providers; this deployment has none. */
import type { Rows } from "./AccessTable.js"

const provider = () => ({ path: { provider: "okta" } })

/** Rows by operation. */
export const signInRows = {
  "signIn.providers": { least: "open", status: 200 },
  "signIn.get": { least: "admin", status: 200 },
  "signIn.put": { least: "admin", status: 200, request: () => ({ body: {} }) },
  "signIn.attempts": { least: "admin", status: 200 },
  "signIn.identities": { least: "key", status: 200 },
  "signIn.link": { least: "cookie", status: 404, request: provider },
  "signIn.unlink": { least: "key", status: 404, request: provider }
} satisfies Rows
