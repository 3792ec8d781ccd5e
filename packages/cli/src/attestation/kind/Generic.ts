/** `attest generic`: evidence that the caller evaluates, compliant unless `--compliant=false` is given. */
import { command } from "../Attest.js"

/** The command. */
export const { run } = command({
  operation: "attestation.generic",
  word: "generic",
  gather: async (_context, args) => ({
    fields: { is_compliant: args.boolean("compliant") ?? true },
    files: [],
    summary: ""
  })
})
