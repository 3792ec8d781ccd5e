/**
 * Completes reasons by further requests: adds the position of the rule, and the evidence that the trail has instead.
 *
 * It runs only for a no. If a request fails, its part is omitted.
 */
import { existsSync, readFileSync } from "node:fs"
import { relative, resolve } from "node:path"
import type { CommandContext } from "../shared/CommandContext.js"
import * as Json from "../shared/Json.js"
import type { Reason, RulePosition } from "./Assertion.js"
import { foundOn } from "./Reasons.js"
import * as TemplatePlace from "./TemplatePlace.js"

/** The result of a request; undefined if it fails. */
const attempt = async <A>(
  { output }: CommandContext,
  what: string,
  work: () => Promise<A>
): Promise<A | undefined> => {
  try {
    return await work()
  } catch (error) {
    // WHY: the verdict does not depend on the explanation.
    output.trace(`${what} is not shown: ${error}`)
    return undefined
  }
}

const once = <A>(ask: (key: string) => Promise<A>): ((key: string) => Promise<A>) => {
  const asked = new Map<string, Promise<A>>()
  return (key) => {
    const answer = asked.get(key) ?? ask(key)
    asked.set(key, answer)
    return answer
  }
}

const versionText = (policy: Json.Fields, version: number | null): string | undefined =>
  Json.text(Json.objects(policy.versions).find((each) => each.version === version)?.policy_yaml)

/** The file of the repository that has the text of the policy. */
const fileOf = async (
  { settings, host }: CommandContext,
  name: string,
  text: string
): Promise<string | null> => {
  const { repository } = await settings()
  const entry = repository?.policies.find(([policy]) => policy === name)
  if (repository === undefined || entry === undefined) return null
  const file = resolve(repository.folder, entry[1])
  return existsSync(file) && readFileSync(file, "utf8") === text ? relative(host.cwd, file) : null
}

const pathOf = (index: number): ReadonlyArray<string | number> => {
  if (index === 0) return ["artifacts", "provenance"]
  return index === 1 ? ["artifacts", "trail-compliance"] : ["artifacts", "attestations", index - 2]
}

const positionIn = async (
  context: CommandContext,
  { name, text, index }: { readonly name: string; readonly text: string; readonly index: number }
): Promise<RulePosition | null> => {
  const YamlText = await import("@attestry/core/YamlText")
  const Either = await import("effect/Either")
  const parsed = YamlText.parse(text)
  if (Either.isLeft(parsed)) return null
  const { line, column } = parsed.right.positionOf(pathOf(index))
  return { file: await fileOf(context, name, text), line, column, text: lineOf(text, line) }
}

const lineOf = (text: string, line: number): string => text.split(/\r?\n/)[line - 1] ?? ""

/** The position of an expected attestation or artifact in the template of the repository's file. */
const inTemplate = async (
  { settings, host }: CommandContext,
  reason: Reason
): Promise<RulePosition | null> => {
  const { repository } = await settings()
  const entry = repository?.template
  if (repository === undefined || entry === undefined) return null
  const file = resolve(repository.folder, entry.value)
  if (!existsSync(file)) return null
  const text = readFileSync(file, "utf8")
  const YamlText = await import("@attestry/core/YamlText")
  const Either = await import("effect/Either")
  const parsed = YamlText.parse(text)
  if (Either.isLeft(parsed)) return null
  const path = TemplatePlace.find(parsed.right.value, reason)
  if (path === undefined) return null
  const { line, column } = parsed.right.positionOf(path)
  return { file: relative(host.cwd, file), line, column, text: lineOf(text, line) }
}

/** Adds positions of rules and found evidence to the reasons. */
export const explain = async (
  context: CommandContext,
  reasons: ReadonlyArray<Reason>
): Promise<ReadonlyArray<Reason>> => {
  const api = await context.api()
  const policies = once((name) =>
    attempt(context, `policy ${name}`, async () =>
      Json.object(await api.call("policy.get", { path: { name } }))
    )
  )
  const trails = once((key) =>
    attempt(context, "the trail", async () => {
      const [flow_name, trail_name]: ReadonlyArray<string> = JSON.parse(key)
      return Json.object(await api.call("trail.get", { path: { flow_name, trail_name } }))
    })
  )
  const placed = async (reason: Reason) => {
    const { policy_name: name, policy_version, rule_index } = reason
    if (name === null)
      return (await attempt(context, "the template", () => inTemplate(context, reason))) ?? null
    if (rule_index === null) return null
    const policy = await policies(name)
    const text = policy === undefined ? undefined : versionText(policy, policy_version)
    return text === undefined ? null : positionIn(context, { name, text, index: rule_index })
  }
  return Promise.all(
    reasons.map(async (reason) => {
      const { flow_name, trail_name } = reason
      const trail =
        flow_name === null || trail_name === null
          ? undefined
          : await trails(JSON.stringify([flow_name, trail_name]))
      return {
        ...reason,
        position: await placed(reason),
        found: trail === undefined ? [] : foundOn(trail)
      }
    })
  )
}
