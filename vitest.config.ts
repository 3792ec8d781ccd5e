/** One project per package and per example, and one for the checks of the repository itself. */
import { existsSync, readdirSync } from "node:fs"
import { defineConfig, mergeConfig } from "vitest/config"
import { shared } from "./vitest.shared.js"

const members = ["packages", "examples"].flatMap((folder) =>
  readdirSync(folder)
    .map((name) => ({ name, root: `${folder}/${name}` }))
    .filter(({ root }) => existsSync(`${root}/package.json`))
)

export default defineConfig({
  test: {
    projects: [
      ...members.map(({ name, root }) => mergeConfig(shared, { root, test: { name } })),
      mergeConfig(shared, {
        root: "scripts/checks",
        test: { name: "checks", include: ["*.test.ts"], testTimeout: 120_000 }
      })
    ]
  }
})
