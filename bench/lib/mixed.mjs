/**
 * The mixed load: what pipelines, reporters and people do at the same time, through the published client.
 *
 * Each worker walks through builds of its own: begin a trail, report an artifact, attest, report what runs
 * in an environment of its own (a new version, then the same again), and read. Workers count what was
 * acknowledged, so that `verify` can hold the record against it.
 */
import { attestry } from "@attestry/client/PromiseClient"
import { artifactOf, attestationOf } from "./evidence.mjs"

const FLOW = "mixed"
const SUITES = [
  {
    name: "unit",
    total: 12,
    failures: 0,
    errors: 0,
    skipped: 1,
    duration: 2.5,
    timestamp: 1_790_000_000
  }
]

/** The operations of one build, by name; every worker repeats them in this order. */
const buildOf = (client, { org, worker, number }) => {
  const index = worker * 1_000_000 + number
  const trail = `build-${worker}-${number}`
  const path = { org, flow_name: FLOW }
  const onTrail = { ...path, trail_name: trail }
  const environment = { org, env_name: `place-${worker}` }
  const artifact = artifactOf(trail, index)
  const running = {
    digests: { [artifact.filename]: artifact.fingerprint },
    creationTimestamp: 1_790_000_000 + number
  }
  const report = () =>
    client.report.docker({ path: environment, payload: { artifacts: [running] } })
  return {
    "begin a trail": () =>
      client.trail.begin({
        path,
        payload: { name: trail, git_commit_info: artifact.git_commit_info }
      }),
    "report an artifact": () => client.artifact.report({ path, payload: artifact }),
    attest: () => client.attestation.generic({ path: onTrail, payload: attestationOf(index) }),
    "attest tests": () =>
      client.attestation.junit({
        path: onTrail,
        payload: { attestation_name: "tests", junit_results: SUITES }
      }),
    "report a new version": report,
    "report the same": report,
    "read the snapshot": () =>
      client.snapshot.get({
        path: { ...environment, snapshot_expression: "~0" }
      }),
    "read the trail": () => client.trail.get({ path: onTrail }),
    "search a commit": () =>
      client.search.trailsOfCommit({ path: { org, sha: artifact.git_commit }, urlParams: {} })
  }
}

/** A client for many servers: each request goes to the next one that runs. */
export const clientFor = (servers, { apiKey, retry }) => {
  let turn = 0
  const byTurns = (input, init) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input)
    const running = servers()
    const { url } = running[turn++ % running.length]
    return fetch(`${url}${pathname}${search}`, init)
  }
  return attestry({ baseUrl: "http://attestry.invalid", apiKey, fetch: byTurns, retry })
}

/** Makes the flow and the environments that `workers` workers need. */
export const prepare = async (client, { org, workers }) => {
  await client.flow.put({ path: { org }, payload: { name: FLOW, description: "" } })
  for (let worker = 0; worker < workers; worker++) {
    const payload = { name: `place-${worker}`, type: "docker" }
    await client.environment.put({ path: { org }, payload })
  }
}

/**
 * Starts the workers. `stop()` lets each finish the build that it is at, and gives how many builds each has
 * done, how many operations that were, and the ones that failed for good.
 */
export const startMixedLoad = (client, { org, workers }) => {
  const failed = []
  const builds = Array.from({ length: workers }, () => 0)
  let operations = 0
  let going = true
  const perform = async (name, operation) => {
    operations++
    try {
      await operation()
    } catch (error) {
      failed.push(`${name}: ${error}`)
    }
  }
  const work = async (worker) => {
    while (going) {
      const build = buildOf(client, { org, worker, number: builds[worker] + 1 })
      for (const [name, operation] of Object.entries(build)) await perform(name, operation)
      builds[worker]++
    }
  }
  const done = Promise.all(builds.map((_, worker) => work(worker)))
  return {
    stop: async () => {
      going = false
      await done
      return { builds, operations, failed }
    }
  }
}

/** How many attestations are on the trail of a build, whose trail and artifact must be there. */
const attestationsOf = async (client, { org, worker, number }) => {
  const trail = `build-${worker}-${number}`
  const { fingerprint } = artifactOf(trail, worker * 1_000_000 + number)
  await client.trail.get({ path: { org, flow_name: FLOW, trail_name: trail } })
  await client.artifact.get({ path: { org, flow_name: FLOW, fingerprint }, urlParams: {} })
  const urlParams = { flow_name: [FLOW], trail_name: trail }
  const { data } = await client.attestation.list({ path: { org }, urlParams })
  return data.length
}

const wrongWithBuild = async (client, build) => {
  try {
    const count = await attestationsOf(client, build)
    return count === 2 ? [] : [`build ${build.number} of ${build.worker} has ${count} attestations`]
  } catch (error) {
    return [`build ${build.number} of ${build.worker}: ${error}`]
  }
}

const wrongWithPlace = async (client, { org, worker, count }) => {
  const path = {
    org,
    env_name: `place-${worker}`,
    snapshot_expression: "~0"
  }
  const { index } = await client.snapshot.get({ path })
  return index === count ? [] : [`place-${worker} has ${index} snapshots after ${count} versions`]
}

/** Everything that was acknowledged is there, and nothing twice: gives what is wrong, one line each. */
export const verify = async (client, { org, builds }) => {
  const wrong = []
  for (const [worker, count] of builds.entries()) {
    for (let number = 1; number <= count; number++) {
      wrong.push(...(await wrongWithBuild(client, { org, worker, number })))
    }
    wrong.push(...(await wrongWithPlace(client, { org, worker, count })))
  }
  return wrong
}
