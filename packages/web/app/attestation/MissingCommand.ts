/** The command that reports a missing attestation, with placeholders that it refuses until they are replaced. */
import * as EvidenceCommand from "@attestry/policy-lab/EvidenceCommand"
import { attestryLine } from "../shell/AttestryLine.js"

/** The place of the missing attestation. */
export interface MissingPlace {
  /** The public address of the deployment. */
  readonly base: string
  readonly org: string
  readonly flow: string
  readonly trail: string
  readonly name: string
  readonly type: string
  /** The artifact; undefined for the trail. */
  readonly fingerprint: string | undefined
}

/** The command. */
export const commandOf = ({ base, org, ...missing }: MissingPlace): string =>
  attestryLine(EvidenceCommand.wordsOf(missing), { url: base, org })
