/**
 * Decodes a YAML value into tests of a policy and notes every problem.
 *
 * It knows shapes, words and limits, not YAML. What is left out has the value that most tests want: a compliant
 * attestation of the artifact, a compliant trail, everything reported at the moment of the evaluation.
 */
import * as AttestationTypePattern from "@attestry/core/AttestationTypePattern"
import { VerificationState } from "@attestry/core/EvidenceVerification"
import { printInput } from "@attestry/core/FieldErrors"
import * as MaxAge from "@attestry/core/MaxAge"
import * as Moment from "@attestry/core/Moment"
import * as NearestName from "@attestry/core/NearestName"
import type { Path } from "@attestry/core/PolicyDocument"
import type { AttestationFact, Facts, FlowView } from "@attestry/core/PolicyFacts"
import { PolicyReasonType } from "@attestry/core/PolicyReason"
import * as SnapshotExpression from "@attestry/core/SnapshotExpression"
import * as Timestamp from "@attestry/core/Timestamp"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/** The most tests of one file. */
export const TESTS_MAX = 500

/** The fields of a reason that a test may ask for. */
export const REASON_KEYS = [
  "type",
  "rule_index",
  "flow_name",
  "trail_name",
  "attestation_name",
  "attestation_type",
  "for_control"
] as const

/** A reason that a test expects; fields that are left out may have any value. */
export type ExpectedReason = {
  readonly [key in (typeof REASON_KEYS)[number]]?: string | number
}

/** One test: facts, and the expected decision. */
export interface PolicyTest {
  readonly name: string
  readonly facts: Facts
  /** The moment of the evaluation. */
  readonly moment: Moment.Moment
  readonly expect: "COMPLIANT" | "NON-COMPLIANT"
  /** Exactly these reasons; null when the test does not look at them. */
  readonly reasons: ReadonlyArray<ExpectedReason> | null
}

const isState = Schema.is(VerificationState)

/** Receives a problem with its path. */
export type Report = (path: Path, message: string) => void

type Mapping = { readonly [key: string]: unknown }

const isMapping = (value: unknown): value is Mapping =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const quote = (words: ReadonlyArray<string>): string =>
  words.map((word) => `\`${word}\``).join(", ")

const instead = (value: unknown): string =>
  isMapping(value)
    ? ", not a mapping"
    : Array.isArray(value)
      ? ", not a list"
      : `, not \`${value === null ? "null" : printInput(value)}\``

const own = (mapping: Mapping, key: string): unknown =>
  Object.hasOwn(mapping, key) ? mapping[key] : undefined

const TYPES = [...AttestationTypePattern.WORDS.filter((word) => word !== "*"), "custom:NAME"]

const SCHEMA = /^\S+\/v1$/
const DIGEST = /^[0-9a-f]{64}$/

/** The moment of a test that names none: the first of January 2026. */
const NOW = Timestamp.fromSeconds(1_767_225_600)

/** The instant of `2026-11-18T12:00:00Z` or of epoch seconds. */
const instantOf = (value: unknown): Timestamp.Timestamp | undefined => {
  if (typeof value === "number" && Number.isFinite(value)) return Timestamp.fromSeconds(value)
  if (typeof value !== "string" || !value.endsWith("Z")) return undefined
  const parsed = SnapshotExpression.parse(`@{${value.slice(0, -1)}}`)
  return Either.isRight(parsed) && parsed.right._tag === "At" ? parsed.right.instant : undefined
}

/** Decodes one file of tests. */
class Reader {
  #sequence = 0
  #now = NOW
  readonly #report: Report

  constructor(report: Report) {
    this.#report = report
  }

  #mapping(value: unknown, path: Path, keys: ReadonlyArray<string>): Mapping {
    if (!isMapping(value)) {
      this.#report(path, `expected a mapping with the keys ${quote(keys)}${instead(value)}`)
      return {}
    }
    for (const key of Object.keys(value)) {
      if (keys.includes(key)) continue
      const meant = NearestName.find(key, keys)
      const advice = meant === undefined ? `the keys here are ${quote(keys)}` : `write \`${meant}\``
      this.#report([...path, key], `unknown key \`${printInput(key)}\`: ${advice}`)
    }
    return value
  }

  #list(value: unknown, path: Path): ReadonlyArray<unknown> {
    if (Array.isArray(value)) return value
    if (value !== undefined)
      this.#report(path, `expected a list: begin each item with \`- \`${instead(value)}`)
    return []
  }

  #text(value: unknown, path: Path, absent: string): string {
    if (typeof value === "string") return value
    if (value !== undefined) this.#report(path, `expected text: put it in quotes${instead(value)}`)
    return absent
  }

  #word<W extends string>(value: unknown, path: Path, words: readonly [W, ...ReadonlyArray<W>]): W {
    const found = words.find((word) => word === value)
    if (found === undefined && value !== undefined)
      this.#report(path, `expected one of ${quote(words)}${instead(value)}`)
    return found ?? words[0]
  }

  file(value: unknown): {
    readonly policy: string | null
    readonly tests: ReadonlyArray<PolicyTest>
  } {
    const root = this.#mapping(value, [], ["_schema", "policy", "tests"])
    const schema = own(root, "_schema")
    if (schema !== undefined && (typeof schema !== "string" || !SCHEMA.test(schema)))
      this.#report(
        ["_schema"],
        `expected an address that ends with \`/v1\`, such as \`https://HOST/schemas/policy-tests/v1\`${instead(schema)}`
      )
    const policy = own(root, "policy")
    const list = own(root, "tests")
    if (isMapping(value) && list === undefined)
      this.#report([], "`tests` is missing: add a list of tests, each with `name` and `expect`")
    const tests = this.#list(list, ["tests"])
    if (tests.length > TESTS_MAX)
      this.#report(["tests", TESTS_MAX], `more than ${TESTS_MAX} tests: split the file`)
    return {
      policy: policy === undefined ? null : this.#text(policy, ["policy"], ""),
      tests: tests.slice(0, TESTS_MAX).map((test, index) => this.#test(test, ["tests", index]))
    }
  }

  #test(value: unknown, path: Path): PolicyTest {
    const keys = ["name", "now", "artifact", "flows", "expect", "reasons"]
    const test = this.#mapping(value, path, keys)
    for (const key of ["name", "expect"])
      if (isMapping(value) && own(test, key) === undefined)
        this.#report(
          path,
          key === "name"
            ? "`name` is missing: say in a sentence what the test shows"
            : "`expect` is missing: write `expect: COMPLIANT` or `expect: NON-COMPLIANT`"
        )
    const reasons = own(test, "reasons")
    this.#sequence = 0
    this.#now = this.#instant(own(test, "now"), [...path, "now"], NOW)
    return {
      name: this.#text(own(test, "name"), [...path, "name"], ""),
      facts: {
        artifact: this.#artifact(own(test, "artifact"), [...path, "artifact"]),
        flows: this.#flows(own(test, "flows"), [...path, "flows"])
      },
      moment: Moment.at(this.#now),
      expect: this.#word(own(test, "expect"), [...path, "expect"], ["COMPLIANT", "NON-COMPLIANT"]),
      reasons:
        reasons === undefined
          ? null
          : this.#list(reasons, [...path, "reasons"]).map((reason, index) =>
              this.#reason(reason, [...path, "reasons", index])
            )
    }
  }

  #artifact(value: unknown, path: Path): Facts["artifact"] {
    if (typeof value === "string") return { name: value, fingerprint: "" }
    const artifact = this.#mapping(value ?? {}, path, ["name", "fingerprint"])
    const fingerprint = this.#text(own(artifact, "fingerprint"), [...path, "fingerprint"], "")
    if (fingerprint !== "" && !DIGEST.test(fingerprint))
      this.#report([...path, "fingerprint"], "expected 64 characters of 0-9 and a-f")
    return { name: this.#text(own(artifact, "name"), [...path, "name"], "artifact"), fingerprint }
  }

  #flows(value: unknown, path: Path): ReadonlyArray<FlowView> {
    if (value === undefined) return []
    if (!isMapping(value)) {
      this.#report(path, `expected a mapping from the name of each flow${instead(value)}`)
      return []
    }
    return Object.entries(value).map(([name, flow]) => this.#flow(name, flow, [...path, name]))
  }

  #flow(flow_name: string, value: unknown, path: Path): FlowView {
    const keys = ["tags", "trail", "status", "age", "reported_at", "attestations"]
    const flow = this.#mapping(value ?? {}, path, keys)
    const statuses = ["COMPLIANT", "NON-COMPLIANT", "INCOMPLETE"] as const
    return {
      flow_name,
      tags: this.#tags(own(flow, "tags"), [...path, "tags"]),
      trail_name: this.#text(own(flow, "trail"), [...path, "trail"], "trail"),
      artifact_status: this.#word(own(flow, "status"), [...path, "status"], statuses),
      reported_at: this.#reportedAt(flow, path),
      attestations: this.#list(own(flow, "attestations"), [...path, "attestations"]).map(
        (one, index) => this.#attestation(one, [...path, "attestations", index])
      )
    }
  }

  #tags(value: unknown, path: Path): FlowView["tags"] {
    if (value === undefined) return {}
    if (!isMapping(value)) {
      this.#report(path, `expected a mapping from tags to their values${instead(value)}`)
      return {}
    }
    return Object.fromEntries(
      Object.entries(value).map(([key, text]) => [key, this.#text(text, [...path, key], "")])
    )
  }

  #instant(value: unknown, path: Path, absent: Timestamp.Timestamp): Timestamp.Timestamp {
    if (value === undefined) return absent
    const found = instantOf(value)
    if (found === undefined)
      this.#report(
        path,
        `expected an instant such as \`2026-11-18T12:00:00Z\`, or epoch seconds${instead(value)}`
      )
    return found ?? absent
  }

  /** When something was reported, in epoch seconds: by its age or its instant, else at the moment of the test. */
  #reportedAt(given: Mapping, path: Path): number {
    const [age, at] = [own(given, "age"), own(given, "reported_at")]
    if (age !== undefined && at !== undefined)
      this.#report([...path, "age"], "give either `age` or `reported_at`")
    if (age === undefined)
      return Timestamp.toSeconds(this.#instant(at, [...path, "reported_at"], this.#now))
    const seconds = typeof age === "string" ? MaxAge.parse(age) : Option.none<number>()
    if (Option.isNone(seconds))
      this.#report(
        [...path, "age"],
        `expected an age such as \`90m\`, \`12h\`, \`7d\` or \`2w\`${instead(age)}`
      )
    const old = Option.getOrElse(seconds, () => 0)
    return Timestamp.toSeconds(Timestamp.plusSeconds(this.#now, -old))
  }

  #attestation(value: unknown, path: Path): AttestationFact {
    const keys = [
      ...["name", "type", "compliant", "level", "control", "age", "reported_at"],
      ...["verification", "facts"]
    ]
    const given = this.#mapping(value, path, keys)
    for (const key of ["name", "type"])
      if (isMapping(value) && own(given, key) === undefined)
        this.#report(path, `\`${key}\` is missing: add the ${key} of the attestation`)
    const type = this.#text(own(given, "type"), [...path, "type"], "generic")
    if (type === "*" || !AttestationTypePattern.is(type))
      this.#report(
        [...path, "type"],
        `no attestation has the type \`${printInput(type)}\`: the types are ${quote(TYPES)}`
      )
    const control = own(given, "control")
    if (control !== undefined && type !== "decision")
      this.#report([...path, "control"], "only a decision has a control: write `type: decision`")
    const compliant = own(given, "compliant") ?? true
    if (typeof compliant !== "boolean")
      this.#report([...path, "compliant"], `expected \`true\` or \`false\`${instead(compliant)}`)
    return {
      // WHY: attestations are reported in the order in which they are written.
      sequence: ++this.#sequence,
      name: this.#text(own(given, "name"), [...path, "name"], ""),
      type,
      is_compliant: compliant === true,
      level: this.#word(own(given, "level"), [...path, "level"], ["artifact", "trail"]),
      control: control === undefined ? null : this.#text(control, [...path, "control"], ""),
      reported_at: this.#reportedAt(given, path),
      ...this.#asked(given, path)
    }
  }

  /** What rules with `must_be_verified` and `where` ask about an attestation. */
  #asked(given: Mapping, path: Path): Pick<AttestationFact, "facts" | "verification"> {
    const [verification, facts] = [own(given, "verification"), own(given, "facts")]
    if (verification !== undefined && !isState(verification))
      this.#report(
        [...path, "verification"],
        `expected one of ${quote(VerificationState.literals)}${instead(verification)}`
      )
    if (facts !== undefined && !isMapping(facts))
      this.#report([...path, "facts"], `expected facts by their names${instead(facts)}`)
    return {
      ...(isState(verification) ? { verification } : {}),
      ...(isMapping(facts) ? { facts } : {})
    }
  }

  #reason(value: unknown, path: Path): ExpectedReason {
    const given = this.#mapping(value, path, REASON_KEYS)
    const type = own(given, "type")
    const types = PolicyReasonType.literals
    if (type !== undefined && !types.some((known) => known === type))
      this.#report([...path, "type"], `expected one of ${quote(types)}${instead(type)}`)
    return Object.fromEntries(
      REASON_KEYS.flatMap((key) => {
        const member = own(given, key)
        const expected = key === "rule_index" ? "number" : "string"
        if (member !== undefined && typeof member !== expected)
          this.#report([...path, key], `expected a ${expected}${instead(member)}`)
        return typeof member === "string" || typeof member === "number" ? [[key, member]] : []
      })
    )
  }
}

/** The tests of a file; parts with a problem have their defaults. */
export const read = (value: unknown, report: Report) => new Reader(report).file(value)
