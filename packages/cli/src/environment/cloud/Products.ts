/**
 * Product names of environment kinds. The command line accepts and shows them; requests have the specification's
 * kinds. Pure.
 */

/** A product, and the kind of its environments. */
export interface Product {
  readonly kind: string
  readonly title: string
  /** Its names on the command line, in lower case; help shows the first. */
  readonly names: ReadonlyArray<string>
}

/** Every product. */
export const PRODUCTS: ReadonlyArray<Product> = [
  { kind: "K8S", title: "Kubernetes", names: ["kubernetes", "k8s"] },
  { kind: "container-tasks", title: "Amazon ECS", names: ["ecs"] },
  { kind: "functions", title: "AWS Lambda", names: ["lambda"] },
  { kind: "object-store", title: "Amazon S3", names: ["s3"] },
  { kind: "cloudx-apps", title: "Azure App Service", names: ["azure-apps"] },
  { kind: "serverless-run", title: "Google Cloud Run", names: ["cloud-run"] }
]

/** The environment kinds, as requests spell them. */
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

/**
 * The kind for a text in any case: a kind, or a name or the title of a product. Other texts are returned unchanged.
 */
export const kindOf = (text: string): string => {
  const word = text.toLowerCase()
  return (
    KINDS.find((kind) => kind.toLowerCase() === word) ??
    PRODUCTS.find(({ names, title }) => names.includes(word) || title.toLowerCase() === word)
      ?.kind ??
    text
  )
}

/** The word for a kind on the command line: the name of its product, or the kind itself. */
export const wordOf = (kind: string): string =>
  PRODUCTS.find((product) => product.kind === kind)?.names[0] ?? kind

/** The words for all kinds. */
export const WORDS: ReadonlyArray<string> = KINDS.map(wordOf)

/** The products of the words, for help texts. */
export const MEANINGS: string = PRODUCTS.filter(({ kind }) => kind !== "K8S")
  .map(({ title, names }) => `${names[0]} is ${title}`)
  .join(", ")
