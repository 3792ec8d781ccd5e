/**
 * The API through a generated client: types from the OpenAPI document, and `openapi-fetch` to send requests.
 * `pnpm generate` writes `generated/api.ts`; this file compiles against it.
 */
import createClient from "openapi-fetch"
import type { paths } from "./generated/api.js"

const org = process.env.ATTESTRY_ORG ?? "acme"
const fingerprint = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"

const client = createClient<paths>({
  baseUrl: process.env.ATTESTRY_URL ?? "http://127.0.0.1:8080",
  headers: { authorization: `Bearer ${process.env.ATTESTRY_API_KEY ?? ""}` }
})

/** The response body, or an error with the API's message. */
const answered = <A>(result: { data?: A; error?: { message: string }; response: Response }): A => {
  if (result.data === undefined) {
    throw new Error(`${result.response.status} ${result.error?.message ?? ""}`)
  }
  return result.data
}

const main = async (): Promise<void> => {
  const path = { org }
  answered(
    await client.PUT("/api/v2/flows/{org}/template_file", {
      params: { path },
      body: { name: "shop", description: "The web shop" }
    })
  )
  answered(
    await client.POST("/api/v2/artifacts/{org}/{flow_name}", {
      params: { path: { org, flow_name: "shop" } },
      body: {
        fingerprint,
        filename: "shop-1.0.tar.gz",
        build_url: "https://ci.example.com/builds/17",
        commit_url: "https://git.example.com/shop/commit/17",
        git_commit: "3fd1ab0c9e4f5a6b7c8d9e0f1a2b3c4d5e6f7a8b"
      }
    })
  )
  answered(
    await client.PUT("/api/v2/environments/{org}", {
      params: { path },
      body: { name: "production", type: "docker" }
    })
  )
  answered(
    await client.PUT("/api/v2/environments/{org}/{env_name}/report/docker", {
      params: { path: { org, env_name: "production" } },
      body: { artifacts: [{ digests: { "shop:1.0": fingerprint }, creationTimestamp: 1767225600 }] }
    })
  )
  const snapshot = answered(
    await client.GET("/api/v2/snapshots/{org}/{env_name}/{snapshot_expression}", {
      params: { path: { org, env_name: "production", snapshot_expression: "@{now}" } }
    })
  )
  for (const { name, flow_name } of snapshot.artifacts) {
    console.log(`snapshot ${snapshot.index}: ${name} from flow ${flow_name}`)
  }
  const page = answered(
    await client.GET("/api/v2/deployments/{org}", {
      params: { path, query: { page: 1, per_page: 10 } }
    })
  )
  console.log(`${page.total_count} deployment`)
  const { error, response } = await client.GET("/api/v2/flows/{org}/{flow_name}", {
    params: { path: { org, flow_name: "nothing" } }
  })
  console.log(`${response.status} ${error?.message}`)
}

await main()
