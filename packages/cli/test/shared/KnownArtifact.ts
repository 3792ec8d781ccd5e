/** An artifact that a flow knows, and an environment with a policy that asks for that. */
import { createHash } from "node:crypto"
import { writeFileSync } from "node:fs"
import { join } from "node:path"

const POLICY = `_schema: https://attestry.dev/schemas/policy/v1
artifacts:
  provenance:
    required: true
`

const CONTENT = "app\n"

/** The digest of `app.txt`. */
export const DIGEST = createHash("sha256").update(CONTENT).digest("hex")

/** Writes `app.txt`, reports it in flow `shop`, and attaches the policy `known` to the environment `prod`. */
export const attest = async (
  cwd: string,
  done: (...argv: ReadonlyArray<string>) => Promise<unknown>
): Promise<void> => {
  writeFileSync(join(cwd, "app.txt"), CONTENT)
  writeFileSync(join(cwd, "policy.yaml"), POLICY)
  await done("put", "flow", "shop", "--description", "x")
  await done("put", "environment", "prod", "--kind", "server")
  await done("put", "policy", "known", "policy.yaml")
  await done("attach", "known", "prod")
  await done("begin")
  await done("attest", "artifact", "app.txt", "--slot", "app")
}
