/** Serves audit packages: everything about a trail or an artifact, streamed as a tar file. */
import { AttestationResponse as AttestationSchema } from "@attestry/api/AttestationResponse"
import { AuditPackageApi, TAR } from "@attestry/api/AuditPackageApi"
import { FlowDetails } from "@attestry/api/FlowApi"
import { TrailResponse } from "@attestry/api/TrailResponse"
import {
  type ArtifactPackage,
  type AuditPackage,
  AuditPackages,
  type FiledAttestation,
  type TrailPackage
} from "@attestry/core/AuditPackages"
import * as Log from "@attestry/core/Log"
import * as PackagePath from "@attestry/core/PackagePath"
import { type PackagedReceipts, PackageReceipts } from "@attestry/core/PackageReceipts"
import type { StoreError } from "@attestry/core/StoreError"
import * as Timestamp from "@attestry/core/Timestamp"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Stream from "effect/Stream"
import * as ArtifactResponse from "../../artifact/internal/ArtifactResponse.js"
import * as AttestationResponse from "../../attestation/internal/AttestationResponse.js"
import { responseOf as flowOf } from "../../flow/internal/FlowHandlers.js"
import { streamed } from "../../shared/HttpMessage.js"
import * as FastEncoder from "../../shared/internal/FastEncoder.js"
import { group } from "../../shared/internal/Handlers.js"
import { toWire } from "../../shared/internal/WireErrors.js"
import { PublicUrl } from "../../shared/PublicUrl.js"
import { responseOf } from "../../trail/internal/TrailResponse.js"
import * as AuditPage from "./AuditPage.js"
import * as PackageMembers from "./PackageMembers.js"

const encodeTrail = FastEncoder.make(TrailResponse.ast)
const encodeAttestation = FastEncoder.make(AttestationSchema.ast)
const encodeFlow = FastEncoder.make(FlowDetails.ast)

type Members = Stream.Stream<PackageMembers.Member<StoreError>, StoreError>

/** The documents before and after the attestations. */
interface Documents {
  readonly before: ReadonlyArray<readonly [name: string, value: unknown]>
  readonly after: ReadonlyArray<readonly [name: string, value: unknown]>
  /** Additional fields of the manifest. */
  readonly about: object
}

const folderOf = ({ view: { attestation }, under }: FiledAttestation): string =>
  under === null
    ? PackagePath.path("attestations", "trail", attestation.name, attestation.id)
    : PackagePath.path("attestations", "artifacts", under, attestation.name, attestation.id)

/** The files of an attestation below its folder, each under a name of its own. */
const filesOf = (
  { attestation: { attachments } }: FiledAttestation["view"],
  folder: string
): ReadonlyArray<PackageMembers.ListedMember> => {
  const names = PackagePath.distinct(
    attachments.map(({ filename }) => PackagePath.segment(filename))
  )
  return attachments.map(({ fingerprint, size }, index) => ({
    name: `${folder}/evidence/${names[index]}`,
    size,
    sha256: fingerprint
  }))
}

const trailDocuments = (base: string, given: TrailPackage): Documents => {
  const { org, flow, artifacts } = given
  const names = PackagePath.distinct(
    artifacts.map(({ artifact }) =>
      PackagePath.path("artifacts", artifact.slot, `${artifact.fingerprint}.json`)
    )
  )
  return {
    before: [
      ["trail.json", encodeTrail(responseOf(base, org, given.trail))],
      [
        "flow.json",
        encodeFlow({
          ...flowOf(org, flow.flow, flow.repoUrl),
          last_deployment_at: flow.lastDeploymentAt
        })
      ],
      ...artifacts.map(
        (view, index) => [names[index] ?? "", ArtifactResponse.responseOf(base, org, view)] as const
      )
    ],
    after: [],
    about: {}
  }
}

const artifactDocuments = (base: string, given: ArtifactPackage): Documents => ({
  before: [["artifact.json", ArtifactResponse.responseOf(base, given.org, given.artifact)]],
  after: [["trail.json", encodeTrail(responseOf(base, given.org, given.trail))]],
  about: { fingerprint: given.artifact.artifact.fingerprint }
})

/** A receipt with its name in the package; null where there is none. */
const shownReceipts = ({ receipts }: PackagedReceipts): ReadonlyArray<AuditPage.ShownReceipt> =>
  receipts.map((given) => ({
    ...given,
    name: Either.isLeft(given.receipt)
      ? null
      : PackagePath.path(
          "receipts",
          given.environment,
          `${given.index}-${given.fingerprint}.vsa.json`
        )
  }))

/** Serves the operations of audit packages. */
export const AuditPackageHandlers = group(
  AuditPackageApi,
  Effect.gen(function* () {
    const [packages, receipts] = [yield* AuditPackages, yield* PackageReceipts]
    const member = yield* PackageMembers.make
    const base = yield* PublicUrl

    const attestationsOf = (
      given: AuditPackage,
      shown: Array<AuditPage.ShownAttestation>
    ): Members =>
      Stream.flatMap(given.attestations, (filed): Members => {
        const { attestation } = filed.view
        const folder = folderOf(filed)
        // An erased file is left out; `attestation.json` still names it.
        const files = filesOf(filed.view, folder).filter(({ sha256 }) => !filed.gone.has(sha256))
        const { name, type, isCompliant, isOverride, created_by, created_at } = attestation
        shown.push({
          attestation: { name, type, isCompliant, isOverride, created_by, created_at },
          under: filed.under,
          files
        })
        const document = member.json(
          `${folder}/attestation.json`,
          encodeAttestation(AttestationResponse.responseOf(base, given.org, filed.view))
        )
        const contents = files.flatMap((file) => {
          const stored = attestation.attachments.find(
            ({ fingerprint }) => fingerprint === file.sha256
          )
          return stored === undefined ? [] : [{ ...file, content: given.contentOf(stored) }]
        })
        return Stream.concat(Stream.fromEffect(document), Stream.fromIterable(contents))
      })

    /** The receipts of all artifacts of a package. */
    const receiptsOf = ({ artifacts, org }: AuditPackage) =>
      receipts.read(
        { org, origin: Log.originOf(base, org), publicUrl: base, predicate: "vsa" },
        artifacts.map(({ artifact }) => artifact.fingerprint)
      )

    /** The members of receipts, and the keys to check them with. */
    const receiptMembers = (
      made: PackagedReceipts,
      named: ReadonlyArray<AuditPage.ShownReceipt>
    ): Members => {
      const texts = named.flatMap(({ name, receipt }) =>
        name === null || Either.isLeft(receipt) ? [] : [[name, receipt.right] as const]
      )
      return Stream.mapEffect(
        Stream.fromIterable(
          texts.length === 0 ? [] : [...texts, ["receipts/keys.json", made.keys] as const]
        ),
        ([name, text]) => member.text(name, text)
      )
    }

    const bytesOf = (
      given: AuditPackage,
      made: PackagedReceipts,
      { before, after, about }: Documents
    ) =>
      Stream.suspend(() => {
        const verdicts = shownReceipts(made)
        const shown: Array<AuditPage.ShownAttestation> = []
        const documents = (all: Documents["before"]) =>
          Stream.mapEffect(Stream.fromIterable(all), ([name, value]) => member.json(name, value))
        const members: Members = documents(before).pipe(
          Stream.concat(attestationsOf(given, shown)),
          Stream.concat(documents(after)),
          Stream.concat(receiptMembers(made, verdicts))
        )
        const at = Timestamp.toSeconds(given.at)
        return PackageMembers.pack(members, {
          modifiedAt: at,
          page: () => member.text("index.html", AuditPage.print(given, shown, verdicts)),
          manifest: (listed) =>
            member.json("manifest.json", {
              org: given.org,
              flow: given.trail.flow.name,
              trail: given.trail.trail.name,
              ...about,
              ...(given.isPartial ? { view: "partial" } : {}),
              made_at: at,
              made_by: given.madeBy,
              members: listed
            })
        })
      })

    const answer = (given: AuditPackage, subject: string, documents: Documents) =>
      Effect.map(receiptsOf(given), (made) =>
        streamed(bytesOf(given, made, documents), {
          "content-type": TAR,
          "content-disposition": `attachment; filename="${given.trail.flow.name}-${subject}-audit-package.tar"`,
          "x-content-type-options": "nosniff"
        })
      )

    return {
      trail: ({ path }) =>
        packages.ofTrail({ org: path.org, flow: path.flow_name, trail: path.trail_name }).pipe(
          Effect.flatMap((given) =>
            answer(given, given.trail.trail.name, trailDocuments(base, given))
          ),
          toWire
        ),
      artifact: ({ path }) =>
        packages.ofArtifact({ org: path.org, flow: path.flow_name }, path.fingerprint).pipe(
          Effect.flatMap((given) =>
            answer(given, given.artifact.artifact.fingerprint, artifactDocuments(base, given))
          ),
          toWire
        )
    }
  })
)
