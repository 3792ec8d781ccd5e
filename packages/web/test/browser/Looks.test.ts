/** Each page in both themes and two widths: shots for people in `dist/test/shots`, and facts about the layout. */
import { afterAll, beforeAll, it } from "vitest"
import * as World from "../fixture/World.js"
import { inBrowser } from "./Browser.js"
import { LOOKS, look } from "./Look.js"

inBrowser("pages", ({ visit }) => {
  let world: World.World
  beforeAll(async () => {
    world = await World.start()
    await World.seedEnvironments(world)
  })
  afterAll(() => world?.stop())

  for (const looks of LOOKS) {
    it(`are readable in ${looks.theme} at ${looks.width} pixels`, () =>
      visit(
        world,
        async ({ page, open, signIn }) => {
          await open("/")
          await page.getByLabel("API key").waitFor()
          await look(page, "sign-in", looks)
          await page.getByLabel("API key").fill("wrong")
          await page.keyboard.press("Enter")
          await page.getByText("This key opens nothing.").waitFor()
          await look(page, "sign-in-wrong", looks)
          await signIn(world.keys.admin)
          await page.getByRole("link", { name: "prod-eu" }).waitFor()
          await look(page, "overview", looks)
          await open("/_/preferences")
          await page.getByRole("heading", { name: "Preferences" }).waitFor()
          await look(page, "preferences", looks)
          await open("/acme/nowhere")
          await page.getByRole("heading", { name: "Page not found" }).waitFor()
          await look(page, "not-found", looks)
        },
        { ...looks, statuses: [404] }
      ))
  }
})
