/** The permissions that can be asked about. WHY a table: one that is new must be added here to compile. */
import type { Permission } from "@attestry/core/Permission"

const KNOWN: { readonly [permission in Permission]: true } = {
  "org.read": true,
  "flow.write": true,
  "trail.write": true,
  "artifact.write": true,
  "attestation.write": true,
  "attestation-type.write": true,
  "evidence.write": true,
  "approval.write": true,
  "policy.write": true,
  "environment.put": true,
  "environment.write": true,
  "environment.delete": true,
  "environment.report": true,
  "environment-notification.write": true,
  "allow-list.write": true,
  "control.write": true,
  "decision.write": true,
  "tag.write": true,
  "waiver.request": true,
  "waiver.approve": true,
  "waiver.settings": true,
  "trust-policy.write": true,
  "service-account.create": true,
  "service-account.manage": true,
  "agent-account.write": true,
  "identity-rule.write": true,
  "api-key.read": true,
  "space.write": true,
  "placement.write": true,
  "grant.write": true,
  "membership.read": true,
  "membership.write": true,
  "team.write": true,
  "scim.write": true,
  "sign-in.write": true,
  "protection.write": true,
  "proposal.approve": true,
  "journal.read": true,
  "log.write": true,
  "erasure.write": true,
  "notification-config.write": true
}

/** Every permission: what is written first, then what is administered. */
export const PERMISSIONS: ReadonlyArray<string> = Object.keys(KNOWN)
