/** The command that reports a missing attestation. Its placeholders are refused until the person replaces them. */
import * as EvidenceCommand from "@attestry/policy-lab/EvidenceCommand"
import { attestryLine } from "../shell/AttestryLine.js"

/** Where the attestation is missing. */
export interface MissingPlace {
  /** The public URL of the deployment. */
  readonly base: string
  readonly org: string
  readonly flow: string
  readonly trail: string
  readonly name: string
  readonly type: string
  /** Undefined for an attestation of the trail itself. */
  readonly fingerprint: string | undefined
}

export const commandOf = ({ base, org, ...missing }: MissingPlace): string =>
  attestryLine(EvidenceCommand.wordsOf(missing), { url: base, org })
