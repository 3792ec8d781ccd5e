/** Notes that the browser is offline; polling pauses meanwhile. */
import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"

/** Renders nothing while the browser is online. */
export const OfflineBar = () => {
  const isOnline = useSignal(navigator.onLine)
  useEffect(() => {
    const update = () => {
      isOnline.value = navigator.onLine
    }
    addEventListener("online", update)
    addEventListener("offline", update)
    return () => {
      removeEventListener("online", update)
      removeEventListener("offline", update)
    }
  }, [isOnline])
  return (
    <div role="status">
      {isOnline.value ? null : (
        <p class="offline-bar">
          You are offline. This page may be out of date; it is refreshed later.
        </p>
      )}
    </div>
  )
}
