/** The commands of the first steps, for the program `attestry`, and those that prepare it. */
import { quote } from "../shell/ShellWord.js"
import type { StepName } from "./Steps.js"

/** The policy that the first steps offer. */
export const KNOWN_BUILDS = {
  name: "known-builds",
  policy_yaml: `_schema: https://attestry.example/schemas/policy/v1
artifacts:
  provenance:
    required: true
`
} as const

/** The names that commands have while there are none yet. */
export const EXAMPLE = {
  flow: "shop",
  trail: "build-1",
  environment: "production",
  kind: "server",
  /** A file or folder that was built. */
  path: "dist"
} as const

/** The inputs of commands. */
export interface Place {
  readonly origin: string
  readonly org: string
  readonly flow: string
  readonly environment: string
  readonly kind: string
}

/** The commands that prepare a terminal; the key is not in them. */
export const preparing = ({
  origin,
  org
}: Pick<Place, "origin" | "org">): ReadonlyArray<string> => [
  "npm install --global @attestry/cli",
  `export ATTESTRY_URL=${quote(origin)} ATTESTRY_ORG=${quote(org)} ATTESTRY_API_KEY=…`
]

/** The command that reports an environment of a kind from its runtime, so that nothing is made up. */
const REPORTERS = new Map([
  ["docker", (environment: string) => `attestry report docker ${quote(environment)}`],
  ["K8S", (environment: string) => `attestry report kubernetes ${quote(environment)}`],
  [
    "server",
    (environment: string) =>
      `attestry report paths ${quote(environment)} --path app=${EXAMPLE.path}`
  ]
])

/** The commands of a step; none for a report of a kind whose command needs more than a name. */
export const commandsOf = (step: StepName, place: Place): ReadonlyArray<string> => {
  const [flow, environment] = [quote(place.flow), quote(place.environment)]
  switch (step) {
    case "flow":
      return [`attestry put flow ${flow}`]
    case "evidence":
      return [
        `attestry begin ${EXAMPLE.trail} --flow ${flow}`,
        `attestry attest artifact ${EXAMPLE.path} --slot app --flow ${flow} --trail ${EXAMPLE.trail}`
      ]
    case "environment":
      return [`attestry put environment ${environment} --kind ${quote(place.kind)}`]
    case "report": {
      const reporter = REPORTERS.get(place.kind)
      return reporter === undefined ? [] : [reporter(place.environment)]
    }
    case "policy":
      return [
        `attestry put policy ${KNOWN_BUILDS.name} - <<'END'\n${KNOWN_BUILDS.policy_yaml}END`,
        `attestry attach ${KNOWN_BUILDS.name} ${environment}`
      ]
  }
}
