/**
 * Decodes a YAML value into typed rules and notes every problem. SPEC §2.7.1
 *
 * It knows shapes, words and limits, not YAML: the caller parses the text and maps paths to positions. The use
 * case checks what depends on stored data.
 */
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as AttestationTypePattern from "../../flow/AttestationTypePattern.js"
import { printInput } from "../../shared/FieldErrors.js"
import { NAME_LENGTH_MAX } from "../../shared/Identifier.js"
import * as NearestName from "../../shared/NearestName.js"
import * as MaxAge from "../MaxAge.js"
import type { AttestationRule, Condition, PolicyDocument, Requirement } from "../PolicyDocument.js"
import * as PolicyExpression from "../PolicyExpression.js"
import * as PolicyPattern from "../PolicyPattern.js"
import { repair } from "./ExpressionRepair.js"
import { example, HOMES, instead, isMapping, type Mapping, plain, quote } from "./PolicyAdvice.js"
import { inYaml, isName, SCHEMA_PATTERN, type SchemaVersion, versionOf } from "./PolicySyntax.js"

/** A path in a document: keys and list positions. */
export type Path = ReadonlyArray<string | number>

/** The most attestation rules of one policy. */
export const RULES_MAX = 100

const schemaRegExp = new RegExp(SCHEMA_PATTERN)

const MAX_AGE = "max_age"

/** The keys that version 2 adds to rules about attestations. */
const RULE_KEYS_LATER = [MAX_AGE, "must_be_verified", "where"]

const TYPE_WORDS = AttestationTypePattern.WORDS.filter((word) => word !== "*")

/** The shortest type that a known one is suggested for; a shorter one is near to several. */
const NEAREST_FROM = 5

/** The key that the text has in place of the last one of a path. */
interface Alias {
  readonly written: string
  /** The problem that says so. */
  readonly problem: Noted
}

/** A problem that was found. */
interface Noted {
  readonly path: Path
  message: string
}

const keyOf = (path: Path): string => path.join("\n")

/** Decodes one document; `report` receives every problem. */
export class DocumentReader {
  readonly #compilePattern = PolicyPattern.forPolicy()
  /** By the paths that they were read as. */
  readonly #aliases = new Map<string, Alias>()
  readonly #noted: Array<Noted> = []
  #version: SchemaVersion = 1

  constructor(private readonly report: (path: Path, message: string) => void) {}

  /** Notes a problem. WHY one message for a misspelt key and its value: problems are keyed by their paths. */
  #report(path: Path, message: string): Noted {
    const alias = this.#aliases.get(keyOf(path))
    if (alias === undefined) {
      const noted = { path, message }
      this.#noted.push(noted)
      return noted
    }
    alias.problem.message += `; ${message}`
    return alias.problem
  }

  /** A path with the keys that the text has. */
  #written(path: Path): Path {
    if (this.#aliases.size === 0) return path
    return path.map((key, at) => this.#aliases.get(keyOf(path.slice(0, at + 1)))?.written ?? key)
  }

  /** The document; parts with a problem have their defaults. */
  read(value: unknown): PolicyDocument {
    const document = this.#document(value)
    for (const { message, path } of this.#noted) this.report(this.#written(path), message)
    return document
  }

  #document(value: unknown): PolicyDocument {
    const root = this.#mapping(value, [], ["_schema", "artifacts"])
    this.#version = versionOf(this.#member(root, "_schema", ""))
    const artifacts = this.#mapping(
      this.#member(root, "artifacts", {}),
      ["artifacts"],
      ["provenance", "trail-compliance", "attestations"]
    )
    return {
      schema: isMapping(value) ? this.#schema(root) : "",
      provenance: this.#provenance(artifacts),
      trailCompliance: this.#requirement(artifacts, "trail-compliance"),
      attestations: this.#list(
        this.#member(artifacts, "attestations", []),
        ["artifacts", "attestations"],
        RULES_MAX
      ).map((rule, index) => this.#rule(rule, ["artifacts", "attestations", index]))
    }
  }

  #member(mapping: Mapping, key: string, absent: unknown): unknown {
    return Object.hasOwn(mapping, key) ? mapping[key] : absent
  }

  #mapping(value: unknown, path: Path, keys: ReadonlyArray<string>): Mapping {
    if (!isMapping(value)) {
      const inner = keys.includes("required") && typeof value === "boolean"
      const advice = inner ? `: write \`required: ${value}\` below it` : ""
      this.#report(
        path,
        `expected a mapping with the keys ${quote(keys)}${instead(value)}${advice}`
      )
      return {}
    }
    const unknown = Object.keys(value).filter((key) => !keys.includes(key))
    return unknown.length === 0
      ? value
      : Object.fromEntries([
          ...Object.entries(value),
          ...unknown.flatMap((key) => this.#meant({ mapping: value, path, keys }, key))
        ])
  }

  /** The member that an unknown key was meant to be, so that what it holds is read too; none where it is not clear. */
  #meant(
    { keys, mapping, path }: { mapping: Mapping; path: Path; keys: ReadonlyArray<string> },
    key: string
  ): ReadonlyArray<readonly [string, unknown]> {
    const meant = keys.find((known) => plain(known) === plain(key)) ?? NearestName.find(key, keys)
    const home = keys.includes("type") ? undefined : HOMES.get(key)
    const isLater = keys.includes("type")
      ? RULE_KEYS_LATER.includes(key)
      : key === MAX_AGE && path.at(-1) === "provenance"
    const advice = isLater
      ? "version 2 of policies has it: end the address in `_schema` with `/v2`"
      : meant !== undefined
        ? `write \`${meant}\``
        : home !== undefined
          ? `it belongs ${home}, two spaces further in`
          : `the keys here are ${quote(keys)}`
    const said = `unknown key \`${printInput(key)}\`: ${advice}`
    const problem = this.#report([...path, key], said)
    const readAs = keyOf([...path, meant ?? key])
    if (meant === undefined || Object.hasOwn(mapping, meant) || this.#aliases.has(readAs)) return []
    this.#aliases.set(readAs, { written: key, problem })
    return [[meant, mapping[key]]]
  }

  #list(value: unknown, path: Path, lengthMax = Number.POSITIVE_INFINITY): ReadonlyArray<unknown> {
    if (!Array.isArray(value)) {
      this.#report(path, `expected a list: begin each item with \`- \`${instead(value)}`)
      return []
    }
    if (value.length > lengthMax)
      this.#report(
        [...path, lengthMax],
        `more than ${lengthMax} rules: split the policy into several`
      )
    return value.slice(0, lengthMax)
  }

  #boolean(mapping: Mapping, key: string, path: Path, absent: boolean): boolean {
    const value = this.#member(mapping, key, absent)
    if (typeof value === "boolean") return value
    this.#report([...path, key], `expected \`true\` or \`false\`${instead(value)}`)
    return absent
  }

  #text(mapping: Mapping, key: string, path: Path, absent: string): string {
    const value = this.#member(mapping, key, absent)
    if (typeof value === "string") return value
    this.#report([...path, key], `expected text${instead(value)}`)
    return absent
  }

  #schema(root: Mapping): string {
    const example = "`https://HOST/schemas/environment-policy/v1`"
    if (!Object.hasOwn(root, "_schema")) {
      this.#report(
        [],
        `\`_schema\` is missing: add \`_schema:\` with an address such as ${example}`
      )
      return ""
    }
    const schema = root._schema
    if (typeof schema !== "string") return this.#text(root, "_schema", [], "")
    if (schemaRegExp.test(schema)) return schema
    this.#report(
      ["_schema"],
      /\/v[0-9]+$/.test(schema)
        ? `only versions 1 and 2 of policies are known: end the address with \`/v1\` or \`/v2\`${instead(schema)}`
        : `expected an absolute address that ends with \`/v1\` or \`/v2\`, such as ${example}${instead(schema)}`
    )
    return schema
  }

  /** Keys that only version 2 of the schema has. */
  #later(keys: ReadonlyArray<string>): ReadonlyArray<string> {
    return this.#version === 2 ? keys : []
  }

  #provenance(artifacts: Mapping): PolicyDocument["provenance"] {
    const requirement = this.#requirement(artifacts, "provenance", this.#later([MAX_AGE]))
    const section = this.#member(artifacts, "provenance", {})
    return isMapping(section)
      ? { ...requirement, ...this.#maxAge(section, ["artifacts", "provenance"]) }
      : requirement
  }

  #maxAge(mapping: Mapping, path: Path): { readonly maxAge?: number } {
    const age = this.#member(mapping, MAX_AGE, null)
    if (age === null || this.#version === 1) return {}
    const seconds = typeof age === "string" ? MaxAge.parse(age) : Option.none()
    if (Option.isSome(seconds)) return { maxAge: seconds.value }
    this.#report(
      [...path, MAX_AGE],
      `expected an age such as \`12h\`, \`7d\` or \`4w\`, at most ${MaxAge.DAYS_MAX} days${instead(age)}`
    )
    return {}
  }

  #requirement(artifacts: Mapping, key: string, more: ReadonlyArray<string> = []): Requirement {
    const path = ["artifacts", key]
    const section = this.#mapping(this.#member(artifacts, key, {}), path, [
      "required",
      "exceptions",
      ...more
    ])
    const exceptions = this.#list(this.#member(section, "exceptions", []), [...path, "exceptions"])
    return {
      required: this.#boolean(section, "required", path, false),
      exceptions: exceptions.flatMap((exception, index) =>
        this.#exception(exception, [...path, "exceptions", index])
      )
    }
  }

  #exception(value: unknown, path: Path): ReadonlyArray<Condition> {
    if (typeof value === "string") {
      this.#report(
        path,
        `an exception needs \`if\`: write \`if: ${example(value)}\` with the condition${instead(value)}`
      )
      return []
    }
    const exception = this.#mapping(value, path, ["if"])
    if (!Object.hasOwn(exception, "if") || exception.if === null) {
      // An exception without a condition would waive everything.
      if (isMapping(value))
        this.#report(path, `an exception needs \`if\`: write \`if: \${{ … }}\` with a condition`)
      return []
    }
    return Option.toArray(this.#condition(exception.if, [...path, "if"]))
  }

  #condition(
    value: unknown,
    path: Path,
    subject: PolicyExpression.Subject = "row"
  ): Option.Option<Condition> {
    const text = this.#conditionText(value, path, subject)
    const parse = subject === "row" ? PolicyExpression.parse : PolicyExpression.parseWhere
    const show = (whole: string): string => (typeof value === "string" ? inYaml(whole) : whole)
    return Option.flatMap(text, (bare) =>
      Either.match(parse(bare, this.#compilePattern), {
        onLeft: ({ message }) => {
          const meant = Option.match(repair(bare, subject), {
            onNone: () => "",
            onSome: (whole) => (whole === bare ? "" : `; write \`${show(whole)}\``)
          })
          this.#report(path, `the expression is not valid, ${message}${meant}`)
          return Option.none()
        },
        onRight: (expression) => Option.some({ text: bare, expression })
      })
    )
  }

  /** The text of a condition: inside the wrapper, or in the object form. */
  #conditionText(
    value: unknown,
    path: Path,
    subject: PolicyExpression.Subject
  ): Option.Option<string> {
    if (typeof value === "string") {
      const text = PolicyExpression.unwrap(value)
      if (Option.isNone(text)) {
        const meant = Option.match(repair(value, subject), {
          onNone: () => PolicyExpression.wrap("…"),
          onSome: inYaml
        })
        this.#report(path, `wrap the expression: write \`${meant}\`${instead(value)}`)
      }
      return text
    }
    if (!isMapping(value)) {
      this.#report(path, `expected an expression: write \`\${{ … }}\`${instead(value)}`)
      return Option.none()
    }
    const form = this.#mapping(value, path, ["text"])
    const text = this.#member(form, "text", undefined)
    if (typeof text === "string") return Option.some(text.trim())
    this.#report(path, "the object form of a condition holds its bare text in `text`")
    return Option.none()
  }

  #rule(value: unknown, path: Path): AttestationRule {
    const rule = this.#mapping(value, path, [
      "type",
      "name",
      "if",
      "must_be_compliant",
      "for_control",
      ...this.#later(RULE_KEYS_LATER)
    ])
    const type = this.#type(rule, path, isMapping(value))
    const name = this.#name(rule, path)
    if (type === "*" && name === "*")
      this.#report(path, "`name` and `type` cannot both be `*`: give one of them")
    const condition = this.#member(rule, "if", null)
    return {
      type,
      name,
      condition:
        condition === null ? null : Option.getOrNull(this.#condition(condition, [...path, "if"])),
      mustBeCompliant: this.#boolean(rule, "must_be_compliant", path, true),
      forControl: this.#control(rule, path, type),
      ...this.#maxAge(rule, path),
      ...this.#asked(rule, path)
    }
  }

  /** What a rule of version 2 asks of evidence besides its outcome. */
  #asked(rule: Mapping, path: Path): Pick<AttestationRule, "mustBeVerified" | "where"> {
    if (this.#version === 1) return {}
    const where = this.#member(rule, "where", null)
    const condition =
      where === null ? Option.none() : this.#condition(where, [...path, "where"], "facts")
    return {
      ...(this.#boolean(rule, "must_be_verified", path, false) ? { mustBeVerified: true } : {}),
      ...(Option.isNone(condition) ? {} : { where: condition.value })
    }
  }

  #type(rule: Mapping, path: Path, report: boolean): string {
    const known = [...AttestationTypePattern.WORDS, "custom:NAME"]
    if (!Object.hasOwn(rule, "type")) {
      if (report) this.#report(path, `\`type\` is missing: add one of ${quote(known)}`)
      return "generic"
    }
    const type = this.#text(rule, "type", path, "generic")
    if (AttestationTypePattern.is(type)) return type
    const word = plain(AttestationTypePattern.fromWire(type))
    const meant =
      AttestationTypePattern.WORDS.find((known) => plain(known) === word) ??
      (type.length < NEAREST_FROM ? undefined : NearestName.find(type, TYPE_WORDS))
    const advice = meant === undefined ? `the types are ${quote(known)}` : `write \`${meant}\``
    this.#report([...path, "type"], `unknown type \`${printInput(type)}\`: ${advice}`)
    return "generic"
  }

  #name(rule: Mapping, path: Path): string {
    const name = this.#text(rule, "name", path, "*")
    if (isName(name)) return name
    const advice = `use up to ${NAME_LENGTH_MAX} letters, digits, ${quote(["-", "_", ","])}, or \`*\` for any`
    this.#report(
      [...path, "name"],
      `no attestation can have the name \`${printInput(name)}\`: ${advice}`
    )
    return "invalid"
  }

  #control(rule: Mapping, path: Path, type: string): string | null {
    const control = this.#member(rule, "for_control", null)
    if (control === null) return null
    if (typeof control !== "string" || control === "") {
      this.#report(
        [...path, "for_control"],
        `expected the identifier of a control${instead(control)}`
      )
      return null
    }
    if (type !== "decision")
      this.#report(
        [...path, "for_control"],
        "`for_control` only goes with decisions: write `type: decision`, or remove it"
      )
    return control
  }
}
