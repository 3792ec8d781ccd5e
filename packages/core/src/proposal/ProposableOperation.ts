/**
 * The operations whose requests can be proposed, by name. Operations that answer a secret cannot, because a proposal
 * has no answer of theirs.
 *
 * WHY without effects: pages and the command line import it before they load the contract.
 */

/** The operations whose requests can be proposed. Every other one is refused. */
export const PROPOSABLE_OPERATIONS: ReadonlyArray<string> = [
  "allowList.put",
  "attestation.override",
  "control.create",
  "control.unarchive",
  "control.update",
  "environment.attach",
  "environment.detach",
  "environment.join",
  "environment.patch",
  "environment.put",
  "grant.put",
  "membership.put",
  "membership.restore",
  "policy.put",
  "policy.putNamed",
  "protection.put",
  "serviceAccount.create",
  "serviceAccount.update",
  "signIn.put",
  "team.addMember",
  "team.put",
  "workloadIdentity.putRules"
]

/** Whether requests of an operation can be proposed. */
export const isProposable = (operation: string): boolean =>
  PROPOSABLE_OPERATIONS.includes(operation)
