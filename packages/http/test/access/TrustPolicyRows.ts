/** The rows of the access table that are about trust policies. */
import { trustYaml } from "../trust-policy/TrustPolicyTexts.js"
import type { Rows } from "./AccessTable.js"

/** Rows by operation. */
export const trustPolicyRows = {
  "trustPolicy.get": { least: "reader", status: 200 },
  "trustPolicy.put": {
    least: "admin",
    status: 201,
    request: ({ cell }) => ({ body: { trust_yaml: trustYaml(cell) } })
  },
  "trustPolicy.versions": { least: "reader", status: 200 }
} satisfies Rows
