/** An override as a change that can be protected. Pure. */
import type { HeldChange } from "../../protection/internal/HeldChanges.js"
import type { AttestationFact } from "../Attestation.js"

/** What an override says, and the newest attestation of the same name and target. */
interface Override {
  readonly fact: Pick<AttestationFact, "name" | "fingerprint" | "type" | "isCompliant">
  readonly overridden: AttestationFact | undefined
}

/** The change of an override. */
export const of = (
  { flow, trail }: { readonly flow: string; readonly trail: string },
  { fact, overridden }: Override
): HeldChange => {
  const { fingerprint, isCompliant, name, type } = fact
  return {
    kinds: ["override"],
    subject: { type: "trail", name: `${flow}/${trail}` },
    before:
      overridden === undefined
        ? null
        : {
            attestation_id: overridden.id,
            attestation_type: overridden.type,
            is_compliant: overridden.isCompliant
          },
    after: {
      attestation_name: name,
      attestation_type: type,
      artifact_fingerprint: fingerprint,
      is_compliant: isCompliant
    }
  }
}
