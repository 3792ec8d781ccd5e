/** The deployments of the year: builds, and a few artifacts that should not run at all. */
import { type DemoBuild, isGood, scan } from "./DemoBuild.js"
import { fingerprintOf } from "./DemoDigest.js"
import { type EnvironmentName, NAMES, PLACES, type Running, report } from "./DemoEnvironment.js"
import { DAY, type DemoRequest, HOUR, MINUTE } from "./DemoRequest.js"

/** One change of what runs in an environment: under a name begins something else, or nothing. */
export interface Change {
  readonly at: number
  readonly environment: EnvironmentName
  readonly slot: string
  readonly runs: Pick<Running, "artifact" | "fingerprint"> | undefined
}

const foreign = (artifact: string) => ({ artifact, fingerprint: fingerprintOf(artifact) })

/** Images that no flow has built. */
export const REDIS = foreign("docker.io/library/redis:7.4")
const SHELL = foreign("docker.io/library/debug-shell:latest")

/** How long before a report the hosts of the ledger fell silent. */
const SILENCE = 3 * DAY + 4 * HOUR

const productionOf = ({ service }: DemoBuild): ReadonlyArray<EnvironmentName> =>
  PLACES[service.production]

const isMistake = ({ flaw }: DemoBuild): boolean => flaw === "no-review"

const deployed = (build: DemoBuild, environment: EnvironmentName, after: number): Change => ({
  at: build.at + after,
  environment,
  slot: build.service.name,
  runs: build
})

/**
 * The deployments of one build: to production a day after staging, in one place after another. A build without a scan
 * goes after three hours, before its scan arrives.
 */
const deploymentsOf = (build: DemoBuild): ReadonlyArray<Change> => {
  if (build.flaw === "failed-tests") return []
  const staging = deployed(build, "staging", HOUR)
  if (isMistake(build)) return [staging]
  const wait = build.flaw === "no-scan" ? 3 * HOUR : DAY
  const production = productionOf(build).map((environment, index) =>
    deployed(build, environment, wait + index * 6 * HOUR)
  )
  return [staging, ...production]
}

/** A build that went to production by mistake, and the one before it some hours later. */
const mistake = (build: DemoBuild, before: DemoBuild): ReadonlyArray<Change> => {
  const [first = "production-eu"] = productionOf(build)
  return [
    deployed(build, first, 2 * HOUR),
    { ...deployed(before, first, 0), at: build.at + 7 * HOUR }
  ]
}

/** Images that no flow of the company built: a cache that is allowed later, and a shell that runs today. */
const strangers = (until: number): ReadonlyArray<Change> => [
  { at: until - 150 * DAY, environment: "production-us", slot: "redis", runs: REDIS },
  { at: until - 60 * DAY, environment: "sandbox", slot: "redis", runs: REDIS },
  { at: until - 3 * HOUR, environment: "staging", slot: "debug-shell", runs: SHELL }
]

/** The last changes: a correction that went out without a review, shortly before now. */
const hotfix = (build: DemoBuild): ReadonlyArray<Change> => [
  deployed(build, "staging", 10 * MINUTE),
  deployed(build, "production-eu", 20 * MINUTE)
]

const last = <A>(all: ReadonlyArray<A>): A | undefined => all[all.length - 1]

/** Every change of the year, in order. */
export const changesOf = (
  builds: ReadonlyArray<DemoBuild>,
  correction: DemoBuild,
  until: number
): ReadonlyArray<Change> =>
  [
    ...builds.flatMap(deploymentsOf),
    ...builds.flatMap((build) => {
      const before = last(
        builds.filter(
          (other) => other.service === build.service && other.at < build.at && isGood(other)
        )
      )
      return isMistake(build) && before !== undefined ? mistake(build, before) : []
    }),
    ...hotfix(correction),
    ...strangers(until)
  ]
    .filter(({ at, environment }) => at < until - (environment === "ledger-hosts" ? SILENCE : 0))
    .sort((left, right) => left.at - right.at)

/** The report after each change, and at last one of every environment that is not silent. */
export const reportsOf = (
  changes: ReadonlyArray<Change>,
  until: number
): ReadonlyArray<DemoRequest> => {
  const running = new Map(NAMES.map((name) => [name, new Map<string, Running>()]))
  const reports = changes.map(({ at, environment, slot, runs }) => {
    const slots = running.get(environment) ?? new Map<string, Running>()
    if (runs === undefined) slots.delete(slot)
    else slots.set(slot, { artifact: runs.artifact, fingerprint: runs.fingerprint, since: at })
    return report(environment, at + 30_000, slots.values())
  })
  const now = NAMES.filter((name) => name !== "ledger-hosts").map((name, index) =>
    report(name, until - (20 + index) * 1000, running.get(name)?.values() ?? [])
  )
  return [...reports, ...now]
}

/** The scan that was missing when a build went to staging, and comes some hours later. */
export const lateScans = (builds: ReadonlyArray<DemoBuild>): ReadonlyArray<DemoRequest> =>
  builds.filter(({ flaw }) => flaw === "no-scan").map((build) => scan(build, 5 * 60))
