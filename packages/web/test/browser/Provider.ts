/** What people do at the provider of the tests. */
import type { Page } from "playwright-core"

/** Says who one is. */
export const answer = async (page: Page, link: string): Promise<void> => {
  await page.getByRole("heading", { name: "Who are you?" }).waitFor()
  await page.getByRole("link", { name: link, exact: true }).click()
}

/** Goes from a page of sign-in to the provider. */
export const press = (page: Page): Promise<void> =>
  page.getByRole("link", { name: "Sign in with Okta" }).click()
