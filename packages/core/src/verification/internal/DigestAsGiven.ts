/**
 * The digest of an override as it was given: with the spelling of its type in the report, and without the control that
 * it inherits. Rows that were written before `Attestation.digestedText` have it. Pure.
 */

import * as Base64 from "@attestry/transparency-log/Base64"
import * as Sha256 from "@attestry/transparency-log/Sha256"
import * as Attestation from "../../attestation/Attestation.js"
import * as AttestationTypePattern from "../../flow/AttestationTypePattern.js"
import type { Columns } from "../RecordStore.js"
import { membersOf, textOf } from "./ReplayState.js"

/** Whether a digest is that of an override as it was given. */
export const is = (
  { attachments, body, isCompliant, isOverride }: Columns,
  digest: unknown
): boolean => {
  if (isOverride !== true) return false
  const { control: _control, control_version: _version, ...given } = membersOf(body)
  const type = AttestationTypePattern.fromWire(textOf(given.original_attestation_type))
  const members = { attachments, body: given, isCompliant, isOverride, type }
  return Base64.encodeHex(Sha256.digestText(Attestation.digestedText(members))) === digest
}
