/**
 * A believable year of a company with a dozen services, as the requests that made it.
 *
 * Pure: the same seed and the same end give the same requests, in the order of their times. Pipelines report builds,
 * clusters report what runs, people change policies and make exceptions; some of it goes wrong, and most is put right.
 */
import { PCGRandom } from "effect/Utils"
import * as DemoBuild from "./DemoBuild.js"
import * as DemoDeployment from "./DemoDeployment.js"
import { DAY, type DemoRequest, HOUR, MINUTE } from "./DemoRequest.js"
import * as DemoRules from "./DemoRules.js"
import { SERVICES } from "./DemoService.js"

/** The seed without a choice. */
export const SEED = 7

/** The parameters of a world. */
export interface WorldOptions {
  readonly seed: number
  /** The last instant, in milliseconds since the epoch. */
  readonly until: number
}

/** The correction that goes to production without a review, shortly before the end. */
const correctionOf = (builds: ReadonlyArray<DemoBuild.DemoBuild>, until: number) => {
  const ofCheckout = builds.filter(({ service }) => service.name === "checkout")
  const [service = SERVICES[0]] = SERVICES.filter(({ name }) => name === "checkout")
  if (service === undefined) throw new Error("the demo has no services")
  const at = until - 2 * HOUR - 30 * MINUTE
  return DemoBuild.buildOf(service, { number: ofCheckout.length + 1, at, flaw: "no-review" })
}

const overrides = (builds: ReadonlyArray<DemoBuild.DemoBuild>, until: number) =>
  builds
    .filter(({ flaw, at }) => flaw === "findings" && at > until - 75 * DAY)
    .map((build) => DemoBuild.overrideScan(build, build.at + 4 * HOUR))

/** The requests of a world, in the order in which they are sent. */
export const requestsOf = ({ seed, until }: WorldOptions): ReadonlyArray<DemoRequest> => {
  const random = new PCGRandom(seed)
  const builds = SERVICES.flatMap((service) => DemoBuild.buildsOf(service, random, until))
  const correction = correctionOf(builds, until)
  const changes = DemoDeployment.changesOf(builds, correction, until)
  return [
    ...DemoRules.requestsOf(until),
    ...[...builds, correction].flatMap(DemoBuild.requestsOf),
    ...DemoDeployment.lateScans(builds),
    ...overrides(builds, until),
    ...DemoDeployment.reportsOf(changes, until)
  ]
    .filter(({ at }) => at <= until)
    .map((request, index) => ({ request, index }))
    .sort((left, right) => left.request.at - right.request.at || left.index - right.index)
    .map(({ request }) => request)
}
