import type { AgentMessage } from '../protocol/agent-messages.ts';

const stepTypes = new Set<AgentMessage['type']>(['pass-ready', 'pass-started', 'pass-ended', 'pass-lost']);

/** The steps that Passes take between the hello and the welcome: the hello does not list them, and the Controller takes nothing before the welcome. */
export class StepsSinceHello {
  #steps: AgentMessage[] = [];

  /** Called before a hello lists the Passes. */
  begin(): void {
    this.#steps = [];
  }

  /** Called with what cannot be sent yet. */
  note(message: AgentMessage): void {
    if (stepTypes.has(message.type)) this.#steps.push(message);
  }

  /** To be sent after the welcome, in order. */
  take(): AgentMessage[] {
    const steps = this.#steps;
    this.#steps = [];
    return steps;
  }
}
