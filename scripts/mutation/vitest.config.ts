/** How tests run while mutants are tried: one worker, sources, and properties that are cut short. */
import { join } from "node:path"
import { defineConfig } from "vitest/config"
import { fileOf, names } from "./modules.mjs"

const libraries = process.env.ATTESTRY_MUTATION_LIBRARIES
const conditions = ["@attestry/source", "import", "module", "node", "default"]

export default defineConfig({
  resolve: {
    conditions,
    alias:
      libraries === undefined
        ? []
        : names.map((name) => ({ find: name, replacement: fileOf(libraries, name) }))
  },
  ssr: { resolve: { conditions } },
  test: {
    include: (process.env.ATTESTRY_MUTATION_TESTS ?? "policy/*.test.ts").split(" "),
    setupFiles: [join(import.meta.dirname, "Bounded.ts")],
    // WHY: one worker per mutant loads everything once, however many test files are asked about it.
    isolate: false,
    testTimeout: 20_000
  }
})
