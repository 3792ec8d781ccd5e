/** `attest generic`: the caller says whether it is compliant. */
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
