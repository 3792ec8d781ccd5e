/** The builds of a service over a year: when each began, how it went, and what its pipeline reports. */
import type { PCGRandom } from "effect/Utils"
import { commitOf, fingerprintOf } from "./DemoDigest.js"
import { DAY, type DemoRequest, HOUR, MINUTE } from "./DemoRequest.js"
import { artifactName, type DemoService } from "./DemoService.js"

/** How a build went. */
export type Flaw = "none" | "failed-tests" | "no-scan" | "findings" | "no-review"

/** A build. */
export interface DemoBuild {
  readonly service: DemoService
  readonly number: number
  readonly at: number
  readonly flaw: Flaw
  readonly artifact: string
  readonly fingerprint: string
  readonly commit: string
}

/** Days between two builds of a service: fewer, the nearer to the end of the year. */
const gapDays = (ageDays: number): number => (ageDays > 120 ? 21 : ageDays > 35 ? 9 : 2.5)

const flawOf = (random: PCGRandom): Flaw => {
  const drawn = random.number()
  if (drawn < 0.05) return "failed-tests"
  if (drawn < 0.08) return "no-scan"
  if (drawn < 0.11) return "findings"
  return drawn < 0.125 ? "no-review" : "none"
}

/** A build with its names, which follow from its number. */
export const buildOf = (
  service: DemoService,
  { number, at, flaw }: Pick<DemoBuild, "number" | "at" | "flaw">
): DemoBuild => {
  const artifact = artifactName(service, number)
  return {
    service,
    number,
    at,
    flaw,
    artifact,
    fingerprint: fingerprintOf(artifact),
    commit: commitOf(`${service.name} ${number}`)
  }
}

/** The builds of a service until an instant, oldest first. */
export const buildsOf = (
  service: DemoService,
  random: PCGRandom,
  until: number
): ReadonlyArray<DemoBuild> => {
  const builds: Array<DemoBuild> = []
  let at = until - 360 * DAY + random.number() * 8 * DAY
  for (let number = 1; at < until - 5 * HOUR; number++) {
    // WHY: the first build has no flaw, so that something can be deployed.
    const flaw = number === 1 ? "none" : flawOf(random)
    builds.push(buildOf(service, { number, at, flaw }))
    at += gapDays((until - at) / DAY) * DAY * (0.6 + 0.8 * random.number())
  }
  return builds
}

/** Whether a build may go to production. */
export const isGood = ({ flaw }: DemoBuild): boolean => flaw === "none"

const trailOf = ({ commit }: DemoBuild): string => commit.slice(0, 7)

const commitInfo = (build: DemoBuild) => ({
  sha1: build.commit,
  message: `Change ${build.number} of ${build.service.name}`,
  author: build.service.team,
  branch: "main",
  timestamp: Math.floor((build.at - 20 * MINUTE) / 1000),
  url: `https://git.example.com/${build.service.name}/commit/${build.commit}`
})

const repoInfo = ({ service }: DemoBuild) => ({
  id: `repo-${service.name}`,
  name: `example/${service.name}`,
  namespace_path: ["example"],
  url: `https://git.example.com/${service.name}`,
  provider: "github"
})

/** Reports a piece of evidence of a build, some minutes after it began. */
const evidence = (
  build: DemoBuild,
  after: number,
  [type, body]: readonly [type: string, body: object]
): DemoRequest => ({
  at: build.at + after * MINUTE,
  operation: `POST /attestations/{org}/${build.service.name}/trail/${trailOf(build)}/${type}`,
  body: { origin_url: `https://ci.example.com/${build.service.name}/${build.number}`, ...body }
})

const onArtifact = (build: DemoBuild) => ({ artifact_fingerprint: build.fingerprint })

const begin = (build: DemoBuild): DemoRequest => ({
  at: build.at,
  operation: `PUT /trails/{org}/${build.service.name}`,
  body: {
    name: trailOf(build),
    description: `Change ${build.number}`,
    git_commit_info: commitInfo(build),
    repo_info: repoInfo(build)
  }
})

const artifact = (build: DemoBuild): DemoRequest => ({
  at: build.at + 3 * MINUTE,
  operation: `POST /artifacts/{org}/${build.service.name}`,
  body: {
    fingerprint: build.fingerprint,
    filename: build.artifact,
    build_url: `https://ci.example.com/${build.service.name}/${build.number}`,
    commit_url: `https://git.example.com/${build.service.name}/commit/${build.commit}`,
    git_commit: build.commit,
    git_commit_info: commitInfo(build),
    repo_info: repoInfo(build),
    trail_name: trailOf(build),
    template_reference_name: "app"
  }
})

const review = (build: DemoBuild): DemoRequest =>
  evidence(build, 1, [
    "pull_request",
    {
      attestation_name: "review",
      git_provider: "github",
      pull_requests: [
        {
          url: `https://git.example.com/${build.service.name}/pull/${build.number}`,
          state: "MERGED",
          title: `Change ${build.number} of ${build.service.name}`,
          author: build.service.team,
          approvers: ["platform-team"],
          merge_commit: build.commit
        }
      ]
    }
  ])

const tests = (build: DemoBuild): DemoRequest => {
  const total = 80 + (build.number % 40)
  const failures = build.flaw === "failed-tests" ? 1 + (build.number % 3) : 0
  const suite = { name: "unit", failures, errors: 0, skipped: 1, total, duration: 12.5 }
  return evidence(build, 4, [
    "junit",
    { attestation_name: "unit-tests", ...onArtifact(build), junit_results: [suite] }
  ])
}

/** The scan of a build, some minutes after it began. */
export const scan = (build: DemoBuild, after = 9): DemoRequest => {
  const found = build.flaw === "findings" ? 1 + (build.number % 3) : 0
  const results = [{ high_count: found, medium_count: 2 * found, low_count: 0 }]
  return evidence(build, after, [
    "snyk",
    { attestation_name: "scan", ...onArtifact(build), snyk_results: { results } }
  ])
}

const sbom = (build: DemoBuild): DemoRequest =>
  evidence(build, 8, [
    "system",
    {
      attestation_name: "sbom",
      type_name: "sbom",
      ...onArtifact(build),
      attestation_data: {
        format: "cyclonedx",
        document: {
          created_at: new Date(build.at).toISOString(),
          subject: { name: build.service.name, version: `1.${build.number}` },
          package_count: 140 + (build.number % 60)
        }
      }
    }
  ])

const decision = (build: DemoBuild): DemoRequest =>
  evidence(build, 12, [
    "system",
    {
      attestation_name: "release-decision",
      type_name: "decision",
      control: "SDLC-1",
      ...onArtifact(build),
      attestation_data: {
        is_compliant: build.flaw !== "failed-tests" && build.flaw !== "no-review"
      }
    }
  ])

/** The reports of the pipeline of a build. */
export const requestsOf = (build: DemoBuild): ReadonlyArray<DemoRequest> => [
  begin(build),
  ...(build.flaw === "no-review" ? [] : [review(build)]),
  artifact(build),
  tests(build),
  ...(build.flaw === "failed-tests" ? [] : [sbom(build)]),
  ...(build.flaw === "no-scan" || build.flaw === "failed-tests" ? [] : [scan(build)]),
  ...(build.service.risk === "high" ? [decision(build)] : [])
]

/** Replaces the outcome of the scan of a build, with a reason. */
export const overrideScan = (build: DemoBuild, at: number): DemoRequest => ({
  at,
  operation: `POST /attestations/{org}/${build.service.name}/trail/${trailOf(build)}/override`,
  body: {
    attestation_name: "scan",
    ...onArtifact(build),
    original_attestation_type: "snyk",
    new_compliance_status: true,
    reason: "The findings are in code that is not shipped; see RISK-31"
  }
})
