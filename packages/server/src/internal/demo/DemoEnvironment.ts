/** The environments of the demo, and how each reports what runs there. */
import type { DemoRequest } from "./DemoRequest.js"
import type { Production } from "./DemoService.js"

/** A thing that runs. */
export interface Running {
  readonly artifact: string
  readonly fingerprint: string
  /** Since when, in milliseconds since the epoch. */
  readonly since: number
}

interface DemoEnvironment {
  readonly kind: string
  readonly description: string
  readonly tags: { readonly [key: string]: string }
  readonly policies: ReadonlyArray<string>
}

/** Every physical environment, by name. */
export const ENVIRONMENTS = {
  "production-eu": {
    kind: "K8S",
    description: "Cluster in Europe",
    tags: { tier: "production", region: "eu" },
    policies: ["known-builds", "production-requirements"]
  },
  "production-us": {
    kind: "K8S",
    description: "Cluster in America",
    tags: { tier: "production", region: "us" },
    policies: ["known-builds", "production-requirements"]
  },
  "payments-tasks": {
    kind: "container-tasks",
    description: "Tasks of payments, apart from all else",
    tags: { tier: "production", region: "eu" },
    policies: ["production-requirements"]
  },
  "invoice-functions": {
    kind: "functions",
    description: "Functions that make invoices",
    tags: { tier: "production", region: "eu" },
    policies: ["known-builds"]
  },
  "site-assets": {
    kind: "object-store",
    description: "Pictures and style sheets",
    tags: { tier: "production", region: "all" },
    policies: ["known-builds"]
  },
  "ledger-hosts": {
    kind: "server",
    description: "Two hosts of the ledger",
    tags: { tier: "production", region: "eu" },
    policies: ["production-requirements"]
  },
  staging: {
    kind: "K8S",
    description: "Everything before it goes to production",
    tags: { tier: "staging" },
    policies: ["known-builds"]
  },
  sandbox: {
    kind: "docker",
    description: "Trials of engineers; no policy on purpose",
    tags: { tier: "development" },
    policies: []
  }
} as const satisfies { readonly [name: string]: DemoEnvironment }

/** The name of a physical environment. */
export type EnvironmentName = keyof typeof ENVIRONMENTS

// WHY: the keys of the table are its type's keys.
const names = Object.keys(ENVIRONMENTS) as ReadonlyArray<EnvironmentName>

/** The names of all physical environments. */
export const NAMES: ReadonlyArray<EnvironmentName> = names

/** Where the services of a place of production run. */
export const PLACES: { readonly [P in Production]: ReadonlyArray<EnvironmentName> } = {
  clusters: ["production-eu", "production-us"],
  tasks: ["payments-tasks"],
  functions: ["invoice-functions"],
  assets: ["site-assets"],
  hosts: ["ledger-hosts"]
}

/** The logical environment, and its members. */
export const LOGICAL = {
  name: "production",
  members: ["production-eu", "production-us", "payments-tasks", "invoice-functions"]
} as const

const shortName = (artifact: string): string => artifact.replace(/^.*\//, "").replace(/[:.].*$/, "")

/** The units of a running artifact, in the form of its kind of environment. */
const unitsOf = (kind: string, running: Running): ReadonlyArray<object> => {
  const { artifact, fingerprint, since } = running
  const unit = {
    digests: { [artifact]: fingerprint },
    creationTimestamp: Math.floor(since / 1000)
  }
  const name = shortName(artifact)
  if (kind === "K8S")
    return ["a", "b"].map((replica) => ({
      ...unit,
      podName: `${name}-${fingerprint.slice(0, 8)}-${replica}`,
      namespace: "shop"
    }))
  if (kind === "container-tasks")
    return [{ ...unit, taskArn: `arn:task:${fingerprint.slice(0, 12)}`, service_name: name }]
  return [unit]
}

/** Reports what runs in an environment. */
export const report = (
  environment: EnvironmentName,
  at: number,
  running: Iterable<Running>
): DemoRequest => {
  const { kind } = ENVIRONMENTS[environment]
  return {
    at,
    operation: `PUT /environments/{org}/${environment}/report/${kind}`,
    body: { artifacts: [...running].flatMap((each) => unitsOf(kind, each)) }
  }
}
