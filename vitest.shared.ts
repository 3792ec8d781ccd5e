/** What every package's tests share: how sources are resolved, which files are tests, time limits. */
import { defineConfig } from "vitest/config"

const conditions = ["@attestry/source", "import", "module", "node", "default"]

export const shared = defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    sequence: { concurrent: false }
  }
})
