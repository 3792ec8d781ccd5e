/**
 * Four projects: two that run in threads and two that run in processes, at the same time, each with about half of the
 * work. Of each two, one asks for a PostgreSQL.
 *
 * WHY not one per package: each project transforms every module that it loads, its workers load them anew, and the next
 * one begins when the last file of the one before has ended.
 */
import { availableParallelism } from "node:os"
import { join } from "node:path"
import { defineConfig, mergeConfig, type ViteUserConfig } from "vitest/config"
import { filesIn, isTiming } from "./vitest.runs.js"
import { shared } from "./vitest.shared.js"

const at = (path: string) => join(import.meta.dirname, path)

/** One PostgreSQL serves every project that asks for it. */
const globalPostgres = at("packages/sql-store/test/shared/GlobalPostgres.ts")

/** The folder in which tests of the command line make theirs. */
const globalFolder = at("packages/cli/test/shared/GlobalFolder.ts")

const folderOf = (name: string) => `packages/${name}/test`

const project = (
  name: string,
  folders: ReadonlyArray<string>,
  test: ViteUserConfig["test"]
): ViteUserConfig =>
  mergeConfig(shared, defineConfig({ test: { name, include: folders.flatMap(filesIn), ...test } }))

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
      project(
        "plain",
        [
          "api",
          "core",
          "evidence-intake",
          "evidence-rules",
          "memory-store",
          "notifier",
          "policy-lab",
          "sign-in",
          "transparency-log",
          "web"
        ].map(folderOf),
        { pool: "threads" }
      ),
      project("wire", ["http", "client"].map(folderOf), {
        pool: "threads",
        globalSetup: [globalPostgres]
      }),
      project(
        "stored",
        [...["embedded-postgres", "sql-store", "server", "cli"].map(folderOf), "examples/*/test"],
        { pool: "forks", globalSetup: [globalPostgres, globalFolder] }
      ),
      project("checks", ["scripts/checks"], { pool: "forks" })
    ]
  }
})
