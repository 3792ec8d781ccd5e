/**
 * `attestry report json ENV FILE`: sends a report that another program made, after checking it against the contract.
 */
import { readJson } from "../attestation/EvidenceFields.js"
import { unreadable } from "../shared/CommandFailure.js"
import * as Json from "../shared/Json.js"
import { command } from "./Report.js"
import { whole } from "./Reporter.js"

/** Runs `attestry report json`. */
export const { run } = command({
  kind: (args) => args.required("kind"),
  gather: async ({ context: { host }, args }) => {
    const file = args.positionals[1] ?? "-"
    const value = await readJson(host, file)
    const artifacts = Json.object(value).artifacts
    if (!Array.isArray(artifacts)) throw unreadable(`${file} has no list \`artifacts\``)
    return whole(Json.objects(artifacts))
  }
})
