/**
 * The kinds of environments: eight physical kinds with reports, and `logical`, which groups them.
 *
 * Words are exact; a wrong case is refused, not folded. Some kinds have a second word, which existing clients send;
 * both words mean one kind. `ReportedUnit` has the report of each kind. DECISIONS.md, "Neutral words on the wire and
 * product names for people"
 */
import * as Schema from "effect/Schema"

/** A kind of environment with reports. */
export const PhysicalKind = Schema.Literal(
  "K8S",
  "container-tasks",
  "object-store",
  "functions",
  "server",
  "docker",
  "cloudx-apps",
  "serverless-run"
).annotations({ identifier: "PhysicalKind" })
/** A kind of environment with reports. */
export type PhysicalKind = typeof PhysicalKind.Type

/** Every kind of environment; the kind of an environment never changes. */
export const EnvironmentKind = Schema.Literal(...PhysicalKind.literals, "logical").annotations({
  identifier: "EnvironmentKind"
})
/** Every kind of environment. */
export type EnvironmentKind = typeof EnvironmentKind.Type

/** Whether environments of this kind have reports. */
export const isPhysical: (kind: EnvironmentKind) => kind is PhysicalKind = Schema.is(PhysicalKind)

/** The second words of kinds, each with its kind. */
export const ALIASES = {
  ECS: "container-tasks",
  lambda: "functions",
  S3: "object-store",
  "azure-apps": "cloudx-apps",
  "cloud-run": "serverless-run"
} as const satisfies { readonly [alias: string]: PhysicalKind }

/** The second word of a kind. */
export const KindAlias = Schema.Literal(
  "ECS",
  "lambda",
  "S3",
  "azure-apps",
  "cloud-run"
).annotations({ identifier: "KindAlias" })
/** The second word of a kind. */
export type KindAlias = typeof KindAlias.Type

/** A kind in a request or a response: its word, or its second word. */
export const KindWord = Schema.Literal(
  ...EnvironmentKind.literals,
  ...KindAlias.literals
).annotations({ identifier: "EnvironmentKindWord" })
/** A kind in a request or a response. */
export type KindWord = typeof KindWord.Type

/** Whether a word is the second word of a kind. */
export const isAlias: (word: KindWord) => word is KindAlias = Schema.is(KindAlias)

/** The kind that a word means. */
export const fromWord = (word: KindWord): EnvironmentKind => (isAlias(word) ? ALIASES[word] : word)

/** Both words of a kind, or its only one. */
export const wordsOf = <K extends EnvironmentKind>(kind: K): readonly [K, ...Array<KindAlias>] => [
  kind,
  ...KindAlias.literals.filter((alias) => ALIASES[alias] === kind)
]
