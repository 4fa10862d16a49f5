import browser from 'webextension-polyfill';
import { describeProblem } from '#core/protocol/agent-messages.ts';
import { readAgentState, writeAgentState } from '../agent-state/agent-state.ts';
import { readEnrolment, watchEnrolment } from '../agent-state/enrolment-store.ts';
import { watchProxyPermit } from '../agent-state/proxy-permit.ts';
import { ExtensionAgent } from './extension-agent.ts';
import { undoProxyOfChrome } from './settings/proxy-in-chrome.ts';
import { clearTabRules } from './settings/tab-rules.ts';
import { endShift } from './visit/shift-clock.ts';
import { hasContainers } from '../agent-state/page-access.ts';
import { closeWindow, removeContainer, forgetContainer, readContainers, readWindows } from './stage/open-stage.ts';

/** The shortest that browsers allow. */
const wakeEveryMinutes = 0.5;

// Each of these starts the background when it sleeps or died, and that is all they are for. They have to be there at once.
const wake = () => undefined;
browser.runtime.onStartup.addListener(wake);
browser.runtime.onInstalled.addListener(wake);
browser.runtime.onConnect.addListener(wake);
browser.alarms.onAlarm.addListener(wake);

const opened = open();
opened.catch(async (error: unknown) => {
  console.error('The extension could not start', error);
  // The popup would say without end that it connects.
  const problem = `The extension could not start: ${describeProblem(error)}. Start the browser again. If that does not help, make room on its disk.`;
  await writeAgentState({ ...(await readAgentState()), link: 'connecting', problem });
});
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

/** Undoes what a background or a browser that died in the midst of a Visit left other than the person has it. */
async function undoLeftChanges(): Promise<void> {
  await clearTabRules();
  await undoProxyOfChrome();
  await endShift();
}

/** Closes what a background that died left open. */
async function closeLeftovers(): Promise<void> {
  for (const windowId of await readWindows()) await closeWindow(windowId);
  const containers = await readContainers();
  if (containers.length === 0 || !hasContainers()) return;
  const known = new Set((await browser.contextualIdentities.query({})).map(({ cookieStoreId }) => cookieStoreId));
  for (const container of containers)
    await (known.has(container) ? removeContainer(container) : forgetContainer(container));
}
