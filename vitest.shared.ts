/** What every package's tests share: how sources are resolved, which files are tests, time limits. */
import { defineConfig } from "vitest/config"

/** Tests that measure time run in a lane of their own, one after another. */
export const isTiming = process.env.ATTESTRY_TIMING !== undefined

const conditions = ["@attestry/source", "import", "module", "node", "default"]

export const shared = defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: [isTiming ? "test/**/*.timing.test.ts" : "test/**/*.test.ts"],
    exclude: isTiming ? [] : ["**/*.timing.test.ts"],
    passWithNoTests: true,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    sequence: { concurrent: false }
  }
})
