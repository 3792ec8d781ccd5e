/** What an engine of containers and every cloud answer in tests, and the variables that lead to them. */
import { createServer, type Server } from "node:http"
import type * as FakeCloud from "./FakeCloud.js"

/** A digest of one letter. */
export const digest = (letter: string): string => letter.repeat(64)
const TOKEN = "token-canary-of-the-cloud"

const CONTAINERS = [
  { Image: "registry.example.org/shop/api:1.4", ImageID: "sha256:known", Created: 1_700_000_000 },
  { Image: "local:1", ImageID: `sha256:${digest("b")}`, Created: 1_700_000_001 }
]

/** The engine of a machine, which a test lets listen. */
export const engineOf = (): Server =>
  createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? "")
    const RepoDigests = path.includes("known")
      ? [`registry.example.org/shop/api@sha256:${digest("a")}`]
      : []
    response.end(JSON.stringify(path.startsWith("/containers/json") ? CONTAINERS : { RepoDigests }))
  })

const TASK = {
  taskArn: "arn:task/shop/t1",
  clusterArn: "arn:cluster/shop",
  group: "service:web",
  lastStatus: "RUNNING",
  startedAt: 1_790_000_000,
  containers: [
    { name: "main", image: "r/api:1", imageDigest: `sha256:${digest("a")}`, lastStatus: "RUNNING" }
  ]
}

const ofTasks = (operation: string): object => {
  if (operation === "ListClusters") return { clusterArns: ["arn:cluster/shop"] }
  return operation === "ListTasks" ? { taskArns: [TASK.taskArn] } : { tasks: [TASK], failures: [] }
}

const FUNCTION = {
  FunctionName: "shop-api",
  PackageType: "Zip",
  CodeSha256: Buffer.from(digest("c"), "hex").toString("base64"),
  LastModified: "2026-11-14T10:00:00.000+0000"
}

const BUCKET =
  '<?xml version="1.0"?><ListBucketResult><IsTruncated>false</IsTruncated>' +
  "<Contents><Key>a.txt</Key><LastModified>2026-11-14T10:00:00.000Z</LastModified>" +
  "<Size>3</Size></Contents></ListBucketResult>"

const SITE = {
  id: "/subscriptions/sub/resourceGroups/g/sites/web",
  name: "web",
  kind: "app,linux,container",
  properties: {
    state: "Running",
    lastModifiedTimeUtc: "2026-11-14T10:00:00Z",
    siteConfig: { linuxFxVersion: "DOCKER|r.example.org/shop/api:1" },
    hostNameSslStates: []
  }
}

const SERVICE = {
  name: "projects/shop/locations/eu-west1/services/web",
  latestReadyRevision: "projects/shop/locations/eu-west1/services/web/revisions/web-3",
  trafficStatuses: [{ type: "TRAFFIC_TARGET_ALLOCATION_TYPE_LATEST", percent: 100 }]
}

const REVISION = {
  createTime: "2026-11-14T10:00:00Z",
  containers: [{ image: `r.example.org/shop/web@sha256:${digest("d")}` }]
}

/** What every cloud answers, by the path that only one of them has. */
export const answer = ({ url, headers }: FakeCloud.CloudRequest): FakeCloud.CloudAnswer => {
  const { pathname } = url
  const target = headers["x-amz-target"]
  if (target !== undefined) return { body: ofTasks(String(target).split(".")[1] ?? "") }
  if (pathname.endsWith("/functions/")) return { body: { Functions: [FUNCTION] } }
  if (url.searchParams.get("list-type") === "2") return { body: BUCKET }
  if (pathname === "/www/a.txt") return { body: "one" }
  if (pathname.endsWith("/token")) return { body: { access_token: TOKEN } }
  if (pathname.endsWith("/sites")) return { body: { value: [SITE] } }
  if (pathname.endsWith("/services")) return { body: { services: [SERVICE] } }
  if (pathname.endsWith("/jobs")) return { body: { jobs: [] } }
  if (pathname.includes("/revisions/")) return { body: REVISION }
  return { status: 404, body: {} }
}

/** The variables of each cloud. */
export const variablesOf = ({ url, host }: Pick<FakeCloud.FakeCloud, "url" | "host">) => ({
  signed: {
    AWS_ACCESS_KEY_ID: "AKIA1",
    AWS_SECRET_ACCESS_KEY: "secret-canary-of-the-cloud",
    AWS_REGION: "eu-west-1",
    AWS_EC2_METADATA_DISABLED: "true",
    AWS_ENDPOINT_URL: url
  },
  apps: {
    AZURE_TENANT_ID: "tenant",
    AZURE_CLIENT_ID: "client",
    AZURE_CLIENT_SECRET: "client-secret-canary",
    AZURE_SUBSCRIPTION_ID: "sub",
    AZURE_AUTHORITY_HOST: url
  },
  serverless: { GCE_METADATA_HOST: host }
})
