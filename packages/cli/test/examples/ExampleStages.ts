/** What single commands need before each of their examples: an entry, a key, a name that is still free. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert } from "vitest"
import * as GitRepository from "../shared/GitRepository.js"
import * as People from "../shared/People.js"
import { folder, type Machine, run } from "../shared/Run.js"
import * as Certificates from "../transport/Certificates.js"
import * as ExampleFiles from "./ExampleFiles.js"
import type { ExampleWorld } from "./ExampleWorld.js"
import * as ProposalStages from "./ProposalStages.js"

/** What an example is given beside the world. */
export interface Given {
  /** What words stand for, by whole words. */
  readonly words?: { readonly [word: string]: string }
  readonly machine?: Machine
  readonly flags?: ReadonlyArray<string>
}

type Stage = (world: ExampleWorld, at: number) => Promise<Given>

const firstOf = async (world: ExampleWorld, ...argv: ReadonlyArray<string>): Promise<Given> => {
  const [first] = JSON.parse(await world.done("list", ...argv, "-o", "json"))
  const id = first.attestation_id ?? first.deployment_id ?? first.decision_id ?? first.id
  return { words: { ID: String(id) } }
}

/** Evidence that waits on the disk for the deployment. */
const waiting: Stage = async ({ cwd, env, deployment }) => {
  const closed = "http://127.0.0.1:1"
  const spool = join(cwd, "spool")
  const more = { ATTESTRY_URL: closed, ATTESTRY_RETRIES: "0", ATTESTRY_IF_UNREACHABLE: "spool" }
  await run(["attest", "generic", "-n", "later"], { cwd, env: { ...env, ...more } })
  const ids = readdirSync(spool).filter((name) => name.length === 26)
  for (const id of ids) {
    const file = join(spool, id, "entry.json")
    writeFileSync(file, readFileSync(file, "utf8").replace(closed, deployment.url))
  }
  return { words: { ID: ids[0] ?? "" } }
}

/** An environment of the kind that is reported, under a name of its own. */
const reported =
  (name: string, kind: string, flags: (world: ExampleWorld) => ReadonlyArray<string> = () => []) =>
  async (world: ExampleWorld): Promise<Given> => {
    await world.done("put", "environment", `${name}-${kind}`, "--kind", kind)
    return { words: { [name]: `${name}-${kind}` }, flags: flags(world) }
  }

const endpoint = ({ cloudUrl }: ExampleWorld): ReadonlyArray<string> => ["--endpoint", cloudUrl]

/** Things of new names in the place of those of an example. */
const fresh =
  (names: ReadonlyArray<string>, ...make: ReadonlyArray<ReadonlyArray<string>>): Stage =>
  async (world, at) => {
    const words = Object.fromEntries(names.map((name) => [name, `${name}${at}x${make.length}`]))
    for (const argv of make)
      await world.done(...argv.map((word) => new Map(Object.entries(words)).get(word) ?? word))
    return { words }
  }

/** A key of a service account, and no file in its way. */
const key: Stage = async ({ cwd, done }) => {
  rmSync(join(cwd, "key"), { force: true })
  await done("put", "account", "ci-shop", "--privilege", "member")
  const file = join(folder(), "key")
  const create = ["key", "create", "ci-shop", "--description", "CI", "--to-file", file]
  return { words: { ID: JSON.parse(await done(...create, "-o", "json")).id } }
}

/** A key of the caller. */
const ownKey: Stage = async ({ cwd, done }) => {
  rmSync(join(cwd, "key"), { force: true })
  const file = join(folder(), "key")
  const create = ["key", "create-own", "--description", "laptop", "--to-file", file]
  return { words: { ID: JSON.parse(await done(...create, "-o", "json")).id } }
}

/** The files of examples in a repository whose commit has a trailer. */
const withTrailer = (issue: string): string => {
  const cwd = folder()
  ExampleFiles.write(cwd)
  GitRepository.commit(cwd, `coupons\n\nJira: ${issue}`)
  return cwd
}

/** A machine with two profiles and without variables. */
const profiles: Stage = async ({ cwd, deployment }) => {
  const home = folder()
  const stdin = deployment.keys.admin
  writeFileSync(join(cwd, "key"), stdin)
  for (const name of ["prod", "default"]) {
    const login = ["login", "--url", deployment.url, "--key-stdin", "--profile", name]
    await run(login, { home, stdin })
  }
  return { machine: { home, cwd, env: {}, typed: [stdin] } }
}

const put = (noun: string, name: string, ...more: ReadonlyArray<string>) => [
  "put",
  noun,
  name,
  ...more
]

/** No file in the way of those that a command writes. */
const without =
  (...files: ReadonlyArray<string>): Stage =>
  async ({ cwd }) => {
    for (const file of files) rmSync(join(cwd, file), { force: true })
    return {}
  }

/** A service account with rules from a file. */
const rules: Stage = async ({ done }) => {
  await done("put", "account", "ci-shop", "--privilege", "member")
  await done("put", "identity-rules", "ci-shop", "rules.json", "--replace")
  return {}
}

/** An artifact that is not reported yet, so that all others came before it. */
const UNREPORTED = "f".repeat(64)

/** A bill of materials that the server has, and no file in the way of its bytes. */
const accepted: Stage = async ({ cwd, done }) => {
  rmSync(join(cwd, "evidence.json"), { force: true })
  await done("attest", "sbom", "sbom.cdx.json")
  const [{ digest = "" }] = JSON.parse(
    await done("list", "evidence", "--kind", "sbom", "-o", "json")
  )
  return { words: { HEX: String(digest) } }
}

const ORG: { readonly [command: string]: Stage } = {
  "get evidence": accepted,
  "evidence judge": accepted,
  "get identity-rules": rules,
  "delete identity-rules": rules,
  "put identity-rules": async (world, at) => {
    await rules(world, at)
    await world.done("delete", "identity-rules", "ci-shop", "-y")
    return {}
  },
  "audit package": without("shop-release-7-audit-package.tar", "web.tar"),
  "get signing-secret": without("secret"),
  "rotate signing-secret": without("secret"),
  "get previous-commit": async () => ({
    words: { "shop@HEX": `shop@${UNREPORTED}`, HEX: UNREPORTED }
  }),
  "replay deliveries": async () => ({ words: { ID: "01J0000000000000000000000A" } })
}

const REPORTS: { readonly [command: string]: Stage } = {
  "report docker": reported("staging", "docker"),
  "report kubernetes": reported("prod", "K8S"),
  "report ecs": reported("prod", "container-tasks"),
  "report lambda": reported("prod", "functions"),
  "report azure-apps": reported("prod", "cloudx-apps", endpoint),
  "report cloud-run": reported("prod", "serverless-run", endpoint)
}

const WRITES: { readonly [command: string]: Stage } = {
  detach: async ({ done }) => {
    await done("attach", "prod-rules", "staging")
    return {}
  },
  join: fresh(["prod-eu"], put("environment", "prod-eu", "--kind", "server")),
  disallow: async ({ done, meanings }) => {
    await done("allow", "prod", meanings[0]?.[1] ?? "", "--reason", "x")
    return {}
  },
  "delete account": fresh(["ci-shop"], put("account", "ci-shop", "--privilege", "reader")),
  "delete notification": async ({ done }) => {
    const about = ["--environment", "prod", "--on", "compliant-env", "--to", "ops@example.com"]
    await done(...put("notification", "gone", ...about))
    const all: ReadonlyArray<{ readonly number: number }> = JSON.parse(
      await done("list", "notifications", "-o", "json")
    )
    return { words: { "1": String(Math.max(...all.map(({ number }) => number))) } }
  },
  "rename flow": fresh(["old", "new"], put("flow", "old", "--description", "x")),
  "rename environment": fresh(["old", "new"], put("environment", "old", "--kind", "server")),
  "archive flow": fresh(["old"], put("flow", "old", "--description", "x"), ["whoami"]),
  "archive environment": fresh(["old"], put("environment", "old", "--kind", "server"), ["whoami"]),
  "archive control": fresh(["SDLC-9"], put("control", "SDLC-9", "--name", "x")),
  "archive type": fresh(["old"], put("type", "old", "--jq", ".a == 1")),
  "unarchive control": fresh(["SDLC-9"], put("control", "SDLC-9", "--name", "x"), [
    "archive",
    "control",
    "SDLC-9",
    "-y"
  ]),
  "key create": key,
  "key rotate": key,
  "key revoke": key,
  "key list": key,
  "key create-own": ownKey,
  "key revoke-own": ownKey
}

/** A request for a waiver that its requester may decide. */
const waiver: Stage = async ({ done }) => {
  await done("waiver", "settings", "--self-approval")
  const asked = ["waiver", "request", "prod-rules", "--until", "1d", "--reason", "x"]
  const { number } = JSON.parse(await done(...asked, "-o", "json"))
  return { words: { "1": String(number) } }
}

const WAIVERS: { readonly [command: string]: Stage } = {
  "waiver approve": waiver,
  "waiver reject": waiver,
  "waiver revoke": waiver,
  "waiver extend": waiver,
  "waiver get": waiver
}

/** A member of a new login. */
const member: Stage = async ({ deployment }, at) => {
  const kim = `kim${at}${people++}`
  await People.join(deployment, kim)
  return { words: { kim } }
}

let people = 0

/** A user without a membership in the org. */
const stranger: Stage = async (world, at) => {
  const given = await member(world, at)
  await world.done("member", "remove", given.words?.kim ?? "", "-y")
  return given
}

const MEMBERS: { readonly [command: string]: Stage } = {
  "member add": stranger,
  "member role": member,
  "member suspend": member,
  "member restore": member,
  "member sign-out": member,
  "member remove": member,
  "invitation create": without("link"),
  "invitation revoke": async ({ deployment }) => ({
    words: { ID: (await People.invite(deployment)).id }
  })
}

/** A team with one person in it. */
const team: Stage = async ({ done }) => {
  await done("team", "create", "payments", "--description", "who pays")
  await done("team", "add", "payments", "max")
  return {}
}

const TEAMS: { readonly [command: string]: Stage } = {
  "team list": team,
  "team show": team,
  "team add": team,
  "team remove": team,
  "team delete": team
}

let spaces = 0

/** A space of two names, with a grant for a team in it, and a file of placement rules. */
const space: Stage = async (world, at) => {
  const name = `retail${at}${spaces++}`
  await world.done("space", "create", name)
  await world.done("space", "create", `${name}/payments`)
  await team(world, at)
  const rules = { rules: [{ type: "flow", name: "new-*", space: name }] }
  writeFileSync(join(world.cwd, "placement.json"), JSON.stringify(rules))
  return {
    words: { retail: name, "retail/payments": `${name}/payments`, "retail/cards": `${name}/cards` }
  }
}

/** A grant in the space. */
const grant: Stage = async (world, at) => {
  const given = await space(world, at)
  await world.done("grant", "give", "team:payments", "reader", given.words?.retail ?? "/")
  return given
}

/** Closes what is open, whoever has opened it. */
const closeGlass = async ({ done }: ExampleWorld): Promise<void> => {
  const { openings } = JSON.parse(
    await done("break-glass", "list", "--state", "open", "--raw", "-o", "json")
  )
  for (const { number } of openings) await done("break-glass", "close", String(number))
}

/** Break-glass that a member has opened. */
const opened: Stage = async (world, at) => {
  await eligible(world, at)
  const ran = await run(
    ["break-glass", "open", "admin", "/", "--minutes", "15", "--reason", "x", "-q"],
    { cwd: world.cwd, env: { ...world.env, ATTESTRY_API_KEY: world.deployment.keys.member } }
  )
  assert.strictEqual(ran.code, 0, ran.stderr)
  return { words: { "1": ran.stdout.trim() } }
}

/** Break-glass that a member has opened, and that is over. */
const closedGlass: Stage = async (world, at) => {
  const given = await opened(world, at)
  await closeGlass(world)
  return given
}

/** A space in which the caller may open break-glass, and nothing that is open. */
const eligible: Stage = async (world, at) => {
  const given = await space(world, at)
  await closeGlass(world)
  for (const path of [given.words?.retail ?? "/", "/"])
    await world.done("grant", "give", "everyone", "admin", path, "--eligible")
  return given
}

const SPACES: { readonly [command: string]: Stage } = {
  "space create": async (world, at) => {
    const given = await space(world, at)
    return { words: { ...given.words, loans: `loans${at}${spaces++}` } }
  },
  "space change": space,
  "space move": space,
  "space delete": space,
  "placement-rules set": space,
  "break-glass open": eligible,
  "break-glass close": opened,
  "break-glass review": closedGlass,
  "grant give": space,
  "grant list": grant,
  "grant end": grant,
  "access who": space,
  "access explain": space
}

/** A certificate, the rules of namespaces, and free ports. */
const admission: Stage = async ({ cwd }) => {
  const { cert, key: privateKey } = Certificates.authority().sign("DNS:attestry-admission")
  writeFileSync(join(cwd, "tls.crt"), cert)
  writeFileSync(join(cwd, "tls.key"), privateKey)
  const rule = "  - namespace: shop\n    environment: prod\n    mode: enforce\n"
  writeFileSync(join(cwd, "admission.yaml"), `version: 1\nnamespaces:\n${rule}`)
  return { words: { "8081": "0" }, flags: ["--port", "0"] }
}

/** A saved trust policy. */
const trust: Stage = async ({ done }) => {
  await done("trust", "put", "trust.yaml")
  return {}
}

const STAGES: ReadonlyMap<string, Stage> = new Map(
  Object.entries({
    ...REPORTS,
    ...WRITES,
    ...WAIVERS,
    ...TEAMS,
    ...ProposalStages.STAGES,
    ...SPACES,
    ...ORG,
    ...MEMBERS,
    admit: admission,
    "trust get": trust,
    "trust versions": trust,
    "spool list": waiting,
    "spool send": waiting,
    "spool drop": waiting,
    "attest jira": async () => ({ machine: { cwd: withTrailer("SHOP-12") } }),
    "get key": (world) => firstOf(world, "keys", "--account", "ci-shop"),
    "get deployment": (world) => firstOf(world, "deployments"),
    "get decision": (world) => firstOf(world, "decisions", "--control", "SDLC-1"),
    "get attestation": (world) => firstOf(world, "attestations", "--name", "review"),
    "log receipt": (world) => {
      rmSync(join(world.cwd, "receipt.tlog"), { force: true })
      return firstOf(world, "attestations", "--name", "review")
    },
    login: profiles,
    logout: profiles,
    whoami: profiles,
    doctor: profiles,
    "config show": profiles,
    "config set": profiles,
    "config unset": profiles,
    "config use": profiles,
    "config path": profiles,
    init: async () => ({ machine: { cwd: folder(), env: {}, typed: ["shop", "github"] } })
  } satisfies { readonly [command: string]: Stage })
)

/** Prepares one example. */
export const prepare = async (command: string, world: ExampleWorld, at: number): Promise<Given> => {
  await ProposalStages.unprotect(world)
  return (STAGES.get(command) ?? (async () => ({})))(world, at)
}

/** The input of `< FILE`. */
export const inputOf = ({ cwd }: ExampleWorld, file: string | undefined): string =>
  file !== undefined && existsSync(join(cwd, file)) ? readFileSync(join(cwd, file), "utf8") : ""
