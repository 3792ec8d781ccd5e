/** `attest decision`: whether a control is met. */
import { usage } from "../../shared/CommandFailure.js"
import { command } from "../Attest.js"

/** Runs `attestry attest decision`. */
export const { run } = command({
  operation: "attestation.system",
  word: "decision",
  gather: async (_context, args) => {
    const isCompliant = args.boolean("compliant")
    if (isCompliant === undefined)
      throw usage("--compliant is missing", "say --compliant or --compliant=false")
    const reason = args.text("reason")
    return {
      fields: {
        type_name: "decision",
        control: args.required("control"),
        attestation_data: { is_compliant: isCompliant, ...(reason === undefined ? {} : { reason }) }
      },
      files: [],
      summary: `control ${args.required("control")}`
    }
  }
})
