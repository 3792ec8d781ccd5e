/**
 * `attestry report s3 ENV`: the objects of S3 buckets, as one artifact per bucket or per prefix.
 *
 * Contents are read as streams and stored nowhere. An object that is too large or unreadable is reported with an
 * unknown digest.
 */
import type { Arguments } from "../../shared/Arguments.js"
import * as ByteSize from "../../shared/ByteSize.js"
import { CommandFailure, usage } from "../../shared/CommandFailure.js"
import { command } from "../Report.js"
import { type ReportDraft, type Reporter, type ReporterInput, together } from "../Reporter.js"
import * as AwsService from "./AwsService.js"
import { CloudRefusal, parallel } from "./CloudRequests.js"
import * as KeyFilter from "./KeyFilter.js"
import * as KeyTree from "./KeyTree.js"
import * as S3Listing from "./S3Listing.js"

const BYTES_MAX = 1_073_741_824

/** The objects of one artifact. */
interface Part {
  readonly bucket: string
  readonly name: string
  readonly objects: ReadonlyArray<S3Listing.StoredObject>
  /** The prefix to strip from keys. */
  readonly root: string
}

interface Wanted {
  readonly prefixes: ReadonlyArray<string>
  readonly isEach: boolean
  readonly bytesMax: number
  /** Whether an object counts. */
  readonly counts: KeyFilter.KeyTest
}

const wantedOf = async (args: Arguments): Promise<Wanted> => {
  const text = args.text("max-bytes")
  const bytesMax = text === undefined ? BYTES_MAX : ByteSize.parse(text)
  if (bytesMax === undefined)
    throw usage(`--max-bytes expects a size such as 1GiB, not \`${text}\``)
  return {
    prefixes: args.texts("prefix"),
    isEach: args.has("each-prefix"),
    bytesMax,
    counts: await KeyFilter.of(args)
  }
}

/** Whether an object has content; folder markers have none. */
const isContent = ({ key }: S3Listing.StoredObject): boolean => !key.endsWith("/")

const folderOf = (prefix: string): string =>
  prefix === "" || prefix.endsWith("/") ? prefix : `${prefix}/`

/** The top-level folders of a bucket. */
const topsOf = (objects: ReadonlyArray<S3Listing.StoredObject>): ReadonlyArray<string> => [
  ...new Set(
    objects
      .filter(({ key }) => key.includes("/"))
      .map(({ key }) => key.slice(0, key.indexOf("/") + 1))
  )
]

const partsOf = (
  bucket: string,
  objects: ReadonlyArray<S3Listing.StoredObject>,
  { prefixes, isEach }: Wanted
): ReadonlyArray<Part> => {
  if (!isEach) return [{ bucket, name: bucket, objects, root: "" }]
  const roots = prefixes.length === 0 ? topsOf(objects) : prefixes.map(folderOf)
  return roots.map((root) => ({
    bucket,
    name: `${bucket}/${root.replace(/\/$/, "")}`,
    objects: objects.filter(({ key }) => key.startsWith(root)),
    root
  }))
}

const baseName = (key: string): string => key.slice(key.lastIndexOf("/") + 1)

/** The name and digest of an artifact: a single object has its own digest, several objects have that of a folder. */
const digestOf = async (
  service: AwsService.AwsService,
  { bucket, name, objects, root }: Part
): Promise<{ readonly [name: string]: string }> => {
  const digests = await parallel(objects, async (each) => {
    const digest = await S3Listing.digestOf(service, bucket, each)
    return [each.key.slice(root.length), digest] as const
  })
  const [only, ...others] = digests
  if (only !== undefined && others.length === 0 && root === "")
    return { [baseName(only[0])]: only[1] }
  return { [name]: KeyTree.digestOf(new Map(digests)) }
}

const unitOf = (part: Part, digests: { readonly [name: string]: string }) => ({
  digests,
  creationTimestamp: Math.max(0, ...part.objects.map(({ modified }) => modified))
})

const unknown = (part: Part, reason: string): ReportDraft => ({
  units: [unitOf(part, { [part.name]: "" })],
  leftOut: [],
  unknown: [`${part.name}: ${reason}`],
  warnings: []
})

const partUnits = async (
  service: AwsService.AwsService,
  part: Part,
  { bytesMax }: Wanted
): Promise<ReportDraft> => {
  if (part.objects.length === 0)
    return { units: [], leftOut: [], warnings: [`${part.name} holds nothing`] }
  const bytes = part.objects.reduce((sum, { size }) => sum + size, 0)
  if (bytes > bytesMax)
    return unknown(
      part,
      `it has ${ByteSize.print(bytes)}, and --max-bytes is ${ByteSize.print(bytesMax)}`
    )
  try {
    return { units: [unitOf(part, await digestOf(service, part))], leftOut: [], warnings: [] }
  } catch (error) {
    if (!(error instanceof CommandFailure) || error.word !== "unreadable") throw error
    return unknown(part, error.message)
  }
}

const bucketUnits = async (
  service: AwsService.AwsService,
  bucket: string,
  wanted: Wanted
): Promise<ReportDraft> => {
  const prefixes = wanted.prefixes.length === 0 ? [""] : wanted.prefixes
  const lists = await parallel(prefixes, (prefix) => S3Listing.list(service, bucket, prefix))
  const all = new Map(lists.flatMap((list) => list ?? []).map((each) => [each.key, each]))
  const whole: Part = { bucket, name: bucket, objects: [...all.values()], root: "" }
  if (lists.includes(undefined))
    return unknown(whole, `it has more than ${S3Listing.OBJECTS_MAX} objects`)
  const contents = [...all.values()].filter(isContent)
  const counted = contents.filter(({ key }) => wanted.counts(key))
  if (counted.length === 0 && contents.length > 0)
    return {
      units: [],
      leftOut: [],
      warnings: [
        `--include and --exclude leave none of the ${contents.length} objects of ${bucket}`
      ]
    }
  const parts = partsOf(bucket, counted, wanted)
  const read: Array<ReportDraft> = []
  for (const part of parts) read.push(await partUnits(service, part, wanted))
  return together(read)
}

const gather = async ({ context, args }: ReporterInput): Promise<ReportDraft> => {
  const buckets = args.texts("bucket")
  if (buckets.length === 0) throw usage("--bucket is missing")
  const wanted = await wantedOf(args)
  const service = await AwsService.connect(context, args, { service: "s3", name: "S3" })
  const parts: Array<ReportDraft> = []
  for (const bucket of buckets) {
    try {
      parts.push(await bucketUnits(service, bucket, wanted))
    } catch (error) {
      if (!(error instanceof CloudRefusal)) throw error
      parts.push({ units: [], leftOut: [`bucket ${bucket}: ${error.message}`], warnings: [] })
    }
  }
  const read = together(parts)
  const { length } = read.units
  return { ...read, summary: `${length} ${length === 1 ? "artifact" : "artifacts"}` }
}

/** Reports environments of kind `object-store`. */
export const reporter: Reporter = { kind: () => "object-store", gather }

/** Runs `attestry report s3`. */
export const { run } = command(reporter)
