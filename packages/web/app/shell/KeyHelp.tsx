/** The dialog that lists the keyboard shortcuts. */
import { Dialog } from "../shared/Dialog.js"
import * as Navigation from "../shared/Navigation.js"
import { preferences } from "../shared/Preferences.js"
import { KEY_GROUPS } from "./KeyTable.js"

export const KeyHelp = ({ onClose }: { readonly onClose: () => void }) => (
  <Dialog title="Keys" onClose={onClose}>
    {preferences.value.shortcuts === "off" ? (
      <p>
        Keys without ⌘ or Ctrl are switched off in the{" "}
        <a href={Navigation.href("Preferences", {})} onClick={onClose}>
          preferences
        </a>
        .
      </p>
    ) : null}
    <div class="key-groups">
      {KEY_GROUPS.map(([title, keys]) => (
        <section key={title}>
          <h3>{title}</h3>
          <dl>
            {keys.map(({ keys: names, text }) => (
              <div key={text} class="key-line">
                <dt>
                  {names.map((name) => (
                    <kbd key={name}>{name}</kbd>
                  ))}
                </dt>
                <dd>{text}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
    <div class="form-actions">
      <button type="button" class="button" onClick={onClose}>
        Close
      </button>
    </div>
  </Dialog>
)
