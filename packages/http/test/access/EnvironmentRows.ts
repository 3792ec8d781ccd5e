/** The rows of the access table that are about environments, snapshots and deployments. */
import type { Fixture, Row, Rows } from "./AccessTable.js"
import { FINGERPRINT } from "./EvidenceRows.js"

const docker = { env_name: "docker" }

const read = (path: { readonly [name: string]: string } = {}, query = ""): Row => ({
  least: "reader",
  status: 200,
  request: () => ({ path, query })
})

/** Rows that need an environment of their own. */
const onNew = (body?: (fixture: Fixture) => object): Row => ({
  least: "member",
  status: 200,
  request: async (fixture) => ({
    path: { env_name: await fixture.newEnvironment("server") },
    ...(body === undefined ? {} : { body: body(fixture) })
  })
})

const allow = (fingerprint: string) => ({
  artifact_fingerprint: fingerprint,
  artifact_name: "api",
  description: "known to be safe"
})

/** Rows by operation. */
export const environmentRows = {
  "environment.put": {
    least: "snapshotter",
    status: 201,
    request: ({ cell }) => ({ body: { name: `env-${cell}`, type: "docker" } })
  },
  "environment.list": read(),
  "environment.get": read(docker),
  "environment.patch": {
    least: "member",
    status: 200,
    request: ({ cell }) => ({ path: docker, body: { description: cell } })
  },
  "environment.archive": onNew(),
  "environment.rename": onNew(({ cell }) => ({ new_name: `new-${cell}` })),
  "environment.join": {
    least: "member",
    status: 200,
    request: async ({ newEnvironment }) => ({
      path: { env_name: await newEnvironment("logical") },
      body: { physical_env_name: "docker" }
    })
  },
  "environment.attach": onNew(() => ({ policy_names: ["policy"] })),
  "environment.detach": onNew(() => ({ policy_names: ["policy"] })),
  "environment.preview": read(docker, "?policy_name=policy"),
  "assertion.assert": read({ fingerprint: FINGERPRINT }),
  "fact.get": read({ fingerprint: FINGERPRINT }),
  "capsule.create": {
    least: "reader",
    status: 404,
    request: () => ({ body: { environments: [{ name: "absent" }] } })
  },
  "receipt.assertion": read({ fingerprint: FINGERPRINT }),
  "receipt.snapshot": {
    least: "reader",
    status: 404,
    request: () => ({ path: { ...docker, snapshot_expression: "99999" } })
  },
  "event.list": read(docker),
  "event.auditLog": read(docker),
  "allowList.put": {
    least: "member",
    status: 201,
    request: async ({ newEnvironment }) => ({
      path: { env_name: await newEnvironment("server") },
      body: allow("c".repeat(64))
    })
  },
  "allowList.list": read(docker),
  "allowList.remove": {
    least: "member",
    status: 200,
    request: async ({ newAllowed }) => ({
      path: { env_name: "server", fingerprint: await newAllowed() }
    })
  },
  "snapshot.list": read(docker),
  "snapshot.timeline": read(docker, "?from=0&to=1&buckets=1"),
  "fact.list": read({
    ...docker,
    snapshot_expression: "-1"
  }),
  "snapshot.get": read({
    ...docker,
    snapshot_expression: "-1"
  }),
  "snapshot.rows": read({
    ...docker,
    snapshot_expression: "-1"
  }),
  "snapshot.row": {
    least: "reader",
    status: 404,
    request: () => ({
      path: { ...docker, snapshot_expression: "-1" },
      query: "?name=nothing&fingerprint="
    })
  },
  "snapshot.compare": read({}, "?snappish1=docker%231&snappish2=docker%231"),
  "releaseEvidence.list": read(),
  "releaseEvidence.export": read(),
  "deployment.list": read(),
  "deployment.get": {
    least: "reader",
    status: 200,
    request: ({ deployment }) => ({ path: { deployment_id: deployment } })
  }
} satisfies Rows
