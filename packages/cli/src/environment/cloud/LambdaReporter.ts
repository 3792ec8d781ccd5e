/** `attestry report lambda ENV`: the code of AWS Lambda functions. */
import * as Json from "../../shared/Json.js"
import * as NameFilter from "../NameFilter.js"
import { command } from "../Report.js"
import { type ReportDraft, type Reporter, type ReporterInput, together } from "../Reporter.js"
import * as AwsService from "./AwsService.js"

const PATH = "/2015-03-31/functions/"
const PAGE_SIZE = "50"

/** Converts the digest of a package to hexadecimal; archives have it in Base64. */
const digestOf = (sha: string): string => {
  if (/^[0-9a-f]{64}$/.test(sha)) return sha
  const hex = Buffer.from(sha, "base64").toString("hex")
  return hex.length === 64 ? hex : ""
}

/** The unit of a function. */
export const unitOf = (configuration: Json.Fields): ReportDraft => {
  const name = Json.text(configuration.FunctionName) ?? ""
  const digest = digestOf(Json.text(configuration.CodeSha256) ?? "")
  const modified = Date.parse(Json.text(configuration.LastModified) ?? "")
  return {
    units: [
      {
        digests: { [name]: digest },
        creationTimestamp: Number.isNaN(modified) ? 0 : Math.floor(modified / 1_000)
      }
    ],
    leftOut: [],
    unknown: digest === "" ? [`${name}: the digest of its code is unknown`] : [],
    warnings: []
  }
}

const gather = async ({ context, args }: ReporterInput): Promise<ReportDraft> => {
  const filter = await NameFilter.of(args, "function")
  const service = await AwsService.connect(context, args, { service: "lambda", name: "LAMBDA" })
  const found: Array<Json.Fields> = []
  let marker = ""
  do {
    const query = { MaxItems: PAGE_SIZE, ...(marker === "" ? {} : { Marker: marker }) }
    const page = await service.json({ path: PATH, query })
    found.push(...Json.objects(page.Functions))
    marker = Json.text(page.NextMarker) ?? ""
  } while (marker !== "")
  const functions = found.filter(({ FunctionName }) => filter.accepts(String(FunctionName)))
  const { length } = functions
  return {
    ...together(functions.map(unitOf)),
    summary: `${length} ${length === 1 ? "function" : "functions"}`
  }
}

/** Reports environments of kind `functions`. */
export const reporter: Reporter = { kind: () => "functions", gather }

/** Runs `attestry report lambda`. */
export const { run } = command(reporter)
