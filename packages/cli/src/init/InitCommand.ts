/**
 * `attestry init`: writes `.attestry.yaml`, a flow template, and a CI pipeline. It never changes an existing file,
 * but prints the text for it.
 */
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import * as Snippets from "../ci/Snippets.js"
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
  const cis = Snippets.all({ url: "", org: "", flow }).map(({ ci }) => ci)
  const ci =
    args.text("ci") ??
    (await ask(host, `CI (${cis.join(", ")})`, { flag: "ci", otherwise: guessCi(host) }))
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
  const pipeline = Snippets.all({ url, org, flow }).find((each) => each.ci === ci)
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
      `next: keep the key of a service account as the secret ATTESTRY_API_KEY of the CI: ${style.tint(
        "bold",
        "attestry key create"
      )}`
    ]
  }
}
