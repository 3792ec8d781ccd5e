/** One project per package and per example, and one for the checks of the repository itself. */
import { existsSync, readdirSync } from "node:fs"
import { availableParallelism } from "node:os"
import { join } from "node:path"
import { defineConfig, mergeConfig } from "vitest/config"
import { isTiming, shared } from "./vitest.shared.js"

const members = ["packages", "examples"].flatMap((folder) =>
  readdirSync(folder)
    .map((name) => ({ name, folder, root: `${folder}/${name}` }))
    .filter(({ root }) => existsSync(`${root}/package.json`))
)

/** Packages whose tests may ask for a PostgreSQL; one server serves them all, and the examples. */
const onPostgres = ["sql-store", "http", "client", "cli", "server"]
const globalPostgres = join(import.meta.dirname, "packages/sql-store/test/shared/GlobalPostgres.ts")

/**
 * Packages whose test files run in threads; those of others run in processes. WHY both: two threads and two processes
 * are busy at the same time, and each kind has about half of the work.
 */
const inThreads = ["client", "core", "http", "memory-store", "notifier", "web"]

/** Packages whose tests call `layer` of `@effect/vitest`, which changes `it` for every later file. */
const layering = ["evidence-rules", "memory-store", "sql-store"]
const undoing = { setupFiles: [join(import.meta.dirname, "vitest.setup.ts")] }

/** The folder in which tests of the program make theirs. */
const globalFolder = join(import.meta.dirname, "packages/cli/test/shared/GlobalFolder.ts")

const setupOf = ({ name, folder }: { name: string; folder: string }) => ({
  globalSetup: [
    ...(folder === "examples" || onPostgres.includes(name) ? [globalPostgres] : []),
    ...(name === "cli" ? [globalFolder] : [])
  ]
})

export default defineConfig({
  test: {
    // Two tests that measure time at once would measure each other.
    fileParallelism: !isTiming,
    // The runner leaves one core to itself, which on two cores would mean one test file after another.
    minWorkers: 1,
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // Test files of a project share workers, which load their modules once: their tests change nothing that lasts.
    poolOptions: { threads: { isolate: false }, forks: { isolate: false } },
    projects: [
      ...members.map(({ name, folder, root }) =>
        mergeConfig(shared, {
          root,
          test: {
            name,
            pool: inThreads.includes(name) ? "threads" : "forks",
            ...(layering.includes(name) ? undoing : {}),
            ...setupOf({ name, folder })
          }
        })
      ),
      mergeConfig(shared, {
        root: "scripts/checks",
        test: { name: "checks", include: isTiming ? [] : ["*.test.ts"], testTimeout: 120_000 }
      })
    ]
  }
})
