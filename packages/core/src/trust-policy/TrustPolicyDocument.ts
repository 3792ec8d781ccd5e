/**
 * A trust policy: whose signatures an org trusts with which evidence, and the thresholds of default outcomes.
 *
 * Parses YAML text into typed rules, and prints them. Parsing reports every problem at once, each with its path, its
 * position and the correction. Whether the bytes of a key are a key is known where cryptography is, not here.
 */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as DocumentProblem from "../shared/DocumentProblem.js"
import type { FieldErrors } from "../shared/FieldErrors.js"
import * as YamlText from "../shared/YamlText.js"
import type { Path } from "./internal/PartReader.js"
import { TrustPolicyReader } from "./internal/TrustPolicyReader.js"

/** The most keys and rules of a trust policy, and the most characters of its texts and of a key. */
export {
  KEYS_MAX,
  PUBLIC_KEY_LENGTH_MAX,
  RULES_MAX,
  TEXT_LENGTH_MAX
} from "./internal/TrustPolicySyntax.js"
/** The text of a trust policy. */
export { print } from "./internal/TrustPolicyText.js"

/** The severities at which a finding makes a scan non-compliant; `any` is every finding. */
export const FAIL_ON = ["any", "low", "medium", "high", "critical"] as const
/** The severity at which a finding makes a scan non-compliant. */
export type FailOn = (typeof FAIL_ON)[number]

/** A public key. */
export interface TrustedKey {
  readonly id: string
  /** The key in PEM (SubjectPublicKeyInfo). */
  readonly publicKey: string
  /** Epoch seconds from which it does not count any more; null without an end. */
  readonly validUntil: number | null
}

/** The signatures that a rule accepts: of keys, or of a Sigstore identity. */
export type TrustedSigner =
  | {
      readonly kind: "keys"
      /** Ids of keys of the policy. */
      readonly keys: ReadonlyArray<string>
      /** How many different keys must have signed. */
      readonly threshold: number
    }
  | {
      readonly kind: "sigstore"
      /** Names of trust roots. */
      readonly roots: ReadonlyArray<string>
      /** The exact issuer of the identity. */
      readonly issuer: string
      /** A pattern of the subject alternative name. */
      readonly san: string
      readonly sourceRepositoryId: string | null
    }

/** A rule: it trusts a signer with some evidence. Patterns are those of `TrustPattern`. */
export interface TrustRule {
  readonly name: string
  /** Kinds; empty if the rule names predicates instead. */
  readonly kinds: ReadonlyArray<string>
  /** Patterns of predicate types; empty if the rule names kinds. */
  readonly predicates: ReadonlyArray<string>
  readonly signer: TrustedSigner
  /** A pattern of `builder_id`; null accepts every builder. */
  readonly builder: string | null
  readonly buildLevel: number | null
  readonly source: { readonly repository: string | null; readonly ref: string | null } | null
  /** A pattern of the build type; null accepts every one. */
  readonly buildType: string | null
  /** Expected external parameters by name; null expects none. */
  readonly parameters: { readonly [name: string]: string } | null
  /** Whether external parameters that the rule does not name make a mismatch. */
  readonly strictParameters: boolean
  /** The flows whose artifacts the rule speaks about; null for all. */
  readonly flows: ReadonlyArray<string> | null
  /** Patterns of verifiers of verification summaries; null accepts every one. */
  readonly verifiers: ReadonlyArray<string> | null
  /** The properties that a simple verification result must have. */
  readonly properties: ReadonlyArray<string>
}

/** A trust policy with its defaults filled in. */
export interface TrustPolicyDocument {
  /** The address in `_schema`, as given. */
  readonly schema: string
  readonly failOn: FailOn
  /** The least line coverage in percent; null without one. */
  readonly minLines: number | null
  readonly keys: ReadonlyArray<TrustedKey>
  readonly rules: ReadonlyArray<TrustRule>
  /** The kinds whose attestations are non-compliant unless verified. */
  readonly mustBeVerified: ReadonlyArray<string>
}

/** The policy of an org without one: it trusts no signature. */
export const NONE: TrustPolicyDocument = {
  schema: "",
  failOn: "any",
  minLines: null,
  keys: [],
  rules: [],
  mustBeVerified: []
}

/** A text that is no trust policy. The path of a problem is dotted: `rules.0.signer.keys`. */
export class InvalidTrustPolicyDocument extends Schema.TaggedError<InvalidTrustPolicyDocument>()(
  "InvalidTrustPolicyDocument",
  {
    problems: Schema.NonEmptyArray(DocumentProblem.DocumentProblem)
  }
) {
  override get message(): string {
    const [{ column, line, message, path }, ...others] = this.problems
    const more = others.length === 0 ? "" : ` (and ${others.length} more)`
    return `invalid trust policy: \`${path}\` at line ${line}, column ${column}: ${message}${more}`
  }
}

/** One problem of a trust policy: its path, its position and its message. */
export type TrustPolicyProblem = InvalidTrustPolicyDocument["problems"][number]

/** The path of a problem of the whole document, such as a syntax error. */
export const ROOT_PATH = "trust_yaml"

/** The problems keyed by path; those of one path become one text. */
export const fieldErrors = ({ problems }: InvalidTrustPolicyDocument): FieldErrors =>
  DocumentProblem.fieldErrors(problems)

/** What a deployment knows about the trust material that a policy names. */
export interface MaterialChecks {
  /** The name of another trust root is a problem; with null, names of roots are not checked. */
  readonly knownRoots: ReadonlySet<string> | null
  /** Why a key in PEM cannot verify signatures; null if it can. */
  readonly keyProblemOf: (pem: string) => string | null
}

/** Nothing is known: every name and every key in the form of PEM is accepted. */
const UNCHECKED: MaterialChecks = { knownRoots: null, keyProblemOf: () => null }

const read = (
  { positionOf, value }: YamlText.YamlDocument,
  checks: MaterialChecks
): Either.Either<TrustPolicyDocument, InvalidTrustPolicyDocument> => {
  const problems: Array<TrustPolicyProblem> = []
  const note = (path: Path, message: string): void => {
    // WHY one more than the limit: it shows that there are more.
    if (problems.length <= YamlText.PROBLEMS_MAX)
      problems.push({ path: path.join(".") || ROOT_PATH, ...positionOf(path), message })
  }
  const document = new TrustPolicyReader(note, checks).read(value)
  const [first, ...others] = problems.sort(
    (left, right) => left.line - right.line || left.column - right.column
  )
  return first === undefined
    ? Either.right(document)
    : Either.left(new InvalidTrustPolicyDocument({ problems: [first, ...others] }))
}

/** Parses a trust policy, or reports all its problems; roots and keys are problems by the checks alone. */
export const parse = (
  text: string,
  checks: Partial<MaterialChecks> = {}
): Either.Either<TrustPolicyDocument, InvalidTrustPolicyDocument> =>
  Either.flatMap(
    Either.mapLeft(YamlText.parse(text), ({ problems: [first, ...others] }) => {
      const unplaced = (problem: YamlText.YamlProblem): TrustPolicyProblem => ({
        path: ROOT_PATH,
        ...problem
      })
      return new InvalidTrustPolicyDocument({
        problems: [unplaced(first), ...others.map(unplaced)]
      })
    }),
    (document) => read(document, { ...UNCHECKED, ...checks })
  )
