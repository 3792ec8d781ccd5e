/** The repository of evidence: flags come before the job. Pure. */
import { type JobRepository, repositoryOf, webUrlOf } from "../job/Job.js"
import type { Arguments } from "../shared/Arguments.js"
import { usage } from "../shared/CommandFailure.js"

/** A repository; without an id, the server finds it by its provider and its name. */
export type EvidenceRepository = Omit<JobRepository, "id"> & { readonly id: string | undefined }

/** Which repository `--repository` names: that of the evidence, or that of a forge. */
export interface Naming {
  readonly asksForge?: boolean | undefined
}

/** The flags that need an address, beside that of the name. */
const OTHERS = ["repo-id", "provider"]

const urlOf = (text: string): string => {
  const url = webUrlOf(text)
  if (url !== undefined) return url
  throw usage(`--repo-url expects an address such as https://…, not \`${text}\``)
}

/**
 * The repository; undefined if neither the flags nor the job name one.
 *
 * WHY the job's id and address belong to its own repository only: with another name or address, they would describe
 * two repositories as one.
 */
export const of = (
  own: JobRepository | undefined,
  args: Arguments,
  { asksForge = false }: Naming = {}
): EvidenceRepository | undefined => {
  const name = asksForge ? undefined : args.text("repository")
  const [id, given, provider] = [args.text("repo-id"), args.text("repo-url"), args.text("provider")]
  const url = given === undefined ? undefined : urlOf(given)
  const isOwn = own !== undefined && (name ?? own.name) === own.name && (url ?? own.url) === own.url
  if (isOwn) return { ...own, id: id ?? own.id, provider: provider ?? own.provider }
  if (url === undefined) {
    const flags = asksForge ? OTHERS : ["repository", ...OTHERS]
    const flag = flags.find((each) => args.text(each) !== undefined)
    if (flag === undefined) return undefined
    throw usage(
      `--${flag}: the address of the repository is not known`,
      "give --repo-url too; the job has another repository, or none"
    )
  }
  const known = repositoryOf(url)
  return { name: name ?? known.name, id, url, provider: provider ?? known.provider }
}
