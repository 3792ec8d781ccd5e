/** Flows, policies, controls and exceptions of the demo, and their changes over the year. */
import { REDIS } from "./DemoDeployment.js"
import { ENVIRONMENTS, LOGICAL, NAMES } from "./DemoEnvironment.js"
import { DAY, type DemoRequest } from "./DemoRequest.js"
import { SERVICES } from "./DemoService.js"

const TEMPLATE = `version: 1
trail:
  attestations:
    - name: review
      type: pull_request
  artifacts:
    - name: app
      attestations:
        - name: unit-tests
          type: junit
        - name: scan
          type: snyk
        - name: sbom
          type: sbom
`

const SCHEMA = "_schema: https://example.com/schemas/environment-policy/v1"

const KNOWN_BUILDS = `${SCHEMA}
artifacts:
  provenance:
    required: true
`

const REQUIREMENTS = [
  {
    age: 364,
    comment: "Begin with provenance",
    yaml: KNOWN_BUILDS
  },
  {
    age: 240,
    comment: "Ask for tests",
    yaml: `${KNOWN_BUILDS}  attestations:
    - name: unit-tests
      type: junit
`
  },
  {
    age: 75,
    comment: "Ask for a scan, a review and a decision where the risk is high",
    yaml: `${KNOWN_BUILDS}  attestations:
    - name: unit-tests
      type: junit
    - name: scan
      type: snyk
    - name: review
      type: pull_request
    - type: decision
      if: \${{ flow.tags.risk == "high" }}
      for_control: SDLC-1
`
  }
]

const CONTROLS = [
  ["SDLC-1", "Release decision", "A person decides about releases of services with a high risk"],
  ["SDLC-2", "Tests", "Every build is tested, and failures stop it"],
  ["SDLC-3", "Vulnerability scan", "Every build is scanned before it goes to production"],
  ["SDLC-4", "Licence check", "Licences of all packages are known; not enforced yet"]
] as const

const put = (at: number, operation: string, body: unknown): DemoRequest => ({ at, operation, body })

const controls = (from: number): ReadonlyArray<DemoRequest> =>
  CONTROLS.map(([identifier, name, description]) =>
    put(from, "POST /controls/{org}", { identifier, name, description })
  )

const policies = (until: number): ReadonlyArray<DemoRequest> => [
  put(until - 364 * DAY, "PUT /policies/{org}/known-builds", {
    policy_yaml: KNOWN_BUILDS,
    description: "Only what a flow has built may run",
    comment: "Begin"
  }),
  ...REQUIREMENTS.map(({ age, comment, yaml }) =>
    put(until - age * DAY, "PUT /policies/{org}/production-requirements", {
      policy_yaml: yaml,
      description: "What production asks of a build",
      comment
    })
  )
]

const flows = (from: number): ReadonlyArray<DemoRequest> =>
  SERVICES.flatMap(({ name, description, team, risk }) => [
    put(from, "PUT /flows/{org}/template_file", { name, description, template_file: TEMPLATE }),
    put(from, `PATCH /tags/{org}/flow/${name}`, { set_tags: { team, risk } })
  ])

const environments = (from: number): ReadonlyArray<DemoRequest> => [
  ...NAMES.flatMap((name) => {
    const { kind, description, tags, policies } = ENVIRONMENTS[name]
    return [
      put(from, "PUT /environments/{org}", { name, type: kind, description, policies }),
      put(from, `PATCH /tags/{org}/environment/${name}`, { set_tags: tags })
    ]
  }),
  put(from, "PUT /environments/{org}", {
    name: LOGICAL.name,
    type: "logical",
    description: "All of production as one",
    included_environments: LOGICAL.members
  })
]

const accounts = (from: number): ReadonlyArray<DemoRequest> =>
  [
    ["ci-builder", "Pipelines report evidence with it"],
    ["cluster-reporter", "Clusters report what runs with it"]
  ].flatMap(([name, description]) => [
    put(from, "POST /service-accounts/{org}", { name, description, privilege: "member" }),
    put(from, `POST /service-accounts/{org}/${name}/api-keys`, {
      description: "the key of pipelines",
      expires_at: Math.floor(from / 1000) + 2 * 365 * 86_400
    })
  ])

/** The cache that ran without provenance, allowed two days later. */
const exception = (until: number): DemoRequest =>
  put(until - 148 * DAY, "PUT /allowlists/{org}/production-us", {
    artifact_fingerprint: REDIS.fingerprint,
    artifact_name: REDIS.artifact,
    description: "Vendor image, checked by hand; see RISK-12"
  })

const notification = (from: number): DemoRequest =>
  put(from, "PUT /organizations/{org}/environments_notifications", {
    name: "production alerts",
    environments: ["production-eu", "production-us", "payments-tasks"],
    triggers: ["ON_NON_COMPLIANT_ENV"],
    targets: [{ type: "EMAIL", emails: ["on-call@example.com"] }]
  })

/** Everything that people set up. */
export const requestsOf = (until: number): ReadonlyArray<DemoRequest> => {
  const from = until - 364 * DAY
  return [
    ...controls(from),
    ...policies(until),
    ...flows(from),
    ...environments(from),
    ...accounts(from),
    // WHY today: everything before would be sent by mail at once.
    notification(until - DAY),
    exception(until)
  ]
}
