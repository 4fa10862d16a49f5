import { z } from 'zod';
import { VisitFailure } from '#core/agent/visit-failure.ts';
import { assertNever } from '#core/assert-never.ts';
import type { NumberedStep } from '#core/evaluation/journey/journey.ts';
import { type JourneyStep, readSelectorPaths } from '#core/evaluation/journey/journey-step.ts';
import { unlessAborted } from '#core/waiting.ts';
import type { BrowserPage } from '../browser-page.ts';

/** In a text that a journey types: a secret that only the Agent knows. */
const secretPattern = /\{secret:([A-Z0-9_]{1,40})\}/g;

interface StepPlace {
  page: BrowserPage;
  signal: AbortSignal;
  /** Called just before the page learns of the step. */
  onAct?: () => void;
}

const PointSchema = z.object({ x: z.number(), y: z.number() }).nullable();
const BegunChangeSchema = z.enum(['type', 'done', 'absent', 'no-field']);

/** Does one step as its user would. Throws `journey-step-failed` where that cannot be done, and the signal's reason when aborted before: a page that is busy answers nothing. */
export async function takeStep(step: NumberedStep, place: StepPlace): Promise<void> {
  await unlessAborted(actOnPage(step, place), place.signal);
}

async function actOnPage({ step, number, timeoutMs }: NumberedStep, place: StepPlace): Promise<void> {
  const { page, signal, onAct = () => undefined } = place;
  const fail = (problem: string) => failStep({ step, number }, problem);
  const noElement = () => fail(`no such element could be used within ${timeoutMs} ms`);
  const ask = (call: string, ...parameters: unknown[]) =>
    page.ask(`httpAeProbe.journey.${call}(${parameters.map((each) => JSON.stringify(each)).join(', ')})`, signal);

  switch (step.type) {
    case 'navigate':
      onAct();
      return page.navigate({ url: step.url, signal });
    case 'click': {
      const offset = { x: step.offsetX, y: step.offsetY };
      const point = PointSchema.parse(await ask('findPoint', readSelectorPaths(step.selectors), { timeoutMs, offset }));
      if (!point) throw noElement();
      onAct();
      return page.input.click(point);
    }
    case 'change': {
      const value = readTypedText(step.value, process.env);
      if (value === null) throw fail('the environment of this Agent has no such secret');
      onAct();
      const begun = BegunChangeSchema.parse(
        await ask('beginChange', readSelectorPaths(step.selectors), { value, timeoutMs }),
      );
      if (begun === 'absent') throw noElement();
      if (begun === 'no-field') throw fail('the element does not take this text');
      if (begun === 'done') return;
      if (value !== '') return page.input.type(value);
      await page.input.press('Delete');
      return page.input.release('Delete');
    }
    case 'keyDown':
      onAct();
      return page.input.press(step.key);
    case 'keyUp':
      onAct();
      return page.input.release(step.key);
    case 'scroll': {
      const { selectors, x, y } = step;
      onAct();
      const came = await ask('scroll', selectors ? readSelectorPaths(selectors) : null, { x, y, timeoutMs });
      if (came !== true) throw noElement();
      return;
    }
    case 'waitForElement': {
      onAct();
      if ((await ask('waitForElement', readSelectorPaths(step.selectors), timeoutMs)) !== true) throw noElement();
      return;
    }
    case 'setViewport':
      onAct();
      return page.setViewport({ widthPx: step.width, heightPx: step.height });
    case 'customStep':
      onAct();
      await ask('mark', step.parameters.name);
      return;
    default:
      return assertNever(step);
  }
}

/** Names the step, but never what it types. */
export function failStep({ step, number }: Pick<NumberedStep, 'step' | 'number'>, problem: string): VisitFailure {
  return new VisitFailure('journey-step-failed', `Step ${describeStep(step, number)}: ${problem}`);
}

export function describeStep(step: JourneyStep, number: number): string {
  const selectors = 'selectors' in step && step.selectors ? readSelectorPaths(step.selectors) : [];
  const [path] = selectors;
  return `${number}, ${step.type}${path ? ` ${path.join(' >>> ')}` : ''}`;
}

/** The text to type, with secrets of the Agent's environment in their places; null where it has one of them not. */
export function readTypedText(value: string, environment: Readonly<Record<string, string | undefined>>): string | null {
  const secrets = new Map(
    [...value.matchAll(secretPattern)].map(([, name]) => [name, environment[secretVariable(name!)]]),
  );
  if ([...secrets.values()].includes(undefined)) return null;
  return value.replace(secretPattern, (_, name: string) => secrets.get(name)!);
}

/** The variable of the Agent's environment that holds a secret. Evaluators can have it typed into any page, so no other variable is read. */
function secretVariable(name: string): string {
  return `HTTP_AE_SECRET_${name}`;
}
