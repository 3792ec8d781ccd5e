/**
 * The transparency log of an org: its size, its signed checkpoint, its keys, its entries, and its
 * verification in this browser.
 */
import type * as Route from "@attestry/web/Route"
import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import type { PageProps } from "../pages.js"
import { callOf } from "../shared/Api.js"
import { Command } from "../shared/Command.js"
import type { Log } from "../shared/Contract.js"
import { CopyButton } from "../shared/CopyButton.js"
import { Facts } from "../shared/Facts.js"
import { Page } from "../shared/Page.js"
import { cache, useQuery } from "../shared/Query.js"
import { QueryView } from "../shared/QueryView.js"
import { RevealedText } from "../shared/RevealedText.js"
import { Timestamp } from "../shared/Timestamp.js"
import { VerdictMark } from "../shared/VerdictMark.js"
import { LogEntries } from "./LogEntries.js"
import * as LogText from "./LogText.js"
import { count } from "./LogText.js"
import { LogVisibility } from "./LogVisibility.js"
import { NotChecked, Outcome } from "./Proof.js"
import * as ProofReads from "./ProofReads.js"

const POLL_MS = 15_000

const State = ({ log }: { readonly log: Log }) => {
  const [verdict, label] = LogText.stateText(log.state)
  const { pending } = log
  return (
    <p class="panel-lead proof-outcome">
      <VerdictMark verdict={verdict} word label={label} /> · {count(log.size)}
      {pending === 0 ? null : ` · ${count(pending)} recorded and not in the log yet`}
      {log.message === null ? null : (
        <>
          {" · "}
          <RevealedText text={log.message} />
        </>
      )}
    </p>
  )
}

const Key = ({ vkey }: { readonly vkey: string }) => (
  <span class="log-key">
    <code>{vkey}</code>
    <CopyButton text={vkey} what="the key" />
  </span>
)

/** The findings of the server's last verification. */
const Verification = ({ log }: { readonly log: Log }) => {
  const { scrub } = log
  const [verdict, label] = LogText.scrubText(scrub, LogText.sizeOf(log))
  return (
    <span>
      <VerdictMark verdict={verdict} word label={label} />
      {scrub.finished_at === null ? null : (
        <>
          {" · ended "}
          <Timestamp seconds={scrub.finished_at} />
        </>
      )}
    </span>
  )
}

/** An ended epoch: its last signed checkpoint, and when it ended. */
const Ended = ({ epoch }: { readonly epoch: Log["epochs"][number] }) => (
  <span class="log-epoch">
    <RevealedText text={epoch.origin} /> · {count(epoch.size)}
    {epoch.ended_at === null ? null : (
      <>
        {", ended "}
        <Timestamp seconds={epoch.ended_at} />
      </>
    )}
  </span>
)

/** The earlier epochs; most logs have none. */
const earlierOf = ({ epoch, epochs }: Log) => epochs.filter((each) => each.epoch !== epoch)

const About = ({ log }: { readonly log: Log }) => (
  <Facts
    facts={[
      ["Origin", <RevealedText key="origin" text={log.origin} />],
      [
        "Checkpoint",
        log.checkpoint === null ? (
          "none yet"
        ) : (
          <span key="checkpoint">
            {count(log.checkpoint.size)}, signed <Timestamp seconds={log.checkpoint.signed_at} />
          </span>
        )
      ],
      [
        "Root",
        <span key="root" class="log-key">
          <code>{log.root}</code>
          <CopyButton text={log.root} what="the root" />
        </span>
      ],
      [
        "Witnesses",
        log.checkpoint === null || log.checkpoint.witnesses.length === 0 ? (
          "none has cosigned this checkpoint"
        ) : (
          <span key="witnesses">
            {log.checkpoint.witnesses.map((name) => (
              <span key={name}>
                <RevealedText text={name} />{" "}
              </span>
            ))}
            {log.checkpoint.quorum === true ? "· a quorum" : ""}
            {log.checkpoint.quorum === false ? "· not yet a quorum" : ""}
          </span>
        )
      ],
      [
        "Keys",
        log.keys.length === 0 ? "none" : log.keys.map(({ vkey }) => <Key key={vkey} vkey={vkey} />)
      ],
      ...(earlierOf(log).length === 0
        ? []
        : [
            [
              "Earlier epochs",
              earlierOf(log).map((each) => <Ended key={each.epoch} epoch={each} />)
            ] as const
          ]),
      ["Rollbacks", LogText.rollbackText(log.rollback_detection)],
      ["Last verified", <Verification key="verification" log={log} />]
    ]}
  />
)

const BeforeText = ({
  state
}: {
  readonly state: Extract<ProofReads.Proving, { readonly _tag: "Checked" }>
}) => {
  const { before, log } = state
  if (before === undefined)
    return <p class="quiet">This browser has verified this log for the first time.</p>
  const isOtherKey = log.keys.every(({ vkey }) => !before.vkeys.includes(vkey))
  return (
    <p class="quiet">
      Verified here before: {count(before.size)}, <Timestamp seconds={before.at} />
      {isOtherKey ? ". The keys of the log have changed since then: ask the operator why." : "."}
    </p>
  )
}

/** WHY keyed by size and root: an unchanged log is not verified again after a refetch. */
const Verified = ({ org, log }: { readonly org: string; readonly log: Log }) => {
  const state = useSignal<ProofReads.Proving>({ _tag: "Checking" })
  const run = async () => {
    state.value = await ProofReads.ofHead(org, log)
  }
  useEffect(() => void run(), [org, log.checkpoint?.size, log.root])
  const found = state.value
  if (found._tag !== "Checked") return <NotChecked state={found} retry={() => void run()} />
  const { answer } = found
  return (
    <>
      <p class="proof-outcome" role="status">
        <Outcome
          answer={answer}
          proved={
            answer.outcome === "proved"
              ? `the newest of ${count(answer.size)} is in the signed log`
              : ""
          }
        />
      </p>
      {answer.outcome === "proved" ? <BeforeText state={found} /> : null}
    </>
  )
}

const Body = ({
  org,
  log,
  route
}: {
  readonly org: string
  readonly log: Log
  readonly route: Route.RouteOf<"Log">
}) => (
  <>
    <State log={log} />
    <div class="log-facts">
      <About log={log} />
    </div>
    <section class="block">
      <h2>Verified in this browser</h2>
      <p class="quiet">
        The signature, the place of the newest entry and the growth since the last visit are
        computed here, without trust in what the server claims about them.
      </p>
      <Verified org={org} log={log} />
    </section>
    <LogVisibility org={org} log={log} />
    <section class="block">
      <h2>Verify it yourself</h2>
      <p class="quiet">Copies the log as files, checks every hash, and checks the copy offline.</p>
      <Command text={`attestry log pull ${org}-log && attestry log verify ${org}-log`} />
    </section>
    <LogEntries org={org} log={log} route={route} />
  </>
)

export const LogPage = ({ route }: PageProps<Route.RouteOf<"Log">>) => {
  const { org } = route.params
  const state = useQuery("log.get", { org }, { poll: POLL_MS })
  return (
    <Page name="Evidence log" org={org}>
      <p class="quiet">
        Every accepted write of this org is one entry. An entry cannot be changed or removed without
        being noticed.
      </p>
      <QueryView state={state} retry={() => void cache.refresh(callOf("log.get", { org }).path)}>
        {(log) => <Body org={org} log={log} route={route} />}
      </QueryView>
    </Page>
  )
}
