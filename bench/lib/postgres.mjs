/** A PostgreSQL of our own in a temporary folder, for as long as a benchmark runs. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as EmbeddedPostgres from "@attestry/sql-store/EmbeddedPostgres"
import { ManagedRuntime, Redacted } from "effect"

/** The folder of another PostgreSQL, with `bin` in it; it runs with its defaults. */
const installation = process.env.BENCH_POSTGRES

/** Starts a server; gives its address, its process and the way to stop it. */
export const startPostgres = async () => {
  const folder = mkdtempSync(join(tmpdir(), "attestry-bench-"))
  const runtime = ManagedRuntime.make(
    EmbeddedPostgres.layer({
      dataDir: join(folder, "data"),
      ...(installation === undefined ? {} : { installation })
    })
  )
  const { url, dataDir } = await runtime.runPromise(EmbeddedPostgres.EmbeddedPostgres)
  return {
    url: Redacted.value(url),
    dataDir,
    stop: async () => {
      await runtime.dispose()
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

/** The process of a server, from the file that PostgreSQL itself keeps in its cluster's folder. */
export const pidIn = (clusterDir) =>
  Number(readFileSync(join(clusterDir, "postmaster.pid"), "utf8").split("\n")[0])
