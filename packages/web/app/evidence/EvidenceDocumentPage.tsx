/** One evidence document: what was recognised, who signed it, why it is verified or not, and what it reached. */
import * as Route from "@attestry/web/Route"
import type { PageProps } from "../pages.js"
import { ArtifactLink, FlowLink, TrailLink } from "../shared/AddressLinks.js"
import { callOf } from "../shared/Api.js"
import type { EvidenceDocument } from "../shared/Contract.js"
import { Facts } from "../shared/Facts.js"
import { Fingerprint } from "../shared/Fingerprint.js"
import * as Navigation from "../shared/Navigation.js"
import { Page } from "../shared/Page.js"
import { cache, useQuery } from "../shared/Query.js"
import { QueryView } from "../shared/QueryView.js"
import { RevealedText } from "../shared/RevealedText.js"
import * as Shorten from "../shared/Shorten.js"
import { Timestamp } from "../shared/Timestamp.js"
import { fromState } from "../shared/Verdict.js"
import { VerdictMark } from "../shared/VerdictMark.js"
import { formatText, rowsOf } from "./EvidenceFactText.js"
import { EvidenceFindings } from "./EvidenceFindings.js"
import { State } from "./EvidenceParts.js"
import { nextText, reasonText, signerText } from "./VerificationText.js"

interface Shown {
  readonly org: string
  readonly document: EvidenceDocument
}

const About = ({ org, document }: Shown) => {
  const { accepted_at, accepted_by, digest, filename, format, position, predicate_type } = document
  const { path } = callOf("evidence.raw", { org, digest })
  return (
    <Facts
      facts={[
        ["Kind", document.kind],
        ["Format", <RevealedText key="format" text={formatText(format)} />],
        [
          "Predicate",
          predicate_type === null ? undefined : <RevealedText key="type" text={predicate_type} />
        ],
        [
          "Accepted",
          <span key="accepted">
            <Timestamp seconds={accepted_at} /> by <RevealedText text={accepted_by} />
          </span>
        ],
        [
          "File",
          <span key="file">
            <a href={`${Navigation.base}${path}`} download={filename === "" ? digest : filename}>
              <RevealedText text={filename === "" ? "download" : filename} />
            </a>{" "}
            <span class="quiet">
              {Shorten.count(document.size)} bytes
              {position > 1 ? `, document ${position}` : ""} · SHA-256
            </span>{" "}
            <Fingerprint value={digest} />
          </span>
        ]
      ]}
    />
  )
}

const Verification = ({ org, document: { verification } }: Shown) => {
  const reason = reasonText(verification)
  const next = nextText(verification)
  const signer = signerText(verification)
  const { log, root, rule, signed_at, state } = verification
  return (
    <section class="policy-part">
      <h2>Verification</h2>
      <p class="verification-lead">
        <State state={state} />
        {reason === null ? null : `: ${reason}`}
      </p>
      {next === null ? null : <p class="verification-lead quiet">{next}</p>}
      <Facts
        facts={[
          ["Signer", signer === null ? undefined : <RevealedText key="signer" text={signer} />],
          [
            "Rule",
            rule === null ? undefined : (
              <a key="rule" href={Navigation.href("TrustPolicy", { org })}>
                <RevealedText text={rule} />
              </a>
            )
          ],
          ["Signed", signed_at === null ? undefined : <Timestamp key="at" seconds={signed_at} />],
          ["Trust root", root === null ? undefined : <RevealedText key="root" text={root} />],
          [
            "Log entry",
            log === null ? undefined : (
              <RevealedText key="log" text={`${log.index} of ${log.origin}`} />
            )
          ]
        ]}
      />
    </section>
  )
}

const Says = ({ document }: Shown) => {
  const rows = rowsOf(document.facts)
  if (rows.length === 0) return null
  return (
    <section class="policy-part">
      <h2>What it says</h2>
      <Facts
        facts={rows.map(([title, value]) => [
          title,
          typeof value === "string" ? (
            <RevealedText key={title} text={value} />
          ) : (
            <Timestamp key={title} seconds={value.at} always="absolute" />
          )
        ])}
      />
    </section>
  )
}

type LinkedSubject = EvidenceDocument["subjects"][number]

const Subject = ({ org, subject }: { readonly org: string; readonly subject: LinkedSubject }) => {
  const { digest, linked, name } = subject
  const sha256 = Object.hasOwn(digest, "sha256") ? digest.sha256 : undefined
  const [algorithm = "", value = ""] = Object.entries(digest)[0] ?? []
  return (
    <li>
      <span>
        {sha256 === undefined ? (
          <>
            {name === null ? null : <RevealedText text={name} />}{" "}
            <code>
              {algorithm} {Shorten.middle(value, 24)}
            </code>
          </>
        ) : linked ? (
          <ArtifactLink org={org} flow={null} fingerprint={sha256} name={name ?? "artifact"} />
        ) : (
          <>
            {name === null ? null : <RevealedText text={name} />} <Fingerprint value={sha256} />
          </>
        )}
      </span>
      <span class="quiet">{linked ? "linked" : "waits for such an artifact or trail"}</span>
    </li>
  )
}

const Subjects = ({ org, document: { subject_count, subjects } }: Shown) => (
  <section class="policy-part">
    <h2>Subjects</h2>
    {subjects.length === 0 ? (
      <p class="quiet">None: the sender said what it is about.</p>
    ) : (
      <ul class="subject-list">
        {subjects.map((subject, index) => (
          <Subject key={index} org={org} subject={subject} />
        ))}
      </ul>
    )}
    {subject_count > subjects.length ? (
      <p class="quiet">and {Shorten.count(subject_count - subjects.length)} more</p>
    ) : null}
  </section>
)

type Link = EvidenceDocument["links"][number]

const ComponentsLink = ({
  org,
  fingerprint
}: {
  readonly org: string
  readonly fingerprint: string
}) => (
  <a
    href={Navigation.hrefOf(Route.make("Components", { org }, { fingerprint }))}
    aria-label={`components of ${Shorten.fingerprint(fingerprint)}`}
  >
    components
  </a>
)

/** An attestation of the document; `hasComponents` links to the components of its artifact. */
const Reached = ({
  org,
  link,
  hasComponents
}: {
  readonly org: string
  readonly link: Link
  readonly hasComponents: boolean
}) => {
  const { artifact_fingerprint, attestation_id, flow_name: flow, trail_name: trail } = link
  return (
    <li>
      <span>
        <VerdictMark verdict={fromState(link.is_compliant)} />{" "}
        <a href={Navigation.hrefOf(Route.make("Trail", { org, flow, trail }, { attestation_id }))}>
          <RevealedText text={link.attestation_name} />
        </a>{" "}
        <span class="quiet">
          <RevealedText text={link.attestation_type} />
        </span>
      </span>
      <span>
        <FlowLink org={org} flow={flow} /> › <TrailLink org={org} flow={flow} trail={trail} />
        {artifact_fingerprint === null ? null : (
          <>
            {" › "}
            <a
              href={Navigation.href("FlowArtifact", {
                org,
                flow,
                fingerprint: artifact_fingerprint
              })}
            >
              <code>{Shorten.fingerprint(artifact_fingerprint)}</code>
            </a>
            {hasComponents ? (
              <>
                {" · "}
                <ComponentsLink org={org} fingerprint={artifact_fingerprint} />
              </>
            ) : null}
          </>
        )}
      </span>
    </li>
  )
}

const Links = ({ org, document: { kind, links } }: Shown) => (
  <section class="policy-part">
    <h2>Attestations</h2>
    {links.length === 0 ? (
      <p class="quiet">None yet: it is linked when an artifact that it is about is reported.</p>
    ) : (
      <ul class="subject-list">
        {links.map((link) => (
          <Reached
            key={link.attestation_id}
            org={org}
            link={link}
            hasComponents={kind === "sbom"}
          />
        ))}
      </ul>
    )}
  </section>
)

export const EvidenceDocumentPage = ({ route }: PageProps<Route.RouteOf<"EvidenceDocument">>) => {
  const { org, digest } = route.params
  const params = { org, digest, query: { position: Route.parameter(route, "position") } }
  const state = useQuery("evidence.get", params)
  return (
    <Page
      name={`Evidence ${Shorten.fingerprint(digest)}`}
      org={org}
      aside={<a href={Navigation.href("Evidence", { org })}>All evidence</a>}
    >
      <QueryView
        state={state}
        retry={() => void cache.refresh(callOf("evidence.get", params).path)}
      >
        {(document) => (
          <>
            <About org={org} document={document} />
            <Verification org={org} document={document} />
            <Says org={org} document={document} />
            <EvidenceFindings org={org} facts={document.facts} />
            <Subjects org={org} document={document} />
            <Links org={org} document={document} />
          </>
        )}
      </QueryView>
    </Page>
  )
}
