/** Waits for a promise, or throws the signal's reason as soon as it is aborted. */
export async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => aborted.reject(signal.reason);
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([promise, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** Waits for all steps, then returns their values or throws the first failure. No step is left running. */
export async function allSettled<const Values extends readonly unknown[]>(
  steps: Values,
): Promise<{ -readonly [Index in keyof Values]: Awaited<Values[Index]> }> {
  await Promise.allSettled(steps);
  return Promise.all(steps);
}
