/** `attest snyk FILE`: the vulnerabilities that a scan found, by severity. */
import { unreadable } from "../../shared/CommandFailure.js"
import * as AttachedFile from "../AttachedFile.js"
import { command } from "../Attest.js"
import * as EvidenceFields from "../EvidenceFields.js"
import * as Sarif from "../Sarif.js"
import * as SnykResults from "../SnykResults.js"

/** Runs `attestry attest snyk`. */
export const { run } = command({
  operation: "attestation.snyk",
  word: "snyk",
  gather: async ({ host }, args) => {
    const [file = ""] = args.positionals
    const value = await EvidenceFields.readJson(host, file)
    if (!SnykResults.is(value) && !Sarif.is(value))
      throw unreadable(`${file} is neither the JSON nor the SARIF of a scan by Snyk`)
    const { results, counts } = SnykResults.read(value)
    return {
      fields: (bytesMax) => {
        const { value: snyk_results, isTruncated } = results(bytesMax)
        return { snyk_results, ...(isTruncated ? { user_data: { truncated: true } } : {}) }
      },
      files: args.has("no-upload") ? [] : [AttachedFile.fromPath(host.cwd, file)],
      summary: `${counts.high} high, ${counts.medium} medium, ${counts.low} low`
    }
  }
})
