/**
 * `attestry init`: writes `.attestry.yaml`, a flow template, and a CI pipeline. It never changes an existing file,
 * but prints the text for it.
 */
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import * as WorkingTree from "@attestry/client/node/PlainWorkingTree"
import * as Snippets from "../ci/Snippets.js"
import { webUrlOf } from "../job/Job.js"
import * as ProductNames from "../reading/ProductNames.js"
import type { Arguments } from "../shared/Arguments.js"
import type { CommandContext } from "../shared/CommandContext.js"
import { CommandFailure, unreadable, usage } from "../shared/CommandFailure.js"
import type { CommandModule } from "../shared/CommandSpec.js"
import type { Host } from "../shared/Host.js"

interface InitFile {
  readonly path: string
  readonly text: string
}

/** The CI whose configuration file exists; undefined if there is none. */
const guessCi = ({ cwd }: Host): string | undefined => {
  const signs: ReadonlyArray<readonly [string, string]> = [
    [".github", "github"],
    [".gitlab-ci.yml", "gitlab"],
    ["azure-pipelines.yml", "azure-devops"],
    ["bitbucket-pipelines.yml", "bitbucket"],
    ["Jenkinsfile", "jenkins"],
    [".circleci", "circleci"]
  ]
  return signs.find(([path]) => existsSync(join(cwd, path)))?.[1]
}

const ask = async (
  host: Host,
  question: string,
  { flag, otherwise }: { readonly flag: string; readonly otherwise: string | undefined }
): Promise<string> => {
  if (!host.stdinIsTerminal) {
    if (otherwise !== undefined) return otherwise
    throw usage(`--${flag} is missing, and there is no terminal to ask`)
  }
  const shown = otherwise === undefined ? "" : ` [${otherwise}]`
  const answer = (await host.ask(`${question}${shown}: `, false)).trim()
  const value = answer === "" ? otherwise : answer
  if (value === undefined) throw usage(`--${flag} is missing`)
  return value
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9._~-]*$/

/** The settings; undefined on a machine without a profile. */
const known = async ({ settings }: CommandContext) => {
  try {
    return await settings()
  } catch (error) {
    // WHY: a repository can be prepared before this machine has a URL and a key.
    if (error instanceof CommandFailure) return undefined
    throw error
  }
}

const LOCAL = /^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[::1?\])$/

/** The URL for a pipeline; fails for a loopback address. */
const reachable = (url: string): string => {
  if (!LOCAL.test(new URL(url).hostname)) return url
  throw usage(
    `the runners of a CI do not reach ${url}: it means the machine that asks`,
    "give the address under which they reach the server: attestry init --url https://…"
  )
}

const answersOf = async (context: CommandContext, args: Arguments) => {
  const { host } = context
  const flow =
    args.text("flow") ?? (await ask(host, "Flow", { flag: "flow", otherwise: undefined }))
  if (!NAME.test(flow)) throw usage(`\`${flow}\` is no name of a flow: letters, digits, . _ ~ -`)
  const cis = Snippets.all({ url: "", org: "", flow, signIn: "key" }).map(({ ci }) => ci)
  const ci = ProductNames.ciOf(
    args.text("ci") ??
      (await ask(host, `CI (${cis.join(", ")})`, { flag: "ci", otherwise: guessCi(host) }))
  )
  if (!cis.includes(ci)) throw usage(`there is no CI \`${ci}\`: there is ${cis.join(", ")}`)
  const settings = await known(context)
  return {
    ci,
    flow,
    org: settings?.org?.value ?? "YOUR-ORG",
    url: reachable(settings?.url?.value ?? "https://attestry.example.com")
  }
}

const settingsFile = (org: string, flow: string): string =>
  [
    "version: 1",
    ...(org === "YOUR-ORG" ? [] : [`org: ${JSON.stringify(org)}`]),
    `flow: ${JSON.stringify(flow)}`,
    'trail: "{commit}"',
    "template: ci/flow-template.yaml",
    ""
  ].join("\n")

/** The CIs whose jobs have an id token, with the flag of `put identity-rules` for each. */
const IDENTITIES: Readonly<Record<string, { readonly flag: string; readonly place: string }>> = {
  github: { flag: "--github", place: "OWNER/REPO" },
  gitlab: { flag: "--gitlab", place: "GROUP/PROJECT" }
}

/** The path of the repository on its forge; the placeholder of the CI without a remote. */
const repositoryPath = async ({ cwd }: Host, place: string): Promise<string> => {
  const remote = await WorkingTree.remote(cwd)
  const url = remote === undefined ? undefined : webUrlOf(remote)
  return url === undefined ? place : new URL(url).pathname.slice(1)
}

/**
 * The commands that make the account of the job: in an org with spaces without a role in the whole org, and with one in
 * its space.
 */
const accountCommands = (flow: string, space: string | undefined): ReadonlyArray<string> =>
  space === undefined
    ? [`attestry put account ci-${flow} --privilege member`]
    : [
        `attestry put account ci-${flow} --privilege none --space ${space}`,
        `attestry grant give account:ci-${flow} member ${space}`
      ]

/** The commands that let the job sign in. */
const signInCommands = async (
  host: Host,
  {
    ci,
    flow,
    signIn,
    space
  }: {
    readonly ci: string
    readonly flow: string
    readonly space: string | undefined
  } & Pick<Snippets.SnippetOptions, "signIn">
): Promise<ReadonlyArray<string>> => {
  const account = accountCommands(flow, space)
  const identity = signIn === "identity" ? IDENTITIES[ci] : undefined
  if (identity === undefined)
    return [
      ...account,
      `attestry key create ci-${flow} --scope pipeline --expires-in 90d --to-file ci-${flow}.key`
    ]
  const path = await repositoryPath(host, identity.place)
  return [...account, `attestry put identity-rules ci-${flow} ${identity.flag} ${path}`]
}

const write = ({ cwd }: Host, { path, text }: InitFile): void => {
  try {
    mkdirSync(dirname(join(cwd, path)), { recursive: true })
    writeFileSync(join(cwd, path), text, { flag: "wx" })
  } catch (cause) {
    throw unreadable(`${path} cannot be written`, undefined, cause)
  }
}

/** Runs `attestry init`. */
export const run: CommandModule["run"] = async (context, args) => {
  const { host } = context
  const { ci, flow, org, url } = await answersOf(context, args)
  const signIn = args.has("with-key") ? "key" : "identity"
  const pipeline = Snippets.all({ url, org, flow, signIn }).find((each) => each.ci === ci)
  const next = await signInCommands(host, { ci, flow, signIn, space: args.text("space") })
  const files: ReadonlyArray<InitFile> = [
    { path: ".attestry.yaml", text: settingsFile(org, flow) },
    { path: "ci/flow-template.yaml", text: Snippets.TEMPLATE },
    { path: pipeline?.file ?? "", text: pipeline?.text ?? "" }
  ]
  const isThere = ({ path }: InitFile) => existsSync(join(host.cwd, path))
  const kept = files.filter(isThere)
  const fresh = files.filter((file) => !kept.includes(file))
  if (!args.has("dry-run")) for (const file of fresh) write(host, file)
  return {
    value: {
      schema: "attestry.cli/init/v1",
      flow,
      ci,
      written: args.has("dry-run") ? [] : fresh.map(({ path }) => path),
      kept,
      next,
      ...(args.has("dry-run") ? { files: fresh } : {})
    },
    quiet: fresh.map(({ path }) => path).join("\n"),
    lines: (style) => [
      ...fresh.map(({ path }) => `${args.has("dry-run") ? "would write" : "written"}  ${path}`),
      ...kept.flatMap(({ path, text }) => [
        `kept     ${path}, which is there already; what it needs:`,
        ...text
          .trimEnd()
          .split("\n")
          .map((line) => `    ${line}`)
      ]),
      next.some((command) => command.startsWith("attestry key"))
        ? "next: create a key, and keep it as the secret ATTESTRY_API_KEY of the CI:"
        : "next: let the job sign in by its identity, without a stored key:",
      ...next.map((command) => `    ${style.tint("bold", command)}`)
    ]
  }
}
