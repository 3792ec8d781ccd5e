import { mkdirSync } from "node:fs"
import { afterAll, beforeAll, it } from "vitest"
import * as PolicyWorld from "../fixture/PolicyWorld.js"
import * as World from "../fixture/World.js"
import { inBrowser } from "./Browser.js"

const shots = "/tmp/policy-shots"
inBrowser("shots", ({ visit }) => {
  let world: World.World
  beforeAll(async () => {
    mkdirSync(shots, { recursive: true })
    world = await World.start()
    await PolicyWorld.seedPolicies(world)
  })
  afterAll(() => world?.stop())
  for (const [theme, width] of [
    ["light", 1280],
    ["dark", 1280],
    ["light", 400]
  ] as const)
    it(
      `${theme} ${width}`,
      () =>
        visit(
          world,
          async ({ page, open, signIn }) => {
            await open("/acme/policies")
            await page.getByLabel("API key").waitFor()
            await signIn(world.keys.admin)
            const shoot = async (name: string, path: string) => {
              await open(path)
              await page.waitForTimeout(900)
              await page.screenshot({
                path: `${shots}/${name}-${theme}-${width}.png`,
                fullPage: true
              })
            }
            await shoot("policies", "/acme/policies")
            await shoot("policy", "/acme/policies/prod-requirements")
            await shoot("version", "/acme/policies/prod-requirements/versions/2?compare=1")
            await shoot("editor", "/acme/policies/prod-requirements/edit")
            await shoot("new", "/acme/policies/_new")
            await shoot("controls", "/acme/controls")
            await shoot("control", "/acme/controls/SDLC-7")
            await shoot("decisions", "/acme/controls/SDLC-7/decisions")
            await shoot("coverage", "/acme/controls/SDLC-7/coverage")
            await shoot("versions", "/acme/controls/SDLC-7/versions")
          },
          { theme, width }
        ),
      60_000
    )
})
