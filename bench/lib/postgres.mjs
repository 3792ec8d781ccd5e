/** A PostgreSQL for as long as a benchmark runs: one of our own in a temporary folder, or a database on yours. */
import { randomBytes } from "node:crypto"
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as EmbeddedPostgres from "@attestry/embedded-postgres/EmbeddedPostgres"
import { ManagedRuntime, Redacted } from "effect"
import pg from "pg"

/** The address of a superuser on a server of this machine, which keeps its settings. */
const NAMED = process.env.BENCH_DATABASE_URL

const ask = async (url, text) => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(text)
  await client.end()
  return rows
}

/** A database on a server that runs; its folder has a copy of the file that names the server's process. */
const createDatabase = async (server, folder) => {
  const name = `attestry_bench_${randomBytes(6).toString("hex")}`
  await ask(server, `create database ${name}`)
  const [{ data_directory: cluster }] = await ask(server, "show data_directory")
  copyFileSync(join(cluster, "postmaster.pid"), join(folder, "postmaster.pid"))
  const url = new URL(server)
  url.pathname = `/${name}`
  return {
    url: url.toString(),
    dataDir: folder,
    stop: async () => {
      await ask(server, `drop database ${name} with (force)`)
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

/** Starts a server, or makes a database on the named one; gives its address, its folder and the way to stop it. */
export const startPostgres = async () => {
  const folder = mkdtempSync(join(tmpdir(), "attestry-bench-"))
  if (NAMED !== undefined) return createDatabase(NAMED, folder)
  const runtime = ManagedRuntime.make(EmbeddedPostgres.layer({ dataDir: join(folder, "data") }))
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
