/** The services of the demo: what each is called, which team owns it, and where it runs. */

/** A place of production. */
export type Production = "clusters" | "tasks" | "functions" | "assets" | "hosts"

/** A service. */
export interface DemoService {
  readonly name: string
  readonly team: string
  readonly description: string
  readonly risk: "high" | "normal"
  readonly production: Production
}

const service = (
  name: string,
  team: string,
  more: Pick<DemoService, "description"> & Partial<DemoService>
): DemoService => ({ name, team, risk: "normal", production: "clusters", ...more })

/** Every service. */
export const SERVICES: ReadonlyArray<DemoService> = [
  service("storefront", "shop-team", { description: "Pages of the shop" }),
  service("cart", "shop-team", { description: "Carts of customers" }),
  service("checkout", "shop-team", { description: "Orders and their totals", risk: "high" }),
  service("catalog", "catalog-team", { description: "Products and their prices" }),
  service("search", "catalog-team", { description: "Search in the catalog" }),
  service("recommendations", "catalog-team", { description: "Products that fit others" }),
  service("accounts", "identity-team", { description: "Sign-in of customers", risk: "high" }),
  service("gateway", "platform-team", { description: "The door to all services" }),
  service("payments", "payments-team", {
    description: "Payments and refunds",
    risk: "high",
    production: "tasks"
  }),
  service("invoices", "payments-team", {
    description: "Invoices as documents",
    production: "functions"
  }),
  service("site", "web-team", { description: "Pictures and style sheets", production: "assets" }),
  service("ledger", "finance-team", {
    description: "Books of the company, on hosts of its own",
    risk: "high",
    production: "hosts"
  })
]

/** The name of the image, file or package of a build. */
export const artifactName = ({ name, production }: DemoService, build: number): string => {
  if (production === "assets") return `site-${build}.tar.gz`
  if (production === "hosts") return `ledger-1.${build}.jar`
  return `registry.example.com/${name}:1.${build}`
}
