import browser from 'webextension-polyfill';
import { readAgentState, watchAgentState, type AgentState } from '../agent-state/agent-state.ts';
import { readEnrolment } from '../agent-state/enrolment-store.ts';
import { mayAccessPages } from '../agent-state/page-access.ts';
import { describeControllerLink } from '../appearance/describe-controller-link.ts';
import { at, findElement, showText } from '../appearance/find-element.ts';

function show(state: AgentState): void {
  const { tone, text } = describeControllerLink(state);
  at('dot').dataset.tone = tone;
  at('link').textContent = text;
  showText('problem', state.problem);
  showPass(state.pass);
  showChanges(state.changes);
  showVisits(state.lastVisits);
  showText(
    'waiting',
    state.waitingCount === 0
      ? null
      : `${state.waitingCount} ${state.waitingCount === 1 ? 'Visit waits' : 'Visits wait'} for upload.`,
  );
}

function showPass(pass: AgentState['pass']): void {
  at('pass').hidden = pass === null;
  if (!pass) return;
  at('user-agent').textContent = `${pass.userAgent} in ${pass.scenario}`;
  at('count').textContent = `${pass.visitsEnded} of ${pass.visitsOrdered}`;
  at('url').textContent = pass.url ?? 'Preparing the next Visit';
  at('url').title = pass.url ?? '';
  const progress = findElement('#progress', HTMLProgressElement);
  progress.max = pass.visitsOrdered;
  progress.value = pass.visitsEnded;
}

function showChanges(changes: string[]): void {
  at('changes').hidden = changes.length === 0;
  at('change-list').replaceChildren(
    ...changes.map((change) => {
      const item = document.createElement('li');
      item.textContent = change;
      return item;
    }),
  );
}

function showVisits(visits: AgentState['lastVisits']): void {
  at('last').hidden = visits.length === 0;
  at('visits').replaceChildren(...visits.map(describeVisit));
}

function describeVisit({ url, totalMs, code }: AgentState['lastVisits'][number]): HTMLTableRowElement {
  const row = document.createElement('tr');
  const address = row.insertCell();
  address.textContent = url;
  address.title = url;
  const result = row.insertCell();
  result.textContent = code ?? (totalMs === null ? 'absent' : `${Math.round(totalMs).toLocaleString('en')} ms`);
  result.classList.toggle('problem', code !== null);
  return row;
}

at('options').addEventListener('click', (event) => {
  event.preventDefault();
  void browser.runtime.openOptionsPage().then(() => window.close());
});

watchAgentState(show);
show(await readAgentState());
const enrolment = await readEnrolment();
showText('agent', enrolment && `“${enrolment.name}” at ${enrolment.controllerUrl}`);
at('access').hidden = await mayAccessPages();
