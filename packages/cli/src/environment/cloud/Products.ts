/**
 * The names under which people know the kinds of environments. They are words of the command line and of its help; in
 * requests a kind has its word of the specification. Pure.
 */

/** A product, and the kind of its environments. */
export interface Product {
  readonly kind: string
  readonly title: string
  /** Its names on a command line, in lower case. */
  readonly names: ReadonlyArray<string>
}

/** The products. */
export const PRODUCTS: ReadonlyArray<Product> = [
  { kind: "K8S", title: "Kubernetes", names: ["k8s", "kubernetes"] },
  { kind: "container-tasks", title: "Amazon ECS", names: ["ecs"] },
  { kind: "functions", title: "AWS Lambda", names: ["lambda"] },
  { kind: "object-store", title: "Amazon S3", names: ["s3"] },
  { kind: "cloudx-apps", title: "Azure App Service", names: ["azure-apps"] },
  { kind: "serverless-run", title: "Google Cloud Run", names: ["cloud-run"] }
]

/** The kinds of environments, as requests have them. */
export const KINDS: ReadonlyArray<string> = [
  "K8S",
  "container-tasks",
  "object-store",
  "functions",
  "server",
  "docker",
  "cloudx-apps",
  "serverless-run",
  "logical"
]

/** The kind that a word means, in any case: its own word, or a name or the title of its product. Other words stay. */
export const kindOf = (text: string): string => {
  const word = text.toLowerCase()
  return (
    KINDS.find((kind) => kind.toLowerCase() === word) ??
    PRODUCTS.find(({ names, title }) => names.includes(word) || title.toLowerCase() === word)
      ?.kind ??
    text
  )
}

/** The names of a kind's product. */
export const namesOf = (kind: string): ReadonlyArray<string> =>
  PRODUCTS.find((product) => product.kind === kind)?.names ?? []

/** What the words of kinds mean, for help. */
export const MEANINGS: string = PRODUCTS.map(
  ({ kind, title, names }) => `${kind} is ${title} (${names[0]})`
).join(", ")
