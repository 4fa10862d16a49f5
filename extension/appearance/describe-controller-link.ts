import type { AgentState } from '../agent-state/agent-state.ts';

export interface LinkDescription {
  tone: 'good' | 'waiting' | 'bad' | 'none';
  text: string;
}

/** The state of the connection to the Controller, in a few words. */
export function describeControllerLink({ link, pass }: Pick<AgentState, 'link' | 'pass'>): LinkDescription {
  switch (link) {
    case 'connected':
      return { tone: 'good', text: pass ? 'Measuring' : 'Connected, idle' };
    case 'connecting':
      return { tone: 'waiting', text: 'Connecting' };
    case 'refused':
      return { tone: 'bad', text: 'The Controller refused this Agent' };
    case 'not-enrolled':
      return { tone: 'none', text: 'Not enrolled with a Controller' };
  }
}
