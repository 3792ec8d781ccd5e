/** `attest generic`: evidence whose outcome the caller gives; compliant unless `--compliant=false` is set. */
import { command } from "../Attest.js"

/** Runs `attestry attest generic`. */
export const { run } = command({
  operation: "attestation.generic",
  word: "generic",
  gather: async (_context, args) => ({
    fields: { is_compliant: args.boolean("compliant") ?? true },
    files: [],
    summary: ""
  })
})
