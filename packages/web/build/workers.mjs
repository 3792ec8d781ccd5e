/** Bundles the workers of the application, and tells their hashed names. */
import { basename, join, relative } from "node:path"

/** The workers, each one file by itself: they alone have core and Effect in them. */
const WORKERS = {
  POLICY_WORKER: ["policy.worker", "app/policy/policy.worker.ts"],
  PROOF_WORKER: ["proof.worker", "app/log/proof.worker.ts"]
}

/** Bundles them. */
export const bundleWorkers = ({ build, shared, define, root }) =>
  build({
    ...shared,
    entryPoints: Object.fromEntries(
      Object.values(WORKERS).map(([name, file]) => [name, join(root, file)])
    ),
    define
  })

/** The hashed names of the workers, as the application knows them. */
export const workerNames = ({ outputFiles }, staging) =>
  Object.fromEntries(
    Object.entries(WORKERS).map(([constant, [name]]) => {
      const { path } = outputFiles.find(
        (file) => basename(file.path).startsWith(`${name}-`) && file.path.endsWith(".js")
      )
      return [constant, JSON.stringify(relative(staging, path))]
    })
  )
