/** `attest custom FILE --type NAME`: data of a custom attestation type, whose rules decide the outcome. */
import { command } from "../Attest.js"
import * as EvidenceFields from "../EvidenceFields.js"

/** Runs `attestry attest custom`. */
export const { run } = command({
  operation: "attestation.custom",
  word: "custom",
  gather: async ({ host }, args) => ({
    fields: {
      type_name: args.required("type-name"),
      attestation_data: await EvidenceFields.readJson(host, args.positionals[0] ?? "-")
    },
    files: [],
    summary: args.required("type-name")
  })
})
