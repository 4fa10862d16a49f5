const defaultSilenceLimitMs = 60_000;

/** Aborts when standard input ends, or is silent for long: who holds its other end sends an empty line every 15 seconds. A machine that lost its power ends no connection. */
export function watchInput(silenceLimitMs = defaultSilenceLimitMs): { signal: AbortSignal } & Disposable {
  const controller = new AbortController();
  const abort = () => controller.abort(new Error('The channel of ssh has ended'));
  const silence = setTimeout(abort, silenceLimitMs);
  const hear = () => void silence.refresh();
  process.stdin.on('data', hear).once('end', abort).once('close', abort).once('error', abort);
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      clearTimeout(silence);
      process.stdin.off('data', hear).off('end', abort).off('close', abort).off('error', abort);
      process.stdin.pause();
    },
  };
}
