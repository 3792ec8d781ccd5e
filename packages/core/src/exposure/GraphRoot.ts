/**
 * The thing that a graph is asked for, as a text: its type, a colon, and its name. SPEC §4.3
 *
 * The ids of nodes have the same form, so that the id of a node can be asked for next; only a flow is no root.
 */
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Fingerprint } from "../artifact/Fingerprint.js"
import {
  AttestationId,
  CommitSha,
  ControlIdentifier,
  EnvironmentName,
  FlowName,
  PolicyName,
  TrailName
} from "../shared/Identifier.js"
import type { NodeDescription } from "./Graph.js"

/** A trail as a root. */
export interface TrailRoot {
  readonly _tag: "trail"
  readonly flow: FlowName
  readonly trail: TrailName
}

/** The thing that a graph is asked for, by name. */
export type GraphRoot =
  | { readonly _tag: "fingerprint"; readonly fingerprint: Fingerprint }
  | { readonly _tag: "commit"; readonly commit: CommitSha }
  | TrailRoot
  | { readonly _tag: "attestation"; readonly id: AttestationId }
  | { readonly _tag: "environment"; readonly environment: EnvironmentName }
  | { readonly _tag: "policy"; readonly policy: PolicyName }
  | { readonly _tag: "control"; readonly control: ControlIdentifier }

/** The id of a node: for all but flows the text of a root, by which it can be asked for. */
export const idOf = ({ flow, label, node, trail }: NodeDescription): string => {
  switch (node.type) {
    case "artifact":
      return `fingerprint:${node.key}`
    case "trail":
      return `trail:${flow}/${trail}`
    case "commit":
    case "attestation":
    case "control":
      return `${node.type}:${node.key}`
    case "flow":
    case "environment":
    case "policy":
      return `${node.type}:${label}`
  }
}

/** The forms of a root, for messages and documents. */
export const FORMS = [
  "fingerprint:…",
  "commit:…",
  "trail:FLOW/TRAIL",
  "attestation:ID",
  "environment:NAME",
  "policy:NAME",
  "control:ID"
] as const

const NAME = "[a-zA-Z0-9][a-zA-Z0-9._~-]{0,254}"

/** The pattern of a root, for documents; `parse` says more about what does not fit. */
export const PATTERN = `^(fingerprint:[a-f0-9]{64}|commit:[a-f0-9]{40}|trail:${NAME}/${NAME}|\
attestation:[0-9A-Za-z_-]{1,64}|environment:[a-zA-Z0-9][a-zA-Z0-9._-]{0,254}|policy:${NAME}|\
control:[a-zA-Z0-9][a-zA-Z0-9._~-]{0,255})$`

/** A root has at most this many characters: two names and the longest type. */
export const LENGTH_MAX = 600

const ATTESTATION_ID = /^[0-9A-Za-z_-]{1,64}$/

const decoder = <A>(schema: Schema.Schema<A, string>) => Schema.decodeUnknownOption(schema)

const fingerprintOf = decoder(Fingerprint)
const commitOf = decoder(CommitSha)
const flowOf = decoder(FlowName)
const trailOf = decoder(TrailName)
const environmentOf = decoder(EnvironmentName)
const policyOf = decoder(PolicyName)
const controlOf = decoder(ControlIdentifier)

type Read = (name: string) => Option.Option<GraphRoot>

const TYPES: ReadonlyMap<string, { readonly read: Read; readonly asks: string }> = new Map([
  [
    "fingerprint",
    {
      read: (name) =>
        Option.map(fingerprintOf(name), (fingerprint) => ({ _tag: "fingerprint", fingerprint })),
      asks: "`fingerprint:` goes before 64 hexadecimal digits in lower case"
    }
  ],
  [
    "commit",
    {
      read: (name) => Option.map(commitOf(name), (commit) => ({ _tag: "commit", commit })),
      asks: "`commit:` goes before 40 hexadecimal digits in lower case"
    }
  ],
  [
    "trail",
    {
      read: (name) => {
        const [flow = "", trail = "", ...rest] = name.split("/")
        if (rest.length > 0) return Option.none()
        return Option.zipWith(flowOf(flow), trailOf(trail), (of, named) => ({
          _tag: "trail" as const,
          flow: of,
          trail: named
        }))
      },
      asks: "`trail:` goes before the name of a flow, a slash, and the name of a trail"
    }
  ],
  [
    "attestation",
    {
      read: (name) =>
        ATTESTATION_ID.test(name)
          ? Option.some({ _tag: "attestation", id: AttestationId.make(name) })
          : Option.none(),
      asks: "`attestation:` goes before the id of an attestation"
    }
  ],
  [
    "environment",
    {
      read: (name) =>
        Option.map(environmentOf(name), (environment) => ({ _tag: "environment", environment })),
      asks: "`environment:` goes before the name of an environment"
    }
  ],
  [
    "policy",
    {
      read: (name) => Option.map(policyOf(name), (policy) => ({ _tag: "policy", policy })),
      asks: "`policy:` goes before the name of a policy"
    }
  ],
  [
    "control",
    {
      read: (name) => Option.map(controlOf(name), (control) => ({ _tag: "control", control })),
      asks: "`control:` goes before the identifier of a control"
    }
  ]
])

/** The root of a text, or a sentence that says what the text should be. */
export const parse = (text: string): Either.Either<GraphRoot, string> => {
  const colon = text.indexOf(":")
  const type = colon === -1 ? undefined : TYPES.get(text.slice(0, colon))
  if (type === undefined || text.length > LENGTH_MAX)
    return Either.left(`Input should be one of \`${FORMS.join("`, `")}\``)
  return Either.fromOption(
    type.read(text.slice(colon + 1)),
    () => `Input should be a root: ${type.asks}`
  )
}

/** The text of a root; `parse` reads it back. */
export const print = (root: GraphRoot): string => {
  switch (root._tag) {
    case "fingerprint":
      return `fingerprint:${root.fingerprint}`
    case "commit":
      return `commit:${root.commit}`
    case "trail":
      return `trail:${root.flow}/${root.trail}`
    case "attestation":
      return `attestation:${root.id}`
    case "environment":
      return `environment:${root.environment}`
    case "policy":
      return `policy:${root.policy}`
    case "control":
      return `control:${root.control}`
  }
}
