/** The rows of the access table that are about environments, snapshots and deployments. */
import type { Fixture, Row } from "./AccessTable.js"
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
export const environmentRows: { readonly [operation: string]: Row } = {
  "PUT /environments/{org}": {
    least: "snapshotter",
    status: 201,
    request: ({ cell }) => ({ body: { name: `env-${cell}`, type: "docker" } })
  },
  "GET /environments/{org}": read(),
  "GET /environments/{org}/{env_name}": read(docker),
  "PATCH /environments/{org}/{env_name}": {
    least: "member",
    status: 200,
    request: ({ cell }) => ({ path: docker, body: { description: cell } })
  },
  "PUT /environments/{org}/{env_name}/archive": onNew(),
  "PUT /environments/{org}/{env_name}/rename": onNew(({ cell }) => ({ new_name: `new-${cell}` })),
  "PUT /environments/{org}/{env_name}/join": {
    least: "member",
    status: 200,
    request: async ({ newEnvironment }) => ({
      path: { env_name: await newEnvironment("logical") },
      body: { physical_env_name: "docker" }
    })
  },
  "POST /environments/{org}/{env_name}/policies": onNew(() => ({ policy_names: ["policy"] })),
  "DELETE /environments/{org}/{env_name}/policies": onNew(() => ({ policy_names: ["policy"] })),
  "GET /environments/{org}/{env_name}/policies/preview": read(docker, "?policy_name=policy"),
  "GET /asserts/{org}/fingerprint/{fingerprint}": read({ fingerprint: FINGERPRINT }),
  "GET /facts/{org}/{fingerprint}": read({ fingerprint: FINGERPRINT }),
  "GET /environments/{org}/{env_name}/events": read(docker),
  "GET /environments/{org}/{env_name}/auditlog": read(docker),
  "PUT /allowlists/{org}/{env_name}": {
    least: "member",
    status: 201,
    request: async ({ newEnvironment }) => ({
      path: { env_name: await newEnvironment("server") },
      body: allow("c".repeat(64))
    })
  },
  "GET /allowlists/{org}/{env_name}": read(docker),
  "DELETE /allowlists/{org}/{env_name}/{fingerprint}": {
    least: "member",
    status: 200,
    request: async ({ newAllowed }) => ({
      path: { env_name: "server", fingerprint: await newAllowed() }
    })
  },
  "GET /snapshots/{org}/{env_name}": read(docker),
  "GET /snapshots/{org}/{env_name}/timeline": read(docker, "?from=0&to=1&buckets=1"),
  "GET /snapshots/{org}/{env_name}/{snapshot_expression}/facts": read({
    ...docker,
    snapshot_expression: "-1"
  }),
  "GET /snapshots/{org}/{env_name}/{snapshot_expression}": read({
    ...docker,
    snapshot_expression: "-1"
  }),
  "GET /snapshots/{org}/{env_name}/{snapshot_expression}/rows": read({
    ...docker,
    snapshot_expression: "-1"
  }),
  "GET /snapshots/{org}/{env_name}/{snapshot_expression}/row": {
    least: "reader",
    status: 404,
    request: () => ({
      path: { ...docker, snapshot_expression: "-1" },
      query: "?name=nothing&fingerprint="
    })
  },
  "GET /env-diff/{org}": read({}, "?snappish1=docker%231&snappish2=docker%231"),
  "GET /deployments/{org}": read(),
  "GET /deployments/{org}/{deployment_id}": {
    least: "reader",
    status: 200,
    request: ({ deployment }) => ({ path: { deployment_id: deployment } })
  }
}
