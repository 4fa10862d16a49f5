import browser from 'webextension-polyfill';
import { readEnrolment, watchEnrolment } from '../agent-state/enrolment-store.ts';
import { watchProxyPermit } from '../agent-state/proxy-permit.ts';
import { ExtensionAgent } from './extension-agent.ts';
import { undoLeftChanges } from './settings/undo-left-changes.ts';
import { closeLeftovers } from './stage/close-leftovers.ts';

/** The shortest that browsers allow. */
const wakeEveryMinutes = 0.5;

// Each of these starts the background when it sleeps or died, and that is all they are for. They have to be there at once.
const wake = () => undefined;
browser.runtime.onStartup.addListener(wake);
browser.runtime.onInstalled.addListener(wake);
browser.runtime.onConnect.addListener(wake);
browser.alarms.onAlarm.addListener(wake);

const opened = open();
opened.catch((error: unknown) => console.error('The extension could not start', error));
watchEnrolment(() => {
  opened
    .then(async (agent) => agent.enrol(await readEnrolment(), { isChange: true }))
    .catch((error: unknown) => console.error('The enrolment could not be changed', error));
});
watchProxyPermit(() => {
  opened
    .then((agent) => agent.reportPermit())
    .catch((error: unknown) => console.error('What the person permits could not be reported', error));
});

async function open(): Promise<ExtensionAgent> {
  await browser.alarms.create('wake', { periodInMinutes: wakeEveryMinutes });
  await closeLeftovers();
  await undoLeftChanges();
  const agent = await ExtensionAgent.open();
  await agent.enrol(await readEnrolment(), { isChange: false });
  return agent;
}
