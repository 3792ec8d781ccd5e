/**
 * Reports a release from a pipeline with the Promise client: `node dist/main.js FILE`.
 *
 * Every step is idempotent: a pipeline that runs twice records one release.
 */
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { basename } from "node:path"
import { AttestryError, attestry } from "@attestry/client/PromiseClient"

const template_file = `version: 1
trail:
  artifacts:
    - name: backend
`

const release = async (file: string): Promise<void> => {
  const client = attestry({
    baseUrl: process.env.ATTESTRY_URL ?? "http://127.0.0.1:8080",
    apiKey: process.env.ATTESTRY_API_KEY ?? ""
  })
  const org = process.env.ATTESTRY_ORG ?? "acme"
  const flow = { org, flow_name: "shop" }
  const production = { org, env_name: "production" }
  const filename = basename(file)
  const fingerprint = createHash("sha256").update(readFileSync(file)).digest("hex")

  await client.flow.putWithTemplate({
    path: { org },
    payload: { name: "shop", description: "The web shop", template_file }
  })
  await client.trail.begin({ path: flow, payload: { name: "build-17", description: "Build 17" } })
  await client.artifact.report({
    path: flow,
    payload: {
      fingerprint,
      filename,
      build_url: "https://ci.example.com/builds/17",
      commit_url: "https://git.example.com/shop/commit/17",
      trail_name: "build-17",
      template_reference_name: "backend"
    }
  })
  console.log(`reported ${filename} with fingerprint ${fingerprint}`)

  await client.environment.put({
    path: { org },
    payload: { name: "production", type: "server", description: "Where customers are" }
  })
  await client.report.server({
    path: production,
    payload: {
      artifacts: [{ digests: { [filename]: fingerprint }, creationTimestamp: 1767225600 }]
    }
  })
  const latest = await client.snapshot.get({
    path: { ...production, snapshot_expression: "~0" }
  })
  console.log(`snapshot ${latest.index} of production, ${latest.html_url}`)
  for (const { name, annotation } of latest.artifacts) console.log(`  ${name} ${annotation.type}`)
}

const [, , file] = process.argv
try {
  if (file === undefined) throw new Error("usage: node dist/main.js FILE")
  await release(file)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  if (error instanceof AttestryError) console.error(error._tag, error.status, error.errors)
  process.exitCode = 1
}
