import { expect, test, vi } from 'vitest';
import { loadPage } from '#web-ui/src/api/load-page.ts';

test('a part of the web UI that did not load is loaded once more, and says then what to do', async () => {
  vi.useFakeTimers();
  try {
    const failure = new TypeError('Failed to fetch dynamically imported module');
    const load = vi.fn<() => Promise<string>>().mockRejectedValueOnce(failure).mockResolvedValueOnce('page');
    const loaded = loadPage(load);
    await vi.runAllTimersAsync();
    expect(await loaded).toBe('page');
    const refused = expect(loadPage(() => Promise.reject(failure))).rejects.toMatchObject({
      problem: { code: 'controller-unreachable' },
      cause: failure,
    });
    await vi.runAllTimersAsync();
    await refused;
  } finally {
    vi.useRealTimers();
  }
});
