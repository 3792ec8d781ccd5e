/** What all projects share: how sources are resolved, time limits. */
import { join } from "node:path"
import { defineConfig } from "vitest/config"

/** Tests that measure time run in a lane of their own, one after another. */
export const isTiming = process.env.ATTESTRY_TIMING !== undefined

const conditions = ["@attestry/source", "import", "module", "node", "default"]

export const shared = defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    exclude: ["**/node_modules/**", ...(isTiming ? [] : ["**/*.timing.test.ts"])],
    passWithNoTests: true,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    sequence: { concurrent: false },
    setupFiles: [join(import.meta.dirname, "vitest.setup.ts")]
  }
})
