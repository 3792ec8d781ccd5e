/** The allow-list of an environment: each artifact with its reason, author, owner, time and end. */

import { useSignal } from "@preact/signals"
import { EntryPeople } from "../../allow-list/EntryPeople.js"
import * as Session from "../../session/Session.js"
import { callOf } from "../../shared/Api.js"
import type { AllowedArtifact } from "../../shared/Contract.js"
import { Dialog } from "../../shared/Dialog.js"
import { Ending } from "../../shared/Ending.js"
import { Fingerprint } from "../../shared/Fingerprint.js"
import { cache, useQuery } from "../../shared/Query.js"
import { QueryView } from "../../shared/QueryView.js"
import * as Reveal from "../../shared/Reveal.js"
import { RevealedText } from "../../shared/RevealedText.js"
import { Timestamp } from "../../shared/Timestamp.js"
import { type Change, ChangeNote, type SettingsTarget, useChange } from "./Change.js"

const RemoveDialog = ({
  target: { org, environment },
  entry,
  change,
  onClose
}: {
  readonly target: SettingsTarget
  readonly entry: AllowedArtifact
  readonly change: Change
  readonly onClose: () => void
}) => {
  const remove = async () => {
    const isDone = await change.run(
      (write) =>
        write("allowList.remove", {
          org,
          env_name: environment,
          fingerprint: entry.artifact_fingerprint
        }),
      `${entry.artifact_name} is no longer allowed. The environment was evaluated again.`
    )
    if (isDone) onClose()
  }
  return (
    <Dialog title="Stop allowing this artifact" onClose={onClose}>
      <p>
        <RevealedText text={entry.artifact_name} /> in <RevealedText text={environment} /> is then
        evaluated by its policies again, at once, in a new snapshot.
      </p>
      <p class="setting-fingerprint">
        <code>{entry.artifact_fingerprint}</code>
      </p>
      <ChangeNote change={change} />
      <div class="form-actions">
        <button type="button" class="button" onClick={onClose}>
          Keep it
        </button>
        <button
          type="button"
          class="button button-main"
          disabled={change.isSending.value}
          onClick={() => void remove()}
        >
          Stop allowing
        </button>
      </div>
    </Dialog>
  )
}

const Entries = ({
  entries,
  onRemove
}: {
  readonly entries: ReadonlyArray<AllowedArtifact>
  readonly onRemove: ((entry: AllowedArtifact) => void) | undefined
}) => (
  <div class="setting-scroller">
    <table class="table table-stacked">
      <caption class="visually-hidden">Allowed artifacts</caption>
      <thead>
        <tr>
          {["Artifact", "Fingerprint", "Reason", "By", "Since", "End"].map((title) => (
            <th key={title} scope="col" class="cell">
              {title}
            </th>
          ))}
          {onRemove === undefined ? null : (
            <th scope="col" class="cell">
              <span class="visually-hidden">Actions</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <tr key={entry.artifact_fingerprint}>
            <th scope="row" class="cell">
              <RevealedText text={entry.artifact_name} />
            </th>
            <td class="cell" data-label="Fingerprint">
              <Fingerprint value={entry.artifact_fingerprint} />
            </td>
            <td class="cell setting-reason" data-label="Reason">
              <RevealedText text={entry.description} />
            </td>
            <td class="cell" data-label="By">
              <EntryPeople creator={entry.created_by} owner={entry.owner} />
            </td>
            <td class="cell" data-label="Since">
              <Timestamp seconds={entry.created_at} />
            </td>
            <td class="cell" data-label="End">
              <Ending seconds={entry.expires_at} />
            </td>
            {onRemove === undefined ? null : (
              <td class="cell cell-number">
                <button type="button" class="button-plain" onClick={() => onRemove(entry)}>
                  Stop allowing
                  <span class="visually-hidden"> {Reveal.plain(entry.artifact_name)}</span>
                </button>
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

export const AllowList = ({ target }: { readonly target: SettingsTarget }) => {
  const params = { org: target.org, env_name: target.environment }
  const state = useQuery("allowList.list", params)
  const change = useChange(target)
  const removing = useSignal<AllowedArtifact | undefined>(undefined)
  const mayWrite = Session.may(target.org, "environment.write")
  return (
    <section class="setting">
      <h2 class="part-title">Allow-list</h2>
      <QueryView
        state={state}
        retry={() => void cache.refresh(callOf("allowList.list", params).path)}
      >
        {(entries) =>
          entries.length === 0 ? (
            <p class="quiet">
              Nothing is allowed here beside what policies allow. Rows of a snapshot can be allowed
              one by one.
            </p>
          ) : (
            <Entries
              entries={entries}
              onRemove={
                mayWrite
                  ? (entry) => {
                      change.problem.value = undefined
                      removing.value = entry
                    }
                  : undefined
              }
            />
          )
        }
      </QueryView>
      {removing.value === undefined ? (
        <ChangeNote change={change} />
      ) : (
        <RemoveDialog
          target={target}
          entry={removing.value}
          change={change}
          onClose={() => {
            removing.value = undefined
          }}
        />
      )}
    </section>
  )
}
