/** The deployments of a repository, environment by environment: only numbers, which clients aggregate. SPEC §4.16 */

import type { Environment } from "../environment/Environment.js"
import { leadTimeSeconds } from "./Deployment.js"
import type { DeploymentSeries } from "./StoredDeployment.js"

/** The series of the given physical environments, by name; empty where there are no deployments. */
export const of = (
  environments: ReadonlyArray<Environment>,
  series: ReadonlyArray<DeploymentSeries>
): ReadonlyArray<DeploymentSeries> => {
  const known = new Map(series.map((each) => [each.environmentId, each]))
  const asked = new Map(
    environments.filter(({ type }) => type !== "logical").map(({ id, name }) => [id, name])
  )
  return Array.from(
    asked,
    ([environmentId, environmentName]): DeploymentSeries =>
      known.get(environmentId) ?? { environmentId, environmentName, deployments: [] }
  ).sort((left, right) => (left.environmentName < right.environmentName ? -1 : 1))
}

/** The lead times of a series, in its order. */
export const leadTimes = ({
  deployments
}: Pick<DeploymentSeries, "deployments">): ReadonlyArray<number> =>
  deployments.flatMap(
    ({ deployedAt, firstReportedAt }) => leadTimeSeconds(deployedAt, firstReportedAt) ?? []
  )
