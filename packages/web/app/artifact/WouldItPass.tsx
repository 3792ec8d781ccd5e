/** Asks whether an artifact would be compliant in an environment under the policies attached there now. */
import * as Route from "@attestry/web/Route"
import * as Damaged from "../shared/Damaged.js"
import { ChoiceFilter } from "../shared/Filters.js"
import { useQuery } from "../shared/Query.js"
import { knownOf } from "../shared/QueryCache.js"
import { AssertionAnswer } from "./AssertionAnswer.js"

/** The form and its answer; the environment is a parameter of the URL. */
export const WouldItPass = ({
  org,
  fingerprint,
  route
}: {
  readonly org: string
  readonly fingerprint: string
  readonly route: Route.Route
}) => {
  const environments = knownOf(
    useQuery("environment.list", { org, query: { page: 1, per_page: 100 } })
  )
  const environment = Route.parameter(route, "environment")
  const known = Damaged.readable(environments?.value.environments ?? []).items.filter(
    ({ type }) => type !== "logical"
  )
  const chosen = known.find(({ name }) => name === environment)
  return (
    <section class="block">
      <h2>Would it pass?</h2>
      <search class="filters">
        <ChoiceFilter
          route={route}
          name="environment"
          label="Would it pass in"
          any="choose an environment"
          options={known.map(({ name }) => [name, name] as const)}
        />
      </search>
      {environment === undefined ? (
        <p class="quiet">Evaluated now, by the policies of the environment and today's evidence.</p>
      ) : (
        <AssertionAnswer
          org={org}
          fingerprint={fingerprint}
          environment={environment}
          isEvaluated={chosen === undefined || chosen.policies.length > 0}
        />
      )}
    </section>
  )
}
