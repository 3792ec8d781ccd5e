/** Product names for the neutral words of the API, which people read; other words are returned unchanged. Pure. */

/** The products: the kind of their environments, its second word, the word of the command line, and the name. */
const PRODUCTS: ReadonlyArray<readonly [kind: string, second: string, word: string, name: string]> =
  [
    ["K8S", "K8S", "kubernetes", "Kubernetes"],
    ["container-tasks", "ECS", "ecs", "Amazon ECS"],
    ["functions", "lambda", "lambda", "AWS Lambda"],
    ["object-store", "S3", "s3", "Amazon S3"],
    ["cloudx-apps", "azure-apps", "azure-apps", "Azure App Service"],
    ["serverless-run", "cloud-run", "cloud-run", "Google Cloud Run"]
  ]

const PROVIDERS: ReadonlyMap<string, string> = new Map([
  ["github", "GitHub"],
  ["gitlab", "GitLab"],
  ["bitbucket", "Bitbucket"],
  ["bitbucket_cloud", "Bitbucket Cloud"],
  ["bitbucket_dc", "Bitbucket Data Center"],
  ["cloudx-devops", "Azure DevOps"],
  ["cloudx_devops_services", "Azure DevOps Services"],
  ["cloudx_devops_server", "Azure DevOps Server"],
  ["circleci", "CircleCI"],
  ["git", "Git"],
  ["subversion", "Subversion"]
])

const productOf = (kind: string) =>
  PRODUCTS.find(([own, second]) => own === kind || second === kind)

/** The name of an environment kind's product. */
export const ofKind = (kind: string): string => productOf(kind)?.[3] ?? kind

/** The word of the command line for an environment kind. */
export const wordOf = (kind: string): string => productOf(kind)?.[2] ?? kind

/** The name of a provider of repositories. */
export const ofProvider = (word: string): string =>
  PROVIDERS.get(word.replace(/^azure(?=[-_]devops)/, "cloudx")) ?? word
