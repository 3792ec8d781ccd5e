/** Names that changed, notifications, choices of users, and what runs with its evidence, through the API. */
import { assert } from "vitest"
import type { TestServer } from "../shared/TestServer.js"
import { FINGERPRINT } from "./World.js"

const WEBHOOK = { type: "WEBHOOK", webhook: "https://hooks.example.org/a", payload_version: "1.0" }
const CHAT = { type: "CHAT", webhook: "https://chat.example.org/b" }
const EMAIL = { type: "EMAIL", emails: ["ops@example.org"] }

const OTHER = "e".repeat(64)

type Path = { readonly [name: string]: string }

const maker =
  ({ call }: TestServer) =>
  async (operation: string, path: Path, body?: unknown) => {
    const { status, body: answer } = await call(operation, { path, body })
    assert.isBelow(status, 300, `${operation}: ${JSON.stringify(answer)}`)
  }

type Make = ReturnType<typeof maker>

const names = async (make: Make) => {
  const flow = (name: string) => make("PUT /flows/{org}", {}, { name, description: "" })
  const renamed = (flow_name: string, new_name: string) =>
    make("PUT /flows/{org}/{flow_name}/rename", { flow_name }, { new_name })
  await flow("first")
  await renamed("first", "second")
  await flow("third")
  await renamed("third", "fourth")
  // A name that is taken again, and one that its own flow takes back.
  await flow("taken")
  await renamed("taken", "taken-away")
  await flow("taken")
  await flow("there")
  await renamed("there", "back")
  await renamed("back", "there")
  const environment = (name: string) =>
    make("PUT /environments/{org}", {}, { name, type: "docker", description: "" })
  await environment("stage")
  await make("PUT /environments/{org}/{env_name}/rename", { env_name: "stage" }, { new_name: "qa" })
  await environment("old")
  await make("PUT /environments/{org}/{env_name}/archive", { env_name: "old" })
  await environment("new")
  await make("PUT /environments/{org}/{env_name}/archive", { env_name: "new" })
  await environment("new")
}

const notifications = async (make: Make) => {
  const config = "PUT /notification-config/{org}/{notification_type}"
  const type = { notification_type: "api_key_expiry" }
  await make(config, type, { targets: [CHAT] })
  await make(config, type, { targets: [EMAIL, WEBHOOK, CHAT] })
  const all = "PUT /organizations/{org}/environments_notifications"
  const draft = (name: string) => ({
    name,
    environments: ["prod"],
    triggers: ["ON_NON_COMPLIANT_ENV"],
    targets: [WEBHOOK]
  })
  await make(all, {}, draft("one"))
  await make(all, {}, draft("two"))
  await make(`${all}/{number}`, { number: "2" }, { ...draft("second"), targets: [CHAT, WEBHOOK] })
  const flows = { name: "flows", flows: ["shop"], triggers: ["ON_APPROVAL"], targets: [EMAIL] }
  await make("PUT /actions/{org}/flows", {}, flows)
  await make("PUT /actions/{org}/flows", {}, { ...flows, name: "gone" })
  await make("DELETE /actions/{org}/{action_number}", { action_number: "4" })
}

const running = async (make: Make) => {
  const report = (digests: ReadonlyArray<readonly [string, string]>) =>
    make(
      "PUT /environments/{org}/{env_name}/report/docker",
      { env_name: "prod" },
      {
        artifacts: digests.map(([name, digest]) => ({
          digests: { [name]: digest },
          creationTimestamp: 1_700_000_000
        }))
      }
    )
  await report([
    ["shop:1.0", FINGERPRINT],
    ["shop:2.0", OTHER]
  ])
  await report([["shop:2.0", OTHER]])
  await make(
    "POST /environments/{org}/{env_name}/policies",
    { env_name: "prod" },
    { policy_names: ["other"] }
  )
  await report([
    ["shop:1.0", FINGERPRINT],
    ["shop:2.0", OTHER]
  ])
}

const teams = async (make: Make) => {
  const put = (team: string, description: string) =>
    make("PUT /teams/{org}/{team}", { team }, { description })
  await put("pay", "who pays")
  await put("ops", "who is called at night")
  await put("ops", "who is called")
  const member = (method: "PUT" | "DELETE", team: string, login: string) =>
    make(`${method} /teams/{org}/{team}/members/{login}`, { team, login })
  for (const login of ["max", "rob"]) await member("PUT", "ops", login)
  await member("PUT", "pay", "max")
  await member("DELETE", "ops", "max")
  await member("PUT", "ops", "max")
  await make("DELETE /teams/{org}/{team}", { team: "pay" })
  await put("pay", "")
}

/** Goes on with an org that has two records of each kind. */
export const fillOthers = async (server: TestServer): Promise<void> => {
  const make = maker(server)
  await names(make)
  await notifications(make)
  await teams(make)
  await make("PUT /user/{org}", {})
  await running(make)
}

/** Goes on with an org whose policies are protected, so that changes of them are proposed. */
export const fillProposals = async (server: TestServer): Promise<void> => {
  const make = maker(server)
  await make(
    "PUT /grants/{org}",
    {},
    { subject: { kind: "everyone" }, space: "/", role: "reader", eligible: true }
  )
  for (const number of [1, 2]) {
    const body = { space: "/", role: "reader", reason: `it burns, ${number}`, minutes: 15 }
    await make("POST /break-glass/{org}", {}, body)
    await make("POST /break-glass/{org}/{number}/close", { number: String(number) })
  }
  await make("PUT /protections/{org}", {}, { protections: [{ kinds: ["policy"] }] })
  for (const name of ["first", "second"])
    await make(
      "POST /proposals/{org}",
      {},
      {
        operation: "policy.put",
        params: { name },
        body: { policy_yaml: "_schema: https://example.org/policy/v1\n" },
        reason: `it is the ${name}`
      }
    )
}
