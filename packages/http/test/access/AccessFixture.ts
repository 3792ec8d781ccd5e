/** The records that rows of the access table use, on a server under test. */
import { createHash } from "node:crypto"
import type { TestServer } from "../shared/TestServer.js"
import { trustYaml } from "../trust-policy/TrustPolicyTexts.js"
import { artifact, type Fixture, KINDS, POLICY } from "./AccessTable.js"
import { CONTROLS } from "./ControlRows.js"
import { subscription } from "./NotificationRows.js"

/** Creates a key of a service account. */
export const accountKey = async ({ call }: TestServer, name: string) => {
  const made = await call("POST /service-accounts/{org}/{name}/api-keys", {
    path: { name },
    body: { description: "matrix" }
  })
  return made.body as { readonly id: string; readonly key: string }
}

/** Makes an invitation. */
const invite = async ({ call }: TestServer) => {
  const { body } = await call("POST /invitations/{org}", { body: { role: "reader" } })
  return body as { readonly id: string; readonly secret: string }
}

/** Makes a person a member by an invitation. */
const newMember = async (server: TestServer, login: string): Promise<string> => {
  const { secret } = await invite(server)
  await server.call("POST /invitation/accept", { body: { secret, login } })
  return login
}

/** The number of an environment notification of one cell. */
const subscribe = async ({ call }: TestServer, name: string): Promise<string> => {
  const operation = "/organizations/{org}/environments_notifications"
  await call(`PUT ${operation}`, { body: { ...subscription, name } })
  const { body } = await call(`GET ${operation}`)
  const all = body as ReadonlyArray<{ readonly name: string; readonly number: number }>
  return String(all.find((found) => found.name === name)?.number)
}

/** The id of an attestation with a file. */
const attestWithFile = async ({ call }: TestServer): Promise<string> => {
  const raw = new FormData()
  raw.append("data_json", JSON.stringify({ attestation_name: "evidence", is_compliant: true }))
  raw.append("attachment_file", new Blob(["evidence"]), "evidence.txt")
  const path = { flow_name: "flow", trail_name: "t1" }
  await call("POST /attestations/{org}/{flow_name}/trail/{trail_name}/generic", { path, raw })
  const { body } = await call(
    "GET /attestations/{org}/{flow_name}/trail/{trail_name}/{attestation_name}",
    { path: { ...path, attestation_name: "evidence" } }
  )
  const [found] = body as ReadonlyArray<{ readonly attestation_id: string }>
  return found?.attestation_id ?? ""
}

const fingerprintOf = (cell: string) => createHash("sha256").update(cell).digest("hex")

/** Creates the records, and returns those of one cell. */
export const makeFixture = async (server: TestServer): Promise<(cell: string) => Fixture> => {
  const { call } = server
  const newAccount = async (name: string) => {
    await call("POST /service-accounts/{org}", { body: { name, privilege: "reader" } })
    return name
  }
  const account = await newAccount("fixture")
  await call("PUT /flows/{org}", { body: { name: "flow", description: "" } })
  await call("POST /artifacts/{org}/{flow_name}", { path: { flow_name: "flow" }, body: artifact })
  await call("POST /custom-attestation-types/{org}", { body: { name: "type" } })
  await call("POST /approvals/{org}/{flow_name}", {
    path: { flow_name: "flow" },
    body: { artifact_fingerprint: artifact.fingerprint }
  })
  for (const identifier of CONTROLS) {
    await call("POST /controls/{org}", { body: { identifier, name: identifier } })
  }
  const attestation = await attestWithFile(server)
  await call("PUT /policies/{org}/{name}", {
    path: { name: "policy" },
    body: { policy_yaml: POLICY }
  })
  await call("PUT /trust-policy/{org}", { body: { trust_yaml: trustYaml() } })
  for (const kind of KINDS) {
    await call("PUT /environments/{org}", { body: { name: kind, type: kind } })
  }
  await call("PUT /environments/{org}/{env_name}/report/docker", {
    path: { env_name: "docker" },
    body: { artifacts: [{ digests: { image: "a".repeat(64) }, creationTimestamp: 1 }] }
  })
  const { body } = await call("GET /deployments/{org}")
  const deployment = (body as { deployments: Array<{ id: string }> }).deployments[0]?.id ?? ""
  const { body: found } = await call("GET /repos/{org}")
  const repo = (found as { repos: Array<{ id: string }> }).repos[0]?.id ?? ""
  return (cell) => ({
    cell,
    account,
    repo,
    newKey: async () => (await accountKey(server, account)).id,
    newAccount: () => newAccount(`gone-${cell}`),
    newInvitation: () => invite(server),
    newMember: () => newMember(server, `member-${cell}`),
    newFlow: async (prefix) => {
      const name = `${prefix}-${cell}`
      await call("PUT /flows/{org}", { body: { name, description: "" } })
      return name
    },
    newSubscription: () => subscribe(server, `gone-${cell}`),
    newType: async () => {
      await call("POST /custom-attestation-types/{org}", { body: { name: `gone-${cell}` } })
      return `gone-${cell}`
    },
    attestation,
    deployment,
    newEnvironment: async (type) => {
      const name = `${type}-${cell}`
      await call("PUT /environments/{org}", { body: { name, type } })
      return name
    },
    newAllowed: async () => {
      const artifact_fingerprint = fingerprintOf(cell)
      await call("PUT /allowlists/{org}/{env_name}", {
        path: { env_name: "server" },
        body: { artifact_fingerprint, artifact_name: "api", description: cell }
      })
      return artifact_fingerprint
    }
  })
}
