/** Operations that neither the command line nor a page calls by name, each with the reason. */

const KIND = "`attestry report` puts the name together from the kind of the environment"
const EPOCH =
  "`attestry log pull` copies the newest epoch; other programs read the copies of older ones"

/** The reason by operation. */
export const REASONS: { readonly [operation: string]: string } = {
  "flow.put": "`flow.putWithTemplate` writes the same flow, with its template",
  "trail.listFlow": "`trail.list` lists the trails of a flow too",
  "attestation.listForCriteria":
    "existing clients search by a list of commits; `attestry list attestations` has filters",
  "attestation.listOfFlow": "`attestation.list` lists the attestations of a flow too",
  "approval.create": "deprecated in favour of attestations; `attestry attest decision` records one",
  "repo.filterOptions":
    "existing pages fill menus with it; `attestry list repositories` has filters",
  "policy.putNamed": "`policy.put` writes the same policy, with its name in the path",
  "policyAuthoring.test": "`attestry policy test` and the policy editor run tests where they are",
  "policyAuthoring.compare": "`attestry policy diff` compares policies where it runs",
  "report.K8S": KIND,
  "report.container-tasks": KIND,
  "report.object-store": KIND,
  "report.functions": KIND,
  "report.server": KIND,
  "report.docker": KIND,
  "report.cloudx-apps": KIND,
  "report.serverless-run": KIND,
  "environmentNotification.get": "`action.get` shows notifications of both kinds",
  "environmentNotification.delete": "`action.delete` deletes notifications of both kinds",
  "action.createForEnvironments": "`environmentNotification.create` creates the same notification",
  "log.tile": "`attestry log pull` computes the tiles from the entries, and so checks every hash",
  "log.epochCheckpoint": EPOCH,
  "log.epochEntries": EPOCH,
  "log.epochTile": EPOCH,
  "log.inclusion": "a receipt has the same proof, with the entry: `attestry log receipt`",
  "workloadIdentity.exchange":
    "the command line signs in with it before it has a client (`transport/TokenExchange.ts`)",
  "deployment.listByEnvironment": "`deployment.list` filters by environment",
  "deployment.listByRepo": "`deployment.list` filters by repository"
}
