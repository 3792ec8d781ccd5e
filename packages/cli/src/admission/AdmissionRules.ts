/**
 * How the objects of each namespace are admitted: by the first entry of the rules file that matches the namespace, with
 * the flags as the defaults of all entries. A namespace without a scope is not looked at.
 */
import { existsSync, readFileSync } from "node:fs"
import { resolve } from "node:path"
import { testOf } from "../environment/NameFilter.js"
import * as YamlSettings from "../settings/YamlSettings.js"
import type { Arguments } from "../shared/Arguments.js"
import { unreadable, usage } from "../shared/CommandFailure.js"
import type { Host } from "../shared/Host.js"
import type { Rule, Scope } from "./AdmissionPolicy.js"

/** The rule of a namespace; undefined if it is not looked at. */
export type RuleOf = (namespace: string) => Rule | undefined

/** The most entries of a rules file. */
export const ENTRIES_MAX = 1_000

const KEYS = ["namespace", "environment", "policies", "mode", "fail", "break_glass", "ignore"]

type Defaults = Omit<Rule, "scope"> & { readonly scope: Scope | undefined }

interface Entry {
  readonly matches: (namespace: string) => boolean
  readonly rule: Rule | undefined
}

const scopeOf = (
  environment: string | undefined,
  policies: ReadonlyArray<string>
): Scope | undefined => {
  if (environment !== undefined) return { type: "environment", environment }
  return policies.length === 0 ? undefined : { type: "policies", policies }
}

const choice = <A extends string>(
  entry: YamlSettings.Reader,
  name: string,
  choices: ReadonlyArray<A>
): A | undefined => {
  const text = entry.text(name)
  const found = choices.find((each) => each === text)
  if (text !== undefined && found === undefined)
    throw entry.problem([name], `expected one of ${choices.join(", ")}`)
  return found
}

const truth = (entry: YamlSettings.Reader, name: string): boolean | undefined => {
  const value = entry.value(name)
  if (value === undefined || typeof value === "boolean") return value
  throw entry.problem([name], "expected true or false")
}

const entryOf = async (entry: YamlSettings.Reader, defaults: Defaults): Promise<Entry> => {
  const unknown = entry.names().find((name) => !KEYS.includes(name))
  if (unknown !== undefined)
    throw entry.problem([unknown], `unknown key \`${unknown}\`; there is: ${KEYS.join(", ")}`)
  const namespace = entry.text("namespace")
  if (namespace === undefined) throw entry.problem([], "an entry needs a namespace")
  const matches = await testOf("rules", namespace).catch((cause: unknown) => {
    throw entry.problem(["namespace"], cause instanceof Error ? cause.message : "no pattern")
  })
  const environment = entry.text("environment")
  const policies = entry.texts("policies") ?? []
  if (environment !== undefined && policies.length > 0)
    throw entry.problem(["policies"], "`environment` and `policies` cannot stand together")
  const scope = scopeOf(environment, policies) ?? defaults.scope
  if (truth(entry, "ignore") === true) return { matches, rule: undefined }
  if (scope === undefined) throw entry.problem([], "an entry needs `environment` or `policies`")
  return {
    matches,
    rule: {
      scope,
      mode: choice(entry, "mode", ["warn", "enforce"]) ?? defaults.mode,
      fail: choice(entry, "fail", ["open", "closed"]) ?? defaults.fail,
      allowsBreakGlass: truth(entry, "break_glass") ?? defaults.allowsBreakGlass
    }
  }
}

const entriesOf = async (
  { cwd }: Pick<Host, "cwd">,
  file: string,
  defaults: Defaults
): Promise<ReadonlyArray<Entry>> => {
  const path = resolve(cwd, file)
  if (!existsSync(path)) throw unreadable(`there is no file ${file}`)
  const reader = await YamlSettings.read(path, file, ["version", "namespaces"])
  if (reader.value("version") !== 1) throw reader.problem(["version"], "expected version: 1")
  const list = reader.list("namespaces")
  if (list.length > ENTRIES_MAX)
    throw reader.problem(["namespaces"], `there are more than ${ENTRIES_MAX} entries`)
  return Promise.all(list.map((entry) => entryOf(entry, defaults)))
}

/** The text of the rules file; empty without one, and for one that cannot be read. */
export const textOf = ({ cwd }: Pick<Host, "cwd">, args: Arguments): string => {
  const file = args.text("rules")
  try {
    return file === undefined ? "" : readFileSync(resolve(cwd, file), "utf8")
  } catch {
    // WHY no failure: a file that is being replaced may be absent for a moment; reading the rules tells about it.
    return ""
  }
}

/** The rules of the flags and of the file that they name. */
export const read = async (host: Pick<Host, "cwd">, args: Arguments): Promise<RuleOf> => {
  const environment = args.text("environment")
  const policies = args.texts("policy")
  if (environment !== undefined && policies.length > 0)
    throw usage("--environment and --policy cannot stand together")
  const defaults: Defaults = {
    scope: scopeOf(environment, policies),
    mode: args.text("mode") === "enforce" ? "enforce" : "warn",
    fail: args.text("fail") === "closed" ? "closed" : "open",
    allowsBreakGlass: true
  }
  const file = args.text("rules")
  const { scope } = defaults
  if (file === undefined && scope === undefined)
    throw usage(
      "nothing says what decides",
      "give --environment ENV, --policy POLICY, or --rules FILE with an entry for each namespace"
    )
  const entries = file === undefined ? [] : await entriesOf(host, file, defaults)
  const rest: Rule | undefined = scope === undefined ? undefined : { ...defaults, scope }
  return (namespace) => {
    const entry = entries.find(({ matches }) => matches(namespace))
    return entry === undefined ? rest : entry.rule
  }
}
