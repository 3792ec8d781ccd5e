/** What all projects share: how sources are resolved, time limits. */
import { join } from "node:path"
import { defineConfig } from "vitest/config"
import { excluded } from "./vitest.runs.js"

const conditions = ["@attestry/source", "import", "module", "node", "default"]

export const shared = defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    exclude: [...excluded],
    passWithNoTests: true,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    sequence: { concurrent: false },
    setupFiles: [join(import.meta.dirname, "vitest.setup.ts")]
  }
})
