/** The rows of repositories, builds, deployments and packages in the access table. */
import type { Fixture, Row, Rows } from "./AccessTable.js"
import { FINGERPRINT } from "./EvidenceRows.js"

const read: Row = { least: "reader", status: 200 }

const ofRepo = ({ repo }: Fixture) => ({ path: { repo } })

/** The operations of repositories, builds, deployments and packages. */
export const repoRows = {
  "allowList.listOfOrg": read,
  "build.list": read,
  "build.statistics": read,
  "org.get": { ...read, least: "none" },
  "repo.filterOptions": read,
  "repo.tags": read,
  "deployment.liveArtifacts": {
    ...read,
    request: () => ({ path: { repo_name: "repository" } })
  },
  "deployment.listByRepo": { ...read, request: ofRepo },
  "deployment.statistics": { ...read, request: ofRepo },
  "deployment.newest": {
    ...read,
    request: () => ({ path: { env_name: "docker", fingerprint: "a".repeat(64) } })
  },
  "deployment.listByEnvironment": {
    ...read,
    request: () => ({ path: { env_name: "docker" } })
  },
  "trail.listFlow": { ...read, request: () => ({ path: { flow_name: "flow" } }) },
  "auditPackage.trail": {
    ...read,
    request: () => ({ path: { flow_name: "flow", trail_name: "t1" } })
  },
  "auditPackage.artifact": {
    ...read,
    request: () => ({ path: { flow_name: "flow", fingerprint: FINGERPRINT } })
  },
  "auditPackage.snapshot": {
    ...read,
    request: () => ({ path: { env_name: "docker", snapshot_expression: "-1" } })
  },
  "exposure.list": { ...read, request: () => ({ query: `?fingerprint=${FINGERPRINT}` }) },
  "graph.get": {
    ...read,
    request: () => ({ query: "?root=environment:docker" })
  },
  "artifact.runs": {
    ...read,
    request: () => ({ path: { fingerprint: FINGERPRINT } })
  }
} satisfies Rows
