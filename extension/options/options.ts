import { EnrolmentSchema, readEnrolmentLink, type Enrolment } from '#core/protocol/enrolment-link.ts';
import { readAgentState, watchAgentState, type AgentState } from '../agent-state/agent-state.ts';
import { readEnrolment, writeEnrolment } from '../agent-state/enrolment-store.ts';
import { hasContainers, mayAccessPages, mayIsolate, requestPageAccess } from '../agent-state/page-access.ts';
import { forbidProxies, mayUseProxies, permitProxies } from '../agent-state/proxy-permit.ts';
import { describeControllerLink } from '../appearance/describe-controller-link.ts';
import { at, findElement, showText } from '../appearance/find-element.ts';

const inputs = {
  link: input('enrolment-link'),
  controllerUrl: input('controller-url'),
  token: input('token'),
  name: input('name'),
};

function input(id: string): HTMLInputElement {
  return findElement(`#${id}`, HTMLInputElement);
}

function showState(state: AgentState): void {
  const { tone, text } = describeControllerLink(state);
  at('dot').dataset.tone = tone;
  at('link').textContent = text;
  showText('problem', state.problem);
}

function showEnrolment(enrolment: Enrolment | null): void {
  inputs.link.value = '';
  inputs.controllerUrl.value = enrolment?.controllerUrl ?? '';
  inputs.token.value = enrolment?.token ?? '';
  inputs.name.value = enrolment?.name ?? '';
  at('leave').hidden = enrolment === null;
}

async function showRights(): Promise<void> {
  const mayAccess = await mayAccessPages();
  at('access-dot').dataset.tone = mayAccess ? 'good' : 'bad';
  at('access').textContent = mayAccess
    ? 'Access to web pages is allowed.'
    : 'Access to web pages is not allowed yet, so it cannot measure.';
  at('grant').hidden = mayAccess;
  const isIsolated = await mayIsolate();
  const mayProxy = await mayUseProxies();
  at('proxy-dot').dataset.tone = mayProxy ? 'good' : 'waiting';
  at('proxy').textContent = `Scenarios ${mayProxy ? 'may' : 'may not'} set a proxy. ${describeProxyReach(isIsolated)}`;
  at('permit-proxies').hidden = mayProxy;
  at('forbid-proxies').hidden = !mayProxy;
  at('isolation-dot').dataset.tone = isIsolated ? 'good' : 'waiting';
  at('isolation').textContent = describeIsolation(isIsolated);
}

function describeIsolation(isIsolated: boolean): string {
  if (hasContainers()) return 'Every cold Visit has its own container.';
  if (isIsolated) return 'Every cold Visit has its own incognito window.';
  return 'Incognito windows are not allowed. The extension clears the cache of this browser before each cold Visit, and connections may stay open. Switch on “Allow in Incognito” in the details of the extension.';
}

function describeProxyReach(isIsolated: boolean): string {
  if (hasContainers()) return 'Only the window of a Visit uses it.';
  const whole = 'the whole browser uses it while a Visit lasts, your own pages too';
  return isIsolated
    ? `Incognito windows use it while a Visit lasts. In a warm Pass, and while you have an incognito window of your own, ${whole}.`
    : `Without incognito windows, ${whole}.`;
}

inputs.link.addEventListener('input', () => {
  const enrolment = readEnrolmentLink(inputs.link.value);
  showText('fault', explainLink());
  if (!enrolment) return;
  inputs.controllerUrl.value = enrolment.controllerUrl;
  inputs.token.value = enrolment.token;
  inputs.name.value = enrolment.name;
});

at('enrolment').addEventListener('submit', (event) => {
  event.preventDefault();
  const { controllerUrl, token, name } = inputs;
  const enrolment = EnrolmentSchema.safeParse({
    controllerUrl: controllerUrl.value.trim(),
    token: token.value,
    name: name.value,
  });
  const issue = enrolment.error?.issues[0];
  // With a link that cannot be read, the fields below it are those of another enrolment.
  const fault = explainLink() ?? (issue ? `${describeField(String(issue.path[0]))} ${issue.message}.` : null);
  showText('fault', fault);
  if (enrolment.success && fault === null)
    void writeEnrolment(enrolment.data).then(() => showEnrolment(enrolment.data));
});

/** Null where there is none, or one that can be read. */
function explainLink(): string | null {
  return inputs.link.value.trim() === '' || readEnrolmentLink(inputs.link.value)
    ? null
    : 'Not an enrolment link. Copy the whole line from “Add a host”.';
}

function describeField(field: string): string {
  return field === 'controllerUrl' ? 'The address' : field === 'token' ? 'The token' : 'The name';
}

at('leave').addEventListener('click', () => void writeEnrolment(null).then(() => showEnrolment(null)));
at('grant-access').addEventListener('click', () => void requestPageAccess().then(showRights));

at('permit-proxies').addEventListener('click', () => void permitProxies().then(showRights));
at('forbid-proxies').addEventListener('click', () => void forbidProxies().then(showRights));

watchAgentState(showState);
showState(await readAgentState());
showEnrolment(await readEnrolment());
await showRights();
