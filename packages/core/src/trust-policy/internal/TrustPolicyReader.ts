/**
 * Decodes a YAML value into a trust policy and notes every problem.
 *
 * It knows shapes, words and limits, not YAML: the caller parses the text and maps paths to positions. WHY `null` is
 * refused everywhere: `flows:` without a list would trust a signer with every flow.
 */
import * as Option from "effect/Option"
import * as EvidenceKind from "../../evidence/EvidenceKind.js"
import { printInput } from "../../shared/FieldErrors.js"
import { FLOW_NAME_PATTERN, NAME_LENGTH_MAX } from "../../shared/Identifier.js"
import * as UtcCalendar from "../../shared/internal/UtcCalendar.js"
import * as Timestamp from "../../shared/Timestamp.js"
import {
  FAIL_ON,
  type MaterialChecks,
  type TrustedKey,
  type TrustedSigner,
  type TrustPolicyDocument,
  type TrustRule
} from "../TrustPolicyDocument.js"
import {
  advice,
  instead,
  isMapping,
  itemOf,
  type Part,
  PartReader,
  type Path,
  type TextRule
} from "./PartReader.js"
import * as PublicKeyText from "./PublicKeyText.js"
import {
  BUILD_LEVEL_MAX,
  END_PATTERN,
  ID_LENGTH_MAX,
  ID_PATTERN,
  ISSUER_PATTERN,
  KEYS_MAX,
  RULES_MAX,
  SAN_PATTERN,
  SCHEMA_PATTERN
} from "./TrustPolicySyntax.js"

const EXAMPLE = "`https://HOST/schemas/trust-policy/v1`"

const some = (expected: string): TextRule => ({ expected })
const PATTERN = some("expected a pattern")
const ID: TextRule = {
  pattern: new RegExp(ID_PATTERN),
  expected: "expected up to 255 letters, digits, `.`, `_`, `-`",
  lengthMax: ID_LENGTH_MAX
}
const SCHEMA: TextRule = {
  pattern: new RegExp(SCHEMA_PATTERN),
  expected: `expected an absolute address that ends with \`/v1\`, such as ${EXAMPLE}`
}
const ISSUER: TextRule = {
  pattern: new RegExp(ISSUER_PATTERN),
  expected: "expected an exact `https` address without wildcards and without a query"
}
const SAN: TextRule = {
  pattern: new RegExp(SAN_PATTERN),
  expected:
    "only wildcards would trust every identity of the issuer: name the workflow or the person"
}
const FLOW: TextRule = {
  pattern: new RegExp(FLOW_NAME_PATTERN),
  expected: "expected the name of a flow",
  lengthMax: NAME_LENGTH_MAX
}

/** The instant of `2027-12-31` or `2027-12-31T12:00:00Z` in epoch seconds. */
const endOf = (text: string): number | null => {
  const moment = text.length === 10 ? `${text}T00:00:00` : text.slice(0, -1)
  return Option.match(UtcCalendar.parseMoment(moment), {
    onNone: () => null,
    onSome: Timestamp.toSeconds
  })
}

const endRegExp = new RegExp(END_PATTERN)

/** Decodes one document; `note` receives every problem. */
export class TrustPolicyReader {
  readonly #parts: PartReader
  readonly #keyIds = new Set<string>()
  readonly #keyBodies = new Map<string, string>()
  readonly #ruleNames = new Set<string>()

  constructor(
    note: (path: Path, message: string) => void,
    private readonly checks: MaterialChecks
  ) {
    this.#parts = new PartReader(note)
  }

  /** The document; parts with a problem have their defaults. */
  read(value: unknown): TrustPolicyDocument {
    const parts = this.#parts
    const root: Part = { path: [], value }
    const member = parts.members(root, [
      "_schema",
      "scan",
      "coverage",
      "keys",
      "rules",
      "must_be_verified"
    ])
    const schema = member("_schema")
    parts.require(root, schema, `add \`_schema:\` with an address such as ${EXAMPLE}`)
    const text = parts.text(schema, SCHEMA) ?? ""
    const failOn = this.#section(member("scan"), "fail_on")
    const minLines = this.#section(member("coverage"), "min_lines")
    const keys = parts
      .list(member("keys"), { most: KEYS_MAX, noun: "keys" })
      .map((part) => this.#key(part))
    return {
      schema: text,
      failOn: parts.word(failOn, FAIL_ON, "severity") ?? "any",
      minLines: parts.number(minLines, { from: 0, to: 100, whole: false }),
      keys,
      rules: parts
        .list(member("rules"), { most: RULES_MAX, noun: "rules" })
        .map((part) => this.#rule(part)),
      mustBeVerified: this.#kinds(member("must_be_verified")) ?? []
    }
  }

  /** The only member of an optional section. */
  #section(part: Part, key: string): Part {
    return part.value === undefined
      ? { path: [...part.path, key], value: undefined }
      : this.#parts.members(part, [key])(key)
  }

  #key(part: Part): TrustedKey {
    const member = this.#parts.members(part, ["id", "public_key", "valid_until"])
    const id = this.#id(part, member("id"))
    return {
      id,
      publicKey: this.#publicKey(part, member("public_key"), id),
      validUntil: this.#end(member("valid_until"))
    }
  }

  #id(part: Part, member: Part): string {
    this.#parts.require(part, member, "add a name that rules have for the key")
    const id = this.#parts.text(member, ID)
    if (id === null) return ""
    if (this.#keyIds.has(id))
      this.#parts.report(member, `another key has the id \`${id}\`: give each key its own`)
    this.#keyIds.add(id)
    return id
  }

  #publicKey(part: Part, member: Part, id: string): string {
    this.#parts.require(part, member, "add the key in PEM")
    if (member.value === undefined) return ""
    const read = PublicKeyText.read(member.value)
    if ("problem" in read) {
      this.#parts.report(member, read.problem)
      return ""
    }
    const problem = this.checks.keyProblemOf(read.text)
    if (problem !== null) this.#parts.report(member, problem)
    // WHY: the same key under two ids would count as two signatures of a threshold.
    const same = this.#keyBodies.get(read.body)
    if (same !== undefined)
      this.#parts.report(member, `this is the same key as \`${same}\`: keep one of them`)
    else this.#keyBodies.set(read.body, id)
    return read.text
  }

  #end(part: Part): number | null {
    const expected =
      "expected a day such as `2027-12-31`, or a second such as `2027-12-31T12:00:00Z`"
    const text = this.#parts.text(part, { pattern: endRegExp, expected })
    if (text === null) return null
    const end = endOf(text)
    if (end === null) this.#parts.report(part, `${expected}${instead(text)}`)
    return end
  }

  #kinds(part: Part): ReadonlyArray<string> | null {
    const expected = "name at least one kind"
    const texts = this.#parts.texts(part, some(expected))
    return (
      texts?.filter((text) => {
        if (EvidenceKind.is(text)) return true
        const among = advice(text, EvidenceKind.ALL, "the kinds are")
        this.#parts.report(itemOf(part, text), `unknown kind \`${printInput(text)}\`: ${among}`)
        return false
      }) ?? null
    )
  }

  #rule(part: Part): TrustRule {
    const parts = this.#parts
    const member = parts.members(part, [
      "name",
      "kinds",
      "predicates",
      "signer",
      "builder",
      "build_level",
      "build_type",
      "source",
      "parameters",
      "strict_parameters",
      "flows",
      "verifiers",
      "properties"
    ])
    const given = [member("kinds"), member("predicates")].filter(({ value }) => value !== undefined)
    if (isMapping(part.value) && given.length !== 1)
      parts.report(
        part,
        given.length === 0
          ? "the rule says nothing about evidence: add `kinds` or `predicates`"
          : "`kinds` and `predicates` exclude each other: remove one of them"
      )
    return {
      name: this.#ruleName(part, member("name")),
      kinds: this.#kinds(member("kinds")) ?? [],
      predicates: parts.texts(member("predicates"), PATTERN) ?? [],
      signer: this.#signer(part, member("signer")),
      builder: parts.text(member("builder"), PATTERN),
      buildLevel: parts.number(member("build_level"), {
        from: 1,
        to: BUILD_LEVEL_MAX,
        whole: true
      }),
      source: this.#source(member("source")),
      buildType: parts.text(member("build_type"), PATTERN),
      parameters: parts.dictionary(member("parameters"), some("expected a value")),
      strictParameters: parts.boolean(member("strict_parameters"), false),
      flows: parts.texts(member("flows"), FLOW),
      verifiers: parts.texts(member("verifiers"), PATTERN),
      properties: parts.texts(member("properties"), some("name at least one property")) ?? []
    }
  }

  #ruleName(part: Part, member: Part): string {
    this.#parts.require(part, member, "add a sentence that says what the rule trusts")
    const name = this.#parts.text(member, {
      expected: "expected a name",
      lengthMax: NAME_LENGTH_MAX
    })
    if (name === null) return ""
    if (this.#ruleNames.has(name))
      this.#parts.report(
        member,
        `another rule has the name \`${printInput(name)}\`: give each rule its own`
      )
    this.#ruleNames.add(name)
    return name
  }

  #source(part: Part): TrustRule["source"] {
    if (part.value === undefined) return null
    const member = this.#parts.members(part, ["repository", "ref"])
    const repository = this.#parts.text(member("repository"), PATTERN)
    const ref = this.#parts.text(member("ref"), PATTERN)
    if (member("repository").value === undefined && member("ref").value === undefined)
      this.#parts.report(part, "the source is empty: add `repository` or `ref`, or remove it")
    return { repository, ref }
  }

  #signer(rule: Part, part: Part): TrustedSigner {
    const none: TrustedSigner = { kind: "keys", keys: [], threshold: 1 }
    if (!this.#parts.require(rule, part, "add `signer:` with `keys` or `sigstore`")) return none
    const member = this.#parts.members(part, ["keys", "threshold", "sigstore"])
    const [keys, sigstore] = [member("keys"), member("sigstore")]
    const threshold = member("threshold")
    const both = keys.value !== undefined && sigstore.value !== undefined
    if (both)
      this.#parts.report(part, "`keys` and `sigstore` exclude each other: write a rule for each")
    if (keys.value === undefined && sigstore.value !== undefined) {
      if (threshold.value !== undefined)
        this.#parts.report(threshold, "`threshold` only goes with `keys`: remove it")
      return this.#sigstore(sigstore)
    }
    if (!both) this.#parts.require(part, keys, "name keys of the policy, or add `sigstore`")
    return this.#keys(keys, threshold)
  }

  #keys(part: Part, threshold: Part): TrustedSigner {
    const keys = this.#parts.texts(part, some("name at least one key")) ?? []
    for (const id of keys)
      if (!this.#keyIds.has(id) && !this.#parts.isFull)
        this.#parts.report(
          itemOf(part, id),
          `there is no key \`${printInput(id)}\`: ${
            this.#keyIds.size === 0
              ? "add it below `keys:`"
              : advice(id, [...this.#keyIds], "the keys are")
          }`
        )
    const count = this.#parts.number(threshold, { from: 1, to: KEYS_MAX, whole: true }) ?? 1
    if (part.value !== undefined && count > Math.max(1, keys.length))
      this.#parts.report(
        threshold,
        "the rule has fewer keys, so nothing could satisfy it: name more keys, or lower the threshold"
      )
    return { kind: "keys", keys, threshold: count }
  }

  #sigstore(part: Part): TrustedSigner {
    const parts = this.#parts
    const member = parts.members(part, ["roots", "issuer", "san", "source_repository_id"])
    const [rootNames, issuer, san] = [member("roots"), member("issuer"), member("san")]
    parts.require(part, rootNames, "name at least one trust root, such as `public-good`")
    parts.require(part, issuer, "add the address of the issuer of identities")
    parts.require(part, san, "add a pattern of the identity, such as the address of a workflow")
    const roots = parts.texts(rootNames, ID) ?? []
    const known = this.checks.knownRoots
    for (const root of roots)
      if (known !== null && !known.has(root) && !parts.isFull)
        parts.report(
          itemOf(rootNames, root),
          `there is no trust root \`${root}\`: ${
            known.size === 0
              ? "the operator imports one first"
              : advice(root, [...known], "the roots are")
          }`
        )
    return {
      kind: "sigstore",
      roots,
      issuer: parts.text(issuer, ISSUER) ?? "",
      san: parts.text(san, SAN) ?? "",
      sourceRepositoryId: parts.text(
        member("source_repository_id"),
        some("expected the id of a repository")
      )
    }
  }
}
