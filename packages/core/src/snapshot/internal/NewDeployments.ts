/**
 * The fingerprints that start to run in a snapshot: its deployments.
 *
 * A second name for a running fingerprint is no deployment. DECISIONS.md, "A row is a name and a fingerprint"
 */
import { type Fingerprint, isKnown } from "../../artifact/Fingerprint.js"
import { byIdentity, type RowIdentity } from "../../environment/RunningRow.js"

/** A row with a known fingerprint. */
export interface DeployedRow extends RowIdentity {
  readonly fingerprint: Fingerprint
}

const isDeployed = <Row extends RowIdentity>(row: Row): row is Row & DeployedRow =>
  isKnown(row.fingerprint)

/**
 * The deployments between two sets of running rows: for each fingerprint that runs now and did not before, the
 * first of its rows by name.
 */
export const deployed = <Row extends RowIdentity>(
  before: ReadonlyArray<RowIdentity>,
  after: ReadonlyArray<Row>
): ReadonlyArray<Row & DeployedRow> => {
  const arriving = new Set<string>(after.map(({ fingerprint }) => fingerprint))
  for (const { fingerprint } of before) arriving.delete(fingerprint)
  return after
    .filter(isDeployed)
    .filter(({ fingerprint }) => arriving.has(fingerprint))
    .sort(byIdentity)
    .filter(({ fingerprint }) => arriving.delete(fingerprint))
}
