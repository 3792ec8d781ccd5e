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
  "placementRule.put",
  "policy.put",
  "policy.putNamed",
  "protection.put",
  "serviceAccount.create",
  "serviceAccount.update",
  "signIn.put",
  "space.change",
  "space.move",
  "team.addMember",
  "team.put",
  "trustPolicy.put",
  "waiver.putSettings",
  "workloadIdentity.putRules"
]

/** Whether requests of an operation can be proposed. */
export const isProposable = (operation: string): boolean =>
  PROPOSABLE_OPERATIONS.includes(operation)

/** What to do instead of operations whose answer is a secret. */
const INSTEAD = new Map([
  [
    "apiKey.create",
    "its answer is a secret, so it cannot be proposed: give the key an end, and no `scim.write`"
  ],
  ["apiKey.rotate", "its answer is a secret, so it cannot be proposed: let the new key end"],
  [
    "invitation.create",
    "its answer is a secret, so it cannot be proposed: propose to make a member of a person who has an account here"
  ]
])

/** What a caller does whose request of an operation is held back. */
export const nextStep = (operation: string): string =>
  isProposable(operation)
    ? "propose it"
    : (INSTEAD.get(operation) ?? "it cannot be proposed: an admin changes the protection first")
