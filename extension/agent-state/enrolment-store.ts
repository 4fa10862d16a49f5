import browser from 'webextension-polyfill';
import { EnrolmentSchema, type Enrolment } from '#core/protocol/enrolment-link.ts';

const key = 'enrolment';

/** With which Controller, and as whom; null when it was not enrolled yet, or has left. */
export async function readEnrolment(): Promise<Enrolment | null> {
  const stored = await browser.storage.local.get(key);
  if (key in stored) return EnrolmentSchema.safeParse(stored[key]).data ?? null;
  return readPackagedEnrolment();
}

/** Null: it leaves its Controller. The time makes the same enrolment a change too: browsers report only values that differ. */
export function writeEnrolment(enrolment: Enrolment | null): Promise<void> {
  return browser.storage.local.set({ [key]: enrolment && { ...enrolment, enrolledEpochMs: Date.now() } });
}

export function watchEnrolment(onChange: () => void): void {
  browser.storage.onChanged.addListener((changes, area) => {
    if (area === 'local' && key in changes) onChange();
  });
}

/** `null` in the extension that is handed out; who starts browsers by a program puts an enrolment there. */
async function readPackagedEnrolment(): Promise<Enrolment | null> {
  const response = await fetch(browser.runtime.getURL('enrolment.json'));
  return EnrolmentSchema.nullable().parse(await response.json());
}
