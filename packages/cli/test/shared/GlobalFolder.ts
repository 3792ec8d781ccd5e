/** One folder for a test run, in which tests make theirs; it is removed when the run ends. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { TestProject } from "vitest/node"

declare module "vitest" {
  interface ProvidedContext {
    readonly folder: string
  }
}

/** Makes the folder. */
export default (project: TestProject): (() => void) => {
  const folder = mkdtempSync(join(tmpdir(), "attestry-cli-"))
  project.provide("folder", folder)
  return () => rmSync(folder, { recursive: true, force: true })
}
