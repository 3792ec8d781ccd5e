/** Serves audit packages: everything about a trail, an artifact or a snapshot, streamed as a tar file. */
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
import type { OrgName } from "@attestry/core/Identifier"
import * as Log from "@attestry/core/Log"
import * as PackagePath from "@attestry/core/PackagePath"
import { type PackagedReceipts, PackageReceipts } from "@attestry/core/PackageReceipts"
import { SnapshotPackages } from "@attestry/core/SnapshotPackages"
import * as Timestamp from "@attestry/core/Timestamp"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Stream from "effect/Stream"
import * as ArtifactResponse from "../../artifact/internal/ArtifactResponse.js"
import { responseOf as flowOf } from "../../flow/internal/FlowHandlers.js"
import { streamed } from "../../shared/HttpMessage.js"
import * as FastEncoder from "../../shared/internal/FastEncoder.js"
import { group } from "../../shared/internal/Handlers.js"
import { toWire } from "../../shared/internal/WireErrors.js"
import { PublicUrl } from "../../shared/PublicUrl.js"
import { asTyped } from "../../snapshot/internal/SnapshotHandlers.js"
import { responseOf } from "../../trail/internal/TrailResponse.js"
import * as AttestationMembers from "./AttestationMembers.js"
import * as AuditPage from "./AuditPage.js"
import * as PackageMembers from "./PackageMembers.js"
import * as ReceiptMembers from "./ReceiptMembers.js"
import * as SnapshotMembers from "./SnapshotMembers.js"

type Members = AttestationMembers.Members

const encodeTrail = FastEncoder.make(TrailResponse.ast)
const encodeFlow = FastEncoder.make(FlowDetails.ast)

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

/** A package as a download. */
const download = (bytes: Stream.Stream<Uint8Array, unknown>, about: string) =>
  streamed(bytes, {
    "content-type": TAR,
    "content-disposition": `attachment; filename="${about}-audit-package.tar"`,
    "x-content-type-options": "nosniff"
  })

/** Serves the operations of audit packages. */
export const AuditPackageHandlers = group(
  AuditPackageApi,
  Effect.gen(function* () {
    const [packages, receipts] = [yield* AuditPackages, yield* PackageReceipts]
    const member = yield* PackageMembers.make
    const base = yield* PublicUrl
    const snapshotPackages = yield* SnapshotPackages
    const snapshotMembers = yield* SnapshotMembers.make

    const questionOf = (org: OrgName) =>
      ({ org, origin: Log.originOf(base, org), publicUrl: base, predicate: "vsa" }) as const

    const attestationsOf = (
      given: AuditPackage,
      shown: Array<AuditPage.ShownAttestation>
    ): Members => {
      const membersOf = AttestationMembers.make(member, { base, org: given.org }, given.contentOf)
      return Stream.flatMap(given.attestations, (each): Members => {
        const filed = { ...each, folder: folderOf(each) }
        const { name, type, isCompliant, isOverride, created_by, created_at } =
          each.view.attestation
        shown.push({
          attestation: { name, type, isCompliant, isOverride, created_by, created_at },
          under: each.under,
          files: AttestationMembers.filesOf(filed)
        })
        return membersOf(filed)
      })
    }

    /** The receipts of all artifacts of a package. */
    const receiptsOf = ({ artifacts, org }: AuditPackage) =>
      receipts.read(
        questionOf(org),
        artifacts.map(({ artifact }) => artifact.fingerprint)
      )

    /** The members of receipts, and the keys to check them with. */
    const receiptMembers = (
      { keys }: PackagedReceipts,
      named: ReadonlyArray<AuditPage.ShownReceipt>
    ): Members => {
      const texts = named.flatMap(({ name, receipt }) =>
        name === null || Either.isLeft(receipt) ? [] : [[name, receipt.right] as const]
      )
      return Stream.mapEffect(
        Stream.fromIterable(
          texts.length === 0 ? [] : [...texts, [ReceiptMembers.KEYS, keys] as const]
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
        const verdicts = made.receipts.map(ReceiptMembers.named)
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
        download(bytesOf(given, made, documents), `${given.trail.flow.name}-${subject}`)
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
        ),
      snapshot: ({ path, incoming }) =>
        snapshotPackages
          .read(questionOf(path.org), {
            environment: path.env_name,
            expression: path.snapshot_expression
          })
          .pipe(
            asTyped(path.env_name, incoming),
            toWire,
            Effect.map((given) => {
              const { environment, snapshot } = given.found
              return download(
                snapshotMembers.bytesOf(path.org, given),
                `${environment.name}-${snapshot.index}`
              )
            })
          )
    }
  })
)
