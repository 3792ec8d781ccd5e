/** The rows of repositories, builds, deployments and packages in the access table. */
import type { Fixture, Row } from "./AccessTable.js"
import { FINGERPRINT } from "./EvidenceRows.js"

const read: Row = { least: "reader", status: 200 }

const ofRepo = ({ repo }: Fixture) => ({ path: { repo } })

/** The operations of repositories, builds, deployments and packages. */
export const repoRows: { readonly [operation: string]: Row } = {
  "GET /allowlists/{org}": read,
  "GET /builds/{org}": read,
  "GET /builds/{org}/statistics": read,
  "GET /organizations/{org}": read,
  "GET /repos/{org}/filter-options": read,
  "GET /repos/{org}/tags": read,
  "GET /repos/{org}/live-artifacts/{repo_name}": {
    ...read,
    request: () => ({ path: { repo_name: "repository" } })
  },
  "GET /repos/{org}/{repo}/deployments": { ...read, request: ofRepo },
  "GET /repos/{org}/{repo}/deployment-statistics": { ...read, request: ofRepo },
  "GET /deployments/{org}/{env_name}/{fingerprint}": {
    ...read,
    request: () => ({ path: { env_name: "docker", fingerprint: "a".repeat(64) } })
  },
  "GET /environments/{org}/{env_name}/deployments": {
    ...read,
    request: () => ({ path: { env_name: "docker" } })
  },
  "GET /trails/{org}/{flow_name}": { ...read, request: () => ({ path: { flow_name: "flow" } }) },
  "GET /trails/{org}/{flow_name}/{trail_name}/audit_package": {
    ...read,
    request: () => ({ path: { flow_name: "flow", trail_name: "t1" } })
  },
  "GET /artifacts/{org}/{flow_name}/{fingerprint}/audit_package": {
    ...read,
    request: () => ({ path: { flow_name: "flow", fingerprint: FINGERPRINT } })
  },
  "GET /exposure/{org}": { ...read, request: () => ({ query: `?fingerprint=${FINGERPRINT}` }) },
  "GET /graph/{org}": {
    ...read,
    request: () => ({ query: "?root=environment:docker" })
  },
  "GET /runs/{org}/{fingerprint}": {
    ...read,
    request: () => ({ path: { fingerprint: FINGERPRINT } })
  }
}
