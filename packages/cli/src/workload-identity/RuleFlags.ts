/** The rules of a command line: from a file, or one rule from flags. */
import { present, readJson } from "../attestation/EvidenceFields.js"
import type { Arguments } from "../shared/Arguments.js"
import type { CommandContext } from "../shared/CommandContext.js"
import { unreadable, usage } from "../shared/CommandFailure.js"
import * as Json from "../shared/Json.js"
import * as KeyScope from "../shared/KeyScope.js"
import * as IdentityRule from "./IdentityRule.js"
import * as RepositoryNumber from "./RepositoryNumber.js"

const jobsOf = (args: Arguments): IdentityRule.Jobs => {
  const jobs = {
    branch: args.text("branch"),
    tag: args.text("tag"),
    environment: args.text("environment")
  }
  const given = Object.entries(jobs).flatMap(([name, value]) => (value === undefined ? [] : [name]))
  if (given.length > 1)
    throw usage(
      `--${given.join(" and --")} exclude each other`,
      "write one rule for each, with --append"
    )
  return jobs
}

const issuerOf = (args: Arguments, usual: string): string => {
  const issuer = (args.text("issuer") ?? usual).replace(/\/+$/, "")
  if (URL.canParse(issuer) && issuer.startsWith("https://")) return issuer
  throw usage(`--issuer: \`${issuer}\` is no https address`)
}

const NAMES = {
  github: /^[\w.-]+\/[\w.-]+$/,
  gitlab: /^[\w.-]+(?:\/[\w.-]+)+$/
}

const ofForge = async (
  context: CommandContext,
  args: Arguments,
  forge: "github" | "gitlab"
): Promise<Json.Fields> => {
  const name = args.required(forge)
  const shape = forge === "github" ? "OWNER/REPO" : "GROUP/PROJECT"
  if (!NAMES[forge].test(name)) throw usage(`--${forge} expects ${shape}, not \`${name}\``)
  if (args.text("subject") !== undefined) throw usage(`--${forge} makes the subject itself`)
  const isGithub = forge === "github"
  const issuer = issuerOf(args, isGithub ? IdentityRule.GITHUB_ISSUER : IdentityRule.GITLAB_ISSUER)
  const jobs = jobsOf(args)
  if (Object.values(jobs).every((value) => value === undefined))
    context.output.note(
      `the rule accepts every job of ${name}, also of pull requests: --branch, --tag and --environment narrow it`
    )
  const given = args.text(isGithub ? "repository-id" : "project-id")
  const id = await RepositoryNumber.find(context, { forge, name, issuer, given })
  const make = isGithub ? IdentityRule.ofGithub : IdentityRule.ofGitlab
  return make(issuer, { name, id }, jobs)
}

const FORGE_FLAGS = ["branch", "tag", "environment", "repository-id", "project-id"]

const ofIssuer = (args: Arguments): Json.Fields => {
  const stray = FORGE_FLAGS.find((name) => args.text(name) !== undefined)
  if (stray !== undefined) throw usage(`--${stray} is for --github or --gitlab`)
  return { issuer: issuerOf(args, ""), subject: args.required("subject") }
}

const ruleOf = async (context: CommandContext, args: Arguments): Promise<Json.Fields> => {
  const isGithub = args.text("github") !== undefined
  if (isGithub && args.text("gitlab") !== undefined)
    throw usage("--github and --gitlab exclude each other")
  if (isGithub) return ofForge(context, args, "github")
  return args.text("gitlab") === undefined ? ofIssuer(args) : ofForge(context, args, "gitlab")
}

const RULE_FLAGS = ["github", "gitlab", "issuer"]

const fileRules = async (
  { host }: CommandContext,
  file: string
): Promise<ReadonlyArray<Json.Fields>> => {
  const value = await readJson(host, file)
  const rules = Array.isArray(value) ? value : Json.object(value).rules
  if (Array.isArray(rules) && rules.every(Json.isObject)) return rules
  throw unreadable(
    `${file} has no rules`,
    'it has {"rules": […]}, as: attestry get identity-rules ACCOUNT -o json'
  )
}

const MS_PER_SECOND = 1_000

/** The rules to write. */
export const read = async (
  context: CommandContext,
  args: Arguments
): Promise<ReadonlyArray<Json.Fields>> => {
  const [, file] = args.positionals
  const hasRule = RULE_FLAGS.some((name) => args.text(name) !== undefined)
  if (file !== undefined) {
    if (hasRule) throw usage("give either FILE or the flags of one rule")
    return fileRules(context, file)
  }
  if (!hasRule)
    throw usage("the rules are missing", "give --github OWNER/REPO, --gitlab, --issuer, or FILE")
  const rule = await ruleOf(context, args)
  const claims = { ...Json.object(rule.claims), ...Object.fromEntries(args.pairs("claim")) }
  const lifetime = args.duration("lifetime")
  return [
    present({
      ...rule,
      claims: Object.keys(claims).length === 0 ? undefined : claims,
      audience: args.text("audience"),
      lifetime: lifetime === undefined ? undefined : lifetime / MS_PER_SECOND,
      single_use: args.boolean("single-use"),
      ...KeyScope.fromFlags(args)
    })
  ]
}
