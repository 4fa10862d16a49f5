/** Aborts when the parent process is gone, where it started this one with a channel: even `kill -9` closes that. */
export function watchParent(): { signal: AbortSignal } & Disposable {
  const controller = new AbortController();
  const abort = () => controller.abort(new Error('The process that started this one is gone'));
  // Undefined where there never was a channel; false where it is closed by now.
  const isConnected = process.connected as boolean | undefined;
  if (isConnected === false) abort();
  else if (isConnected === true) process.once('disconnect', abort);
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      process.off('disconnect', abort);
    },
  };
}
