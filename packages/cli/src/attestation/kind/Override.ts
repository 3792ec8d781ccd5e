/** `attest override`: replaces the outcome of the newest attestation with a name, and gives the reason. */
import type { Arguments } from "../../shared/Arguments.js"
import type { CommandContext } from "../../shared/CommandContext.js"
import { CommandFailure, usage } from "../../shared/CommandFailure.js"
import { confirm } from "../../shared/Confirmation.js"
import * as Json from "../../shared/Json.js"
import { type About, command } from "../Attest.js"

/** The type of the newest attestation with the name. */
const originalType = async (
  { api }: CommandContext,
  args: Arguments,
  { flow, trail, name, fingerprint }: About
): Promise<string> => {
  const given = args.text("original-type")
  if (given !== undefined) return given
  const path = { flow_name: flow, attestation_name: name }
  const found =
    fingerprint === undefined
      ? await (await api()).call("attestation.listOnTrail", {
          path: { ...path, trail_name: trail }
        })
      : await (await api()).call("attestation.listOnArtifact", { path: { ...path, fingerprint } })
  const type = Json.text(Json.objects(found)[0]?.attestation_type)
  if (type !== undefined) return type
  throw new CommandFailure("missing", `there is no attestation ${name} to override`, {
    hint: "give --original-type for one that is still to come"
  })
}

/** Runs `attestry attest override`. */
export const { run } = command({
  operation: "attestation.override",
  word: "override",
  gather: async (context, args, about) => {
    const isCompliant = args.boolean("compliant")
    if (isCompliant === undefined)
      throw usage("--compliant is missing", "say --compliant or --compliant=false")
    const word = isCompliant ? "compliant" : "not compliant"
    await confirm(context, args, `${about.name} of trail ${about.trail} will count as ${word}`)
    return {
      fields: {
        reason: args.required("reason"),
        new_compliance_status: isCompliant,
        original_attestation_type: await originalType(context, args, about)
      },
      files: [],
      summary: args.required("reason")
    }
  }
})
